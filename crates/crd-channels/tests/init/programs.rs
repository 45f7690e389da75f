//! Libraries whose types only compile as part of a program.

use super::{kind, unconfigured};
use crate::support::Workspace;

/// A library with a kind, and programs; those in `$on` turn on the features of a dependency that the kind needs.
const FILES: &str = r#"
//- Cargo.toml
[workspace]
resolver = "2"
members = ["api", "agent", "controller"]
exclude = ["stubs"]
//- api/Cargo.toml
[package]
name = "api"
version = "0.1.0"
edition = "2021"
[dependencies]
kube = { path = "../stubs/kube" }
schemars = { path = "../stubs/schemars" }
pods = { path = "../stubs/pods" }
//- agent/Cargo.toml
[package]
name = "agent"
version = "0.1.0"
edition = "2021"
[dependencies]
api = { path = "../api" }
//- agent/src/main.rs
fn main() {}
//- controller/Cargo.toml
[package]
name = "controller"
version = "0.1.0"
edition = "2021"
[dependencies]
api = { path = "../api" }
pods = { path = "../stubs/pods", features = ["schemas"] }
//- controller/src/main.rs
fn main() {}
//- stubs/pods/Cargo.toml
[package]
name = "pods"
version = "0.1.0"
edition = "2021"
[features]
schemas = ["dep:schemars"]
[dependencies]
schemars = { path = "../schemars", optional = true }
//- stubs/pods/src/lib.rs
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Pod { pub a: bool }
"#;

fn names_the_controller(workspace: &Workspace) {
    let bundle = workspace.read("channels/bundle.toml");
    assert!(
        bundle.contains("\ncargo-packages = [\"controller\"]\n"),
        "{bundle}"
    );
}

#[test]
fn the_program_whose_build_they_need_is_named() {
    let types = kind("example.com", "v1", "Route")
        .replace("pub host: Option<String>", "pub pod: pods::Pod");
    let workspace = unconfigured(&format!("{FILES}//- api/src/lib.rs\n{types}"));
    workspace.run(&["init"]).with_code(0);
    names_the_controller(&workspace);
    workspace.generate();
    workspace.read("generated/stable/example.com_routes.yaml");
}

#[test]
fn a_program_is_named_although_other_types_are_unreadable() {
    let types = kind("example.com", "v1", "Route").replace(
        "pub host: Option<String>",
        "pub pod: pods::Pod, #[schemars(schema_with = \"made\")] pub made: String",
    );
    let made = "fn made(_: &mut schemars::SchemaGenerator) -> schemars::Schema { todo!() }\n";
    let workspace = unconfigured(&format!("{FILES}//- api/src/lib.rs\n{types}{made}"));
    workspace.run(&["init"]).with_code(0);
    names_the_controller(&workspace);
}

#[test]
fn no_program_is_named_if_none_helps() {
    let types = kind("example.com", "v1", "Route")
        .replace("pub host: Option<String>", "pub pod: pods::Pod");
    let files = FILES.replace(", features = [\"schemas\"]", "");
    let workspace = unconfigured(&format!("{files}//- api/src/lib.rs\n{types}"));
    workspace.run(&["init"]).with_code(1);
    let bundle = workspace.read("channels/bundle.toml");
    assert!(!bundle.contains("cargo-packages"), "{bundle}");
    let refused = workspace.run(&["gen-crds"]).with_code(1);
    for part in [
        "the feature `schemas` of `pods` is off",
        "run `cargo add pods --features schemas`",
    ] {
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
}
