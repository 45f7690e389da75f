//! The comparison of two whole sets, channel by channel.

use super::findings::verdict::Channel;
use super::findings::{Change, Finding, Gate, Record, Report};
use super::kinds::crds::{CRD_RULES, CrdPair};
use super::kinds::kinds;
use super::kinds::lineage::{Lineage, fold};
use super::kinds::versions::{VERSION_RULES, Versions, is_alpha_only, version_named};
use super::kinds::{conditions, stamps, tombstones};
use super::schemas::normalize::with_same_object_fields;
use super::schemas::pair::{SchemaPair, Segment, child, property_path};
use super::schemas::renames;
use super::schemas::walk::walk;
use super::set::channel_pair::ChannelPair;
use super::set::oldest_kubernetes;
use super::set::{Crds, Published, Set};
use super::{components, consistency};
use crd_channels_schema::{Crd, Schema, Version};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::borrow::Cow;
use std::collections::HashSet;

/// Compares two sets without their history. Equal sets have no findings.
#[must_use]
pub fn compare(old: &Set, new: &Set) -> Report {
    compare_along(Lineage::default(), old, new)
}

/// Compares two sets that are part of a chain of bundles.
#[must_use]
pub fn compare_along(lineage: Lineage<'_>, old: &Set, new: &Set) -> Report {
    let new = &*in_one_tree(old, new);
    let none = Crds::new();
    let past = |channel| lineage.past(old, move |set| set.channel(channel));
    let (past_of_stable, past_of_experimental) =
        (past(Channel::Stable), past(Channel::Experimental));
    let sides = |channel, other, past| ChannelPair {
        channel,
        old: old.channel(channel).unwrap_or(&none),
        new: new.channel(channel).unwrap_or(&none),
        beside_old: old.channel(other),
        beside_new: new.channel(other),
        proofs: &new.proofs,
        past,
        whole_past: lineage.before.is_some(),
    };
    let stable = sides(Channel::Stable, Channel::Experimental, &*past_of_stable);
    let experimental = sides(
        Channel::Experimental,
        Channel::Stable,
        &*past_of_experimental,
    );
    let (mut findings, beside) = rayon::join(|| channel(stable), || channel(experimental));
    add_experimental(&mut findings, beside);
    for (name, crds) in &new.others {
        let Some(before) = old.others.get(name) else {
            continue;
        };
        let past = lineage.past(old, |set| set.others.get(name));
        let mut further = channel(ChannelPair {
            old: before,
            new: crds,
            past: &past,
            ..experimental
        });
        for finding in &mut further {
            finding.within = Some(name.clone());
        }
        add_experimental(&mut findings, further);
    }
    findings.extend(stamps::check(old, new));
    findings.extend(oldest_kubernetes::check(old, new));
    findings.extend(components::check(
        old.components.as_ref(),
        new.components.as_ref(),
    ));
    findings.extend(tombstones::check(lineage, old, new));
    findings.sort_by(|one, other| one.order().cmp(&other.order()));
    let mut report = Report {
        findings,
        notes: notes(old, new),
        old_version: old.bundle_version().map(|version| version.to_string()),
        is_first: false,
    };
    fold(&mut report, lineage, [old, new], compare_along);
    report
}

/// Adds the findings of a channel with experimental features. Each cause is reported once: in the stable channel if it has it,
/// else for all experimental ones.
fn add_experimental(findings: &mut Vec<Finding>, mut more: Vec<Finding>) {
    let known: HashSet<_> = findings.iter().map(Finding::cause).collect();
    more.retain(|finding| !known.contains(&finding.cause()));
    drop(known);
    for finding in &mut more {
        if finding.record.gate == Gate::Own {
            finding.change.bump = finding.change.bump.at_most_minor();
        }
    }
    findings.extend(more);
}

