//! What pages are written from: the CRDs of an API in each of its releases.

use crd_channels_compat::Set;
use crd_channels_released::manifest::Feature;
use serde::Serialize;

/// The name of what is not released yet.
pub const UNRELEASED: &str = "unreleased";

/// An API over time.
#[derive(Clone, Debug, Default)]
pub struct Api {
    /// Its releases, oldest first. Pages describe the last one.
    pub releases: Vec<Release>,
    /// Objects that servers accept in the last release.
    pub examples: Vec<Example>,
}

/// Objects that servers accept.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    /// What it shows.
    pub title: String,
    /// More about it, as Markdown; may be empty.
    pub prose: String,
    /// The only channel that accepts it; `None` for all.
    pub channel: Option<String>,
    /// The objects.
    pub yaml: String,
    /// The group of the first one.
    pub group: String,
    /// Its kind.
    pub kind: String,
    /// Its version.
    pub version: String,
}

/// The CRDs of one release, or of what is not released yet.
#[derive(Clone, Debug)]
pub struct Release {
    /// Its name, such as `v0.3.0`.
    pub name: String,
    /// Its CRDs.
    pub set: Set,
    /// Its features; empty if they are not recorded.
    pub features: Vec<Feature>,
}
