//! The Kubernetes version of k8s-openapi: a feature of it that programs and tests turn on, and libraries leave open.

use super::{STABLE, crd, findings};
use crate::support::Workspace;

/// A library with a kind, and two programs; `$api`, `$one` and `$two` are their entries for k8s-openapi.
const FILES: &str = r#"
//- Cargo.toml
[workspace]
resolver = "2"
members = ["api", "one", "two"]
exclude = ["stubs"]
//- api/Cargo.toml
[package]
name = "api"
version = "0.1.0"
edition = "2021"
[dependencies]
kube = { path = "../stubs/kube" }
schemars = { path = "../stubs/schemars" }
k8s-openapi = { path = "../stubs/k8s-openapi" }
$api
//- api/src/lib.rs
#[derive(kube::CustomResource, schemars::JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    pub pod: k8s_openapi::Pod,
}
//- one/Cargo.toml
[package]
name = "one"
version = "0.1.0"
edition = "2021"
[dependencies]
api = { path = "../api" }
$one
//- one/src/main.rs
fn main() {}
//- two/Cargo.toml
[package]
name = "two"
version = "0.1.0"
edition = "2021"
[dependencies]
api = { path = "../api" }
$two
//- two/src/main.rs
fn main() {}
//- stubs/k8s-openapi/Cargo.toml
[package]
name = "k8s-openapi"
version = "0.27.1"
edition = "2021"
[features]
v1_31 = []
v1_32 = []
[dependencies]
schemars = { path = "../schemars" }
//- stubs/k8s-openapi/src/lib.rs
#[cfg(k8s_openapi_enabled_version = "1.31")] mod v1_31;
#[cfg(k8s_openapi_enabled_version = "1.31")] pub use self::v1_31::*;
#[cfg(k8s_openapi_enabled_version = "1.32")] mod v1_32;
#[cfg(k8s_openapi_enabled_version = "1.32")] pub use self::v1_32::*;
//- stubs/k8s-openapi/src/v1_31.rs
#[derive(schemars::JsonSchema)]
pub struct Pod { pub one: bool }
//- stubs/k8s-openapi/src/v1_32.rs
#[derive(schemars::JsonSchema)]
pub struct Pod { pub two: bool }
"#;

/// Returns an entry for k8s-openapi with a version.
fn entry(section: &str, version: &str) -> String {
    format!(
        "[{section}]\nk8s-openapi = {{ path = \"../stubs/k8s-openapi\", features = [\"{version}\"] }}\n"
    )
}

fn workspace(api: &str, one: &str, two: &str) -> Workspace {
    let in_table = |entry: &str| entry.replace("[dependencies]\n", "");
    Workspace::new(
        &FILES
            .replace("$api", api)
            .replace("$one", &in_table(one))
            .replace("$two", &in_table(two)),
    )
}

/// Returns the version, given by the only field of the pod.
fn version(workspace: &Workspace) -> String {
    workspace.generate();
    let crd = crd(workspace, STABLE);
    let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    spec["properties"]["pod"]["required"][0]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn the_workspace_chooses_a_version_that_the_library_leaves_open() {
    let tests = entry("dev-dependencies", "v1_32");
    let old = entry("dependencies", "v1_31");
    let new = entry("dependencies", "v1_32");
    assert_eq!(version(&workspace("", &old, "")), "one");
    assert_eq!(version(&workspace("", "", &new)), "two");
    assert_eq!(version(&workspace("", &new, &new)), "two");
    // The library's own tests take precedence over programs.
    assert_eq!(version(&workspace(&tests, "", "")), "two");
    assert_eq!(version(&workspace(&tests, &old, "")), "two");
}

#[test]
fn where_nothing_chooses_the_configuration_does() {
    let old = entry("dependencies", "v1_31");
    let new = entry("dependencies", "v1_32");
    for workspace in [workspace("", "", ""), workspace("", &old, &new)] {
        let found = findings(&workspace, 1);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(found[0].code, "unresolved-path");
        let help = found[0].help.as_deref().unwrap();
        assert!(
            help.contains("'k8s_openapi_enabled_version=\"1.32\"'"),
            "{help}"
        );
        for (written, read) in [("1.31", "one"), ("1.32", "two")] {
            let line = format!("cfgs = ['k8s_openapi_enabled_version=\"{written}\"']\n");
            workspace.write("channels/bundle.toml", line);
            assert_eq!(version(&workspace), read);
        }
    }
    // A configured version takes precedence.
    let workspace = workspace("", &old, "");
    workspace.write(
        "channels/bundle.toml",
        "cfgs = ['k8s_openapi_enabled_version=\"1.32\"']\n",
    );
    assert_eq!(version(&workspace), "two");
}
