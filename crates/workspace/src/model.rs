//! A workspace with its packages and targets, and the parameters of its resolution.

use crd_channels_diagnostics::Text;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A workspace as cargo resolved it.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Workspace {
    /// The folder of the workspace's manifest.
    pub root: PathBuf,
    /// cargo's target folder; this tool keeps its own files below it.
    pub target_dir: PathBuf,
    /// Every package of the resolution; other fields refer to it by index.
    pub packages: Vec<Package>,
    /// The members, by index, in the order of their names.
    pub members: Vec<PackageId>,
    /// The packages whose build determines the enabled features.
    pub built: Vec<PackageId>,
}

/// Index into [`Workspace::packages`].
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct PackageId(pub usize);

/// A version of a package.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Package {
    /// Its name in the manifest.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The folder of its manifest.
    pub root: PathBuf,
    /// Whether it is in one of the user's own folders, rather than in cargo's registry or a git checkout.
    pub local: bool,
    /// Library and binary targets, the library first; no tests, examples or benches.
    pub targets: Vec<Target>,
    /// Enabled normal dependencies, and its own library, by the name that code uses for them.
    pub dependencies: BTreeMap<String, PackageId>,
    /// The enabled features.
    pub features: BTreeSet<String>,
    /// All declared features, if the package is local or one of its features is to be disabled.
    pub declared_features: BTreeSet<String>,
    /// The feature that enables schemars in it, by which a library gives its types schemas.
    pub schemas: Option<String>,
    /// Whether it is built.
    pub built: bool,
    /// Whether it has a build script, which may set the variables that code is compiled with.
    pub has_build_script: bool,
    /// For k8s-openapi, if no enabled feature selects a version of Kubernetes: the version that others of the workspace select.
    pub kubernetes: Option<String>,
}

/// The parameters of a resolution.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The target triple.
    pub target: &'a str,
    /// Features to enable besides the default ones, as `package/feature`.
    pub features: &'a [Text],
    /// Features that stay disabled, even if something enables them, as `package/feature`.
    pub without: &'a [Text],
    /// Selects the packages to build; the workspace passed to it has no features yet.
    pub built: &'a dyn Fn(&Workspace) -> Vec<PackageId>,
}

/// A library or a binary.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Target {
    /// The crate's name in code (`_` for `-`).
    pub name: String,
    /// Whether it is the library.
    pub lib: bool,
    /// The root file.
    pub root: PathBuf,
    /// `2015`, `2018`, `2021`, `2024`
    pub edition: String,
    /// The features without which cargo does not build it.
    pub required_features: Vec<String>,
}

impl Workspace {
    /// The package with this index.
    #[must_use]
    pub fn package(&self, id: PackageId) -> Option<&Package> {
        self.packages.get(id.0)
    }

    /// The member with this name.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<PackageId> {
        self.members.iter().copied().find(|id| {
            self.package(*id)
                .is_some_and(|package| package.name == name)
        })
    }
}
