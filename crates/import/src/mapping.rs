//! What people decide about the types: names, types that exist already, features, and what is left out.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Names, each with the places that it is for.
pub type Entries = BTreeMap<String, Vec<String>>;

/// How places become types. A place is `CRD PATH`, or `CRD/VERSION PATH` for one version only, such as
/// `gateways.gateway.networking.k8s.io spec.listeners[]`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Mapping {
    /// CRDs and versions that get no types: `CRD` or `CRD/VERSION`.
    pub leave_out: Vec<String>,
    /// Names of types. Where types that are seen together have one name, the place that is named first gets it.
    pub types: Entries,
    /// Names of types that all of their places have to share.
    pub same: Entries,
    /// Paths of types that are there already.
    pub uses: Entries,
    /// Names of features, with places, which stand for everything below them too, or with serialized names of fields and values.
    pub features: Entries,
}

/// Removes CRDs and versions that are left out.
#[must_use]
pub fn leave_out(crds: Vec<Value>, entries: &[String]) -> Vec<Value> {
    let is_left_out = |name: &str| entries.iter().any(|entry| entry == name);
    let kept = crds.into_iter().filter_map(|mut crd| {
        let name = crd["metadata"]["name"].as_str()?.to_owned();
        let versions = crd.pointer_mut("/spec/versions")?.as_array_mut()?;
        versions.retain(|version| {
            let version = version["name"].as_str().unwrap_or_default();
            !is_left_out(&format!("{name}/{version}"))
        });
        (!versions.is_empty() && !is_left_out(&name)).then_some(crd)
    });
    kept.collect()
}

/// Entries by their places.
#[derive(Debug, Default)]
pub(crate) struct ByPlace(BTreeMap<String, String>);

impl ByPlace {
    pub(crate) fn new(entries: &Entries) -> Self {
        let places = entries.iter().flat_map(|(name, places)| {
            let places = places.iter();
            places.map(|place| (place.clone(), name.clone()))
        });
        Self(places.collect())
    }

    /// The name for a place.
    pub(crate) fn at(&self, path: &str) -> Option<&str> {
        let mut keys = keys(path).into_iter();
        keys.find_map(|key| self.0.get(&key)).map(String::as_str)
    }

    /// The name for a word, rather than for a place.
    pub(crate) fn of_word(&self, word: &str) -> Option<&str> {
        self.0.get(word).map(String::as_str)
    }

    /// The name for a place or for the nearest around it.
    pub(crate) fn around(&self, path: &str) -> Option<&str> {
        let mut path = path;
        loop {
            if let Some(name) = self.at(path) {
                return Some(name);
            }
            path = around(path)?;
        }
    }
}

/// The place around a place. The paths are those of messages: `CRD VERSION .spec.listeners[]`.
pub(crate) fn around(path: &str) -> Option<&str> {
    match path.strip_suffix("[]").or_else(|| path.strip_suffix("{}")) {
        Some(list) => Some(list),
        None => {
            let (outside, _) = path.rsplit_once('.')?;
            // The dots of a CRD's name are before the first blank.
            let outside = outside.trim_end_matches([' ', '.']);
            outside.contains(' ').then_some(outside)
        }
    }
}

/// How entries name a place: with its version, and without.
pub(crate) fn keys(path: &str) -> [String; 2] {
    let mut parts = path.splitn(3, ' ');
    let mut part = || parts.next().unwrap_or_default();
    let (crd, version, inside) = (part(), part(), part().trim_start_matches('.'));
    [
        format!("{crd}/{version} {inside}"),
        format!("{crd} {inside}"),
    ]
    .map(|key| key.trim_end().to_owned())
}

/// The places by the ways to name them.
#[derive(Debug, Default)]
pub(crate) struct Places(BTreeSet<String>);

impl Places {
    pub(crate) fn add(&mut self, path: &str) {
        self.0.extend(keys(path));
    }

    pub(crate) fn into_names(self) -> BTreeSet<String> {
        self.0
    }
}
