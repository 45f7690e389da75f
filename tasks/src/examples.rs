//! The example programs of the runtime crate, built to try them on a server. Only this repository has them.

use crd_channels_envtest::Failure;
use crd_channels_workspace::cargo;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The package of the examples, and its folder.
const PACKAGE: &str = "crd-channels-runtime";
const FOLDER: &str = "crates/runtime/examples";

/// Builds an example and returns the path of its program; `None` in a workspace without the package.
///
/// # Errors
/// cargo could not be started or failed; its output is on stderr.
pub fn build(root: &Path, name: &str) -> Result<Option<PathBuf>, Failure> {
    if !root.join(FOLDER).is_dir() {
        return Ok(None);
    }
    let output = Command::new(cargo())
        .args([
            "build",
            "--quiet",
            "--message-format=json-render-diagnostics",
        ])
        .args(["--package", PACKAGE, "--example", name])
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::new(format!("cargo could not be started: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut messages = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let program = messages.find_map(|message| {
        let is_it = message["target"]["name"] == *name;
        message["executable"]
            .as_str()
            .filter(|_| is_it)
            .map(PathBuf::from)
    });
    let missing = || Failure::new(format!("example `{name}` of `{PACKAGE}` was not built"));
    program.map(Some).ok_or_else(missing)
}
