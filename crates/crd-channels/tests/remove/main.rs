//! `remove` from end to end. After a removal, the source defines what a channel without the feature had before.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[path = "../support/bundle.rs"]
mod bundle;
#[path = "../support/mod.rs"]
mod support;

mod kinds;
mod own;
mod random;
mod refusals;
mod released;

use std::collections::BTreeMap;
use support::Workspace;

const FEATURES: &str = "//- channels/features.toml\n# What is tried.\n\n# Time matters.\n[Timeouts]\nsummary = \"How long a request may take.\"\nsince = \"v0.1.0\"\n\n[Paths]\nsummary = \"Routes compare paths.\"\nowner = \"the routers\"\n\n[Other]\nsummary = \"Something else.\"\n";

const HEAD: &str = "use crd_channels_derive::ApiType;\nuse kube::{CustomResource, KubeSchema};\nuse schemars::JsonSchema;\nuse serde::{Deserialize, Serialize};\n";

const PATH: &str = "    pub path: Option<PathType>,\n";

/// A field with a type of its own, and the text around it.
const TIMEOUT: &str = "
    /// So long.
    #[experimental(feature = \"Timeouts\")]
    pub request_timeout: Option<Timeouts>, // in seconds

    pub path: Option<PathType>,
";

/// A kind with these fields, an enum of path types, and more code.
fn source(fields: &str, more: &str) -> String {
    format!(
        "{FEATURES}//- src/lib.rs\n{HEAD}
/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced)]
#[serde(rename_all = \"camelCase\")]
pub struct RouteSpec {{
    /// The host.
    pub host: String,
{fields}}}

/// How paths are compared.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum PathType {{
    Exact,
    #[experimental(feature = \"Paths\")]
    Regex,
    #[experimental(feature = \"Other\")]
    Other,
}}

/// How long.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[experimental(feature = \"Timeouts\")]
pub struct Timeouts {{
    pub request: Option<String>,
}}
{more}"
    )
}

fn workspace(fields: &str) -> Workspace {
    Workspace::new(&source(fields, ""))
}

/// Removes a feature successfully.
#[track_caller]
fn remove(workspace: &Workspace, feature: &str) -> support::Ran {
    let ran = workspace.run(&["remove", feature, "--reason", "nobody used it"]);
    ran.with_code(0)
}

/// Returns the files of a channel with only some features, without the name of the channel.
fn with(workspace: &Workspace, features: &[&str]) -> BTreeMap<String, String> {
    let list = features.iter().map(|name| format!("\"{name}\""));
    let list = list.collect::<Vec<_>>().join(", ");
    workspace.write(
        "channels/tried.toml",
        format!("features = [{list}]\nannotation = \"tried\"\n"),
    );
    let ran = workspace.run(&["gen-crds", "--channel", "tried", "--output", "tried"]);
    std::fs::remove_file(workspace.path("channels/tried.toml")).unwrap();
    ran.with_code(0);
    let files = workspace.files("tried/tried").into_iter();
    let files = files.map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap()));
    let files = files.collect();
    std::fs::remove_dir_all(workspace.path("tried")).unwrap();
    files
}

/// Returns all files except those of cargo and earlier runs.
fn tree(workspace: &Workspace) -> BTreeMap<String, Vec<u8>> {
    let mut files = workspace.files("");
    files.retain(|path, _| !path.starts_with("target/") && path != "Cargo.lock");
    files
}

#[test]
fn gated_items_are_removed_from_the_source() {
    let workspace = workspace(TIMEOUT);
    workspace.write(
        "channels/preview.toml",
        "features = [\"Timeouts\", \"Paths\"] # some\n",
    );
    let without = with(&workspace, &["Paths", "Other"]);
    let source = workspace.read("src/lib.rs");
    let before = tree(&workspace);
    let dry = workspace.run(&["remove", "Timeouts", "--dry-run"]);
    let dry = dry.with_code(0).stdout;
    for expected in [
        "-    pub request_timeout: Option<Timeouts>, // in seconds\n",
        "-[Timeouts]\n",
        "+features = [\"Paths\"] # some\n",
        "property-removed]: v1 spec.requestTimeout",
    ] {
        assert!(dry.contains(expected), "`{expected}` in\n{dry}");
    }
    assert!(tree(&workspace) == before);

    let ran = remove(&workspace, "Timeouts");
    assert!(ran.stdout.contains("changed src/lib.rs\n"), "{ran:?}");
    assert!(ran.stderr.contains("help: run `"), "{}", ran.stderr);
    let gone = "\n    /// So long.\n    #[experimental(feature = \"Timeouts\")]\n    pub request_timeout: Option<Timeouts>, // in seconds\n";
    let gate = "#[experimental(feature = \"Timeouts\")]\npub struct";
    // No bundle had it, so its name is not reserved.
    let expected = source.replace(gone, "").replace(gate, "pub struct");
    assert_eq!(workspace.read("src/lib.rs"), expected);
    assert_eq!(
        workspace.read("channels/features.toml"),
        "# What is tried.\n\n[Paths]\nsummary = \"Routes compare paths.\"\nowner = \"the routers\"\n\n[Other]\nsummary = \"Something else.\"\n"
    );
    assert_eq!(with(&workspace, &["Paths", "Other"]), without);
}

