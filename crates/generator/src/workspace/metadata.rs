//! Asking cargo: `cargo metadata`, reduced to what the reader needs.

use super::{Package, PackageId, Target, Wanted, Workspace, toolchain};
use crate::diag::{Code, Diagnostic};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs `cargo metadata` in `root`. Where the project asks for a toolchain that cannot be had, another cargo answers: it
/// resolves the same lock file, and nothing is compiled.
pub(super) fn ask_cargo(root: &Path, wanted: Wanted<'_>) -> Result<Workspace, Box<Diagnostic>> {
    let mut output = metadata(Command::new(cargo()), root, wanted)?;
    if !output.status.success()
        && let Some(other) = toolchain::other_cargo(root, output.status)
    {
        output = metadata(other, root, wanted)?;
    }
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(failed(format!("`cargo metadata` failed: {}", said.trim())));
    }
    let answer: Answer = serde_json::from_slice(&output.stdout).map_err(|error| {
        failed(format!(
            "the answer of `cargo metadata` cannot be read: {error}"
        ))
    })?;
    Ok(reduce(answer))
}

fn metadata(
    mut cargo: Command,
    root: &Path,
    wanted: Wanted<'_>,
) -> Result<Output, Box<Diagnostic>> {
    cargo
        .args([
            "metadata",
            "--format-version=1",
            "--quiet",
            "--filter-platform",
            wanted.target,
        ])
        .args(
            wanted
                .features
                .iter()
                .map(|feature| format!("--features={feature}")),
        )
        .env("RUST_BACKTRACE", "0")
        .current_dir(root)
        .output()
        .map_err(|error| failed(format!("`cargo metadata` could not be started: {error}")))
}

/// The cargo that runs this tool, else the one on the path.
pub(super) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn failed(message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::CargoFailed, None, message).with_help(
        "run `cargo metadata --format-version=1` in the same folder and mend what it reports",
    ))
}

#[derive(Deserialize)]
struct Answer {
    packages: Vec<RawPackage>,
    resolve: Option<RawResolve>,
    workspace_members: Vec<String>,
    workspace_root: PathBuf,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct RawPackage {
    id: String,
    name: String,
    version: String,
    source: Option<String>,
    manifest_path: PathBuf,
    targets: Vec<RawTarget>,
    features: BTreeMap<String, IgnoredAny>,
}

#[derive(Deserialize)]
struct RawTarget {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
    edition: String,
}

#[derive(Deserialize)]
struct RawResolve {
    nodes: Vec<RawNode>,
}

#[derive(Deserialize)]
struct RawNode {
    id: String,
    features: Vec<String>,
    deps: Vec<RawDependency>,
}

#[derive(Deserialize)]
struct RawDependency {
    name: String,
    pkg: String,
    dep_kinds: Vec<RawKind>,
}

#[derive(Deserialize)]
struct RawKind {
    kind: Option<String>,
}

fn reduce(answer: Answer) -> Workspace {
    let Answer {
        packages,
        resolve,
        workspace_members,
        workspace_root,
        target_directory,
    } = answer;
    let ids: HashMap<String, PackageId> = packages
        .iter()
        .enumerate()
        .map(|(index, package)| (package.id.clone(), PackageId(index)))
        .collect();
    let mut nodes: HashMap<String, RawNode> = resolve
        .into_iter()
        .flat_map(|resolve| resolve.nodes)
        .map(|node| (node.id.clone(), node))
        .collect();
    let packages: Vec<Package> = packages
        .into_iter()
        .map(|package| {
            let node = nodes.remove(&package.id);
            reduce_package(package, node, &ids)
        })
        .collect();
    let mut members: Vec<PackageId> = workspace_members
        .iter()
        .filter_map(|member| ids.get(member).copied())
        .collect();
    members.sort_by(|left, right| name_of(&packages, *left).cmp(name_of(&packages, *right)));
    Workspace {
        root: workspace_root,
        target_dir: target_directory,
        packages,
        members,
    }
}

fn name_of(packages: &[Package], id: PackageId) -> &str {
    packages.get(id.0).map_or("", |package| &package.name)
}

fn reduce_package(
    package: RawPackage,
    node: Option<RawNode>,
    ids: &HashMap<String, PackageId>,
) -> Package {
    let RawPackage {
        id,
        name,
        version,
        source,
        manifest_path,
        targets,
        features: declared,
    } = package;
    let mut targets: Vec<Target> = targets.into_iter().filter_map(reduce_target).collect();
    targets.sort_by_key(|target| (!target.lib, target.name.clone()));
    let (features, mut dependencies) = match node {
        Some(node) => (
            node.features.into_iter().collect(),
            node.deps
                .into_iter()
                .filter(|dependency| dependency.dep_kinds.iter().any(|kind| kind.kind.is_none()))
                .filter_map(|dependency| Some((dependency.name, *ids.get(&dependency.pkg)?)))
                .collect(),
        ),
        None => (BTreeSet::new(), BTreeMap::new()),
    };
    if let (Some(lib), Some(own)) = (targets.iter().find(|target| target.lib), ids.get(&id)) {
        dependencies.insert(lib.name.clone(), *own);
    }
    Package {
        name,
        version,
        root: manifest_path
            .parent()
            .map(Path::to_path_buf)
            .unwrap_or_default(),
        declared_features: match source {
            None => declared.into_keys().collect(),
            Some(_) => BTreeSet::new(),
        },
        local: source.is_none(),
        targets,
        dependencies,
        features,
    }
}

fn reduce_target(target: RawTarget) -> Option<Target> {
    let RawTarget {
        name,
        kind,
        src_path,
        edition,
    } = target;
    let is = |wanted: &[&str]| kind.iter().any(|kind| wanted.contains(&kind.as_str()));
    let lib = is(&["lib", "rlib", "dylib", "cdylib", "staticlib"]);
    (lib || is(&["bin"])).then(|| Target {
        name: name.replace('-', "_"),
        lib,
        root: src_path,
        edition,
    })
}
