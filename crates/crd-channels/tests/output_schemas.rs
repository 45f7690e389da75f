//! Validates the JSON that commands print with the schemas in `schemas/output`.
//!
//! The schemas allow unknown keys, since programs have to ignore them. Here a schema must describe every key.

use crate::support::Workspace;
use crate::support::project::{ROUTE, copy, project};
use crate::support::schemas::{self, folder};
use crd_channels::cli;
use crd_channels::commands::program::Program;
use serde_json::{Value, json};

#[track_caller]
fn run_and_validate(workspace: &Workspace, schema: &str, arguments: &[&str], code: i32) -> Value {
    let ran = workspace.run(&[arguments, &["--format", "json"]].concat());
    let ran = ran.with_code(code);
    let document: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?} prints no document: {error}\n{ran:?}"));
    schemas::validate(schema, &document);
    document
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
    run_and_validate(&workspace, "findings.json", &["gen-crds"], 0);
    run_and_validate(&workspace, "findings.json", &["verify-release"], 0);
    workspace.write("channels/v0.1.0/more", "");
    run_and_validate(&workspace, "findings.json", &["verify-release"], 1);
    workspace.edit("src/lib.rs", "\"Timeouts\"", "\"Timeout\"");
    let document = run_and_validate(&workspace, "findings.json", &["gen-crds"], 1);
    assert_ne!(document["findings"][0]["place"], Value::Null);
    run_and_validate(
        &workspace,
        "findings.json",
        &["gen-crds", "--channel", "x"],
        2,
    );
    let twice = "//- src/lib.rs\n/// A.\n#[derive(kube::CustomResource, schemars::JsonSchema)]
#[kube(group = \"a.example.com\", version = \"v1\", kind = \"A\", kind = \"B\")]\npub struct ASpec { a: Nowhere }\n";
    run_and_validate(&Workspace::new(twice), "findings.json", &["gen-crds"], 1);
}

#[test]
fn checks_are_those_of_the_schema() {
    let workspace = released();
    run_and_validate(&workspace, "check.json", &["check", "generated"], 0);
    let crd = workspace.read("generated/stable/example.com_routes.yaml");
    workspace.write(
        "refused.yaml",
        crd.replace("maxLength: 20", "maxLength: many"),
    );
    let refused = run_and_validate(&workspace, "check.json", &["check", "refused.yaml"], 1);
    assert_eq!(refused["findings"][0]["severity"], "error");
    let unread = run_and_validate(&workspace, "check.json", &["check", "nowhere.yaml"], 2);
    assert_eq!(unread["files"][0]["accept"], Value::Null);
}

#[test]
fn costs_and_parts_of_rules_are_those_of_the_schemas() {
    let workspace = released();
    let document = run_and_validate(&workspace, "cost.json", &["gen-crds", "--cost"], 0);
    assert_ne!(document["schemas"][0]["expressions"], json!([]));
    let crds = ["--crds", "generated/stable"];
    let explain = |rest: &[&str], code| {
        let arguments = [&["explain-rule", "Route"], rest, &crds].concat();
        run_and_validate(&workspace, "explain-rule.json", &arguments, code)
    };
    explain(&[], 0);
    for (rule, code) in [
        ("self.size() == 2", 0),
        ("self.siz() == 1", 1),
        ("self ==", 1),
    ] {
        let document = explain(&["spec.host", "--expression", rule], code);
        let findings = document["rules"][0]["findings"].as_array().unwrap();
        assert_eq!(findings.is_empty(), code == 0, "{document:#}");
    }
    let document = run_and_validate(
        &workspace,
        "explain-rule.json",
        &["explain-rule", "Raute"],
        2,
    );
    assert_eq!(document["rules"], json!([]));
    workspace.edit("src/lib.rs", "self.size()", "self.siz()");
    run_and_validate(&workspace, "cost.json", &["gen-crds", "--cost"], 1);
}

