//! The features of all releases: what each gates or gated, and what became of it.

use crate::api::Api;
use crate::place::Place;
use crate::reserved::unrooted;
use crd_channels_released::history::{Transition, UNRELEASED};
use crd_channels_released::manifest::{Feature, Gate};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A feature of any release, as the last one with it describes it.
#[derive(Clone, Debug, Serialize)]
pub struct FeatureHistory {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub summary: String,
    /// Who decides about it.
    pub owner: Option<String>,
    /// Where it is described.
    pub link: Option<String>,
    /// The release that it came with, as its declaration says, or else the first known one that has it.
    pub since: Option<String>,
    /// The first release that does not have it any more.
    pub ended: Option<String>,
    /// What it gates; `None` if that is not recorded.
    pub gates: Option<Vec<GateHistory>>,
}

/// An item that a feature gates.
#[derive(Clone, Debug, Serialize)]
pub struct GateHistory {
    /// The kind.
    pub kind: String,
    /// The version.
    pub version: String,
    /// The path; empty for the object itself.
    pub path: String,
    /// What is gated, such as `field` or `rule`.
    pub what: String,
    /// Which one there, such as the value of an enum; may be empty.
    pub detail: String,
    /// Whether it is there only without the feature.
    pub without: bool,
    /// What became of it, in each group with such a kind.
    pub places: Vec<GatePlace>,
}

/// A gated item in one group.
#[derive(Clone, Debug, Serialize)]
pub struct GatePlace {
    /// The group.
    pub group: String,
    /// The name of the file of the kind's page, without its ending; `None` if the last release does not have the kind.
    pub file: Option<String>,
    /// Its id in the page; `None` if the last release does not have it.
    pub id: Option<String>,
    /// Since when it is in which channel. Empty for what has no life of its own, such as a description.
    pub life: Vec<Transition>,
    /// Why it is reserved, if it was removed.
    pub reason: Option<String>,
}

/// A feature with the first release that lacks it.
pub(crate) type Recorded = (Feature, Option<String>);

/// The features of all releases by name, as the last release with each describes it. Where a declaration does not say since when
/// it is there, the first release that has it does.
pub(crate) fn recorded(api: &Api) -> Vec<Recorded> {
    let mut all: BTreeMap<&str, (&Feature, Option<&str>)> = BTreeMap::new();
    let mut since: BTreeMap<&str, &str> = BTreeMap::new();
    for release in &api.releases {
        let now: BTreeSet<&str> = release.features.iter().map(|it| &*it.name).collect();
        for (name, (_, ended)) in &mut all {
            if ended.is_none() && !now.contains(name) {
                *ended = Some(&release.name);
            }
        }
        for feature in &release.features {
            all.insert(&feature.name, (feature, None));
            if release.name != UNRELEASED {
                since.entry(&feature.name).or_insert(&release.name);
            }
        }
    }
    let all = all.into_values();
    all.map(|(feature, ended)| {
        let mut feature = feature.clone();
        let first = since.get(&*feature.name).map(|first| (*first).to_owned());
        feature.since = feature.since.or(first);
        (feature, ended.map(str::to_owned))
    })
    .collect()
}

/// The numbers of a feature and of one of its gates.
pub(crate) type GateNumber = (usize, usize);

/// Returns what `found` says about every gate on a kind. Of what is gated besides fields, values and versions, such as a
/// description, lives say nothing.
pub(crate) fn gates_of(
    features: &[Recorded],
    (group, kind): (&str, &str),
    found: impl Fn(&Gate, &Place) -> GatePlace,
) -> Vec<(GateNumber, GatePlace)> {
    let mut all = Vec::new();
    for (number, (feature, _)) in features.iter().enumerate() {
        for (gate_number, gate) in feature.gates.iter().flatten().enumerate() {
            if gate.kind != kind || !gate.is_of_group(group) {
                continue;
            }
            let place = Place {
                version: gate.version.clone(),
                path: unrooted(&gate.path).to_owned(),
                value: (gate.what == "value")
                    .then(|| serde_json::Value::from(&*gate.detail).to_string()),
            };
            let mut gated = found(gate, &place);
            if !["field", "value", "version"].contains(&&*gate.what) {
                gated.life.clear();
                gated.reason = None;
            }
            all.push(((number, gate_number), gated));
        }
    }
    all
}

/// Puts what was found about gates to their features.
pub(crate) fn histories(
    features: Vec<Recorded>,
    found: impl Iterator<Item = (GateNumber, GatePlace)>,
) -> Vec<FeatureHistory> {
    let mut places: BTreeMap<GateNumber, Vec<GatePlace>> = BTreeMap::new();
    for (number, place) in found {
        places.entry(number).or_default().push(place);
    }
    let all = features.into_iter().enumerate();
    let all = all.map(|(number, (feature, ended))| FeatureHistory {
        name: feature.name,
        summary: feature.summary,
        owner: feature.owner,
        link: feature.link,
        since: feature.since,
        ended,
        gates: feature.gates.map(|gates| {
            let gates = gates.into_iter().enumerate();
            let gates = gates.map(|(gate_number, gate)| GateHistory {
                places: places.remove(&(number, gate_number)).unwrap_or_default(),
                path: unrooted(&gate.path).to_owned(),
                kind: gate.kind,
                version: gate.version,
                what: gate.what,
                detail: gate.detail,
                without: gate.without,
            });
            gates.collect()
        }),
    });
    all.collect()
}
