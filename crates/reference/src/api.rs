//! What pages are written from: the CRDs of an API in each of its releases.

use crd_channels_compat::Set;
use crd_channels_diagnostics::Span;
use crd_channels_released::manifest::Feature;
use serde::Serialize;
use std::collections::HashMap;

/// The name of what is not released yet.
pub const UNRELEASED: &str = "unreleased";

/// An API over time.
#[derive(Clone, Debug, Default)]
pub struct Api {
    /// Its releases, oldest first. Pages describe the last one.
    pub releases: Vec<Release>,
    /// Objects that servers accept in the last release.
    pub examples: Vec<Example>,
    /// The lines of Rust that places of the last release are declared in, as in `src/route.rs#L12`.
    pub lines: HashMap<Span, String>,
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
#[derive(Clone, Debug, Default)]
pub struct Release {
    /// Its name, such as `v0.3.0`.
    pub name: String,
    /// Its CRDs.
    pub set: Set,
    /// Its features; empty if they are not recorded.
    pub features: Vec<Feature>,
    /// What else is known about it, if it is a bundle.
    pub bundle: Option<Bundle>,
}

/// What those who install a bundle want to know about it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Bundle {
    /// The oldest Kubernetes that accepts its CRDs, such as `1.32`.
    pub kubernetes: String,
    /// The digest of its manifest, which covers all files.
    pub digest: Option<String>,
    /// The id of the key that signed it, as minisign prints it.
    pub signer: Option<String>,
    /// How to install each channel.
    pub install: Vec<Install>,
}

/// How to install a channel of a bundle.
#[derive(Clone, Debug, Serialize)]
pub struct Install {
    /// The channel.
    pub channel: String,
    /// The command, in a checkout of the repository that released it.
    pub command: String,
}
