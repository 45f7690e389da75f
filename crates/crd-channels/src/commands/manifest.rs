//! The parts of a manifest that come from the types: reserved names, features, conditions, and the source files that were read.

use crd_channels_compat::{Set, oldest_kubernetes, union};
use crd_channels_files::{Disk, Read, slashed};
use crd_channels_generator::pipeline::Setup;
use crd_channels_projection::channel::config::Kubernetes;
use crd_channels_projection::channel::{self, Kind, config, gated};
use crd_channels_projection::render::ChannelCondition;
use crd_channels_released::digest::Digest;
use crd_channels_released::manifest::{
    ConditionList, ConditionType, Deprecated, Feature, Gate, KindTombstone, NameTombstone,
    Polarity, Reason, Source, Tombstones, TypeTombstone, VersionTombstone,
};
use crd_channels_schema::marks;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Returns the oldest Kubernetes that accepts the CRDs.
pub fn kubernetes(set: &Set) -> Kubernetes {
    Kubernetes {
        major: 1,
        minor: oldest_kubernetes(set),
    }
}

/// Returns the names that source and configuration reserve.
pub fn tombstones(setup: &Setup, kinds: &[Kind]) -> Tombstones {
    let gone = &setup.config.tombstones;
    let kinds_gone = gone.kinds.iter().map(|tombstone| KindTombstone {
        group: tombstone.group.to_string(),
        kind: tombstone.kind.value.to_string(),
        removed: tombstone.removed.to_string(),
        reason: tombstone.reason.to_string(),
    });
    let versions = gone.versions.iter().map(|tombstone| VersionTombstone {
        group: tombstone.group.to_string(),
        kind: tombstone.kind.to_string(),
        version: tombstone.version.value.to_string(),
        removed: tombstone.removed.to_string(),
        reason: tombstone.reason.to_string(),
    });
    let types = gone.types.iter().map(|tombstone| TypeTombstone {
        name: tombstone.name.value.to_string(),
        removed: tombstone.removed.to_string(),
        reason: tombstone.reason.to_string(),
    });
    let reserved = channel::reserved_names(kinds);
    let names = reserved.iter().map(|name| NameTombstone {
        group: name.group.to_string(),
        kind: name.kind.to_string(),
        path: name.path.clone(),
        name: name.tombstone.name.to_string(),
        removed: name.tombstone.removed.to_string(),
        reason: name.tombstone.reason.to_string(),
    });
    union([&Tombstones {
        kinds: kinds_gone.collect(),
        versions: versions.collect(),
        types: types.collect(),
        names: names.collect(),
    }])
}

/// Returns the conditions that the kinds declare in a channel, sorted by their place. A list with several declarations, as the
/// variants of an untagged enum have, has the conditions of all.
pub fn conditions(kinds: &[Kind], channel: &config::Channel) -> Vec<ConditionList> {
    let mut lists: BTreeMap<[String; 4], Vec<ConditionType>> = BTreeMap::new();
    for kind in kinds {
        for list in channel::declared_lists(kind, channel) {
            let version = list.version.to_string();
            let place = [
                kind.group.to_string(),
                kind.kind.to_string(),
                version,
                list.path,
            ];
            let types = lists.entry(place).or_default();
            for of in list.types.iter().map(condition_type) {
                match types.iter_mut().find(|known| known.name == of.name) {
                    Some(known) => {
                        let more = of.reasons.into_iter();
                        let more: Vec<Reason> = more
                            .filter(|reason| !known.reasons.contains(reason))
                            .collect();
                        known.reasons.extend(more);
                    }
                    None => types.push(of),
                }
            }
        }
    }
    let lists = lists.into_iter();
    let lists = lists.map(|([group, kind, version, path], types)| ConditionList {
        group,
        kind,
        version,
        path,
        types,
    });
    lists.collect()
}

