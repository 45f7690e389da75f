//! The features of packages that are on: those that cargo turns on for the named packages, compared with a compiled program.

use super::{STABLE, crd, findings, places};
use crate::support::{Workspace, run};
use serde_json::Value;
use std::process::Command;

/// Types with a field behind each feature, and sibling packages that turn features on in different ways.
const SIBLINGS: &str = r#"
//- Cargo.toml
[workspace]
resolver = "2"
members = ["api", "gen", "other", "tested"]
exclude = ["stubs"]
//- channels/bundle.toml
packages = ["api"]
//- api/Cargo.toml
[package]
name = "api"
version = "0.1.0"
edition = "2021"
[features]
default = ["usual"]
usual = []
printed = []
other = []
dev = []
built = []
more = ["below"]
below = []
[dependencies]
kube = { path = "../stubs/kube", optional = true }
schemars = { path = "../stubs/schemars" }
//- api/src/kind.rs
#[derive(kube::CustomResource, schemars::JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    pub always: bool,
    #[cfg(feature = "usual")]
    pub usual: bool,
    #[cfg(feature = "printed")]
    pub printed: bool,
    #[cfg(feature = "other")]
    pub other: bool,
    #[cfg(feature = "dev")]
    pub dev: bool,
    #[cfg(feature = "built")]
    pub built: bool,
    #[cfg(feature = "more")]
    pub more: bool,
    #[cfg(feature = "below")]
    pub below: bool,
}
//- api/src/lib.rs
mod kind;
pub fn on() -> Vec<&'static str> {
    let mut on = vec!["always"];
    if cfg!(feature = "usual") { on.push("usual"); }
    if cfg!(feature = "printed") { on.push("printed"); }
    if cfg!(feature = "other") { on.push("other"); }
    if cfg!(feature = "dev") { on.push("dev"); }
    if cfg!(feature = "built") { on.push("built"); }
    if cfg!(feature = "more") { on.push("more"); }
    if cfg!(feature = "below") { on.push("below"); }
    on
}
//- gen/Cargo.toml
[package]
name = "gen"
version = "0.1.0"
edition = "2021"
[dependencies]
api = { path = "../api", features = ["printed", "more"] }
[build-dependencies]
api = { path = "../api", features = ["built"] }
//- gen/build.rs
fn main() {}
//- gen/src/main.rs
fn main() { print!("{}", api::on().join(" ")); }
//- other/Cargo.toml
[package]
name = "other"
version = "0.1.0"
edition = "2021"
[dependencies]
api = { path = "../api", features = ["other"] }
[build-dependencies]
api = { path = "../api", features = ["built"] }
//- other/src/lib.rs
//- tested/Cargo.toml
[package]
name = "tested"
version = "0.1.0"
edition = "2021"
[dev-dependencies]
api = { path = "../api", features = ["dev"] }
//- tested/src/lib.rs
"#;

/// Returns the fields of the only kind.
fn fields(workspace: &Workspace) -> Vec<String> {
    let crd: Value = crd(workspace, STABLE);
    let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    let required = spec["required"].as_array().unwrap().iter();
    let mut names: Vec<String> = required
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

fn sorted(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    words.sort();
    words
}

#[test]
fn features_that_only_siblings_turn_on_are_off() {
    let workspace = Workspace::new(SIBLINGS);
    workspace.generate();
    assert_eq!(fields(&workspace), sorted("always usual"));
    // As in a compiled program; the kind's derives are stubs.
    workspace.edit("api/src/lib.rs", "mod kind;\n", "");
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["run", "-q", "-p", "gen", "--offline"])
        .current_dir(workspace.folder())
        .env_remove("CARGO_TARGET_DIR");
    let seen = run(&mut cargo).with_code(0).stdout;
    assert_eq!(seen, "always usual printed more below");
    workspace.edit("api/src/lib.rs", "pub fn", "mod kind;\npub fn");
    workspace.run(&["gen-crds", "-p", "gen"]).with_code(0);
    assert_eq!(fields(&workspace), sorted(&seen));
    // Back again: cargo's stored output belongs to another build.
    workspace.generate();
    assert_eq!(fields(&workspace), sorted("always usual"));
    workspace
        .run(&["gen-crds", "-p", "gen", "--package", "other"])
        .with_code(0);
    assert_eq!(
        fields(&workspace),
        sorted("always usual printed more below other")
    );
    workspace.write(
        "channels/bundle.toml",
        "packages = [\"api\"]\ncargo-packages = [\"gen\"]\n",
    );
    workspace.generate();
    assert_eq!(fields(&workspace), sorted(&seen));
}

#[test]
fn with_the_old_resolver_tests_and_build_scripts_count() {
    let workspace = Workspace::new(SIBLINGS);
    workspace.edit("Cargo.toml", "\"2\"", "\"1\"");
    workspace.run(&["gen-crds", "-p", "gen"]).with_code(0);
    assert_eq!(
        fields(&workspace),
        sorted("always usual printed more below built")
    );
}

#[test]
fn features_are_turned_off() {
    let workspace = Workspace::new(SIBLINGS);
    let off = |list: &str| {
        let text = format!(
            "packages = [\"api\"]\ncargo-packages = [\"gen\"]\ncargo-features = [{list}]\n"
        );
        workspace.write("channels/bundle.toml", text);
    };
    off("\"!api/more\", \"!api/default\"");
    workspace.generate();
    assert_eq!(fields(&workspace), sorted("always printed"));
    off("\"!api/usual\", \"api/other\"");
    workspace.generate();
    assert_eq!(
        fields(&workspace),
        sorted("always printed more below other")
    );
    for (wrong, help) in [
        ("\"!api/mroe\"", "write `\"!api/more\"`"),
        ("\"!apo/more\"", "write `\"!api/more\"`"),
        (
            "\"api/more\", \"!api/more\"",
            "keep one: a leading `!` turns it off",
        ),
    ] {
        off(wrong);
        let found = findings(&workspace, 1);
        assert_eq!(
            places(&found),
            ["config-invalid: channels/bundle.toml:3"],
            "{wrong}"
        );
        assert_eq!(found[0].help.as_deref(), Some(help));
    }
}

#[test]
fn packages_that_are_not_there_or_not_built() {
    let workspace = Workspace::new(SIBLINGS);
    let ran = workspace.run(&["gen-crds", "-p", "genn", "--format", "json"]);
    let found = ran.with_code(1).findings();
    assert_eq!(places(&found), ["package-not-found"]);
    assert_eq!(found[0].help.as_deref(), Some("did you mean `gen`?"));
    let ran = workspace.run(&["gen-crds", "-p", "tested", "--format", "json"]);
    let found = ran.with_code(1).findings();
    assert_eq!(places(&found), ["package-not-found"]);
    assert_eq!(
        found[0].message,
        "`api` is read for kinds, but building `tested` does not build it"
    );
}

/// `init` records the packages that it was asked to read.
#[test]
fn a_project_is_begun_as_a_program_sees_it() {
    let workspace = Workspace::new(&format!(
        "//- no channels/stable.toml\n//- no channels/experimental.toml\n{}",
        SIBLINGS.replace("//- channels/bundle.toml\npackages = [\"api\"]\n", "")
    ));
    workspace.run(&["init", "-p", "gen"]).with_code(0);
    let bundle = workspace.read("channels/bundle.toml");
    assert!(
        bundle.contains("\ncargo-packages = [\"gen\"]\n"),
        "{bundle}"
    );
    workspace.generate();
    assert_eq!(
        fields(&workspace),
        sorted("always usual printed more below")
    );
}
