//! `channels/<name>.toml`: what one channel is.

use super::features::{Features, UNNAMED};
use super::table::Table;
use crate::Text;
use crate::diag::nearest;
use std::collections::{BTreeMap, BTreeSet};

/// A channel: a set of features, and what it does with versions and descriptions.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The name of its file.
    pub name: Text,
    /// `features`
    pub features: FeatureSet,
    /// `annotation`: the value of `<prefix>/channel`.
    pub annotation: Text,
    /// `alpha`: what becomes of alpha versions.
    pub alpha: StabilityPolicy,
    /// `beta`: what becomes of beta versions.
    pub beta: StabilityPolicy,
    /// `[descriptions]`
    pub descriptions: Descriptions,
    /// `[descriptions.crds."plural.group"]`: instead of it for single CRDs.
    pub descriptions_of: BTreeMap<Text, Descriptions>,
    /// `size-budget`: bytes of compact JSON that no CRD may exceed.
    pub size_budget: Option<usize>,
}

/// The features of a channel.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum FeatureSet {
    /// `"none"`
    #[default]
    None,
    /// `"all"`: every declared feature, and `unnamed`.
    All,
    /// A list.
    Some(BTreeSet<Text>),
}

impl FeatureSet {
    /// The features that are on.
    #[must_use]
    pub fn on(&self, declared: &Features) -> BTreeSet<Text> {
        match self {
            FeatureSet::None => BTreeSet::new(),
            FeatureSet::All => declared.names().chain([UNNAMED]).map(Text::from).collect(),
            FeatureSet::Some(features) => features.clone(),
        }
    }
}

/// What a channel does with versions of one stability.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum StabilityPolicy {
    /// As their types say.
    #[default]
    AsWritten,
    /// Served.
    Served,
    /// There, not served.
    Unserved,
    /// Left out.
    Omitted,
}

/// Which descriptions are written, and how long they may be.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Descriptions {
    /// `policy`
    pub keep: KeepDescriptions,
    /// `max-length`: bytes of one description; cut at the end of a sentence.
    pub max_length: Option<usize>,
    /// `budget`: bytes of compact JSON of the whole CRD; met by dropping the deepest descriptions first.
    pub budget: Option<usize>,
}

/// Where descriptions are kept.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum KeepDescriptions {
    /// In every version.
    #[default]
    All,
    /// In the storage version only.
    StorageVersion,
    /// Nowhere.
    None,
}

const STABILITY: [(&str, StabilityPolicy); 4] = [
    ("as-written", StabilityPolicy::AsWritten),
    ("served", StabilityPolicy::Served),
    ("unserved", StabilityPolicy::Unserved),
    ("omitted", StabilityPolicy::Omitted),
];

pub(super) fn read(table: &mut Table<'_>, name: &str, declared: &Features) -> Channel {
    let (descriptions, descriptions_of) = table
        .table("descriptions", read_all_descriptions)
        .unwrap_or_default();
    Channel {
        name: name.into(),
        features: read_features(table, name, declared),
        annotation: table
            .text("annotation")
            .map_or_else(|| name.into(), |annotation| annotation.value),
        alpha: table.choice("alpha", &STABILITY).unwrap_or_default(),
        beta: table.choice("beta", &STABILITY).unwrap_or_default(),
        descriptions,
        descriptions_of,
        size_budget: table.number("size-budget").map(|budget| budget.value),
    }
}

fn read_features(table: &mut Table<'_>, name: &str, declared: &Features) -> FeatureSet {
    if table.is_list("features") {
        let mut features = BTreeSet::new();
        for feature in table.texts("features").unwrap_or_default() {
            if !declared.has(&feature.value) {
                let help = match nearest(&feature.value, declared.names()) {
                    Some(near) => format!("did you mean `\"{near}\"`?"),
                    None => format!(
                        "declare it in `channels/features.toml`: `[{}]`",
                        feature.value
                    ),
                };
                table.report(
                    feature.span,
                    format!("feature `{}` is not declared", feature.value),
                    help,
                );
            }
            features.insert(feature.value);
        }
        return FeatureSet::Some(features);
    }
    let words = [("none", false), ("all", true)];
    match table.choice("features", &words) {
        Some(true) => FeatureSet::All,
        Some(false) => FeatureSet::None,
        None if name == "experimental" => FeatureSet::All,
        None => FeatureSet::None,
    }
}

fn read_all_descriptions(table: &mut Table<'_>) -> (Descriptions, BTreeMap<Text, Descriptions>) {
    let crds = table
        .table("crds", |crds| {
            crds.named_tables(read_descriptions)
                .into_iter()
                .map(|(name, descriptions)| (name.value, descriptions))
                .collect()
        })
        .unwrap_or_default();
    (read_descriptions(table), crds)
}

fn read_descriptions(table: &mut Table<'_>) -> Descriptions {
    let policies = [
        ("all", KeepDescriptions::All),
        ("storage-version", KeepDescriptions::StorageVersion),
        ("none", KeepDescriptions::None),
    ];
    Descriptions {
        keep: table.choice("policy", &policies).unwrap_or_default(),
        max_length: table.number("max-length").map(|length| length.value),
        budget: table.number("budget").map(|budget| budget.value),
    }
}
