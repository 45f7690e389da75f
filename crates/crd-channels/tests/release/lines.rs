//! Release branches: which bundles a release has to follow.

use super::Project;

fn waive(project: &Project, bundle: &str, code: &str) {
    let waiver = format!(
        "[[waiver]]\nkind = \"Route\"\npath = \"spec.host\"\ncode = \"{code}\"\nbundle = \"{bundle}\"\nreason = \"hosts are checked\"\n"
    );
    project.0.write("channels/waivers.toml", waiver);
    project.commit_generated();
}

#[test]
fn a_minor_is_compared_with_every_bundle_of_the_last_line() {
    let project = Project::new();
    let default = |value| format!("    #[schemars(extend(\"default\" = \"{value}\"))]\n");
    let host = "    pub host: String,";
    project.edit(host, &(default("a") + host));
    project.commit_generated();
    project.release("minor").with_code(0);
    // A patch removes the default, and the minor adds another one: both steps have waivers, but not the one from the first
    // bundle to the third.
    project.edit(&default("a"), "");
    waive(&project, "v0.1.1", "default-removed");
    project.release("patch").with_code(0);
    project.edit(host, &(default("b") + host));
    waive(&project, "v0.2.0", "default-added");
    let ran = project.release("minor").with_code(1);
    let expected = "(default-changed) against v0.1.0: needs a new API version";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("1 error; nothing was written"),
        "{}",
        ran.stderr
    );
    // For users of v0.1.0 nothing changes now.
    project.edit(&default("b"), &default("a"));
    project.commit_generated();
    project.release("minor").with_code(0);
    assert_eq!(project.manifest("v0.2.0")["baseline"]["version"], "v0.1.1");
}

#[test]
fn a_change_that_a_patch_answered_for_is_not_asked_for_again() {
    let project = Project::released();
    project.edit("max = 20", "max = 10");
    waive(&project, "v0.1.1", "limit-tightened");
    project.release("patch").with_code(0);
    project.commit_generated();
    project.release("minor").with_code(0);
    assert_eq!(project.manifest("v0.2.0")["baseline"]["version"], "v0.1.1");
}

/// Removes an experimental field and leaves its tombstone.
pub(super) fn bury(project: &Project, bundle: &str) {
    project.edit(
        "    /// How often.\n    #[experimental]\n    pub retries: Option<String>,\n",
        "",
    );
    let stone = format!(
        "#[tombstone(name = \"retries\", removed = \"{bundle}\", reason = \"backends retry\")]\n"
    );
    project.edit("pub struct RouteSpec", &(stone + "pub struct RouteSpec"));
    project.commit_generated();
}

#[test]
fn an_old_line_keeps_what_a_newer_one_removed() {
    let project = Project::released();
    project.git(&["branch", "release-0.1"]);
    bury(&project, "v0.2.0");
    project.release("minor").with_code(0);
    project.commit_generated();
    let bundle = project.0.files("channels/v0.2.0");
    project.git(&["checkout", "--quiet", "release-0.1"]);
    for (path, bytes) in bundle {
        project.0.write(&format!("channels/v0.2.0/{path}"), bytes);
    }
    project.edit("The host.", "The name of the host.");
    project.commit_generated();
    project.release("patch").with_code(0);
    let manifest = project.manifest("v0.1.1");
    assert_eq!(manifest["baseline"]["version"], "v0.1.0");
    assert_eq!(manifest["tombstones"]["names"], serde_json::json!([]));
}

#[test]
fn a_name_that_only_a_pre_release_reserved_may_stay() {
    let project = Project::released();
    let before = project.0.read("src/lib.rs");
    bury(&project, "v0.2.0");
    project.release("0.2.0-rc.1").with_code(0);
    project.0.write("src/lib.rs", before);
    project.commit_generated();
    project.release("minor").with_code(0);
    let manifest = project.manifest("v0.2.0");
    assert_eq!(manifest["baseline"]["version"], "v0.1.0");
    assert_eq!(manifest["tombstones"]["names"], serde_json::json!([]));
}

/// A snapshot counts as the bundle to be made, and so do the waivers.
#[test]
fn a_snapshot_counts_the_waivers_of_its_bundle() {
    for (bundle, expected) in [
        ("v0.1.1", "v0.1.1-snapshot.20261121"),
        ("v0.2.0", "v0.2.0-snapshot.20261121"),
        ("v0.7.0", "v1.0.0-snapshot.20261121"),
    ] {
        let project = Project::released();
        project.edit("max = 20", "max = 10");
        waive(&project, bundle, "limit-tightened");
        let ran = project
            .0
            .run(&["release", "snapshot", "--date", "2026-11-21"])
            .with_code(0);
        let written = format!("bundle {expected} is in");
        assert!(ran.stdout.contains(&written), "{bundle}: {}", ran.stdout);
        let waived = ran.stdout.contains("hosts are checked");
        assert_eq!(waived, bundle != "v0.7.0", "{}", ran.stdout);
        let manifest = project.manifest(expected);
        let changes = manifest["changes"].as_array().unwrap();
        let change = changes.iter().find(|it| it["code"] == "limit-tightened");
        assert_eq!(
            change.unwrap()["waived"].is_string(),
            waived,
            "{manifest:#}"
        );
    }
}
