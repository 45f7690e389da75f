//! `diff` from end to end: sets on disk and the working tree, three formats, exit codes.

use crate::support::Workspace;
use serde_json::Value;

const ROUTE: &str = r#"
//- channels/features.toml
[Timeouts]
summary = "How long a request may take."
//- src/lib.rs
use crd_channels_derive::ApiType;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route", namespaced)]
pub struct RouteSpec {
    /// The host.
    #[schemars(length(max = 20))]
    pub host: String,
    /// So long.
    #[experimental(feature = "Timeouts")]
    pub timeout: Option<String>,
}
"#;

/// Returns a workspace with the types above, generated as version 0.1.0 into `old`; the working tree is 0.2.0.
fn released() -> Workspace {
    let workspace = Workspace::new(ROUTE);
    workspace.run(&["gen-crds", "--output", "old"]).with_code(0);
    workspace.edit("Cargo.toml", "version = \"0.1.0\"", "version = \"0.2.0\"");
    workspace
}

fn json(workspace: &Workspace, arguments: &[&str]) -> Value {
    let mut all = vec!["diff"];
    all.extend(arguments);
    all.extend(["--format", "json"]);
    serde_json::from_str(&workspace.run(&all).with_code(0).stdout).unwrap()
}

#[test]
fn the_working_tree_is_a_set_like_any_other() {
    let workspace = released();
    let same = json(&workspace, &["old", "."]);
    assert_eq!(same["bump"], "none", "{same}");
    assert_eq!(same["changes"], Value::Array(Vec::new()), "{same}");
    workspace.edit("src/lib.rs", "max = 20", "max = 30");
    let looser = json(&workspace, &["old", "."]);
    assert_eq!(looser["bump"], "minor");
    let finding = &looser["changes"][0];
    for (key, value) in [
        ("code", "limit-loosened"),
        ("kind", "Route"),
        ("version", "v1"),
        ("field", "spec.host"),
        ("channel", "stable"),
        ("stored", "ok"),
        ("writers", "ok"),
        ("readers", "no"),
        ("bump", "minor"),
    ] {
        assert_eq!(finding[key], value, "{finding}");
    }
    let human = workspace.run(&["diff", "old", "."]).with_code(0).stdout;
    assert!(human.contains("lowest legal version: v0.2.0"), "{human}");
    assert!(human.contains("at src/lib.rs:"), "{human}");
    let notes = workspace
        .run(&["diff", "old", ".", "--format", "markdown"])
        .with_code(0)
        .stdout;
    assert!(
        notes.contains("### What implementations must now accept\n\n- Route `spec.host`"),
        "{notes}"
    );
}

/// kube writes whole numbers as `1.0`, and YAML is read as kubectl reads it: as 1.
#[test]
fn bounds_with_the_same_value_do_not_differ() {
    let workspace = Workspace::new(ROUTE);
    workspace.write("channels/bundle.toml", "conventions = \"kube\"\n");
    let port = "    #[schemars(range(min = 1, max = 100))]\n    pub port: u16,\n";
    workspace.edit(
        "src/lib.rs",
        "    /// So long.\n",
        &format!("{port}    /// So long.\n"),
    );
    workspace.run(&["gen-crds", "--output", "old"]).with_code(0);
    let same = json(&workspace, &["old", "."]);
    assert_eq!(same["changes"], Value::Array(Vec::new()), "{same:#}");
    workspace.edit("Cargo.toml", "version = \"0.1.0\"", "version = \"0.2.0\"");
    workspace.edit("src/lib.rs", "max = 100", "max = 50");
    let tighter = json(&workspace, &["old", "."]);
    let changes = tighter["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{tighter:#}");
    assert_eq!(changes[0]["message"], "maximum was 100 and is 50");
}