#[test]
fn changes_are_those_of_the_schema() {
    let workspace = released();
    workspace.edit("src/lib.rs", "max = 20", "max = 10");
    let document = run_and_validate(&workspace, "diff.json", &["diff", "v0.1.0", "."], 0);
    assert_eq!(document["findings"], json!([]));
    assert_eq!(document["changes"][0]["field"], "spec.host");
    let against = ["diff", "v0.1.0", ".", "--against", "minor"];
    let refused = run_and_validate(&workspace, "diff.json", &against, 1);
    assert_eq!(refused["findings"][0]["code"], "release-refused");
    workspace.write(
        "waivers.toml",
        "[[waiver]]\nkind = \"Route\"\npath = \"spec.host\"\nbundle = \"v0.1.0\"\nreason = \"nobody has longer ones\"\n",
    );
    let waived = ["diff", "v0.1.0", ".", "--waivers", "waivers.toml"];
    run_and_validate(&workspace, "diff.json", &waived, 0);
    let failed = run_and_validate(&workspace, "diff.json", &["diff", "nowhere", "."], 2);
    assert_eq!(
        (&failed["bump"], &failed["changes"]),
        (&Value::Null, &json!([]))
    );
    assert_eq!(failed["findings"][0]["code"], "unreadable-file");
}

#[test]
fn features_are_those_of_the_schema() {
    let workspace = released();
    let document = run_and_validate(&workspace, "features.json", &["features"], 0);
    assert_eq!(
        document["features"][0]["gates"][0]["place"]["file"],
        "src/lib.rs"
    );
    workspace.run(&["graduate", "Timeouts"]).with_code(0);
    workspace.generate();
    let document = run_and_validate(&workspace, "features.json", &["features"], 0);
    assert_ne!(document["gone"], json!([]));
    assert_eq!(document["history"], Value::Null);
    let history = ["features", "--history"];
    let document = run_and_validate(&workspace, "features.json", &history, 0);
    let life = &document["history"][0]["gates"][0]["groups"][0]["life"];
    assert_eq!(life[1], json!({"bundle": "unreleased", "state": "stable"}));
    workspace.write("Cargo.toml", "[package");
    let document = run_and_validate(&workspace, "features.json", &["features"], 2);
    assert_eq!(document["features"], Value::Null);
}

#[test]
fn pins_are_those_of_the_schema() {
    let workspace = released();
    let pin = |arguments: &[&str], code| {
        let arguments = [&["pin"], arguments].concat();
        run_and_validate(&workspace, "pin.json", &arguments, code)
    };
    pin(&["--from", "."], 0);
    workspace.edit("src/lib.rs", "max = 20", "max = 30");
    workspace.generate();
    workspace.run(&["release", "minor"]).with_code(0);
    let document = pin(&["--update", "--version", "^0.2"], 0);
    assert_ne!(document["bundles"][0]["changes"], json!([]));
    pin(&["--update", "--version", "^0.1"], 1);
    pin(&["--remove", "example.com"], 0);
    pin(&["--from", "nowhere"], 2);
}

#[test]
fn verdicts_on_objects_are_those_of_the_schema() {
    let workspace = released();
    let eval = |host: &str, code| {
        let object = format!(
            "apiVersion: example.com/v1\nkind: Route\nmetadata: {{name: a}}\nspec: {{host: {host}}}\n"
        );
        workspace.write("route.yaml", object);
        let arguments = ["eval-rule", "route.yaml", "--crds", "generated/stable"];
        run_and_validate(&workspace, "eval-rule.json", &arguments, code)
    };
    let accepted = eval("example.com", 0);
    let verdict = &accepted["objects"][0]["verdicts"][0];
    assert_eq!(
        (&verdict["accept"], &verdict["crd"]),
        (&json!(true), &json!("routes.example.com"))
    );
    let rejected = eval("a, more: 1", 1);
    let verdict = &rejected["objects"][0]["verdicts"][0];
    assert_eq!(verdict["accept"], false);
    assert_eq!(verdict["violations"][0]["field"], "spec.host");
    assert_eq!(verdict["violations"][0]["reason"], "FieldValueInvalid");
    assert_eq!(verdict["rules"][0]["result"], "fails");
    assert_eq!(verdict["unknownFields"], json!(["spec.more"]));
}

/// A proof that cannot begin; the tests of `prove` validate complete ones.
#[test]
fn failed_proofs_are_those_of_the_schema() {
    let workspace = Workspace::new(ROUTE);
    workspace.write("Cargo.toml", "[package");
    let document = run_and_validate(&workspace, "prove.json", &["prove"], 2);
    assert_eq!(document["proof"], Value::Null);
}

