//! The JSON that commands print, against the schemas in `schemas/output`.
//!
//! The schemas allow unknown keys, since programs have to ignore them. Here every key must be one that a schema describes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use serde_json::{Value, json};
use std::collections::BTreeSet;
use support::schemas::{self, folder};
use support::{Workspace, run};

const ROUTE: &str = "//- channels/features.toml
[Timeouts]
summary = \"How long a request may take.\"
//- src/lib.rs
/// Where requests go.
#[derive(crd_channels_derive::ApiType, kube::CustomResource, kube::KubeSchema)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced)]
pub struct RouteSpec {
    /// The host.
    #[schemars(length(max = 20))]
    #[x_kube(validation = kube::Rule::new(\"self.size() > 1\"))]
    pub host: Option<String>,
    /// How long a request may take.
    #[experimental(feature = \"Timeouts\")]
    pub timeout: Option<String>,
}
";

#[track_caller]
fn holds(workspace: &Workspace, schema: &str, arguments: &[&str], code: i32) -> Value {
    let ran = workspace.run(&[arguments, &["--format", "json"]].concat());
    let ran = ran.with_code(code);
    let mut last = Value::Null;
    let documents = serde_json::Deserializer::from_str(&ran.stdout).into_iter::<Value>();
    for document in documents {
        last = document.unwrap();
        schemas::validate(schema, &last);
    }
    assert!(last.is_object(), "{arguments:?} prints nothing");
    last
}

fn released() -> Workspace {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.run(&["release", "minor"]).with_code(0);
    workspace.run(&["start-next"]).with_code(0);
    workspace.generate();
    workspace
}

#[test]
fn findings_are_those_of_the_schema() {
    let workspace = released();
    holds(&workspace, "findings.json", &["gen-crds"], 0);
    holds(&workspace, "findings.json", &["verify-release"], 0);
    workspace.write("channels/v0.1.0/more", "");
    holds(&workspace, "findings.json", &["verify-release"], 1);
    workspace.edit("src/lib.rs", "\"Timeouts\"", "\"Timeout\"");
    let told = holds(&workspace, "findings.json", &["gen-crds"], 1);
    assert_ne!(told["findings"][0]["place"], Value::Null);
    holds(
        &workspace,
        "findings.json",
        &["gen-crds", "--channel", "x"],
        2,
    );
    let twice = "//- src/lib.rs\n/// A.\n#[derive(kube::CustomResource, schemars::JsonSchema)]
#[kube(group = \"a.example.com\", version = \"v1\", kind = \"A\", kind = \"B\")]\npub struct ASpec { a: Nowhere }\n";
    holds(&Workspace::new(twice), "findings.json", &["gen-crds"], 1);
}

#[test]
fn lines_of_check_are_those_of_the_schema() {
    let workspace = released();
    holds(&workspace, "check.json", &["check", "generated"], 0);
    let crd = workspace.read("generated/stable/example.com_routes.yaml");
    workspace.write(
        "refused.yaml",
        crd.replace("maxLength: 20", "maxLength: many"),
    );
    let refused = holds(&workspace, "check.json", &["check", "refused.yaml"], 1);
    assert_eq!(refused["findings"][0]["severity"], "error");
    let unread = holds(&workspace, "check.json", &["check", "nowhere.yaml"], 2);
    assert_eq!(unread["accept"], Value::Null);
}

#[test]
fn costs_and_parts_of_rules_are_those_of_the_schemas() {
    let workspace = released();
    let told = holds(&workspace, "cost.json", &["gen-crds", "--cost"], 0);
    assert_ne!(told["schemas"][0]["expressions"], json!([]));
    let crds = ["--crds", "generated/stable"];
    let explain = |rest: &[&str], code| {
        let arguments = [&["explain-rule", "Route"], rest, &crds].concat();
        holds(&workspace, "explain-rule.json", &arguments, code)
    };
    explain(&[], 0);
    for (rule, code) in [
        ("self.size() == 2", 0),
        ("self.siz() == 1", 1),
        ("self ==", 1),
    ] {
        let told = explain(&["spec.host", "--expression", rule], code);
        let findings = told["rules"][0]["findings"].as_array().unwrap();
        assert_eq!(findings.is_empty(), code == 0, "{told:#}");
    }
    let told = holds(
        &workspace,
        "explain-rule.json",
        &["explain-rule", "Raute"],
        2,
    );
    assert_eq!(told["rules"], json!([]));
    workspace.edit("src/lib.rs", "self.size()", "self.siz()");
    holds(&workspace, "cost.json", &["gen-crds", "--cost"], 1);
}

