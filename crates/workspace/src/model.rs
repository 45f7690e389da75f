//! A workspace with its packages and targets, and what is asked of cargo.

use crd_channels_diagnostics::Text;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

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