/// The output of a command for programs: the schema, with arguments that make it print such a document; or why there is none.
enum Format {
    Json(&'static str, &'static [&'static str]),
    Nothing(&'static str),
}

use Format::{Json, Nothing};

const EDITS: &str = "edits source, which a person reviews with git";
const ONE_STEP: &str = "does one step; the exit code says all that a program asks";

const FORMATS: [(&str, Format); 36] = [
    (
        "init",
        Nothing("explains choices to the person who makes them"),
    ),
    ("gen-crds", Json("findings.json", &[])),
    ("check", Json("check.json", &["generated"])),
    ("prove", Json("prove.json", &[])),
    ("explain", Nothing("prints a page")),
    ("eval-rule", Json("eval-rule.json", &["route.yaml"])),
    ("explain-rule", Json("explain-rule.json", &["Route"])),
    ("features", Json("features.json", &[])),
    ("show", Json("show.json", &["Route", "--since", "v0.1.0"])),
    ("reference", Nothing(ONE_STEP)),
    ("graduate", Nothing(EDITS)),
    ("remove", Nothing(EDITS)),
    ("deprecate", Nothing(EDITS)),
    ("explain-warning", Nothing("prints what API servers send")),
    ("diff", Json("diff.json", &["v0.1.0", "."])),
    ("release", Json("release.json", &["minor", "--dry-run"])),
    ("start-next", Nothing(ONE_STEP)),
    ("verify-release", Json("findings.json", &[])),
    (
        "import",
        Nothing("writes a package, and says whether its CRDs are the same"),
    ),
    ("keygen", Nothing("writes keys for a person to keep")),
    ("sign", Nothing(ONE_STEP)),
    ("archive", Nothing(ONE_STEP)),
    ("adopt", Nothing(ONE_STEP)),
    (
        "merge-driver",
        Nothing("is called by git, which reads the exit code"),
    ),
    ("prune", Nothing(ONE_STEP)),
    ("pin", Json("pin.json", &["--update"])),
    ("vendor", Json("vendor.json", &[])),
    ("plan", Json("plan.json", &[])),
    ("validate", Json("validate.json", &["route.yaml"])),
    ("cluster-status", Json("cluster-status.json", &[])),
    ("cluster-install", Nothing(ONE_STEP)),
    ("cluster-migrate", Nothing(ONE_STEP)),
    ("cluster-verify", Json("findings.json", &[])),
    ("envtest", Nothing("prints what shells evaluate")),
    ("completions", Nothing("prints what shells evaluate")),
    ("man", Nothing("prints what `man` reads")),
];

/// These compile types or ask an API server, so complete documents are tested where there are such.
const ELSEWHERE: [&str; 3] = ["prove", "cluster-status", "cluster-verify"];

/// Each prints one document, even if it cannot begin because of an interrupted run.
#[test]
fn every_command_prints_one_document_or_has_a_reason_not_to() {
    let project = project();
    let stuck = copy(&project);
    stuck.write(".crd-channels/journal.json", "{\"format\": 99}");
    let program = cli::command(Program::Plain);
    for command in program.get_subcommands() {
        let name = command.get_name();
        let format = FORMATS.iter().find(|(known, _)| *known == name);
        let (_, format) = format.unwrap_or_else(|| panic!("`{name}` is not in the table"));
        let mut options = command.get_arguments();
        let option = options.find(|it| it.get_long() == Some("format"));
        let values = option
            .map(|it| it.get_possible_values())
            .unwrap_or_default();
        let has_json = values.iter().any(|value| value.matches("json", false));
        match format {
            Nothing(why) => assert!(!has_json, "`{name}` {why}"),
            Json(schema, arguments) => {
                assert!(has_json, "`{name}`");
                let arguments = [&[name], *arguments].concat();
                let document = run_and_validate(&stuck, schema, &arguments, 2);
                assert_eq!(document["findings"][0]["code"], "write-failed", "{name}");
                if !ELSEWHERE.contains(&name) {
                    run_and_validate(&project, schema, &arguments, 0);
                }
            }
        }
    }
}

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
    for (name, format) in &FORMATS {
        let is_named = [format!("| `{name}`"), format!(", `{name}`")];
        let is_named = is_named.iter().any(|it| page.contains(it));
        assert!(is_named || matches!(format, Nothing(_)), "{name}");
    }
}
