//! Runs `cargo metadata` and reduces its output to what the reader needs.

use super::features::{Build, Edge, EnabledFeatures, Manifest, Part, resolve};
use super::model::{Package, PackageId, Target, Wanted, Workspace};
use super::{kubernetes, platform, toolchain};
use crd_channels_diagnostics::terminal::Stopwatch;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{conflict, is_left_out, slashed};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs `cargo metadata` in `root`. If the project's toolchain is not available, another cargo runs: it resolves the same lock
/// file, and nothing is compiled.
pub(super) fn ask_cargo(root: &Path, wanted: Wanted<'_>) -> Result<Workspace, Box<Diagnostic>> {
    let mut watch = Stopwatch::start();
    let mut output = metadata(Command::new(cargo()), root, wanted)?;
    watch.lap(format_args!("ran `cargo metadata`"));
    if !output.status.success()
        && let Some(other) = toolchain::other_cargo(root, output.status)
    {
        output = metadata(other, root, wanted)?;
    }
    if !output.status.success() {
        if let Some(found) = conflicts(root) {
            return Err(found);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let found = failed(format!("`cargo metadata` failed: {}", said.trim()));
        return Err(match unfetched(&said) {
            Some(help) => Box::new(found.with_help(help)),
            None => found,
        });
    }
    let answer: Answer = serde_json::from_slice(&output.stdout).map_err(|error| {
        failed(format!(
            "the output of `cargo metadata` cannot be read: {error}"
        ))
    })?;
    Ok(reduce(answer, wanted))
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

/// The cargo that runs this tool, else the one on the `PATH`.
#[must_use]
pub fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn failed(message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::CargoFailed, None, message).with_help(
        "run `cargo metadata --format-version=1` in the same folder and fix what it reports",
    ))
}

/// The error about manifests and lock files that git could not merge; `None` if there are none.
fn conflicts(root: &Path) -> Option<Box<Diagnostic>> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|it| it.is_dir());
            if is_folder && !is_left_out(&path) {
                open.push(path);
            } else if !is_folder
                && matches!(
                    entry.file_name().to_str(),
                    Some("Cargo.toml" | "Cargo.lock")
                )
            {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                let place = conflict(&text).and_then(|range| text.get(..range.start));
                let line = place.map(|before| before.matches('\n').count() + 1);
                let shown = slashed(path.strip_prefix(root).unwrap_or(&path));
                found.extend(line.map(|line| (shown, line)));
            }
        }
    }
    found.sort();
    let places: Vec<String> = found
        .iter()
        .map(|(path, line)| format!("`{path}:{line}`"))
        .collect();
    let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    if found.is_empty() {
        return None;
    }
    let message = format!("git left a merge conflict at {}", places.join(" and "));
    let help = format!(
        "resolve it, or run `git checkout HEAD -- {}` to keep what the branch that you merge into has; `crd-channels merge-driver --install` makes git merge versions by itself",
        paths.join(" ")
    );
    let found = Diagnostic::new(Code::CargoFailed, None, message);
    Some(Box::new(found.with_help(help)))
}

