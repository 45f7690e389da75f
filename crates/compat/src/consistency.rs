//! Consistency inside one bundle: between the versions of a kind, and between the channels. Reports only what is new or worse
//! than in the old bundle.

use super::conversion::unproven;
use super::findings::verdict::{Bump, Channel, Need, Verdict};
use super::findings::{Change, Finding, PropertyChange, Record, Report, Topic};
use super::kinds::beside_schema::missing_beside_schema;
use super::kinds::versions::version_named;
use super::schemas::pair::{SchemaPair, Segment, property_path, push};
use super::schemas::renames::renamed;
use super::schemas::walk::walk;
use super::set::channel_pair::ChannelPair;
use super::set::{Crds, Published, Set};
use crd_channels_cel::Text;
use crd_channels_schema::{Additional, Conversion, Crd, Schema, Version};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::HashSet;

/// How to make the versions of a kind agree.
pub const AGREE: &str = "make all versions the same, gate the difference with `#[experimental]`, convert with `#[crd(conversion = \"webhook\")]`, or write a waiver into `channels/waivers.toml`";

pub(super) const PROPERTY: Record = Record::new(
    "versions-differ-in-properties",
    Topic::Breaking,
    "Two versions without conversion do not have the same properties.",
    "Properties that only one of them has are pruned by a write through the other.",
);
pub(super) const ONE_VERSION: Record = Record::new(
    "property-in-one-version",
    Topic::Breaking,
    "A property was added to one version and not to the others.",
    "Without conversion it is pruned by a write through another version. Add it to all.",
);
pub(super) const VALIDATION: Record = Record::new(
    "versions-differ-in-validation",
    Topic::Changed,
    "Two versions without conversion accept different values.",
    "Objects stored through the looser version cannot be updated through the other.",
);
pub(super) const DEFAULT: Record = Record::new(
    "versions-differ-in-defaults",
    Topic::Breaking,
    "Two versions without conversion have different defaults.",
    "The value that is read depends on the version that the object was stored in.",
);
pub(super) const RENAME: Record = Record::new(
    "rename-without-conversion",
    Topic::Breaking,
    "A new version renames a property without conversion.",
    "The value under the old name is lost. A conversion webhook keeps it.",
);
pub(super) const SUBSET: Record = Record::new(
    "stable-not-in-experimental",
    Topic::Breaking,
    "The stable channel has something that the experimental channel lacks.",
    "The experimental channel has everything; users who switch to it must not lose anything.",
);
pub(super) const STRICTER: Record = Record::new(
    "experimental-stricter",
    Topic::Changed,
    "The experimental channel rejects values that the stable channel accepts.",
    "Users who switch to it may have objects that it rejects.",
);
pub(super) const UNGUARDED: Record = Record::new(
    "read-without-has",
    Topic::Changed,
    "A rule reads an optional property without checking that it is set.",
    "Without the property the rule fails, so the property is effectively required. Check `has(..)` first.",
);

/// The inconsistencies of the new bundle that the old one did not have.
pub(super) fn check(sides: ChannelPair<'_>) -> Vec<Finding> {
    let mut now = problems(sides.channel, sides.new, sides.beside_new);
    if !now.is_empty() {
        let before = problems(sides.channel, sides.old, sides.beside_old);
        let known: HashSet<_> = before.iter().map(Finding::cause).collect();
        now.retain(|finding| !known.contains(&finding.cause()));
    }
    for finding in &mut now {
        let both = sides.old.values().find(|old| finding.is_of(&old.crd));
        let there = both.is_some_and(|old| version_named(&old.crd, &finding.version).is_some());
        if finding.record.id == PROPERTY.id && there {
            finding.record = &ONE_VERSION;
        }
    }
    for (name, new) in sides.new {
        let old = sides.old.get(name);
        if let Some(old) = old {
            now.extend(renames(sides, &old.crd, &new.crd));
        }
        // A stable channel only has to convert stable parts.
        if sides.channel == Channel::Stable {
            let beside = sides.beside_new.and_then(|crds| crds.get(name));
            let recorded = sides.proofs.get(name).map(Result::as_ref);
            now.extend(unproven(new, old, beside, recorded));
        }
    }
    now
}

