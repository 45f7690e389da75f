//! Habits from other tools: their names for commands, and another folder to run in.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod support;

use support::Workspace;

const ROUTE: &str = "//- src/lib.rs
/// Where requests go.
#[derive(crd_channels_derive::ApiType, kube::CustomResource, schemars::JsonSchema)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced)]
pub struct RouteSpec {
    /// The host.
    pub host: String,
}
";

#[test]
fn names_of_other_tools_run_the_command() {
    let workspace = Workspace::new(ROUTE);
    for name in ["generate", "crd"] {
        workspace.run(&[name]).with_code(0);
        assert!(!workspace.generated().is_empty(), "{name}");
    }
    for name in ["lint", "validate"] {
        workspace.run(&[name, "generated"]).with_code(0);
    }
    for name in ["breaking", "compare"] {
        let ran = workspace.run(&[name, "generated", "generated"]);
        ran.with_code(0);
    }
    let help = workspace.run(&["--help"]).with_code(0).stdout;
    for name in ["breaking", "lint"] {
        assert!(!help.contains(name), "{name} is not hidden:\n{help}");
    }
}

#[test]
fn a_command_runs_in_the_folder_that_it_is_given() {
    let workspace = Workspace::new(ROUTE);
    let elsewhere = Workspace::new("");
    let folder = workspace.path("");
    let folder = folder.to_str().unwrap();
    elsewhere.run(&["-C", folder, "gen-crds"]).with_code(0);
    assert!(!workspace.generated().is_empty());
    assert!(elsewhere.generated().is_empty());
    let ran = elsewhere.run(&["-C", "absent", "gen-crds"]).with_code(2);
    assert!(
        ran.stderr.starts_with("error: cannot change to `absent`: "),
        "{}",
        ran.stderr
    );
}
