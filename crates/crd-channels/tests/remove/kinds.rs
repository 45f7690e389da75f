//! Kinds and versions.

use super::released::{published, released};
use super::{HEAD, remove, support, tree};
use support::Workspace;

const TYPES: &str = "//- channels/features.toml
[Policies]
summary = \"Policies.\"

[Old]
summary = \"The first version.\"
//- src/lib.rs
pub mod v1;
pub mod v1alpha1;
mod policy;
//- src/v1.rs
HEAD
/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced)]
pub struct RouteSpec {
    /// The host.
    pub host: String,
}

impl RouteSpec {
    pub fn new() -> Self {
        RouteSpec { host: String::new() }
    }
}
//- src/v1alpha1.rs
HEAD
/// Where requests went.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
#[kube(group = \"example.com\", version = \"v1alpha1\", kind = \"Route\", namespaced, storage = false)]
#[experimental(feature = \"Old\")]
pub struct RouteSpec {
    /// The host.
    pub host: String,
}
//- src/policy.rs
HEAD
/// How.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Policy\", namespaced)]
#[experimental(feature = \"Policies\")]
pub struct PolicySpec {
    /// How many.
    pub retries: Option<Retries>,
}

/// Often.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Retries {
    /// How often.
    pub attempts: Option<String>,
}
";

fn workspace() -> Workspace {
    published(Workspace::new(&TYPES.replace("HEAD\n", HEAD)))
}

#[test]
fn removed_kinds_and_versions_are_reserved_in_the_configuration() {
    let workspace = workspace();
    let ran = remove(&workspace, "Policies");
    let expected = "src/policy.rs:8: no kind uses `Retries` any longer\n";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    assert!(!workspace.read("src/policy.rs").contains("Policy"));
    let ledger = "channels/tombstones.toml";
    workspace.write(ledger, workspace.read(ledger).replace('\n', "\r\n"));
    remove(&workspace, "Old");
    let text = workspace.read(ledger);
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    workspace.write(ledger, text.replace("\r\n", "\n"));
    // The lines above stay, with one empty line less.
    assert_eq!(workspace.read("src/v1alpha1.rs"), HEAD);
    assert_eq!(workspace.read("channels/features.toml"), "");
    assert_eq!(
        workspace.read("channels/tombstones.toml"),
        "[[kinds]]\ngroup = \"example.com\"\nkind = \"Policy\"\nremoved = \"v0.2.0\"\nreason = \"nobody used it\"\n\n[[versions]]\ngroup = \"example.com\"\nkind = \"Route\"\nversion = \"v1alpha1\"\nremoved = \"v0.2.0\"\nreason = \"nobody used it\"\n"
    );
    assert!(
        !workspace
            .path("generated/experimental/example.com_policies.yaml")
            .exists()
    );
    let tombstones = released(&workspace);
    assert_eq!(tombstones["kinds"][0]["kind"], "Policy", "{tombstones}");
    assert_eq!(
        tombstones["versions"][0]["version"], "v1alpha1",
        "{tombstones}"
    );
}

#[test]
fn examples_of_what_goes_are_listed() {
    let workspace = workspace();
    let example = |kind: &str, version: &str, spec: &str| {
        let text = format!(
            "apiVersion: example.com/{version}\nkind: {kind}\nmetadata:\n  name: a\nspec: {spec}\n"
        );
        let folder = kind.to_lowercase();
        let path = format!("channels/examples/{folder}/accept/{version}.yaml");
        workspace.write(&path, text);
        path
    };
    let policy = example("Policy", "v1", "{}");
    let old = example("Route", "v1alpha1", "{host: a}");
    let new = example("Route", "v1", "{host: a}");
    let ran = remove(&workspace, "Policies");
    let expected = format!("  {policy}:2: no channel serves `Policy` of `example.com/v1`\n");
    assert!(ran.stdout.contains(&expected), "{}", ran.stdout);
    assert!(!ran.stdout.contains("route/accept"), "{}", ran.stdout);
    let ran = remove(&workspace, "Old");
    let expected = format!("  {old}:2: no channel serves `Route` of `example.com/v1alpha1`\n");
    assert!(ran.stdout.contains(&expected), "{}", ran.stdout);
    assert!(!ran.stdout.contains(&new), "{}", ran.stdout);
}

#[test]
fn types_that_code_names_stay() {
    let workspace = workspace();
    let refused = |feature: &str, text: (&str, &str), places: &[&str]| {
        let (path, more) = text;
        let before = workspace.read(path);
        workspace.write(path, format!("{before}{more}"));
        let whole = tree(&workspace);
        let ran = workspace
            .run(&["remove", feature, "--reason", "r"])
            .with_code(1);
        for place in places {
            assert!(ran.stderr.contains(place), "{place} in\n{}", ran.stderr);
        }
        let found = ran.stderr.matches("error[removal-refused]").count();
        assert_eq!(found, places.len(), "{}", ran.stderr);
        assert!(tree(&workspace) == whole);
        workspace.write(path, before);
    };
    refused(
        "Policies",
        (
            "src/lib.rs",
            "pub use policy::{Policy, Retries as Often, PolicySpec};\n",
        ),
        &["src/lib.rs:4:18", "src/lib.rs:4:44"],
    );
    refused(
        "Policies",
        ("src/policy.rs", "impl PolicySpec {}\n"),
        &["src/policy.rs:20:6"],
    );
    // Versions with the same name are distinguished by their modules.
    refused(
        "Old",
        (
            "src/lib.rs",
            "pub use v1::{Route, RouteSpec};\nfn f(old: v1alpha1::Route) {}\n",
        ),
        &["src/lib.rs:5:21"],
    );
    refused(
        "Old",
        ("src/v1alpha1.rs", "impl RouteSpec {}\n"),
        &["src/v1alpha1.rs:13:6"],
    );
}