/// Problems that keep a set from being the first bundle: versions that no later bundle may add either. An API may be older than
/// its first bundle, so a waiver is possible.
#[must_use]
pub fn first(new: &Set) -> Report {
    let mut findings = Vec::new();
    for published in new
        .channel(Channel::Stable)
        .into_iter()
        .flat_map(Crds::values)
    {
        versions(&published.crd, &mut findings);
    }
    findings.retain(|finding| finding.counts_as() == Bump::Never);
    findings.sort_by(|one, other| one.order().cmp(&other.order()));
    Report {
        findings,
        is_first: true,
        ..Report::default()
    }
}

fn problems(channel: Channel, crds: &Crds, beside: Option<&Crds>) -> Vec<Finding> {
    let of_each: Vec<Vec<Finding>> = crds
        .par_iter()
        .map(|(name, published)| {
            let mut findings = Vec::new();
            unguarded(channel, &published.crd, &mut findings);
            // Experimental parts are exempt, and stable ones are checked in the stable channel.
            if channel == Channel::Stable {
                versions(&published.crd, &mut findings);
                if let Some(experimental) = beside.and_then(|crds| crds.get(name)) {
                    channels(published, experimental, &mut findings);
                }
            }
            findings
        })
        .collect();
    let mut findings = of_each.concat();
    if let (Channel::Stable, Some(beside)) = (channel, beside) {
        for (name, published) in crds {
            if !beside.contains_key(name) {
                let message = "kind is missing in the experimental channel";
                findings.push(missing(&published.crd, "", ".", message));
            }
        }
    }
    findings
}

fn finding(
    channel: Channel,
    record: &'static Record,
    crd: &Crd,
    version: &str,
    path: &str,
    change: Change,
) -> Finding {
    Finding::new(record, channel, path, change)
        .of(crd)
        .of_version(version)
}

/// What the stable channel has and the experimental one lacks.
fn missing(crd: &Crd, version: &str, path: &str, message: impl Into<String>) -> Finding {
    let change = Change::new([Verdict::No; 3], Need::NEVER, message);
    finding(Channel::Stable, &SUBSET, crd, version, path, change)
}

/// All pairs of versions between which an object may be converted.
fn versions(crd: &Crd, findings: &mut Vec<Finding>) {
    let live: Vec<&Version> = crd
        .versions
        .iter()
        .filter(|version| version.served || version.storage)
        .collect();
    for (index, one) in live.iter().enumerate() {
        for other in live.iter().skip(index + 1) {
            let (Some(first), Some(second)) = (&one.schema, &other.schema) else {
                continue;
            };
            match &crd.conversion {
                Conversion::None => {
                    let pair = VersionPair { crd, one, other };
                    walk(
                        &SchemaPair::alone(first, second),
                        &mut |node, record, change| {
                            findings.extend(pair.finding(node, record, change));
                        },
                    );
                    walk(
                        &SchemaPair::alone(second, first),
                        &mut |node, record, change| {
                            let back = VersionPair {
                                crd,
                                one: other,
                                other: one,
                            };
                            // The walk in the other direction reports missing properties and defaults.
                            let own = change.property_change.is_none()
                                && !record.id.starts_with("default-")
                                && record.id != "type-changed";
                            findings.extend(back.finding(node, record, change).filter(|_| own));
                        },
                    );
                }
                // Whether a webhook loses something is proven elsewhere.
                Conversion::Webhook(_) => {}
            }
        }
    }
}

struct VersionPair<'a> {
    crd: &'a Crd,
    one: &'a Version,
    other: &'a Version,
}

