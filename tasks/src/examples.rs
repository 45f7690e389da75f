//! Programs of this repository that run on a server: the example of the runtime crate, and the operator.

use crd_channels_envtest::Failure;
use crd_channels_workspace::cargo;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The operator in two releases.
#[derive(Debug)]
pub struct Operator {
    /// Its folder.
    pub folder: PathBuf,
    /// The program of the release before.
    pub former: PathBuf,
    /// The program of the working tree.
    pub newer: PathBuf,
}

impl Operator {
    /// Builds both; `None` in a workspace without it.
    ///
    /// # Errors
    /// cargo could not be started or failed; its output is on stderr.
    pub fn build(root: &Path) -> Result<Option<Self>, Failure> {
        let folder = root.join("examples/operator");
        if !folder.is_dir() {
            return Ok(None);
        }
        let [former, newer] = build(root, "operator", ["former-operator", "operator"], "--bin")?;
        Ok(Some(Self {
            folder,
            former,
            newer,
        }))
    }
}

/// Builds the example of a controller; `None` in a workspace without the package.
///
/// # Errors
/// As above.
pub fn controller(root: &Path) -> Result<Option<PathBuf>, Failure> {
    if !root.join("crates/runtime/examples").is_dir() {
        return Ok(None);
    }
    let [program] = build(root, "crd-channels-runtime", ["controller"], "--example")?;
    Ok(Some(program))
}

/// Builds the program with registries; `None` in a workspace without it.
///
/// # Errors
/// As above.
pub fn with_registries(root: &Path) -> Result<Option<PathBuf>, Failure> {
    if !root.join("crates/crd-channels/src/oci").is_dir() {
        return Ok(None);
    }
    let features = ["--features", "oci"];
    let [program] = build_with(root, "crd-channels", ["crd-channels"], "--bin", &features)?;
    Ok(Some(program))
}

fn build<const N: usize>(
    root: &Path,
    package: &str,
    names: [&str; N],
    kind: &str,
) -> Result<[PathBuf; N], Failure> {
    build_with(root, package, names, kind, &[])
}

/// Builds targets of a package and returns the paths of their programs.
fn build_with<const N: usize>(
    root: &Path,
    package: &str,
    names: [&str; N],
    kind: &str,
    features: &[&str],
) -> Result<[PathBuf; N], Failure> {
    let output = Command::new(cargo())
        .args([
            "build",
            "--quiet",
            "--message-format=json-render-diagnostics",
        ])
        .args(["--package", package])
        .args(features)
        .args(names.iter().flat_map(|name| [kind, name]))
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::new(format!("cargo could not be started: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines();
    let messages: Vec<Value> = lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let mut programs = [const { PathBuf::new() }; N];
    for (program, name) in programs.iter_mut().zip(names) {
        let mut built = messages
            .iter()
            .filter(|message| message["target"]["name"] == *name);
        let built = built.find_map(|message| message["executable"].as_str());
        let missing = || Failure::new(format!("`{name}` of `{package}` was not built"));
        *program = built.ok_or_else(missing)?.into();
    }
    Ok(programs)
}