#[test]
fn changes_beyond_the_permitted_bump_are_findings() {
    let workspace = released();
    workspace.edit("src/lib.rs", "max = 20", "max = 10");
    for (against, code) in [("patch", 1), ("minor", 1), ("major", 0)] {
        workspace
            .run(&["diff", "old", ".", "--against", against])
            .with_code(code);
    }
    workspace.write(
        "channels/waivers.toml",
        "[[waiver]]\nkind = \"Route\"\npath = \"spec.host\"\nbundle = \"v0.2.0\"\nreason = \"DNS never took more\"\n",
    );
    let waived = workspace
        .run(&["diff", "old", ".", "--against", "patch"])
        .with_code(0)
        .stdout;
    assert!(waived.contains("waived: DNS never took more"), "{waived}");
}

#[test]
fn the_document_says_which_changes_are_not_allowed() {
    let workspace = released();
    workspace.edit("src/lib.rs", "max = 20", "max = 10");
    for (against, code) in [("patch", 1), ("minor", 1), ("major", 0)] {
        let arguments = ["diff", "old", ".", "--against", against, "--format", "json"];
        let ran = workspace.run(&arguments).with_code(code);
        assert_eq!(ran.stderr, "");
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        let findings = document["findings"].as_array().unwrap();
        // Both channels have the field.
        let changes = document["changes"].as_array().unwrap();
        let refused = if code == 0 { 0 } else { changes.len() };
        assert_eq!(findings.len(), refused, "{document:#}");
        for finding in findings {
            assert_eq!(finding["code"], "release-refused");
            assert_eq!(finding["severity"], "error");
            assert_eq!(finding["place"]["file"], "src/lib.rs", "{finding}");
            let message = finding["message"].as_str().unwrap();
            let expected = format!(
                "maxLength was 20 and is 10 (limit-tightened): needs a new API version, or a major bundle if changed in place, but `--against` allows a {against} bundle"
            );
            assert!(message.ends_with(&expected), "{message}");
        }
    }
    // Types of a revision, and CRDs, have no places in files.
    let arguments = ["diff", ".", "old", "--against", "patch", "--format", "json"];
    workspace.edit("src/lib.rs", "max = 10", "max = 30");
    let ran = workspace.run(&arguments).with_code(1);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(
        document["findings"][0]["message"].is_string(),
        "{document:#}"
    );
}

#[test]
fn a_development_version_stays_between_bundles() {
    let workspace = Workspace::new(ROUTE);
    for (version, code) in [("0.2.1-dev", 0), ("0.2.1", 1)] {
        let manifest = workspace.read("Cargo.toml");
        let line = manifest.lines().find(|line| line.starts_with("version = "));
        workspace.edit(
            "Cargo.toml",
            line.unwrap(),
            &format!("version = \"{version}\""),
        );
        let types = workspace.read("src/lib.rs");
        workspace.write("src/lib.rs", types.replace("max = 30", "max = 20"));
        workspace.run(&["gen-crds", "--output", "old"]).with_code(0);
        workspace.edit("src/lib.rs", "max = 20", "max = 30");
        // As for a pull request to its target branch.
        let ran = workspace.run(&["diff", "old", ".", "--against", "minor"]);
        ran.with_code(code);
    }
}

#[test]
fn unreadable_sets_are_reported() {
    let workspace = released();
    workspace.write("broken/a.yaml", "a: [1");
    workspace.write("empty/a.txt", "");
    for (side, expected) in [
        ("nowhere", "`nowhere`: no such bundle, file or folder"),
        ("broken", "`broken/a.yaml`: "),
        ("empty", "`empty`: no CustomResourceDefinition found"),
        ("git:main", "error[git-failed]"),
    ] {
        let ran = workspace.run(&["diff", side, "."]).with_code(2);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    workspace.edit("src/lib.rs", "pub host: String", "pub host: Missing");
    let ran = workspace.run(&["diff", "old", "."]).with_code(2);
    assert!(
        ran.stderr.contains("error[unresolved-path]"),
        "{}",
        ran.stderr
    );
}

#[test]
fn sets_on_the_disk_need_no_workspace_around_them() {
    let workspace = released();
    let outside = std::env::temp_dir();
    let old = workspace.path("old");
    let mut command = workspace.command_in("", &["diff"]);
    let ran = crate::support::run(command.args([&old, &old]).current_dir(outside)).with_code(0);
    assert_eq!(ran.stderr, "");
}