impl VersionPair<'_> {
    fn finding(&self, node: &SchemaPair<'_>, record: &Record, change: Change) -> Option<Finding> {
        let path = match &change.property {
            Some(name) => property_path(&node.path(), name),
            None => node.path(),
        };
        let origin = match &change.property_change {
            Some(PropertyChange::Added(schema) | PropertyChange::Removed(schema)) => {
                schema.origin.0
            }
            None => None,
        };
        let origin = origin.or_else(|| node.origin());
        let (one, other) = (&self.one.name, &self.other.name);
        let harm = [Verdict::No; 3];
        let (record, narrower, change) = match &change.property_change {
            Some(PropertyChange::Added(_)) => {
                let message =
                    format!("`{other}` has it, `{one}` prunes it, and there is no conversion");
                (&PROPERTY, one, Change::new(harm, Need::NEVER, message))
            }
            Some(PropertyChange::Removed(_)) => {
                let message =
                    format!("`{one}` has it, `{other}` prunes it, and there is no conversion");
                (&PROPERTY, other, Change::new(harm, Need::NEVER, message))
            }
            None if record.id == "type-changed" => {
                let message = format!(
                    "`{one}` and `{other}` have different types: {}",
                    change.message
                );
                (&PROPERTY, other, Change::new(harm, Need::NEVER, message))
            }
            None if record.id.starts_with("default-") => {
                let message = format!(
                    "`{one}` and `{other}` have different defaults: {}",
                    change.message
                );
                (&DEFAULT, other, Change::new(harm, Need::NEVER, message))
            }
            None if change.stored != Verdict::Ok => {
                let message = format!(
                    "objects stored through `{one}` may be rejected by `{other}`: {}",
                    change.message
                );
                let verdicts = [change.stored, Verdict::Ok, Verdict::Ok];
                (
                    &VALIDATION,
                    other,
                    Change::new(verdicts, Need::NONE, message),
                )
            }
            None => return None,
        };
        let found = finding(Channel::Stable, record, self.crd, narrower, &path, change);
        Some(Finding { origin, ..found })
    }
}

/// Properties that a new version renames without a conversion.
fn renames(sides: ChannelPair<'_>, old: &Crd, new: &Crd) -> Vec<Finding> {
    let mut findings = Vec::new();
    let base = old.versions.iter().find(|version| version.storage);
    let Some((base, schema)) = base.and_then(|base| Some((base, base.schema.as_ref()?))) else {
        return findings;
    };
    if new.conversion != Conversion::None {
        return findings;
    }
    let stable = sides
        .beside_old
        .is_some_and(|beside| beside.contains_key(&old.name()));
    for version in &new.versions {
        if version_named(old, &version.name).is_some() {
            continue;
        }
        let Some(new_schema) = &version.schema else {
            continue;
        };
        walk(
            &SchemaPair::alone(schema, new_schema),
            &mut |node, _, change| {
                let (Some(gone), Some(PropertyChange::Removed(was))) =
                    (&change.property, &change.property_change)
                else {
                    return;
                };
                let successor = node.new.properties.iter().find(|(name, is)| {
                    !node.old.properties.contains_key(*name)
                        && (renamed(gone, was, name, is) || plural(gone, name))
                });
                if let Some((name, _)) = successor {
                    let message = format!(
                        "renamed from `{gone}` of `{}` to `{name}`, without conversion; objects lose it",
                        base.name
                    );
                    let mut change = Change::new([Verdict::No; 3], Need::NEVER, message);
                    if sides.channel == Channel::Experimental && !stable {
                        change.bump = change.bump.at_most_minor();
                    }
                    let path = property_path(&node.path(), name);
                    findings.push(finding(
                        sides.channel,
                        &RENAME,
                        new,
                        &version.name,
                        &path,
                        change,
                    ));
                }
            },
        );
    }
    findings
}

fn plural(one: &str, other: &str) -> bool {
    other.strip_suffix('s') == Some(one) || one.strip_suffix('s') == Some(other)
}

/// Compares the stable CRD with the experimental one of the same bundle.
fn channels(stable: &Published, experimental: &Published, findings: &mut Vec<Finding>) {
    for version in &stable.crd.versions {
        let beside = version_named(&experimental.crd, &version.name);
        if let Some(beside) = beside {
            for (place, message) in missing_beside_schema(version, beside) {
                let path = format!("spec.versions[{}]{place}", version.name);
                let missing = missing(&stable.crd, &version.name, &path, message);
                let stored = Verdict::Ok;
                findings.push(Finding {
                    change: Change {
                        stored,
                        ..missing.change
                    },
                    ..missing
                });
            }
        }
        let Some(schema) = &version.schema else {
            continue;
        };
        match beside.and_then(|beside| beside.schema.as_ref()) {
            Some(beside) => {
                subset(
                    &stable.crd,
                    version,
                    schema,
                    beside,
                    &mut String::new(),
                    findings,
                );
                stricter(&stable.crd, version, schema, beside, findings);
            }
            None => {
                let message = "the version is missing in the experimental channel";
                let path = format!("spec.versions[{}]", version.name);
                findings.push(missing(&stable.crd, &version.name, &path, message));
            }
        }
    }
}

