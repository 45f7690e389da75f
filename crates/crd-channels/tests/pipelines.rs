//! The GitHub Action and the pre-commit hooks call existing commands and options.

#![cfg(unix)]

use crate::support::{Ran, Workspace, run};
use crd_channels_released::documents;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

const ROUTE: &str = "//- src/lib.rs
/// Where requests go.
#[derive(crd_channels_derive::ApiType, kube::CustomResource, schemars::JsonSchema)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced)]
pub struct RouteSpec {
    /// The host.
    pub host: Option<String>,
}
";

fn text(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap()
}

/// Returns the documents of a file, or the items of its list.
fn yaml(path: &str) -> Vec<Value> {
    documents::parse(&text(path)).unwrap()
}

/// A workspace whose CRDs are generated and released.
fn workspace() -> Workspace {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.run(&["release", "minor"]).with_code(0);
    // The path where the Action installs the tool.
    let program = workspace.path("runner/crd-channels/bin/crd-channels");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    symlink(env!("CARGO_BIN_EXE_crd-channels"), program).unwrap();
    workspace
}

/// Runs the last step of the Action, as a runner does.
fn act(workspace: &Workspace, action: &Value, command: &str, format: &str) -> Ran {
    let steps = action["runs"]["steps"].as_array().unwrap();
    let script = steps.last().unwrap()["run"].as_str().unwrap();
    let mut shell = Command::new("bash");
    shell
        .args(["-e", "-o", "pipefail", "-c", script])
        .current_dir(workspace.folder())
        .env("CARGO_NET_OFFLINE", "true")
        .env_remove("CARGO_PKG_NAME")
        .env_remove("CARGO_TARGET_DIR")
        .env("RUNNER_TEMP", workspace.path("runner"))
        .env("COMMAND", command)
        .env("FORMAT", format)
        .env("OUTPUT", "");
    run(&mut shell)
}

#[test]
fn the_action_runs_what_its_page_says() {
    let action = yaml("action.yml").remove(0);
    let default = |name: &str| action["inputs"][name]["default"].as_str().unwrap();
    let workspace = workspace();
    for command in [
        default("command"),
        "check generated",
        "verify-release",
        "diff generated . --against minor",
        "features",
    ] {
        for format in [default("format"), "sarif"] {
            act(&workspace, &action, command, format).with_code(0);
        }
    }
    workspace.run(&["start-next"]).with_code(0);
    workspace.edit("src/lib.rs", "The host.", "The name.");
    let stale = act(&workspace, &action, default("command"), default("format")).with_code(1);
    let annotation = "::error file=generated/stable/example.com_routes.yaml,";
    assert!(stale.stdout.contains(annotation), "{}", stale.stdout);
    // The page names no other commands.
    let page = text("docs/editors.md");
    let commands = page.match_indices("command: ");
    let named: Vec<&str> = commands
        .map(|(at, key)| page[at + key.len()..].split(['\n', '`']).next().unwrap())
        .collect();
    assert_eq!(named, ["gen-crds --check", "check generated"]);
}

#[test]
fn hooks_run() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    assert_eq!(hooks.len(), 2);
    let workspace = workspace();
    for hook in hooks {
        let entry = hook["entry"].as_str().unwrap();
        let arguments = entry.strip_prefix("cargo crd-channels ").unwrap();
        let mut arguments: Vec<&str> = arguments.split(' ').collect();
        if hook["pass_filenames"].as_bool() != Some(false) {
            arguments.push("generated/stable/example.com_routes.yaml");
        }
        workspace.run(&arguments).with_code(0);
    }
}
