//! The API of this repository: each of its features is removed from a copy, or refused with a place.

use super::support::{Ran, Workspace};
use super::tree;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FOLDERS: [&str; 12] = [
    "api-types",
    "channels",
    "apiserver/cel",
    "apiserver/check",
    "apiserver/envtest",
    "crates/derive",
    "crates/diagnostics",
    "crates/files",
    "crates/markers",
    "crates/runtime",
    "crates/schema",
    "apiserver/validation",
];

/// Copies the types, their dependencies in this repository, and the bundles into a workspace.
fn copy() -> Workspace {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let workspace = Workspace::new("");
    fs::remove_dir_all(workspace.path("stubs")).unwrap();
    let mut open: Vec<String> = FOLDERS.map(str::to_owned).into();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root.join(&folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let name = format!("{folder}/{name}");
            // Examples of removed parts are left to their authors.
            if name == "channels/examples" {
                continue;
            }
            if path.is_dir() {
                open.push(name);
            } else {
                workspace.write(&name, fs::read(path).unwrap());
            }
        }
    }
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let members = |line: &str| line.starts_with("members = ");
    let lines = manifest
        .lines()
        .filter(|line| !line.starts_with("default-members = "));
    let manifest = lines.map(|line| match members(line) {
        true => {
            let packages = FOLDERS.iter().filter(|folder| **folder != "channels");
            let packages: Vec<String> = packages.map(|folder| format!("\"{folder}\"")).collect();
            format!("members = [{}]\n", packages.join(", "))
        }
        false => format!("{line}\n"),
    });
    workspace.write("Cargo.toml", manifest.collect::<String>());
    workspace.write("Cargo.lock", fs::read(root.join("Cargo.lock")).unwrap());
    workspace
}

/// Returns the CRDs of both channels without some features, or with all.
fn crds(workspace: &Workspace, features: &str) -> BTreeMap<String, Vec<u8>> {
    let path = "channels/experimental.toml";
    let before = workspace.read(path);
    workspace.edit(
        path,
        "features = \"all\"",
        &format!("features = {features}"),
    );
    let ran = workspace.run(&["gen-crds", "--output", "tried"]);
    workspace.write(path, before);
    ran.with_code(0);
    let files = workspace.files("tried");
    fs::remove_dir_all(workspace.path("tried")).unwrap();
    files
}

fn remove(workspace: &Workspace, feature: &str) -> Ran {
    workspace.run(&["remove", feature, "--reason", "nobody used it"])
}

#[test]
fn each_feature_goes_alone_or_is_refused_with_a_place() {
    let declared: toml::Table = copy().read("channels/features.toml").parse().unwrap();
    let mut all: Vec<&str> = declared.keys().map(String::as_str).collect();
    all.push("unnamed");
    assert!(all.len() > 3, "{all:?}");
    let refused = std::thread::scope(|scope| {
        let all = &all;
        let runs = all
            .iter()
            .map(|feature| (feature, scope.spawn(|| goes_alone(feature, all))));
        let runs: Vec<_> = runs.collect();
        let refused = runs
            .into_iter()
            .filter_map(|(feature, run)| (!run.join().unwrap()).then_some(*feature));
        refused.collect::<Vec<_>>()
    });
    assert_eq!(refused, ["BackendPolicy"]);
}

/// Removes one of all features from a copy; whether it goes at once.
fn goes_alone(feature: &str, all: &[&str]) -> bool {
    let workspace = copy();
    let rest: Vec<&&str> = all.iter().filter(|name| **name != feature).collect();
    let wanted = crds(&workspace, &format!("{rest:?}"));
    let before = tree(&workspace);
    let ran = remove(&workspace, feature);
    let goes = ran.code == Some(0);
    if !goes {
        let ran = ran.with_code(1);
        let expected = "error[removal-refused]: `BackendPolicy` may not be removed: `EdgeBackendPolicy` is used here, but is removed with the feature\n  --> api-types/src/lib.rs:";
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert!(tree(&workspace) == before);
        remove_uses(&workspace);
        remove(&workspace, feature).with_code(0);
        let tombstones = workspace.read("channels/tombstones.toml");
        assert!(
            tombstones.contains("kind = \"EdgeBackendPolicy\"\nremoved = \"v0.5.0\"\n"),
            "{tombstones}"
        );
    }
    assert!(crds(&workspace, "\"all\"") == wanted, "{feature}");
    goes
}

/// Removes the import, the test and the conditions of the kind that goes, as the refusal requests.
fn remove_uses(workspace: &Workspace) {
    let policy = workspace.read("api-types/src/policy.rs");
    let conditions = "crd_channels_runtime::has_conditions!(EdgeBackendPolicy);\n";
    assert!(policy.contains(conditions));
    let policy = policy.replace(conditions, "");
    workspace.write("api-types/src/policy.rs", policy);
    fs::remove_file(workspace.path("api-types/tests/crds.rs")).unwrap();
    let text = workspace.read("api-types/src/lib.rs");
    let start = text.find("pub use policy::{").unwrap();
    let end = start + text[start..].find(";\n").unwrap() + 2;
    let text = format!("{}{}", &text[..start], &text[end..]);
    workspace.write("api-types/src/lib.rs", text);
}

#[test]
fn a_value_and_a_field_leave_tombstones_on_their_types() {
    let workspace = copy();
    for feature in ["RegularExpressionPaths", "RouteTimeouts", "SessionAffinity"] {
        remove(&workspace, feature).with_code(0);
    }
    let rule = workspace.read("api-types/src/rule.rs");
    let stones = "    reason = \"retries belong to the backend and moved to EdgeBackendPolicy\"
)]
#[tombstone(name = \"timeouts\", removed = \"v0.5.0\", reason = \"nobody used it\")]
pub struct RouteRule {
";
    assert!(rule.contains(stones), "{rule}");
    let value = "#[tombstone(
    name = \"RegularExpression\",
    removed = \"v0.5.0\",
    reason = \"nobody used it\"
)]
pub enum PathMatchType {
";
    assert!(rule.contains(value), "{rule}");
    let route = workspace.read("api-types/src/route.rs");
    assert!(
        !route.contains("session_affinity") && !route.contains("feature = \"SessionAffinity"),
        "{route}"
    );
    assert!(route.contains("name = \"sessionAffinity\""), "{route}");
    // Their `pub use`s still name the types, which stay.
    assert!(route.contains("pub struct SessionAffinity {"), "{route}");
}
