//! Features that earlier bundles had and that are no longer declared.

use super::versions;
use crate::commands::graduate::verdict::Worktree;
use crate::release::history::History;
use crate::release::lifecycle::Ancestry;
use crate::release::places::Tree;
use crd_channels_compat::{Ancestor, Finding, Report, reason_of_removal};
use crd_channels_diagnostics::Sources;
use crd_channels_files::Disk;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::manifest::{Gate, Tombstones};
use crd_channels_schema::path::{condition, leads_through};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// A feature that is no longer declared.
pub(super) struct EndedFeature<'a> {
    name: &'a str,
    summary: &'a str,
    /// The first and the last bundle that had it.
    since: &'a BundleVersion,
    last: &'a BundleVersion,
    /// The first bundle without it; `None` if that is not released yet.
    left: Option<&'a BundleVersion>,
    /// The changes of that bundle that are due to this feature.
    changes: Vec<ExperimentalChange>,
    /// Whether they are known to be due to it. Manifests of format 1 do not record which feature gated what.
    is_certain: bool,
}

/// The end of an experimental part: it graduated or was removed.
#[derive(Clone, Eq, Ord, PartialEq, PartialOrd)]
struct ExperimentalChange {
    graduated: bool,
    /// The group of the kind; `None` if the bundle does not record it.
    group: Option<String>,
    kind: String,
    version: String,
    path: String,
    /// The change in words, which name the value if it is one of an enum.
    message: String,
    /// Why it was removed, as its waiver or tombstone says.
    reason: Option<String>,
}

/// The codes of changes that remove an experimental part.
const REMOVED: [&str; 8] = [
    "enum-removed",
    "enum-value-removed",
    "kind-removed",
    "property-moved",
    "property-removed",
    "property-renamed",
    "scale-changed",
    "version-removed",
];

/// The group and the kind, then the version, the path and the message of a change.
type Place<'p> = ((Option<&'p str>, &'p str), [&'p str; 3]);

impl ExperimentalChange {
    fn new(
        (code, channel): (&str, &str),
        place: Place<'_>,
        waived: Option<&str>,
        tombstones: &Tombstones,
    ) -> Option<Self> {
        let ((group, kind), [version, path, message]) = place;
        let graduated = code.ends_with("-graduated");
        let removed = channel != "stable" && REMOVED.contains(&code);
        (graduated || removed).then(|| Self {
            graduated,
            group: group.map(ToOwned::to_owned),
            kind: kind.to_owned(),
            version: version.to_owned(),
            path: path.to_owned(),
            message: message.to_owned(),
            reason: waived
                .or_else(|| reason_of_removal(code, place.0, place.1, tombstones))
                .map(ToOwned::to_owned),
        })
    }

    fn of_finding(finding: &Finding, tombstones: &Tombstones) -> Option<Self> {
        let (code, kind, version, path) = finding.place();
        let message = &*finding.change.message;
        let place = ((Some(&*finding.group), kind), [version, path, message]);
        let channel = finding.channel_name();
        Self::new((code, &channel), place, finding.waiver_reason(), tombstones)
    }

    /// Whether it is a change of what a gate is on, or of something inside of that.
    fn is_of(&self, gate: &Gate) -> bool {
        let Gate {
            group: _,
            kind,
            version,
            path,
            what,
            detail,
            without: _,
        } = gate;
        let is_version = self.version.is_empty() || self.version == *version;
        let is_inside = |path: &str| leads_through(&self.path, path);
        let is_named = |name: &str| self.message.contains(&format!("`{name}`"));
        let is_there = match &**what {
            "version" => true,
            "field" => is_inside(path),
            "value" => is_inside(path) && is_named(detail),
            "subresource" => self.path.ends_with(&format!(".subresources.{detail}")),
            "condition" => match detail.split_once(": ") {
                Some((of, reason)) => is_inside(&condition(path, of)) && is_named(reason),
                None => is_inside(&condition(path, detail)),
            },
            // Text, rules, bounds and columns end without a change of these codes.
            _ => false,
        };
        let own = self.group.as_ref();
        let is_of_group = own.is_none_or(|own| gate.is_of_group(own));
        is_of_group && self.kind == *kind && is_version && is_there
    }
}

impl EndedFeature<'_> {
    /// Returns what happened to the feature. It is ambiguous if its bundle both graduated and removed parts.
    fn fate(&self) -> &'static str {
        let graduated = self.changes.iter().any(|change| change.graduated);
        let removed = self.changes.iter().any(|change| !change.graduated);
        match (graduated, removed) {
            (true, false) => "graduated",
            (false, true) => "removed",
            _ => "gone",
        }
    }
}

