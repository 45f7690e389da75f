//! `init` from end to end: the real binary in workspaces without channels.

mod foreign;
mod choices;
mod compare;
mod programs;

use crate::support::Workspace;
use std::collections::BTreeMap;

/// The files that `init` writes into a new workspace.
const WRITTEN: [&str; 6] = [
    ".cargo/config.toml",
    "channels/.gitattributes",
    "channels/bundle.toml",
    "channels/experimental.toml",
    "channels/features.toml",
    "channels/stable.toml",
];

/// A workspace without channels.
fn unconfigured(text: &str) -> Workspace {
    Workspace::new(&format!(
        "//- no channels/stable.toml\n//- no channels/experimental.toml\n{text}"
    ))
}

/// A kind in a group.
fn kind(group: &str, version: &str, kind: &str) -> String {
    format!(
        "#[derive(kube::CustomResource, schemars::JsonSchema)]\n\
         #[kube(group = \"{group}\", version = \"{version}\", kind = \"{kind}\")]\n\
         pub struct {kind}{version}Spec {{\n    pub host: Option<String>,\n}}\n"
    )
}

/// Returns everything in the workspace except build output.
fn sources(workspace: &Workspace) -> BTreeMap<String, Vec<u8>> {
    let mut files = workspace.files("");
    files.retain(|path, _| !path.starts_with("target/") && path != "Cargo.lock");
    files
}

/// Runs `init` with its arguments, and returns the added files. No existing file has changed.
fn added_files(workspace: &Workspace, arguments: &[&str], code: i32) -> Vec<String> {
    let before = sources(workspace);
    workspace.run(arguments).with_code(code);
    let mut after = sources(workspace);
    for (path, bytes) in before {
        assert_eq!(after.remove(&path), Some(bytes), "{path}");
    }
    after.into_keys().collect()
}