#[test]
fn changes_are_those_of_the_schema() {
    let workspace = released();
    workspace.edit("src/lib.rs", "max = 20", "max = 10");
    let told = holds(&workspace, "diff.json", &["diff", "v0.1.0", "."], 0);
    assert_eq!(told["findings"], json!([]));
    assert_eq!(told["changes"][0]["field"], "spec.host");
    workspace.write(
        "waivers.toml",
        "[[waiver]]\nkind = \"Route\"\npath = \"spec.host\"\nbundle = \"v0.1.0\"\nreason = \"nobody has longer ones\"\n",
    );
    let waived = ["diff", "v0.1.0", ".", "--waivers", "waivers.toml"];
    holds(&workspace, "diff.json", &waived, 0);
    let failed = holds(&workspace, "diff.json", &["diff", "nowhere", "."], 2);
    assert_eq!(
        (&failed["bump"], &failed["changes"]),
        (&Value::Null, &json!([]))
    );
    assert_eq!(failed["findings"][0]["code"], "unreadable-file");
}

#[test]
fn features_are_those_of_the_schema() {
    let workspace = released();
    let told = holds(&workspace, "features.json", &["features"], 0);
    assert_eq!(
        told["features"][0]["gates"][0]["place"]["file"],
        "src/lib.rs"
    );
    workspace.run(&["graduate", "Timeouts"]).with_code(0);
    workspace.generate();
    let told = holds(&workspace, "features.json", &["features"], 0);
    assert_ne!(told["gone"], json!([]));
    workspace.write("Cargo.toml", "[package");
    let told = holds(&workspace, "features.json", &["features"], 2);
    assert_eq!(told["features"], Value::Null);
}

#[test]
fn pins_are_those_of_the_schema() {
    let workspace = released();
    let pin = |arguments: &[&str], code| {
        let arguments = [&["pin"], arguments].concat();
        holds(&workspace, "pin.json", &arguments, code)
    };
    pin(&["--from", "."], 0);
    workspace.edit("src/lib.rs", "max = 20", "max = 30");
    workspace.generate();
    workspace.run(&["release", "minor"]).with_code(0);
    let told = pin(&["--update", "--version", "^0.2"], 0);
    assert_ne!(told["bundles"][0]["changes"], json!([]));
    pin(&["--update", "--version", "^0.1"], 1);
    pin(&["--remove", "example.com"], 0);
    pin(&["--from", "nowhere"], 2);
}

/// A proof that cannot begin; the tests of `prove` validate whole ones.
#[test]
fn failed_proofs_are_those_of_the_schema() {
    let workspace = Workspace::new(ROUTE);
    workspace.write("Cargo.toml", "[package");
    let told = holds(&workspace, "prove.json", &["prove"], 2);
    assert_eq!(told["proof"], Value::Null);
}

/// Every command that takes `--format json` is named on the page with a schema that exists.
#[test]
fn every_format_has_a_schema_that_the_page_names() {
    let page = folder().join("../../docs/json.md");
    let page = std::fs::read_to_string(page).unwrap();
    for (file, schema) in schemas::all() {
        assert!(
            page.contains(&format!("(../schemas/output/{file})")),
            "{file}"
        );
        let id = schema["$id"].as_str().unwrap();
        assert!(id.ends_with(&format!("/schemas/output/{file}")), "{id}");
    }
    let help = run(&mut Workspace::new("").command(&["help"])).stdout;
    let commands = help.lines().filter_map(|line| line.strip_prefix("  "));
    let commands: BTreeSet<&str> = commands
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| word.starts_with(|first: char| first.is_ascii_lowercase()))
        .collect();
    let workspace = Workspace::new("");
    for command in commands {
        let help = workspace.run(&[command, "--help"]).with_code(0).stdout;
        let has_json = help
            .lines()
            .any(|line| line.contains("[possible values: ") && line.contains("json"));
        assert!(
            !has_json
                || page.contains(&format!("| `{command}"))
                || page.contains(&format!(", `{command}`")),
            "{command}"
        );
    }
}
