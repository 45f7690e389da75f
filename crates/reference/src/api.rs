//! What pages are written from: the CRDs of an API in each of its releases.

use crd_channels_compat::Set;
use crd_channels_diagnostics::Span;
use crd_channels_released::history::KindHistory;
use crd_channels_released::manifest::Feature;
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

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

impl Api {
    /// What is recorded of the releases before the first one.
    pub(crate) fn recorded(&self) -> &[KindHistory] {
        self.releases.first().map_or(&[], |first| &first.history)
    }

    /// Whether it is known since when something is there.
    pub(crate) fn has_history(&self) -> bool {
        self.releases.len() > 1 || !self.recorded().is_empty()
    }

    /// The first release if what it has may be older.
    pub(crate) fn oldest(&self) -> Option<&str> {
        let first = self.releases.first()?;
        first.history.is_empty().then_some(&*first.name)
    }

    /// The names of the CRDs of all releases.
    pub(crate) fn names(&self) -> BTreeSet<&str> {
        let sets = self.releases.iter().map(|release| &release.set);
        let crds = sets.flat_map(|set| set.channels.values().flat_map(|crds| crds.keys()));
        let recorded = self.recorded().iter().map(|kind| &*kind.crd);
        crds.map(String::as_str).chain(recorded).collect()
    }

    /// The group and the kind of a CRD, as the newest release with it has them.
    pub(crate) fn kind(&self, crd: &str) -> (String, String) {
        let newest = self.releases.iter().rev().find_map(|release| {
            let mut channels = release.set.channels.values();
            channels.find_map(|crds| crds.get(crd))
        });
        if let Some(published) = newest {
            let crd = &published.written;
            return (crd.group.to_string(), crd.names.kind.to_string());
        }
        let recorded = self.recorded().iter().find(|kind| kind.crd == crd);
        let group = crd.split_once('.').map_or("", |(_, group)| group);
        let kind = recorded.map_or("", |kind| &*kind.kind);
        (group.to_owned(), kind.to_owned())
    }
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
    /// What it records of itself and the releases before it; only read of the first release, since later ones are known by
    /// their CRDs.
    pub history: Vec<KindHistory>,
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
