//! The state of a cluster, as far as pinned bundles are concerned.

use super::crd::Stamp;
use super::wanted::Part;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a cluster has of a set of objects.
#[derive(Serialize)]
pub(super) struct SetStatus {
    pub(super) name: String,
    /// The pinned version and channel.
    pub(super) pinned: Option<Stamp>,
    /// Whether CRDs of several bundles or channels are installed.
    pub(super) mixed: bool,
    pub(super) crds: Vec<CrdStatus>,
    pub(super) others: Vec<OtherStatus>,
}

/// What a cluster has of a CRD.
#[derive(Serialize)]
pub(super) struct CrdStatus {
    pub(super) name: String,
    /// `None` if it is not installed.
    pub(super) installed: Option<Installed>,
}

/// An installed CRD.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Installed {
    /// What its annotations say.
    pub(super) bundle: Option<Stamp>,
    pub(super) owners: Vec<String>,
    pub(super) served: Vec<String>,
    pub(super) deprecated: Vec<String>,
    pub(super) storage: String,
    pub(super) stored_versions: Vec<String>,
    #[serde(flatten)]
    pub(super) usage: Usage,
    pub(super) drift: Vec<String>,
}

/// What the objects of a kind use.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Usage {
    pub(super) objects: usize,
    /// How many of them a client writes in each version.
    pub(super) written_in: BTreeMap<String, usize>,
    pub(super) experimental: Vec<FieldUsage>,
}

/// How many objects have a field that the stable channel drops.
#[derive(Serialize)]
pub(super) struct FieldUsage {
    pub(super) version: String,
    pub(super) field: String,
    pub(super) feature: Option<String>,
    pub(super) objects: usize,
}

/// What a cluster has of another object.
#[derive(Serialize)]
pub(super) struct OtherStatus {
    pub(super) part: Part,
    pub(super) object: String,
    pub(super) installed: bool,
    pub(super) drift: Vec<String>,
}
