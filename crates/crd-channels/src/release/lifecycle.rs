//! The lifecycle of every version of every kind, bundle by bundle: experimental, stable, deprecated, unserved, removed.

use super::history::{History, Sets};
use crd_channels_compat::{Ancestor, Channel, Lineage, Set, union};
use crd_channels_diagnostics::Text;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::manifest::Tombstones;
use std::collections::{BTreeMap, BTreeSet};

pub use crd_channels_reference::Presence as State;

/// A version of a kind, as a map key.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Key {
    /// The group of the kind.
    pub group: Text,
    /// The kind.
    pub kind: Text,
    /// The version.
    pub version: Text,
}

/// A change of state.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Transition {
    /// The first bundle with the state.
    pub bundle: BundleVersion,
    /// The new state.
    pub state: State,
}

/// The transitions of every version, from the first bundle that has it.
pub type Lives = BTreeMap<Key, Vec<Transition>>;

/// A bundle and its ancestors.
#[derive(Clone, Debug, Default)]
pub struct Ancestry<'a> {
    /// The bundles, oldest first.
    pub bundles: Vec<Ancestor<'a>>,
    /// Bundles of other lines, whose tombstones apply as well.
    pub beside: Vec<Ancestor<'a>>,
}

impl<'a> Ancestry<'a> {
    /// Returns the chain that ends with a bundle; empty if `last` is `None`.
    #[must_use]
    pub fn of(history: &'a History, sets: &'a Sets, last: Option<&BundleVersion>) -> Self {
        let mut bundles = Vec::new();
        let mut open = last;
        while let Some(version) = open
            && let (Some(bundle), Some(set)) = (history.bundles.get(version), sets.get(version))
        {
            let manifest = &bundle.manifest;
            bundles.push(Ancestor { manifest, set });
            let baseline = manifest.baseline.as_ref();
            // Versions must descend; otherwise it is not a chain.
            open = baseline
                .map(|baseline| &baseline.version)
                .filter(|before| **before < manifest.version);
        }
        bundles.reverse();
        let beside = Vec::new();
        Self { bundles, beside }
    }

    /// Adds the bundles of other lines for a bundle to be released. Minors and majors follow all lines below them, a patch only
    /// its own: a name that a patch of an older line removed may still exist in the newer one.
    #[must_use]
    pub fn with_other_lines(
        mut self,
        history: &'a History,
        sets: &'a Sets,
        version: &BundleVersion,
    ) -> Self {
        if version.semantic().patch > 0 {
            return self;
        }
        let chain: BTreeSet<_> = self
            .bundles
            .iter()
            .map(|bundle| &bundle.manifest.version)
            .collect();
        // Pre-releases promise nothing.
        let below = history
            .bundles
            .iter()
            .filter(|(other, _)| other.is_final() && *other < version);
        let others = below.filter(|(other, _)| !chain.contains(other));
        let others = others.filter_map(|(other, bundle)| {
            let (manifest, set) = (&bundle.manifest, sets.get(other)?);
            Some(Ancestor { manifest, set })
        });
        self.beside = others.collect();
        self
    }

    /// Returns every reserved name. If several bundles have a tombstone, the latest one's text applies.
    #[must_use]
    pub fn tombstones(&self) -> Tombstones {
        let all = self.bundles.iter().chain(&self.beside);
        let mut manifests: Vec<_> = all.map(|bundle| bundle.manifest).collect();
        manifests.sort_by(|one, other| other.version.cmp(&one.version));
        union(manifests.iter().map(|manifest| &manifest.tombstones))
    }

    /// Returns what a comparison with the latest bundle needs to know of the others.
    #[must_use]
    pub fn lineage(&self) -> Lineage<'_> {
        let before = self.bundles.split_last().map(|(_, before)| before);
        Lineage {
            before,
            beside: &self.beside,
            ..Lineage::default()
        }
    }

    /// Returns the CRDs of the latest bundle.
    #[must_use]
    pub fn last(&self) -> Option<&'a Set> {
        self.bundles.last().map(|bundle| bundle.set)
    }

    /// Returns the transitions of every version.
    #[must_use]
    pub fn lives(&self) -> Lives {
        let mut lives = Lives::new();
        for Ancestor { manifest, set } in &self.bundles {
            for key in keys(set) {
                lives.entry(key).or_default();
            }
            for (key, transitions) in &mut lives {
                let state = state(set, key);
                if transitions.last().is_none_or(|step| step.state != state) {
                    transitions.push(Transition {
                        bundle: manifest.version.clone(),
                        state,
                    });
                }
            }
        }
        lives
    }
}

/// Returns every version of a set.
#[must_use]
pub fn keys(set: &Set) -> Vec<Key> {
    let crds = set.channels.values().flat_map(|crds| crds.values());
    let versions = crds.flat_map(|published| {
        let crd = &published.crd;
        let versions = crd.versions.iter();
        versions.map(|version| Key {
            group: crd.group.clone(),
            kind: crd.names.kind.clone(),
            version: version.name.clone(),
        })
    });
    versions.collect()
}

/// Returns the state of a version in a set. A version that is served in the stable channel has its state there.
#[must_use]
pub fn state(set: &Set, key: &Key) -> State {
    let of = |channel| {
        let crds = set.channel(channel)?.values();
        let mut kinds = crds.filter(|published| {
            (&published.crd.group, &published.crd.names.kind) == (&key.group, &key.kind)
        });
        let mut versions = kinds.next()?.crd.versions.iter();
        versions.find(|version| version.name == key.version)
    };
    let stable = of(Channel::Stable);
    let experimental = of(Channel::Experimental);
    let served = |version: &&crd_channels_schema::Version| version.served;
    match (stable.filter(served), experimental.filter(served)) {
        (Some(version), _) | (None, Some(version)) if version.deprecated => State::Deprecated,
        (Some(_), _) => State::Stable,
        (None, Some(_)) => State::Experimental,
        (None, None) if stable.or(experimental).is_some() => State::Unserved,
        (None, None) => State::Removed,
    }
}
