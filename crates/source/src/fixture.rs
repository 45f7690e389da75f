//! Whole workspaces in one string, for tests.
//!
//! ```text
//! //- /lib.rs
//! mod a;
//! //- /a.rs
//! pub struct A;
//! //- /dep/lib.rs crate:dep version:0.1.0 edition:2015 features:x,y deps:other,local=other
//! //- /main.rs bin:tool
//! ```
//!
//! A header with `crate:` starts a library package; one with `bin:` adds a binary to the package of its folder. `/lib.rs` is
//! the library `demo`, edition 2024. A package without `deps:` depends on all packages after it; one with
//! `build-script` has one. All packages with `member`, and `demo`, are walked.

use crate::{Cfgs, Graph};
use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_files::Memory;
use crd_channels_workspace::{Package, PackageId, Target, Wanted, Workspace, target};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A loaded fixture. Its references live as long as the test's process.
pub struct Loaded {
    /// The graph, with the walked packages loaded.
    pub graph: Graph<'static>,
    /// The texts that spans point into.
    pub sources: &'static Sources,
    /// The diagnostics of loading.
    pub findings: Sink,
}

/// Loads a fixture for `x86_64-unknown-linux-gnu`, without custom cfgs.
pub fn graph(text: &str) -> Loaded {
    graph_with(text, Cfgs::default())
}

/// The folder of a package in this repository's lock file, wherever cargo keeps its source.
///
/// # Panics
/// If cargo does not know it.
pub fn locked(package: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let wanted = Wanted {
        target: target::DEFAULT,
        features: &[],
        without: &[],
        built: &|_| Vec::new(),
    };
    let workspace = crd_channels_workspace::load(&root, wanted)
        .unwrap_or_else(|finding| panic!("{}", finding.message));
    let mut packages = workspace.packages.into_iter();
    let found = packages.find(|one| one.name == package);
    found
        .unwrap_or_else(|| panic!("no `{package}` in the lock file"))
        .root
}

/// Loads a fixture with these cfgs.
pub fn graph_with(text: &str, cfgs: Cfgs) -> Loaded {
    let (files, workspace) = split(text);
    load(workspace, files, cfgs)
}

/// Loads the members of a workspace.
pub fn load(
    workspace: Workspace,
    files: impl crd_channels_files::Read + 'static,
    cfgs: Cfgs,
) -> Loaded {
    let workspace: &'static Workspace = Box::leak(Box::new(workspace));
    let sources: &'static Sources = Box::leak(Box::default());
    let graph = Graph::new(workspace, Box::leak(Box::new(files)), sources, cfgs);
    let mut findings = Sink::default();
    graph.load(&workspace.members, &mut findings);
    Loaded {
        graph,
        sources,
        findings,
    }
}

/// The files of a fixture, and its packages.
pub fn split(text: &str) -> (Memory, Workspace) {
    let mut files = BTreeMap::new();
    let mut packages: Vec<(Package, Option<String>)> = Vec::new();
    let mut members = Vec::new();
    let mut current: Option<PathBuf> = None;
    for line in text.split_inclusive('\n') {
        let Some(header) = line.trim_start().strip_prefix("//- ") else {
            if let Some(path) = &current {
                let bytes: &mut Vec<u8> = files.entry(path.clone()).or_default();
                bytes.extend_from_slice(line.as_bytes());
            }
            continue;
        };
        let mut words = header.split_whitespace();
        let path = PathBuf::from(words.next().expect("a header names a file"));
        files.insert(path.clone(), Vec::new());
        let keys: BTreeMap<&str, &str> = words
            .map(|word| word.split_once(':').unwrap_or((word, "")))
            .collect();
        let lib = keys
            .get("crate")
            .copied()
            .or((path == Path::new("/lib.rs")).then_some("demo"));
        let edition = keys.get("edition").unwrap_or(&"2024").to_string();
        let root = path.parent().expect("a path starts with `/`").to_path_buf();
        let list = |key: &str| keys.get(key).copied().unwrap_or_default().split(',');
        if let Some(name) = lib {
            if name == "demo" || keys.contains_key("member") {
                members.push(PackageId(packages.len()));
            }
            let package = Package {
                name: name.to_owned(),
                version: keys.get("version").unwrap_or(&"1.0.0").to_string(),
                root: root.clone(),
                features: list("features").map(str::to_owned).collect(),
                has_build_script: keys.contains_key("build-script"),
                ..Package::default()
            };
            packages.push((package, keys.get("deps").map(|deps| (*deps).to_owned())));
        }
        if let Some(name) = lib.or(keys.get("bin").copied()) {
            let target = Target {
                name: name.replace('-', "_"),
                lib: lib.is_some(),
                root: path.clone(),
                edition,
                required_features: Vec::new(),
            };
            let mut of = packages.iter_mut().rev();
            let of = of.find(|(package, _)| package.root == root);
            of.expect("a binary stands beside its library")
                .0
                .targets
                .push(target);
        }
        current = Some(path);
    }
    let names: Vec<String> = packages
        .iter()
        .map(|(package, _)| package.name.clone())
        .collect();
    let find = |name: &str| {
        let (name, version) = name.split_once('@').unwrap_or((name, ""));
        let found = packages.iter().position(|(package, _)| {
            package.name == name && (version.is_empty() || package.version == version)
        });
        PackageId(found.unwrap_or_else(|| panic!("no package is called `{name}`")))
    };
    let dependencies: Vec<BTreeMap<String, PackageId>> = packages
        .iter()
        .enumerate()
        .map(|(index, (_, deps))| match deps {
            Some(deps) => deps
                .split(',')
                .filter(|dep| !dep.is_empty())
                .map(|dep| {
                    let (name, to) = dep.split_once('=').unwrap_or((dep, dep));
                    (name.replace('-', "_"), find(to))
                })
                .collect(),
            None => names
                .iter()
                .enumerate()
                .skip(index + 1)
                .map(|(to, name)| (name.replace('-', "_"), PackageId(to)))
                .collect(),
        })
        .collect();
    let packages = packages.into_iter().zip(dependencies);
    let workspace = Workspace {
        built: Vec::new(),
        root: PathBuf::from("/"),
        target_dir: PathBuf::from("/target"),
        packages: packages
            .map(|((package, _), dependencies)| Package {
                dependencies,
                ..package
            })
            .collect(),
        members,
    };
    (Memory(files), workspace)
}
