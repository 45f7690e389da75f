//! The cargo workspace that the types live in: packages, targets, features, dependencies. cargo is only run here.
//!
#![doc = include_str!("../README.md")]

mod cache;
mod metadata;
mod features;
mod kubernetes;
mod platform;
pub mod target;
mod toolchain;
mod overlay;
mod compile;
mod program;
mod wrapper;

use crd_channels_diagnostics::{Code, Diagnostic, Text};
use crd_channels_files::{Disk, Read};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub use cache::guess_target_dir;
pub use compile::{Order as CompileOrder, Wanted as WantedTarget, compile};
pub use kubernetes::versions as kubernetes_versions;
pub use metadata::cargo;
pub use program::{PROBE, Shown, program};
pub use wrapper::wrap;

/// A workspace as cargo resolved it.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Workspace {
    /// The folder of the workspace's manifest.
    pub root: PathBuf,
    /// Where cargo builds; what this tool keeps between runs stands below it.
    pub target_dir: PathBuf,
    /// Every package of the resolution; other fields refer to it by index.
    pub packages: Vec<Package>,
    /// The members, by index, in the order of their names.
    pub members: Vec<PackageId>,
    /// The packages whose build decides which features are on.
    pub built: Vec<PackageId>,
}

/// Index into [`Workspace::packages`].
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct PackageId(pub usize);

/// One package at one version.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Package {
    /// Its name in the manifest.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The folder of its manifest.
    pub root: PathBuf,
    /// Whether it lies in a folder of the user's own rather than in cargo's registry or a git checkout.
    pub local: bool,
    /// Library and binary targets, the library first. Tests, examples and benches are not here.
    pub targets: Vec<Target>,
    /// Normal dependencies that are on, by the name that code uses for them; its own library is among them.
    pub dependencies: BTreeMap<String, PackageId>,
    /// The features that are on.
    pub features: BTreeSet<String>,
    /// The features that there are, where the package is local or one of its features is asked to be off.
    pub declared_features: BTreeSet<String>,
    /// The feature that turns schemars on in it, by which a library gives its types schemas.
    pub schemas: Option<String>,
    /// Whether it is built at all.
    pub built: bool,
    /// Of k8s-openapi where no feature that is on chooses a version of Kubernetes: the one that others of the workspace choose.
    pub kubernetes: Option<String>,
}

/// What is asked of cargo.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The triple that it is resolved for.
    pub target: &'a str,
    /// Features that are on besides the default ones, as `package/feature`.
    pub features: &'a [Text],
    /// Features that are off whatever turns them on, written alike.
    pub without: &'a [Text],
    /// Which packages are built; of the workspace that it is given only the features are not known yet.
    pub built: &'a dyn Fn(&Workspace) -> Vec<PackageId>,
}

/// A library or a binary.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Target {
    /// The crate's name in code (`-` is `_`).
    pub name: String,
    /// Whether it is the library.
    pub lib: bool,
    /// The root file.
    pub root: PathBuf,
    /// `2015`, `2018`, `2021`, `2024`
    pub edition: String,
}

impl Workspace {
    /// The package, where the index is one of this workspace's.
    #[must_use]
    pub fn package(&self, id: PackageId) -> Option<&Package> {
        self.packages.get(id.0)
    }

    /// The member of that name.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<PackageId> {
        self.members.iter().copied().find(|id| {
            self.package(*id)
                .is_some_and(|package| package.name == name)
        })
    }
}

/// The folder of the workspace that `start` lies in: the nearest manifest upwards with a `[workspace]`, else the nearest
/// manifest of all.
///
/// # Errors
/// `cargo-failed` when no folder upwards has a manifest.
pub fn find_root(start: &Path) -> Result<PathBuf, Box<Diagnostic>> {
    root_above(start, &Disk).ok_or_else(|| {
        let message = format!("no `Cargo.toml` in `{}` or above", start.display());
        Box::new(
            Diagnostic::new(Code::CargoFailed, None, message)
                .with_help("run the command inside a cargo workspace"),
        )
    })
}

/// The same among any files; none where there is no such folder.
#[must_use]
pub fn root_above(start: &Path, files: &dyn Read) -> Option<PathBuf> {
    let mut nearest = None;
    for folder in start.ancestors() {
        let Ok(manifest) = files.read(&folder.join("Cargo.toml")) else {
            continue;
        };
        if declares_workspace(&String::from_utf8_lossy(&manifest)) {
            return Some(folder.to_path_buf());
        }
        nearest.get_or_insert_with(|| folder.to_path_buf());
    }
    nearest
}

/// The workspace at `root`, resolved as wanted. cargo's answer is kept below the target folder and used
/// again as long as nothing that it depends on has changed.
///
/// # Errors
/// `cargo-failed` when cargo cannot be run or refuses the workspace.
pub fn load(root: &Path, wanted: Wanted<'_>) -> Result<Workspace, Box<Diagnostic>> {
    if let Some(workspace) = cache::load(root, wanted) {
        return Ok(workspace);
    }
    let workspace = metadata::ask_cargo(root, wanted)?;
    cache::store(&workspace, wanted);
    Ok(workspace)
}

/// Whether a manifest has a `[workspace]` table.
#[must_use]
pub fn declares_workspace(manifest: &str) -> bool {
    toml::from_str::<toml::Table>(manifest).is_ok_and(|table| table.contains_key("workspace"))
}
