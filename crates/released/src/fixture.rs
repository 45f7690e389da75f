//! A bundle for tests.

use crate::digest::Digest;
use crate::history::{KindHistory, PlaceHistory, Presence, Transition};
use crate::manifest::{
    Channel, ConditionList, ConditionType, FORMAT, Manifest, Polarity, Reason, Tombstones,
};
use crd_channels_projection::bundle::version::BundleVersion;
use std::collections::BTreeMap;

/// The path of its CRD.
pub const CRD: &str = "stable/crds/example.com_routes.yaml";

/// A manifest with one CRD and one file for all channels.
#[must_use]
pub fn manifest() -> Manifest {
    Manifest {
        format: FORMAT,
        digest: None,
        version: BundleVersion::new(0, 1, 0),
        tool: "0.1.0".to_owned(),
        baseline: None,
        kubernetes: "1.30".to_owned(),
        annotation_prefix: "example.com".to_owned(),
        channels: vec![Channel {
            name: "stable".to_owned(),
            annotation: "stable".to_owned(),
            features: Vec::new(),
            conditions: vec![ConditionList {
                group: "example.com".to_owned(),
                kind: "Widget".to_owned(),
                version: "v1".to_owned(),
                path: "status.conditions".to_owned(),
                types: vec![ConditionType {
                    name: "Scheduled".to_owned(),
                    polarity: Polarity::Positive,
                    optional: false,
                    replaced_by: Some("Accepted".to_owned()),
                    until: Some("v0.3.0".to_owned()),
                    reasons: vec![Reason {
                        name: None,
                        status: "False".to_owned(),
                    }],
                }],
            }],
            files: BTreeMap::from([(CRD.to_owned(), Digest::of(b"crd"))]),
        }],
        shared: BTreeMap::from([("chart/Chart.yaml".to_owned(), Digest::of(b"chart"))]),
        features: Vec::new(),
        tombstones: Tombstones::default(),
        deprecated: Vec::new(),
        changes: Vec::new(),
        proofs: Vec::new(),
        history: vec![KindHistory {
            crd: "widgets.example.com".to_owned(),
            kind: "Widget".to_owned(),
            places: vec![PlaceHistory {
                version: "v1".to_owned(),
                path: String::new(),
                value: None,
                steps: vec![Transition {
                    release: "v0.1.0".to_owned(),
                    presence: Presence::Stable,
                }],
            }],
        }],
        sources: Vec::new(),
    }
}