/// Help if cargo cannot get a dependency. cargo needs those of all members, including members that no kind needs.
fn unfetched(said: &str) -> Option<String> {
    let (_, rest) =
        (said.split_once("failed to get `")).or_else(|| said.split_once("failed to download `"))?;
    let (dependency, rest) = rest.split_once('`')?;
    let member = rest.split_once("of package `");
    let member = member.and_then(|(_, rest)| rest.split([' ', '`']).next());
    let why = member.map_or(String::new(), |member| {
        format!(", which `{member}` depends on")
    });
    Some(format!(
        "cargo resolves the whole workspace, and cannot get `{dependency}`{why}: run `cargo fetch` with network access, and keep `CARGO_HOME` for offline runs"
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
    features: BTreeMap<String, Vec<String>>,
    dependencies: Vec<RawDeclared>,
}

/// A dependency as the manifest declares it.
#[derive(Deserialize)]
struct RawDeclared {
    name: String,
    req: String,
    kind: Option<String>,
    rename: Option<String>,
    optional: bool,
    uses_default_features: bool,
    features: Vec<String>,
    target: Option<String>,
}

#[derive(Deserialize)]
struct RawTarget {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
    edition: String,
    #[serde(default, rename = "required-features")]
    required_features: Vec<String>,
}

#[derive(Deserialize)]
struct RawResolve {
    nodes: Vec<RawNode>,
}

#[derive(Deserialize)]
struct RawNode {
    id: String,
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
    target: Option<String>,
}

fn reduce(answer: Answer, wanted: Wanted<'_>) -> Workspace {
    let Answer {
        packages: raw,
        resolve: graph,
        workspace_members,
        workspace_root,
        target_directory,
    } = answer;
    let ids: HashMap<&str, PackageId> = raw
        .iter()
        .enumerate()
        .map(|(index, package)| (&*package.id, PackageId(index)))
        .collect();
    let nodes = graph.into_iter().flat_map(|graph| graph.nodes);
    let nodes: HashMap<String, RawNode> = nodes.map(|node| (node.id.clone(), node)).collect();
    let old = resolver_is_old(&workspace_root);
    let manifests: Vec<Manifest> = raw
        .iter()
        .map(|package| {
            let deps = nodes.get(&package.id).map_or(&[][..], |node| &node.deps);
            let declared = package.dependencies.iter();
            let edges = declared.filter_map(|one| edge(one, deps, &raw, &ids, wanted.target, old));
            Manifest {
                name: package.name.clone(),
                features: package.features.clone(),
                edges: edges.collect(),
                is_macro: package.has_target("proc-macro"),
            }
        })
        .collect();
    let mut members: Vec<PackageId> = workspace_members
        .iter()
        .filter_map(|member| ids.get(&**member).copied())
        .collect();
    let asked: BTreeSet<&str> = wanted
        .without
        .iter()
        .filter_map(|off| Some(off.split_once('/')?.0))
        .collect();
    let packages: Vec<Package> = raw
        .iter()
        .map(|package| reduce_package(package, asked.contains(&*package.name)))
        .collect();
    members.sort_by(|left, right| name_of(&packages, *left).cmp(name_of(&packages, *right)));
    let mut workspace = Workspace {
        root: workspace_root,
        target_dir: target_directory,
        packages,
        members,
        built: Vec::new(),
    };
    workspace.built = (wanted.built)(&workspace);
    let roots: Vec<usize> = workspace.built.iter().map(|id| id.0).collect();
    let on: Vec<&str> = wanted.features.iter().map(|text| &**text).collect();
    let off: Vec<&str> = wanted.without.iter().map(|text| &**text).collect();
    let build = Build {
        roots: &roots,
        on: &on,
        off: &off,
        old,
        tests: false,
    };
    let on = resolve(&manifests, build);
    let members: Vec<usize> = workspace.members.iter().map(|id| id.0).collect();
    let kubernetes = kubernetes::chosen_by_others(&manifests, build, &members, &on);
    for (package, version) in workspace.packages.iter_mut().zip(kubernetes) {
        package.kubernetes = version;
    }
    let found = workspace.packages.iter_mut().zip(&manifests).zip(on);
    for (index, ((package, manifest), on)) in found.enumerate() {
        turn_on(package, PackageId(index), manifest, on);
    }
    workspace
}

/// Sets the features and dependencies that a build enables in a package.
fn turn_on(package: &mut Package, id: PackageId, manifest: &Manifest, on: Option<EnabledFeatures>) {
    package.built = on.is_some();
    let on = on.unwrap_or_default();
    let edges = manifest.edges.iter();
    let there = edges.filter(|edge| edge.part == Part::Normal && edge.active && on.has(edge));
    package.dependencies = there
        .map(|edge| (edge.code.clone(), PackageId(edge.to)))
        .collect();
    if let Some(lib) = package.targets.iter().find(|target| target.lib) {
        package.dependencies.insert(lib.name.clone(), id);
    }
    package.features = on.features;
}

/// A dependency with the package that cargo resolved it to; `None` if there is none, as for dependencies of other targets.
fn edge(
    declared: &RawDeclared,
    deps: &[RawDependency],
    packages: &[RawPackage],
    ids: &HashMap<&str, PackageId>,
    target: &str,
    old: bool,
) -> Option<Edge> {
    let RawDeclared {
        name,
        req,
        kind,
        rename,
        optional,
        uses_default_features,
        features,
        target: only,
    } = declared;
    let package = |id: &str| {
        let id = ids.get(id)?;
        Some((*id, packages.get(id.0)?))
    };
    let is_it = |dependency: &&RawDependency| {
        let entered = |entry: &RawKind| entry.kind == *kind && entry.target == *only;
        let named = match rename {
            Some(rename) => rename.replace('-', "_") == dependency.name,
            None => package(&dependency.pkg).is_some_and(|(_, to)| to.is_called(&dependency.name)),
        };
        named
            && dependency.dep_kinds.iter().any(entered)
            && package(&dependency.pkg).is_some_and(|(_, to)| to.name == *name)
    };
    let found = deps.iter().find(is_it);
    let (to, code) = match found {
        Some(dependency) => (package(&dependency.pkg)?.0, dependency.name.clone()),
        // With the old resolver, dependencies of other targets count as well, but cargo resolved only one target.
        None if old => {
            let fits = |version: &str| {
                let req = semver::VersionReq::parse(req).ok()?;
                Some(req.matches(&semver::Version::parse(version).ok()?))
            };
            let mut fitting = packages
                .iter()
                .zip(0..)
                .filter(|(to, _)| to.name == *name && fits(&to.version) == Some(true));
            (PackageId(fitting.next()?.1), String::new())
        }
        None => return None,
    };
    // If it is the only entry of the dependency, cargo has already evaluated its condition.
    let alone = found.is_some_and(|dependency| dependency.dep_kinds.len() == 1);
    let holds = |only: &String| alone || platform::holds(only, target);
    Some(Edge {
        to: to.0,
        name: rename.as_ref().unwrap_or(name).clone(),
        code,
        part: match kind.as_deref() {
            Some("build") => Part::Build,
            Some("dev") => Part::Dev,
            _ => Part::Normal,
        },
        active: found.is_some() && only.as_ref().is_none_or(holds),
        optional: *optional,
        default: *uses_default_features,
        features: features.clone(),
    })
}

/// Whether the workspace has cargo's resolver from before 2021.
fn resolver_is_old(root: &Path) -> bool {
    let text = std::fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let manifest: toml::Table = toml::from_str(&text).unwrap_or_default();
    let get = |path: &[&str]| {
        let (last, tables) = path.split_last()?;
        let mut table = &manifest;
        for name in tables {
            table = table.get(*name)?.as_table()?;
        }
        table.get(*last)?.as_str().map(str::to_owned)
    };
    let resolver = get(&["workspace", "resolver"]).or_else(|| get(&["package", "resolver"]));
    if let Some(resolver) = resolver {
        return resolver == "1";
    }
    if !manifest.contains_key("package") {
        return true;
    }
    let edition =
        get(&["package", "edition"]).or_else(|| get(&["workspace", "package", "edition"]));
    edition.is_none_or(|edition| matches!(&*edition, "2015" | "2018"))
}

impl RawPackage {
    fn has_target(&self, wanted: &str) -> bool {
        let mut targets = self.targets.iter();
        targets.any(|target| target.kind.iter().any(|kind| kind == wanted))
    }

    /// Whether code refers to the package's library by this name.
    fn is_called(&self, code: &str) -> bool {
        let mut targets = self.targets.iter();
        targets.any(|target| target.is_library() && target.name.replace('-', "_") == code)
    }
}

fn name_of(packages: &[Package], id: PackageId) -> &str {
    packages.get(id.0).map_or("", |package| &package.name)
}

fn reduce_package(package: &RawPackage, declares: bool) -> Package {
    let mut targets: Vec<Target> = package.targets.iter().filter_map(reduce_target).collect();
    targets.sort_by_key(|target| (!target.lib, target.name.clone()));
    let local = package.source.is_none();
    let manifest = &package.manifest_path;
    let declared = package.features.keys().filter(|_| local || declares);
    let turns_on = |on: &String| matches!(&**on, "schemars" | "dep:schemars");
    let mut features = package.features.iter();
    let schemas = features.find(|(_, on)| on.iter().any(turns_on));
    Package {
        name: package.name.clone(),
        version: package.version.clone(),
        root: manifest.parent().map(Path::to_path_buf).unwrap_or_default(),
        local,
        targets,
        dependencies: BTreeMap::new(),
        features: BTreeSet::new(),
        declared_features: declared.cloned().collect(),
        schemas: schemas.map(|(feature, _)| feature.clone()),
        built: false,
        has_build_script: package.has_target("custom-build"),
        kubernetes: None,
    }
}

fn reduce_target(target: &RawTarget) -> Option<Target> {
    let lib = target.kind.iter().any(|kind| LIBRARIES.contains(&&**kind));
    (lib || target.kind.iter().any(|kind| kind == "bin")).then(|| Target {
        name: target.name.replace('-', "_"),
        lib,
        root: target.src_path.clone(),
        edition: target.edition.clone(),
        required_features: target.required_features.clone(),
    })
}

/// The kinds of library targets that can contain types.
const LIBRARIES: [&str; 5] = ["lib", "rlib", "dylib", "cdylib", "staticlib"];

impl RawTarget {
    fn is_library(&self) -> bool {
        let is = |kind: &String| LIBRARIES.contains(&&**kind) || kind == "proc-macro";
        self.kind.iter().any(is)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_package_that_cannot_be_had_is_named() {
        let said = "error: failed to download `far v1.0.5`\n\nCaused by:\n  attempting to make an HTTP request, but --offline was specified";
        let help = super::unfetched(said).unwrap_or_default();
        assert!(
            help.contains("cannot get `far v1.0.5`: run `cargo fetch`"),
            "{help}"
        );
        assert_eq!(super::unfetched("error: no matching package"), None);
    }
}