/// Returns what happened to a feature that is no longer declared. `None` if no bundle had it, or the bundles cannot be read.
pub fn fate(
    root: &Path,
    worktree: &Worktree,
    feature: &str,
    sources: &Sources,
) -> Option<&'static str> {
    let history = History::read(&root.join(FOLDER), &Disk).ok()?;
    let sets = history.sets().ok()?;
    let past = Ancestry::of(&history, &sets, worktree.last());
    let tree = Tree {
        kinds: &worktree.kinds,
        sources,
    };
    let report = versions::report(worktree, &past, tree);
    let declared = worktree.setup.config.features.names().collect();
    let all = ended_features(&past, &declared, &report, &past.tombstones());
    let found = all.iter().find(|gone| gone.name == feature)?;
    Some(found.fate())
}

/// Returns every feature of an earlier bundle that is no longer declared. `report` has the changes since the last bundle,
/// `tombstones` the reasons.
pub(super) fn ended_features<'a>(
    past: &'a Ancestry<'_>,
    declared: &BTreeSet<&str>,
    report: &Report,
    tombstones: &Tombstones,
) -> Vec<EndedFeature<'a>> {
    let mut found: Vec<EndedFeature<'a>> = Vec::new();
    // Newest first: the newest bundle that has a feature has its best summary.
    for (index, Ancestor { manifest, .. }) in past.bundles.iter().enumerate().rev() {
        for feature in &manifest.features {
            if declared.contains(feature.name.as_str()) {
                continue;
            }
            if let Some(known) = found.iter_mut().find(|known| known.name == feature.name) {
                known.since = &manifest.version;
                continue;
            }
            let after = past.bundles.get(index + 1);
            let mut changes: BTreeSet<ExperimentalChange> = match after {
                Some(after) => {
                    let changes = after.manifest.changes.iter().filter_map(|change| {
                        let place = [&*change.version, &*change.path, &*change.message];
                        let group = Some(&*change.group).filter(|group| !group.is_empty());
                        let place = ((group, &*change.kind), place);
                        let of = (&*change.code, &*change.channel);
                        ExperimentalChange::new(of, place, change.waived.as_deref(), tombstones)
                    });
                    changes.collect()
                }
                None => report
                    .findings
                    .iter()
                    .filter_map(|finding| ExperimentalChange::of_finding(finding, tombstones))
                    .collect(),
            };
            if let Some(gates) = &feature.gates {
                changes.retain(|change| gates.iter().any(|gate| change.is_of(gate)));
            }
            found.push(EndedFeature {
                name: &feature.name,
                summary: &feature.summary,
                since: &manifest.version,
                last: &manifest.version,
                left: after.map(|after| &after.manifest.version),
                changes: changes.into_iter().collect(),
                is_certain: feature.gates.is_some(),
            });
        }
    }
    found.sort_by_key(|gone| gone.name);
    found
}

pub(super) fn human(all: &[EndedFeature<'_>]) -> String {
    let mut text = String::new();
    for gone in all {
        let left = match gone.left {
            Some(left) => format!("in {left}"),
            None => "not released yet".to_owned(),
        };
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{} ({}, {left})\n  {}\n  from {} to {}",
            gone.name,
            gone.fate(),
            gone.summary,
            gone.since,
            gone.last
        );
        for change in &gone.changes {
            let did = if change.graduated {
                "graduated"
            } else {
                "removed"
            };
            let place = [&*change.kind, &*change.version, &*change.path];
            let place: Vec<&str> = place
                .into_iter()
                .filter(|part| !part.is_empty() && *part != ".")
                .collect();
            let how = if gone.is_certain || is_alone(gone, all) {
                "with it"
            } else {
                "in the same bundle"
            };
            let reason = match &change.reason {
                Some(reason) => format!(" — {reason}"),
                None => String::new(),
            };
            let _ = writeln!(text, "  - {did} {how}: {}{reason}", place.join(" "));
        }
        text.push('\n');
    }
    text
}

/// Whether no other feature ended in the same bundle, so that the changes of that bundle are due to this one even if its manifest
/// does not record what it gated.
fn is_alone(gone: &EndedFeature<'_>, all: &[EndedFeature<'_>]) -> bool {
    let left = all.iter().filter(|other| other.left == gone.left);
    left.count() == 1
}

pub(super) fn json(all: &[EndedFeature<'_>]) -> Value {
    let changes = |change: &ExperimentalChange| {
        json!({
            "graduated": change.graduated,
            "kind": change.kind,
            "version": change.version,
            "field": change.path,
            "reason": change.reason,
        })
    };
    let all = all.iter().map(|gone| {
        json!({
            "name": gone.name,
            "stage": gone.fate(),
            "summary": gone.summary,
            "since": gone.since.to_string(),
            "last": gone.last.to_string(),
            "left": gone.left.map(ToString::to_string),
            "changes": gone.changes.iter().map(changes).collect::<Vec<_>>(),
        })
    });
    all.collect()
}