fn subset(
    crd: &Crd,
    version: &Version,
    stable: &Schema,
    experimental: &Schema,
    path: &mut String,
    findings: &mut Vec<Finding>,
) {
    let length = path.len();
    let mut report = |path: &str, message: &str| {
        findings.push(missing(crd, &version.name, path, message));
    };
    let mut both: Vec<(Segment<&str>, &Schema, &Schema)> = Vec::new();
    for (name, own) in &stable.properties {
        match experimental.properties.get(name) {
            Some(other) => both.push((Segment::Property(name), own, other)),
            None => report(
                &property_path(path, name),
                "property is missing in the experimental channel",
            ),
        }
    }
    for name in &stable.required {
        let experimental = experimental.properties.contains_key(name);
        if experimental && !stable.properties.contains_key(name) {
            report(
                &property_path(path, name),
                "required in the stable channel, which lacks it",
            );
        }
    }
    if let (Some(own), Some(other)) = (&stable.items, &experimental.items) {
        both.push((Segment::Items, own, other));
    }
    if let (Some(Additional::Schema(own)), Some(Additional::Schema(other))) = (
        &stable.additional_properties,
        &experimental.additional_properties,
    ) {
        both.push((Segment::Values, own, other));
    }
    for (segment, own, other) in both {
        push(path, segment);
        subset(crd, version, own, other, path, findings);
        path.truncate(length);
    }
}

fn stricter(
    crd: &Crd,
    version: &Version,
    stable: &Schema,
    experimental: &Schema,
    findings: &mut Vec<Finding>,
) {
    walk(
        &SchemaPair::alone(stable, experimental),
        &mut |node, _, change| {
            if change.stored == Verdict::Ok || change.property_change.is_some() {
                return;
            }
            let message = format!("stricter in the experimental channel: {}", change.message);
            let verdicts = [change.stored, change.stored, Verdict::Ok];
            let change = Change::new(verdicts, Need::NONE, message);
            findings.push(finding(
                Channel::Experimental,
                &STRICTER,
                crd,
                &version.name,
                &node.path(),
                change,
            ));
        },
    );
}

/// Rules that read an optional property of their own node, or of a variable, without a presence test.
fn unguarded(channel: Channel, crd: &Crd, findings: &mut Vec<Finding>) {
    for version in &crd.versions {
        if let Some(schema) = &version.schema {
            let mut report = |path: &str, name: &Text, rule: &str| {
                let message = format!(
                    "rule `{rule}` reads `{name}`, which may be missing, without `has(..)`"
                );
                let change = Change::new([Verdict::Ok; 3], Need::NONE, message);
                findings.push(finding(
                    channel,
                    &UNGUARDED,
                    crd,
                    &version.name,
                    path,
                    change,
                ));
            };
            unguarded_below(schema, &mut String::new(), &mut report);
        }
    }
}

fn unguarded_below(schema: &Schema, path: &mut String, report: &mut impl FnMut(&str, &Text, &str)) {
    for rule in &schema.rules {
        for name in super::cel::unguarded(&rule.rule) {
            let property = schema.properties.get(&name);
            let optional = property.is_some_and(|property| property.default.is_none())
                && !schema.required.contains(&name);
            if optional {
                report(&property_path(path, &name), &name, &rule.rule);
            }
        }
    }
    let length = path.len();
    let mut children: Vec<(Segment<&str>, &Schema)> = Vec::new();
    children.extend(
        schema
            .properties
            .iter()
            .map(|(name, child)| (Segment::Property(&**name), &**child)),
    );
    children.extend(schema.items.as_deref().map(|items| (Segment::Items, items)));
    children.extend(schema.values().map(|values| (Segment::Values, &**values)));
    for (segment, child) in children {
        push(path, segment);
        unguarded_below(child, path, report);
        path.truncate(length);
    }
}