/// Sets of one channel each are one tree, whatever the annotations say: a file that flips its channel is a finding.
fn in_one_tree<'a>(old: &Set, new: &'a Set) -> Cow<'a, Set> {
    let only = |set: &Set| match set.channels.keys().collect::<Vec<_>>().as_slice() {
        [channel] if !set.by_folder => Some(**channel),
        _ => None,
    };
    match (only(old), only(new)) {
        (Some(old), Some(own)) if old != own => {
            let mut new = new.clone();
            if let Some(crds) = new.channels.remove(&own) {
                new.channels.insert(old, crds);
            }
            Cow::Owned(new)
        }
        _ => Cow::Borrowed(new),
    }
}

fn notes(old: &Set, new: &Set) -> Vec<String> {
    let mut notes = Vec::new();
    if old.tombstones.is_none() || new.tombstones.is_none() {
        notes.push("CRDs do not contain tombstones, so missing tombstones and reused names are not checked here".to_owned());
    }
    for (side, set, other) in [("old", old, new), ("new", new, old)] {
        if !set.records_conditions() && other.declares_conditions() {
            notes.push(format!(
                "the {side} set does not record its conditions, so changes to them are not checked"
            ));
        }
        for name in set.others.keys() {
            if !other.others.contains_key(name) {
                notes.push(format!(
                    "only the {side} set has the channel `{name}`, which is not compared"
                ));
            }
        }
        if set.channels.len() == 1 {
            notes.push(format!(
                "the {side} set has only one channel, so experimental parts are determined from that channel alone"
            ));
        }
    }
    notes
}

/// All findings of one channel.
fn channel(sides: ChannelPair<'_>) -> Vec<Finding> {
    let mut findings = kinds(sides);
    let both: Vec<(&String, &Published, &Published)> = sides
        .old
        .iter()
        .filter_map(|(name, old)| Some((name, old, sides.new.get(name)?)))
        .filter(|(_, old, new)| old.crd.names.kind == new.crd.names.kind)
        .collect();
    let compared: Vec<Vec<Finding>> = both
        .par_iter()
        .map(|(name, old, new)| {
            let pair = Pair {
                sides,
                old,
                new,
                beside_old: sides.beside_old.and_then(|crds| crds.get(*name)),
                beside_new: sides.beside_new.and_then(|crds| crds.get(*name)),
            };
            pair.findings()
        })
        .collect();
    findings.extend(compared.into_iter().flatten());
    findings.extend(consistency::check(sides));
    findings
}

/// One kind in one channel of both bundles.
#[derive(Clone, Copy)]
struct Pair<'a> {
    sides: ChannelPair<'a>,
    old: &'a Published,
    new: &'a Published,
    beside_old: Option<&'a Published>,
    beside_new: Option<&'a Published>,
}