fn condition_type(kept: &ChannelCondition<'_>) -> ConditionType {
    let of = kept.of;
    let reasons = kept.reasons.iter().map(|reason| Reason {
        name: reason.name.as_ref().map(ToString::to_string),
        status: reason.status.name().to_owned(),
    });
    ConditionType {
        name: of.name.to_string(),
        polarity: match of.polarity {
            marks::Polarity::Positive => Polarity::Positive,
            marks::Polarity::Negative => Polarity::Negative,
        },
        optional: of.optional,
        replaced_by: kept.replaced_by.map(ToString::to_string),
        until: of
            .replaced
            .as_ref()
            .map(|replaced| replaced.until.to_string()),
        reasons: reasons.collect(),
    }
}

/// Returns the declared features with what each gates, sorted by name.
pub fn features(setup: &Setup, kinds: &[Kind]) -> Vec<Feature> {
    let text =
        |text: &Option<crd_channels_diagnostics::Text>| text.as_ref().map(ToString::to_string);
    let declared = setup.config.features.declared.iter();
    let mut features: Vec<Feature> = declared
        .map(|feature| Feature {
            name: feature.name.value.to_string(),
            summary: feature.summary.to_string(),
            owner: text(&feature.owner),
            link: text(&feature.link),
            since: feature.since.as_ref().map(|since| since.value.to_string()),
            gates: Some(gates(kinds, &feature.name.value)),
        })
        .collect();
    features.sort_by(|one, other| one.name.cmp(&other.name));
    features
}

fn gates(kinds: &[Kind], feature: &str) -> Vec<Gate> {
    let gates = gated(kinds, feature).into_iter().map(|gated| Gate {
        group: gated.group.to_string(),
        kind: gated.kind.to_string(),
        version: gated.version.to_string(),
        path: gated.path,
        what: gated.what.to_string(),
        detail: gated.detail,
        without: !gated.on,
    });
    gates.collect::<BTreeSet<Gate>>().into_iter().collect()
}

/// Returns the versions that are deprecated in any channel.
pub fn deprecated(kinds: &[Kind]) -> Vec<Deprecated> {
    let drafts = kinds.iter().flat_map(|kind| &kind.versions);
    let mut all: Vec<Deprecated> = drafts
        .filter(|draft| {
            let mut facets = draft.facets.when.iter().map(|(_, facets)| facets);
            draft.facets.always.deprecated.is_some()
                || facets.any(|facets| facets.deprecated.is_some())
        })
        .map(|draft| Deprecated {
            group: draft.group.to_string(),
            kind: draft.kind.to_string(),
            version: draft.version.to_string(),
            removed_in: draft
                .removed_in
                .as_ref()
                .map(|bundle| bundle.value.to_string()),
            replaced_by: draft.replaced_by.as_ref().map(ToString::to_string),
        })
        .collect();
    all.sort();
    all
}

/// Returns the source files that were read, by package and path inside the package, so that they do not depend on this
/// machine's paths. CRDs are in no package; their paths are those below the root.
pub fn sources(setup: &Setup, read: &[PathBuf], files: &dyn Read) -> Result<Vec<Source>, String> {
    let packages = setup.workspace.packages.iter().enumerate();
    let of_crds = setup.config.is_of_crds();
    let outside = of_crds.then(|| (setup.workspace.root.clone(), ".".to_owned()));
    let roots: Vec<(PathBuf, String)> = packages
        .map(|(place, package)| {
            let root = std::path::absolute(&package.root).unwrap_or_else(|_| package.root.clone());
            let root = Disk.canonical(&root).unwrap_or(root);
            let members = &setup.workspace.members;
            let name = if members.iter().any(|member| member.0 == place) {
                package.name.clone()
            } else {
                format!("{}-{}", package.name, package.version)
            };
            (root, name)
        })
        .chain(outside)
        .collect();
    let mut all = Vec::new();
    for path in read {
        let owner = roots
            .iter()
            .filter(|(root, _)| path.starts_with(root))
            .max_by_key(|(root, _)| root.components().count());
        let Some((root, package)) = owner else {
            return Err(format!("`{}` is not in a package", file_name(path)));
        };
        let bytes = files
            .read(path)
            .map_err(|error| format!("`{}` cannot be read: {error}", file_name(path)))?;
        let inside = path.strip_prefix(root).unwrap_or(path);
        all.push(Source {
            package: package.clone(),
            path: slashed(inside),
            digest: Digest::of(&bytes),
        });
    }
    all.sort();
    Ok(all)
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
