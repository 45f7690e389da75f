//! The cargo workspace that the types live in: packages, targets, features, dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A workspace as cargo resolved it.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// The folder of the workspace's manifest.
    pub root: PathBuf,
    /// Every package of the resolution; other fields refer to it by index.
    pub packages: Vec<Package>,
    /// The members, by index.
    pub members: Vec<PackageId>,
}

/// Index into [`Workspace::packages`].
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct PackageId(pub usize);

/// One package at one version.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// Its name in the manifest.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The folder of its manifest.
    pub root: PathBuf,
    /// Library and binary targets, the library first. Tests, examples and benches are not here.
    pub targets: Vec<Target>,
    /// Normal dependencies by the name that code uses for them.
    pub dependencies: BTreeMap<String, PackageId>,
    /// The features that are on.
    pub features: BTreeSet<String>,
}

/// A library or a binary.
#[derive(Clone, Debug)]
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