impl Pair<'_> {
    fn findings(self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let crds = CrdPair {
            old: self.old,
            new: self.new,
        };
        let kind_exempt = self.is_experimental(self.beside_old.is_some());
        for rule in CRD_RULES {
            for change in (rule.decide)(crds) {
                let path = change.below.clone();
                findings.push(self.finding(&rule.record, "", path, change, kind_exempt));
            }
        }
        let name = self.old.crd.name();
        let past = self.sides.past.iter().filter_map(|crds| crds.get(&name));
        let past: Vec<&Crd> = past.map(|published| &published.crd).collect();
        let versions = Versions {
            old: &self.old.crd,
            new: &self.new.crd,
            past: &past,
            whole_past: self.sides.whole_past,
            tried: match self.sides.channel {
                Channel::Stable => self.beside_new.map(|beside| &beside.crd),
                Channel::Experimental => None,
            },
            tried_before: match self.sides.channel {
                Channel::Stable => self.beside_old.map(|beside| &beside.crd),
                Channel::Experimental => None,
            },
            tried_first: self.is_tried_first(),
            stable_before: match self.sides.channel {
                Channel::Stable => None,
                Channel::Experimental => self.beside_old.map(|beside| &beside.crd),
            },
        };
        for rule in VERSION_RULES {
            for (version, change) in (rule.decide)(versions) {
                let path = format!("spec.versions[{}]{}", version.name, change.below);
                let stable = self
                    .beside_old
                    .is_some_and(|beside| version_named(&beside.crd, &version.name).is_some());
                let exempt = self.is_experimental(stable);
                findings.push(self.finding(&rule.record, &version.name, path, change, exempt));
            }
        }
        for old in &self.old.crd.versions {
            if let Some(new) = version_named(&self.new.crd, &old.name) {
                findings.extend(self.version(old, new));
                findings.extend(self.conditions(old, new));
            }
        }
        findings
    }

    fn version(self, old: &Version, new: &Version) -> Vec<Finding> {
        let (Some(old_schema), Some(new_schema)) = (&old.schema, &new.schema) else {
            return Vec::new();
        };
        // Projections share what did not change.
        if std::sync::Arc::ptr_eq(old_schema, new_schema) {
            return Vec::new();
        }
        let [old_schema, new_schema] = with_same_object_fields([old_schema, new_schema]);
        let root = SchemaPair {
            beside_old: self
                .beside_old
                .and_then(|beside| self.beside(beside, &old.name)),
            beside_new: self
                .beside_new
                .and_then(|beside| self.beside(beside, &old.name)),
            tried_first: self.is_tried_first(),
            channel: self.sides.channel,
            ..SchemaPair::alone(&old_schema, &new_schema)
        };
        let mut findings = Vec::new();
        walk(&root, &mut |node, record, change| {
            let (path, exempt) = match &change.property {
                Some(name) => {
                    let segment = Segment::Property(&**name);
                    let stable = node.beside_old.and_then(|schema| child(schema, segment));
                    (
                        property_path(&node.path(), name),
                        self.is_experimental(stable.is_some()),
                    )
                }
                None => (node.path(), node.is_experimental()),
            };
            let origin = node.origin();
            let finding = self.finding(record, &old.name, path, change, exempt);
            findings.push(Finding { origin, ..finding });
        });
        renames::recognise(&mut findings);
        findings
    }

    fn conditions(self, old: &Version, new: &Version) -> Vec<Finding> {
        let (Some(old_schema), Some(new_schema)) = (&old.schema, &new.schema) else {
            return Vec::new();
        };
        let sides = conditions::Sides {
            channel: self.sides.channel,
            old: self.old,
            new: self.new,
            beside_old: self.sides.beside_old.map(|_| self.beside_old),
            beside_new: self.beside_new,
        };
        let found = conditions::changes(sides, &old.name, [old_schema, new_schema]);
        let findings = found.into_iter().map(|found| {
            let exempt = self.is_experimental(found.stable);
            self.finding(found.record, &old.name, found.path, found.change, exempt)
        });
        findings.collect()
    }

    /// The schema of a version in the other channel. A stable version may have been experimental under another name.
    fn beside<'a>(self, beside: &'a Published, version: &str) -> Option<&'a Schema> {
        let same = version_named(&beside.crd, version);
        let found = match self.sides.channel {
            Channel::Stable => same.or(beside.crd.versions.first()),
            Channel::Experimental => same,
        };
        found?.schema.as_deref()
    }

    /// Whether what is new in the stable channel must have been experimental.
    fn is_tried_first(self) -> bool {
        let is_paired = self.sides.beside_old.is_some();
        self.sides.channel == Channel::Stable && is_paired && !is_alpha_only(&self.new.crd)
    }

    fn is_experimental(self, stable: bool) -> bool {
        self.sides.channel == Channel::Experimental && !stable
    }

    fn finding(
        self,
        record: &'static Record,
        version: &str,
        path: String,
        mut change: Change,
        exempt: bool,
    ) -> Finding {
        if exempt && record.gate != Gate::Absolute {
            change.bump = change.bump.at_most_minor();
        }
        Finding::new(record, self.sides.channel, path, change)
            .of(&self.new.crd)
            .of_version(version)
    }
}
