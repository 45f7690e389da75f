//! What there is to choose from: `pin --list` and `pin --outdated`.

use super::support::{Workspace, schemas};
use super::tags::lines;
use super::{ends, pin, release, released};
use serde_json::{Value, json};

fn document(workspace: &Workspace, arguments: &[&str], schema: &str) -> Value {
    let ran = pin(workspace, &[arguments, &["--format", "json"]].concat()).with_code(0);
    let document = serde_json::from_str(&ran.stdout).unwrap();
    schemas::validate(schema, &document);
    document
}

#[test]
fn every_bundle_of_a_source_is_listed() {
    let workspace = lines();
    let url = format!("file://{}", workspace.path("api").display());
    pin(&workspace, &["--from", &url, "--version", "~0.2"]).with_code(0);
    let before = workspace.files("");
    let list = document(&workspace, &["--list", "--from", &url], "pin-list.json");
    assert_eq!(list["sources"][0]["source"], json!(url));
    let bundles = list["sources"][0]["bundles"].as_array().unwrap();
    let found = bundles
        .iter()
        .map(|it| (&it["version"], &it["tag"], &it["pinnedAs"]));
    let found: Vec<_> = found.map(|(a, b, c)| json!([a, b, c])).collect();
    let expected = json!([
        ["v0.3.0", null, []],
        ["v0.2.2", "v0.2.2", ["example.com"]],
        ["v0.2.1", null, []],
        ["v0.1.0", null, []],
    ]);
    assert_eq!(json!(found), expected);
    assert_eq!(bundles[0]["channels"], json!(["stable", "experimental"]));
    let ran = pin(&workspace, &["--list"]).with_code(0);
    let line =
        "  v0.2.2  stable, experimental  Kubernetes 1.31 and newer  pinned as `example.com`\n";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    assert_eq!(workspace.files(""), before);
}

/// A broken bundle is said where it is, and hides no other.
#[test]
fn what_cannot_be_pinned_is_listed_with_the_reason() {
    let workspace = released();
    workspace.write("api/channels/v0.2.1/manifest.json", "{}");
    workspace.write("api/channels/v0.2.0/manifest.json.minisig", "");
    let ran = pin(&workspace, &["--list", "--from", "api"]).with_code(0);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 6, "{}", ran.stdout);
    assert!(
        lines[3].starts_with("  v0.2.1  cannot be pinned: "),
        "{lines:?}"
    );
    assert!(lines[4].ends_with("  signed"), "{lines:?}");
    ends(2, &workspace, &["pin", "--list"], &["lock-missing"]);
    ends(
        2,
        &workspace,
        &["pin", "--list", "--from", "nowhere"],
        &["bundle-missing"],
    );
    ends(2, &workspace, &["pin", "--outdated"], &["lock-missing"]);
}

/// A source that is gone hides no other.
#[test]
fn what_is_wrong_with_one_source_is_said_beside_the_others() {
    let workspace = released();
    let arguments = ["--from", "api", "--version", "v0.2.1"];
    pin(&workspace, &arguments).with_code(0);
    let other = ["--from", "other", "--name", "other", "--version", "v0.2.1"];
    release(&workspace, "other/channels", "v0.2.1", 20);
    release(&workspace, "other/channels", "v0.2.2", 20);
    pin(&workspace, &other).with_code(0);
    std::fs::rename(workspace.path("api"), workspace.path("gone")).unwrap();
    for (argument, expected) in [
        ("--list", "  v0.2.2"),
        ("--outdated", "other: v0.2.1 stable"),
    ] {
        let ran = pin(&workspace, &[argument]).with_code(2);
        assert!(ran.stdout.contains(expected), "{}", ran.stdout);
        assert!(ran.stderr.contains("bundle-missing"), "{}", ran.stderr);
    }
}

#[test]
fn a_newer_bundle_is_named_with_what_its_update_asks_for() {
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "~0.2"]).with_code(0);
    let outdated = |expected: Value| {
        let document = document(&workspace, &["--outdated"], "pin-outdated.json");
        let bundle = &document["bundles"][0];
        let found = json!([bundle["version"], bundle["admitted"], bundle["newest"]]);
        assert_eq!(found, expected);
        document["bundles"][0]["refused"].clone()
    };
    assert_eq!(outdated(json!(["v0.2.1", null, "v0.10.0"])), json!([]));
    release(&workspace, "api/channels", "v0.2.5", 20);
    release(&workspace, "api/channels", "v0.11.0", 5);
    let refused = outdated(json!(["v0.2.1", "v0.2.5", "v0.11.0"]));
    assert!(
        refused[0].as_str().unwrap().contains("stored objects"),
        "{refused}"
    );
    let before = workspace.files("");
    let ran = pin(&workspace, &["--outdated"]).with_code(0);
    let expected = "example.com: v0.2.1 stable, newest for `~0.2`: v0.2.5, newest: v0.11.0\n  an update to v0.11.0 is refused: stored objects would lose data or fail validation: `spec.host` of `Route`\n";
    assert_eq!(ran.stdout, expected);
    assert_eq!(workspace.files(""), before);
    pin(
        &workspace,
        &["--update", "--version", "*", "--allow-data-loss"],
    )
    .with_code(0);
    let ran = pin(&workspace, &["--outdated"]).with_code(0);
    assert_eq!(ran.stdout, "example.com: v0.11.0 stable is the newest\n");
}
