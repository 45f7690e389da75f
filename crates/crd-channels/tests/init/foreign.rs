//! Projects as kube-rs users write them, with real dependencies, which are not compiled here.

use super::{WRITTEN, added_files, sources};
use crate::support::{Workspace, run};
use crd_channels_schema::Crd;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// An operator with a library of types and a binary that prints their CRDs.
const OPERATOR: &str = r##"
//- no channels/stable.toml
//- no channels/experimental.toml
//- Cargo.toml
[workspace]
resolver = "2"
members = ["cache-api", "operator"]
exclude = ["stubs"]
//- cache-api/Cargo.toml
[package]
name = "cache-api"
version = "0.3.0"
edition = "2021"
[dependencies]
k8s-openapi = { version = "0.29.0", default-features = false, features = ["v1_36", "schemars"] }
kube = { version = "5.0.0", default-features = false, features = ["derive"] }
schemars = { version = "1.2.3", default-features = false, features = ["derive", "std"] }
serde = { version = "1", features = ["derive"] }
#more
//- cache-api/src/lib.rs
use k8s_openapi::api::core::v1::ResourceRequirements;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Keeps what is asked for often.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "cache.example.org",
    version = "v1beta1",
    kind = "Cache",
    namespaced,
    status = "CacheStatus",
    printcolumn = r#"{"name": "Replicas", "type": "integer", "jsonPath": ".spec.replicas"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct CacheSpec {
    /// How many servers there are.
    #[schemars(range(min = 1))]
    pub replicas: Option<u32>,
    pub eviction_policy: Eviction,
    pub resources: Option<ResourceRequirements>,
    // more
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum Eviction {
    LeastRecent,
    LeastFrequent,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct CacheStatus {
    pub ready: bool,
}
//- operator/Cargo.toml
[package]
name = "operator"
version = "0.9.0"
edition = "2021"
[dependencies]
cache-api = { path = "../cache-api" }
kube = { version = "5.0.0", default-features = false, features = ["derive"] }
//- operator/src/main.rs
use kube::CustomResourceExt;

fn main() {
    println!("{:?}", cache_api::Cache::crd());
}
"##;

const STABLE: &str = "generated/stable/cache.example.org_caches.yaml";
const EXPERIMENTAL: &str = "generated/experimental/cache.example.org_caches.yaml";

/// Returns the operator, with this repository's dependencies.
fn operator() -> Workspace {
    let workspace = Workspace::new(OPERATOR);
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    workspace.write("Cargo.lock", std::fs::read(lock).unwrap());
    workspace
}

fn crd(workspace: &Workspace, path: &str) -> Value {
    let crd: Value = serde_saphyr::from_str(&workspace.read(path)).unwrap();
    Crd::from_json(&crd).unwrap();
    crd
}

fn spec(crd: &Value) -> &Value {
    &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
}

#[test]
fn two_commands_give_two_channels() {
    let workspace = operator();
    assert_eq!(added_files(&workspace, &["init"], 0), WRITTEN);
    let bundle = workspace.read("channels/bundle.toml");
    assert!(bundle.contains("\nconventions = \"kube\"\n"), "{bundle}");
    // The operator names the derive's crate but has no kind.
    assert!(
        bundle.contains("\npackages = [\"cache-api\"]\n"),
        "{bundle}"
    );
    assert!(!bundle.contains("annotation-prefix ="), "{bundle}");

    workspace.generate();
    for (path, channel) in [(STABLE, "stable"), (EXPERIMENTAL, "experimental")] {
        let crd = crd(&workspace, path);
        let annotations = &crd["metadata"]["annotations"];
        assert_eq!(annotations["cache.example.org/bundle-version"], "v0.3.0");
        assert_eq!(annotations["cache.example.org/channel"], channel);
        // A beta version is served as in the type, in both conventions.
        assert_eq!(crd["spec"]["versions"][0]["served"], true);
        assert_eq!(spec(&crd)["replicas"]["nullable"], true);
        assert!(spec(&crd)["resources"]["properties"]["limits"].is_object());
    }
    let before = sources(&workspace);
    let again = workspace.generate();
    assert_eq!(
        again.stdout,
        "0 files written, 4 unchanged; 0 of 1 kind read\n"
    );
    assert_eq!(sources(&workspace), before);
    workspace.run(&["gen-crds", "--check"]).with_code(0);
}

#[test]
fn a_gated_field_is_in_one_channel() {
    let workspace = operator();
    workspace.run(&["init"]).with_code(0);
    let derive = Path::new(env!("CARGO_MANIFEST_DIR")).join("../derive");
    workspace.edit(
        "cache-api/Cargo.toml",
        "#more",
        &format!("crd-channels-derive = {{ path = {derive:?} }}"),
    );
    let lib = "cache-api/src/lib.rs";
    workspace.edit(
        lib,
        "#[derive(Clone, CustomResource",
        "#[derive(crd_channels_derive::ApiType, Clone, CustomResource",
    );
    workspace.edit(
        lib,
        "    // more",
        "    #[experimental(feature = \"Warmup\")]\n    pub warmup: Option<String>,",
    );
    let ran = workspace.run(&["gen-crds", "--format", "json"]);
    let codes: Vec<String> = ran
        .with_code(1)
        .findings()
        .into_iter()
        .map(|finding| finding.code)
        .collect();
    assert_eq!(codes, ["unknown-feature"]);

    let features = workspace.read("channels/features.toml");
    workspace.write(
        "channels/features.toml",
        format!("{features}\n[Warmup]\nsummary = \"A cache starts with what it had.\"\nowner = \"cache team\"\nlink = \"docs/warmup.md\"\nsince = \"v0.3.0\"\n"),
    );
    workspace.generate();
    assert!(spec(&crd(&workspace, STABLE))["warmup"].is_null());
    assert!(spec(&crd(&workspace, EXPERIMENTAL))["warmup"].is_object());
}

#[test]
fn cargo_finds_the_tool_by_its_name_and_by_the_alias() {
    let workspace = operator();
    let tool = Path::new(env!("CARGO_BIN_EXE_cargo-crd-channels"));
    let mut folders = vec![tool.parent().unwrap().to_path_buf()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let path = std::env::join_paths(folders).unwrap();
    let cargo = |arguments: &[&str]| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(arguments)
            .current_dir(workspace.folder())
            .env("PATH", &path)
            .env("CARGO_NET_OFFLINE", "true")
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR");
        run(&mut command)
    };
    let ran = cargo(&["crd-channels", "init"]).with_code(0);
    assert!(
        ran.stderr
            .ends_with("help: run `cargo crd-channels gen-crds`\n"),
        "{ran:?}"
    );
    let stale = cargo(&["xtask", "gen-crds", "--check"]).with_code(1);
    assert!(
        stale
            .stderr
            .contains("help: run `cargo crd-channels gen-crds`\n"),
        "{stale:?}"
    );
    cargo(&["xtask", "gen-crds"]).with_code(0);
    cargo(&["crd-channels", "gen-crds", "--check"]).with_code(0);
    let help = cargo(&["crd-channels", "gen-crds", "--help"])
        .with_code(0)
        .stdout;
    assert!(
        help.contains("Usage: cargo crd-channels gen-crds [OPTIONS]"),
        "{help}"
    );
}
