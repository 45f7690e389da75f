//! Lets cargo check packages as the project itself would: whether source that was only read is accepted by rustc.

use super::compile::is_of_this_run;
use super::model::{Package, PackageId, Workspace};
use super::{compile, metadata};
use crd_channels_diagnostics::Text;
use crd_channels_diagnostics::terminal::{self, Stopwatch};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command, Stdio};

/// The packages to check, and how.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// The workspace.
    pub workspace: &'a Workspace,
    /// The packages, besides those whose build determines the features.
    pub packages: &'a [PackageId],
    /// Features to enable besides the default ones, as `package/feature`.
    pub features: &'a [Text],
    /// The version of Kubernetes for k8s-openapi if no feature selects one.
    pub kubernetes: Option<&'a str>,
}

/// The result.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Checked {
    /// rustc accepts the packages.
    Accepted,
    /// rustc rejects one of the user's own packages, with these errors.
    Rejected(Vec<Rejection>),
    /// Nothing is known about them, for this reason.
    Unknown(String),
}

/// An error of rustc.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Rejection {
    /// Its message, in one line.
    pub message: String,
    /// Its place, such as `src/lib.rs:12:5`.
    pub place: Option<String>,
}

/// Crates whose derives decide whether types compile. A local package of such a name may only stand for the real one, as in
/// tests, so that an error would not be the types'.
const WITH_DERIVES: [&str; 3] = ["kube", "schemars", "serde"];

/// Runs `cargo check`.
#[must_use]
pub fn check(order: Order<'_>) -> Checked {
    if let Some(name) = stand_in(order.workspace) {
        return Checked::Unknown(format!(
            "`{name}` is a local package, which may differ from the published one"
        ));
    }
    let mut watch = Stopwatch::start();
    let mut cargo = command(order);
    // Somebody who waits sees cargo's progress.
    let is_seen = std::io::stderr().is_terminal() && !terminal::is_quiet();
    if is_seen {
        cargo.stderr(Stdio::inherit());
    }
    let output = match cargo.stdin(Stdio::null()).output() {
        Ok(output) => output,
        Err(error) => return Checked::Unknown(format!("cargo cannot be started: {error}")),
    };
    watch.lap(format_args!("ran `cargo check`"));
    if output.status.success() {
        return Checked::Accepted;
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let messages = printed
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let errors: Vec<Value> = messages.filter(is_error).collect();
    let own = errors.iter().filter(|error| is_own(error, order.workspace));
    let own: Vec<Rejection> = own.filter_map(rejection).collect();
    if !own.is_empty() {
        return Checked::Rejected(own);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let foreign = errors
        .first()
        .and_then(rejection)
        .map(|error| error.message);
    let why = foreign.or_else(|| {
        Some(
            said.lines()
                .find_map(|line| line.strip_prefix("error: "))?
                .to_owned(),
        )
    });
    Checked::Unknown(match why {
        Some(why) => format!("`cargo check` failed outside of the types: {why}"),
        None => "`cargo check` failed outside of the types".to_owned(),
    })
}

fn command(order: Order<'_>) -> Command {
    let Order {
        workspace,
        packages,
        features,
        kubernetes,
    } = order;
    let mut cargo = Command::new(metadata::cargo());
    cargo.args(["check", "--message-format=json"]);
    // A release must not change the lock file.
    if workspace.root.join("Cargo.lock").is_file() {
        cargo.arg("--locked");
    }
    let all: BTreeSet<PackageId> = packages.iter().chain(&workspace.built).copied().collect();
    for package in all.into_iter().filter_map(|id| workspace.package(id)) {
        cargo
            .arg("-p")
            .arg(format!("{}@{}", package.name, package.version));
    }
    cargo.args(features.iter().map(|name| format!("--features={name}")));
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(is_of_this_run) {
            cargo.env_remove(name);
        }
    }
    if let Some(version) = kubernetes {
        cargo.env(compile::KUBERNETES, version);
    }
    cargo.current_dir(&workspace.root);
    cargo
}

/// Returns the name of a local package, not a member, that stands for a crate with derives.
fn stand_in(workspace: &Workspace) -> Option<&str> {
    let packages = workspace.packages.iter().enumerate();
    let mut local = packages.filter(|(index, package)| {
        package.local && !workspace.members.contains(&PackageId(*index))
    });
    local.find_map(|(_, package)| WITH_DERIVES.into_iter().find(|name| package.name == *name))
}

fn is_error(message: &Value) -> bool {
    message["reason"] == "compiler-message" && message["message"]["level"] == "error"
}

/// Whether an error is in one of the user's own packages.
fn is_own(error: &Value, workspace: &Workspace) -> bool {
    let Some(root) = error["target"]["src_path"].as_str() else {
        return false;
    };
    let holds = |package: &&Package| Path::new(root).starts_with(&package.root);
    let packages = workspace.packages.iter().filter(holds);
    let nearest = packages.max_by_key(|package| package.root.as_os_str().len());
    nearest.is_some_and(|package| package.local)
}

/// Returns an error with its place; `None` for the line that only counts the others.
fn rejection(error: &Value) -> Option<Rejection> {
    let message = error["message"]["message"].as_str()?;
    if message.starts_with("aborting due to") {
        return None;
    }
    let mut spans = error["message"]["spans"].as_array().into_iter().flatten();
    let place = spans
        .find(|span| span["is_primary"] == true)
        .and_then(|span| {
            let (line, column) = (&span["line_start"], &span["column_start"]);
            Some(format!("{}:{line}:{column}", span["file_name"].as_str()?))
        });
    Some(Rejection {
        message: message.lines().next().unwrap_or_default().to_owned(),
        place,
    })
}
