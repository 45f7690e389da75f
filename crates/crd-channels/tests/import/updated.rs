//! `import --update`: what the CRDs changed comes into a package that people changed too.

use super::named::both;
use super::{QUEUE, workspace};
use crate::support::Workspace;
use std::collections::BTreeMap;

const TYPES: &str = "crates/api/src/v1/queue.rs";

/// Imports, lets people edit the types, and changes the CRDs of both channels.
fn edited(edits: &[(&str, &str)], changes: &[(&str, &str)]) -> Workspace {
    let workspace = workspace();
    both(&workspace, &[]).with_code(0);
    let mut text = workspace.read(TYPES);
    for (from, to) in edits {
        assert!(text.contains(from), "{from}\n{text}");
        text = text.replace(from, to);
    }
    workspace.write(TYPES, text);
    let mut crd = QUEUE.to_owned();
    for (from, to) in changes {
        assert!(crd.contains(from), "{from}");
        crd = crd.replace(from, to);
    }
    workspace.write("crds/experimental/queue.yaml", &crd);
    let stable = crd.lines().filter(|line| !line.contains("# experimental"));
    workspace.write(
        "crds/stable/queue.yaml",
        stable.collect::<Vec<_>>().join("\n"),
    );
    workspace
}

/// All files of the package.
fn package(workspace: &Workspace) -> BTreeMap<&'static str, String> {
    let files = [
        "Cargo.toml",
        "import.lock",
        "import.toml",
        "src/lib.rs",
        "src/v1/queue.rs",
    ];
    files
        .map(|path| (path, workspace.read(&format!("crates/api/{path}"))))
        .into()
}

const MORE: (&str, &str) = (
    "attempts: {type: integer, format: int32, maximum: 5} # experimental",
    "attempts: {type: integer, format: int32, maximum: 7} # experimental\n                  \
     backoff: {type: object, properties: {seconds: {type: integer, format: int64}}} # experimental\n              \
     rate: {type: integer, format: int64} # experimental",
);

#[test]
fn edits_and_changes_come_together() {
    let edits = [
        ("Retry>", "RetryPolicy>"),
        ("pub struct Retry ", "// Ours.\npub struct RetryPolicy "),
        ("pub capacity: i32,", "pub capacity: i32, // ours"),
    ];
    let workspace = edited(&edits, &[MORE]);
    let manifest = workspace.read("crates/api/Cargo.toml");
    workspace.write("crates/api/Cargo.toml", manifest.replace("0.1.0", "0.2.0"));
    let ran = both(&workspace, &["--update"]).with_code(0);
    assert!(ran.stdout.starts_with("1 CRD, "), "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains("experimental: 1 CRD, and `gen-crds` makes the same again"),
        "{}",
        ran.stdout
    );
    let types = workspace.read(TYPES);
    for part in [
        "// Ours.\npub struct RetryPolicy {",
        "pub capacity: i32, // ours",
        "#[schemars(range(max = 7))]",
        "pub backoff: Option<Backoff>,",
        "#[experimental(feature = \"Rate\")]",
    ] {
        assert!(types.contains(part), "{part}\n{types}");
    }
    assert!(workspace.read("crates/api/Cargo.toml").contains("0.2.0"));
    let mapping = workspace.read("crates/api/import.toml");
    assert!(
        mapping.contains("RetryPolicy = \"queues.example.dev spec.retry\""),
        "{mapping}"
    );
    let features = workspace.read("channels/features.toml");
    assert!(
        features.contains("[Retry]") && features.contains("[Rate]"),
        "{features}"
    );
    // Once more there is nothing to do, and `--check` shows what is edited.
    let before = package(&workspace);
    let ran = both(&workspace, &["--update"]).with_code(0);
    assert!(
        ran.stdout.starts_with("1 CRD, nothing to change\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(package(&workspace), before);
    let ran = both(&workspace, &["--check"]).with_code(1);
    assert!(ran.stdout.contains("-// Ours.\n"), "{}", ran.stdout);
}

#[test]
fn without_edits_it_is_what_an_import_writes() {
    let workspace = edited(&[], &[MORE]);
    both(&workspace, &["--check"]).with_code(1);
    both(&workspace, &["--update"]).with_code(0);
    both(&workspace, &["--check"]).with_code(0);
}

#[test]
fn what_cannot_be_merged_is_shown() {
    let workspace = edited(
        &[
            ("range(max = 5)", "range(max = 6)"),
            ("pub struct Retry ", "// Ours.\npub struct Retry "),
        ],
        &[MORE],
    );
    let before = package(&workspace);
    let ran = both(&workspace, &["--update"]).with_code(1);
    let said = "error[import-conflict]: `crates/api/src/v1/queue.rs`: the CRDs and you changed type Retry, `attempts`";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let lines = "-    #[schemars(range(max = 5))]\n+    #[schemars(range(max = 7))]\n";
    assert!(
        ran.stdout.contains(lines) && ran.stdout.contains("        #[schemars(range(max = 6))]\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(package(&workspace), before);
    // Made by hand, it is no conflict any more.
    workspace.write(
        TYPES,
        before["src/v1/queue.rs"].replace("max = 6", "max = 7"),
    );
    both(&workspace, &["--update"]).with_code(0);
    assert!(
        workspace
            .read(TYPES)
            .contains("// Ours.\npub struct Retry ")
    );
}

#[test]
fn an_edit_that_the_crds_do_not_have_is_a_difference() {
    let workspace = edited(&[("range(min = 1)", "range(min = 2)")], &[MORE]);
    let ran = both(&workspace, &["--update"]).with_code(1);
    assert!(
        ran.stdout
            .contains("stable: 1 CRD; `gen-crds` makes 1 difference"),
        "{}",
        ran.stdout
    );
    let types = workspace.read(TYPES);
    assert!(
        types.contains("range(min = 2)") && types.contains("range(max = 7)"),
        "{types}"
    );
}

#[test]
fn what_an_import_kept_has_to_be_whole() {
    let workspace = edited(&[], &[MORE]);
    let lock = workspace.read("crates/api/import.lock");
    workspace.write(
        "crates/api/import.lock",
        lock.replacen("==>", "<<<<<<< ours\n==>", 1),
    );
    let ran = both(&workspace, &["--update"]).with_code(2);
    assert!(
        ran.stderr
            .contains("error[config-invalid]: `import.lock` is not as `import` writes it"),
        "{}",
        ran.stderr
    );
}