#[test]
fn generated_files_follow_the_source() {
    let workspace = workspace(TIMEOUT);
    workspace.generate();
    let before = tree(&workspace);
    let dry = workspace.run(&["remove", "Timeouts", "--dry-run"]);
    let expected = "would change generated/experimental/example.com_routes.yaml\n";
    assert!(dry.with_code(0).stdout.contains(expected));
    assert!(tree(&workspace) == before);
    let ran = remove(&workspace, "Timeouts");
    assert!(!ran.stderr.contains("help: run"), "{}", ran.stderr);
    workspace.run(&["gen-crds", "--check"]).with_code(0);
    let crd = workspace.read("generated/experimental/example.com_routes.yaml");
    assert!(!crd.contains("requestTimeout"), "{crd}");
}

#[test]
fn gated_constraints_are_removed_with_their_attributes() {
    let fields = "    /// How many.
    #[schemars(range(max = 3))]
    #[experimental(feature = \"Timeouts\", schemars(range(max = 9)), doc = \"More is new.\")]
    pub many: Option<i32>,
    /// For now.
    #[not_experimental(feature = \"Timeouts\", schemars(length(max = 8)))]
    pub until: Option<String>,
    /// Old.
    #[not_experimental(feature = \"Timeouts\")]
    pub old: Option<String>,
";
    let workspace = workspace(&format!("{fields}{PATH}"));
    workspace.edit(
        "src/lib.rs",
        "#[serde(rename_all = \"camelCase\")]\n",
        "#[experimental(feature = \"Timeouts\", kube(printcolumn(name = \"Many\", type_ = \"integer\", json_path = \".spec.many\")), x_kube(validation = \"has(self.many)\"))]\n#[serde(rename_all = \"camelCase\")]\n",
    );
    let without = with(&workspace, &["Paths"]);
    remove(&workspace, "Timeouts");
    let after = workspace.read("src/lib.rs");
    let expected = "    /// How many.
    #[schemars(range(max = 3))]
    pub many: Option<i32>,
    /// For now.
    #[schemars(length(max = 8))]
    pub until: Option<String>,
    /// Old.
    pub old: Option<String>,
";
    assert!(after.contains(expected), "{after}");
    assert!(!after.contains("Timeouts\""), "{after}");
    assert_eq!(with(&workspace, &["Paths"]), without);
}

#[test]
fn windows_line_ends_are_kept() {
    let workspace = workspace(TIMEOUT);
    released::release(&workspace, "v0.1.0", &["Timeouts", "Paths", "Other"]);
    for path in ["src/lib.rs", "channels/features.toml"] {
        workspace.write(path, workspace.read(path).replace('\n', "\r\n"));
    }
    remove(&workspace, "Timeouts");
    for path in ["src/lib.rs", "channels/features.toml"] {
        let text = workspace.read(path);
        assert_eq!(
            text.matches('\n').count(),
            text.matches("\r\n").count(),
            "{text}"
        );
    }
    let text = workspace.read("src/lib.rs");
    let stone = "\r\n#[tombstone(name = \"requestTimeout\", removed = \"v0.2.0\", reason = \"nobody used it\")]\r\npub struct RouteSpec {\r\n";
    assert!(text.contains(stone), "{text}");
}

#[test]
fn code_that_names_what_is_gone_is_listed() {
    let workspace = workspace(TIMEOUT);
    let code = "impl RouteSpec {
    pub fn is_slow(&self) -> bool {
        self.request_timeout.is_some() && self.path().is_none()
    }
    fn path(&self) -> Option<PathType> {
        self.path.clone()
    }
}

pub fn route(request_timeout: i32) -> RouteSpec {
    RouteSpec {
        host: request_timeout.to_string(),
        path: None,
        request_timeout: None,
    }
}
";
    let text = workspace.read("src/lib.rs");
    workspace.write("src/lib.rs", format!("{text}{code}"));
    workspace.write(
        "tests/paths.rs",
        "fn f(path: PathType) -> bool {\n    matches!(path, demo::PathType::Regex)\n}\n",
    );
    let ran = remove(&workspace, "Timeouts");
    let after = workspace.read("src/lib.rs");
    let line = |of: &str| after.lines().position(|line| line.contains(of)).unwrap() + 1;
    let expected = format!(
        "next steps:\n  src/lib.rs:{}: no kind uses `Timeouts` any longer\n  src/lib.rs:{}: `request_timeout` may be one of the removed names\n  src/lib.rs:{}: `request_timeout` may be one of the removed names\n  cargo check: ",
        line("pub struct Timeouts"),
        line("is_some"),
        line("request_timeout: None"),
    );
    assert!(ran.stdout.contains(&expected), "{expected}\n{}", ran.stdout);
    let ran = remove(&workspace, "Paths");
    let expected =
        "next steps:\n  tests/paths.rs:2: `Regex` may be one of the removed names\n  cargo check: ";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
}
