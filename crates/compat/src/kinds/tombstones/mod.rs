//! Tombstones: a removed name keeps its tombstone and is never reused.

mod reused_names;

use super::lineage::Lineage;
use super::version_pair::version_named;
use crate::findings::verdict::{Channel, Need, Verdict};
use crate::findings::{Change, Finding, Gate, Record, Topic};
use crate::schemas::pair::property_path;
use crate::set::names_in_use::{KindNames, Name, Names, is_below};
use crate::set::{Crds, Set};
use crd_channels_released::manifest::{KindTombstone, NameTombstone, Tombstones, VersionTombstone};
use crd_channels_schema::Crd;
use std::collections::BTreeSet;

pub(crate) const MISSING: Record = Record {
    id: "tombstone-missing",
    topic: Topic::Breaking,
    gate: Gate::Absolute,
    waivable: true,
    summary: "A name was removed without a tombstone.",
    explanation: "Stored objects and manifests may still contain it, so the name must never be reused. Write `#[tombstone(..)]` on the type that had it, or an entry in `channels/tombstones.toml` for kinds and versions. If the type is not yours, write a waiver. A `status` that was only experimental needs none, since its controller writes it anew.",
};

pub(crate) const REUSED: Record = Record {
    id: "tombstone-reused",
    topic: Topic::Breaking,
    gate: Gate::Absolute,
    waivable: true,
    summary: "A name that a tombstone reserves is used again.",
    explanation: "Stored objects may still contain it with its old meaning, even if its type is the same. Choose another name. Only a version that had it before the tombstone was written may keep it. The tombstone of a version covers the names that only it had. A waiver's reason should quote that of the tombstone.",
};

pub(crate) const ERASED: Record = Record {
    id: "tombstone-erased",
    topic: Topic::Breaking,
    gate: Gate::Absolute,
    waivable: true,
    summary: "A tombstone of an earlier bundle was removed.",
    explanation: "A tombstone is permanent: it documents why the name is reserved. Restore it. Its bundle and reason may be corrected.",
};

/// Compares the new tombstones with the old ones and with the removed names. No findings if one of the sets does not record
/// tombstones.
pub(crate) fn check(lineage: Lineage<'_>, old: &Set, new: &Set) -> Vec<Finding> {
    let (Some(before), Some(now)) = (&old.tombstones, &new.tombstones) else {
        return Vec::new();
    };
    let conditions = old.records_conditions() && new.records_conditions();
    let names = |set| Names::with_conditions(set, conditions);
    let (was, is) = (names(old), names(new));
    let mut findings = Vec::new();
    let stable = old.channel(Channel::Stable);
    missing(&was, &is, now, stable, &mut findings);
    for tombstone in &before.kinds {
        let of = (tombstone.group.as_str(), tombstone.kind.as_str());
        if is
            .kinds
            .contains_key(&(&*tombstone.group, &*tombstone.kind))
        {
            findings.push(reused(of, ".", "the kind", &tombstone.removed));
        }
        let mut left = now.kinds.iter();
        if !left.any(|left| (&left.group, &left.kind) == (&tombstone.group, &tombstone.kind)) {
            findings.push(erased(of, ".", &tombstone.kind));
        }
    }
    for tombstone in &before.versions {
        let of = (tombstone.group.as_str(), tombstone.kind.as_str());
        let versions = is.kinds.get(&of);
        let path = format!("spec.versions[{}]", tombstone.version);
        if versions.is_some_and(|names| names.versions.contains_key(&*tombstone.version)) {
            findings.push(reused(of, &path, "the version", &tombstone.removed));
        }
        let mut left = now.versions.iter();
        let key = |of: &VersionTombstone| (of.group.clone(), of.kind.clone(), of.version.clone());
        if !left.any(|left| key(left) == key(tombstone)) {
            findings.push(erased(of, &path, &tombstone.version));
        }
    }
    for tombstone in &before.types {
        if !now.types.iter().any(|left| left.name == tombstone.name) {
            findings.push(about_name(
                erased(("", ""), ".", &tombstone.name),
                &tombstone.name,
            ));
        }
    }
    findings.extend(reused_names::check(lineage, (old, before), (&is, now)));
    for tombstone in &before.names {
        let Some(names) = is.kind(&tombstone.group, &tombstone.kind) else {
            continue;
        };
        let is_left = now.names.iter().any(|left| is_same(left, tombstone));
        let is_reused = findings.iter().any(|found| is_use_of(found, tombstone));
        if !is_left && (is_reused || can_say(names, tombstone)) {
            let of = (tombstone.group.as_str(), tombstone.kind.as_str());
            let found = erased(of, &tombstone.path, &tombstone.name);
            findings.push(about_name(found, &tombstone.name));
        }
    }
    findings
}

/// Whether a type remains that can declare the tombstone: a version has the place, and not the name. Otherwise the ledger of
/// the bundles keeps it.
fn can_say(names: &KindNames<'_>, tombstone: &NameTombstone) -> bool {
    let mut versions = names.versions.values();
    versions.any(|names| {
        let mut here = names.iter().filter(|(path, _)| *path == tombstone.path);
        here.clone().next().is_some() && here.all(|(_, name)| *name != tombstone.name)
    })
}

fn is_use_of(finding: &Finding, tombstone: &NameTombstone) -> bool {
    finding.record.id == REUSED.id
        && (&*finding.group, &*finding.kind) == (&*tombstone.group, &*tombstone.kind)
        && finding.path == tombstone.path
        && finding.change.member.as_deref() == Some(&*tombstone.name)
}

/// Whether two tombstones are about the same name at the same place.
fn is_same(one: &NameTombstone, other: &NameTombstone) -> bool {
    (&one.group, &one.kind, &one.path, &one.name)
        == (&other.group, &other.kind, &other.path, &other.name)
}

/// Merges the tombstones of several bundles and of a new one, which must carry all of them on. Of two for the same name the
/// first is kept.
#[must_use]
pub fn union<'t>(all: impl IntoIterator<Item = &'t Tombstones>) -> Tombstones {
    let mut whole = Tombstones::default();
    for one in all {
        let Tombstones {
            kinds,
            versions,
            types,
            names,
        } = one;
        for tombstone in kinds {
            let key = |tombstone: &KindTombstone| (tombstone.group.clone(), tombstone.kind.clone());
            add(&mut whole.kinds, tombstone, key);
        }
        for tombstone in versions {
            let key = |tombstone: &VersionTombstone| {
                let VersionTombstone {
                    group,
                    kind,
                    version,
                    ..
                } = tombstone;
                (group.clone(), kind.clone(), version.clone())
            };
            add(&mut whole.versions, tombstone, key);
        }
        for tombstone in types {
            add(&mut whole.types, tombstone, |tombstone| {
                tombstone.name.clone()
            });
        }
        for tombstone in names {
            let key = |tombstone: &NameTombstone| {
                let NameTombstone {
                    group,
                    kind,
                    path,
                    name,
                    ..
                } = tombstone;
                (group.clone(), kind.clone(), path.clone(), name.clone())
            };
            add(&mut whole.names, tombstone, key);
        }
    }
    whole.kinds.sort();
    whole.versions.sort();
    whole.types.sort();
    whole.names.sort();
    whole
}

/// Returns the reason that the tombstone of what a change removed gives.
#[must_use]
pub fn reason_of_removal<'t>(
    code: &str,
    (group, kind): (Option<&str>, &str),
    [version, path, message]: [&str; 3],
    tombstones: &'t Tombstones,
) -> Option<&'t str> {
    let is_it = |of_group: &str, of_kind: &str| {
        of_kind == kind && group.is_none_or(|group| group == of_group)
    };
    let Tombstones {
        kinds,
        versions,
        types: _,
        names,
    } = tombstones;
    let mut names = names.iter().filter(|one| is_it(&one.group, &one.kind));
    match code {
        "kind-removed" => {
            let found = kinds.iter().find(|one| is_it(&one.group, &one.kind))?;
            Some(&found.reason)
        }
        "version-removed" => {
            let mut own = versions.iter().filter(|one| is_it(&one.group, &one.kind));
            Some(&own.find(|one| one.version == version)?.reason)
        }
        "property-moved" | "property-removed" | "property-renamed" => {
            let found = names.find(|one| property_path(&one.path, &one.name) == path)?;
            Some(&found.reason)
        }
        "enum-value-removed" => {
            let mut here = names.filter(|one| one.path == path);
            let found = here.find(|one| message.contains(&format!("`{}`", one.name)))?;
            Some(&found.reason)
        }
        _ => None,
    }
}

fn add<T: Clone, K: Eq>(all: &mut Vec<T>, one: &T, key: impl Fn(&T) -> K) {
    if !all.iter().any(|known| key(known) == key(one)) {
        all.push(one.clone());
    }
}

/// Whether a name is that of a status which no stable CRD had. Its controller writes it anew, and there is no type of the root
/// that could have the tombstone.
fn is_experimental_status(
    stable: Option<&Crds>,
    (group, kind, version): (&str, &str, &str),
    (path, last): &Name,
) -> bool {
    let is_it = |crd: &&Crd| (&*crd.group, &*crd.names.kind) == (group, kind);
    let mut crds = stable.into_iter().flat_map(Crds::values);
    let crd = crds.find_map(|published| Some(&published.crd).filter(is_it));
    let version = crd.and_then(|crd| version_named(crd, version));
    let schema = version.and_then(|version| version.schema.as_ref());
    let is_stable = schema.is_some_and(|schema| schema.properties.contains_key(last.as_str()));
    path == "." && last == "status" && !is_stable
}

fn missing(
    was: &Names<'_>,
    is: &Names<'_>,
    now: &Tombstones,
    stable: Option<&Crds>,
    findings: &mut Vec<Finding>,
) {
    for ((group, kind), before) in &was.kinds {
        let Some(after) = is.kinds.get(&(*group, *kind)) else {
            let mut tombstones = now.kinds.iter();
            if !tombstones.any(|tombstone| (&*tombstone.group, &*tombstone.kind) == (*group, *kind))
            {
                findings.push(finding(
                    &MISSING,
                    (*group, *kind),
                    ".",
                    "the kind was removed without a tombstone".to_owned(),
                ));
            }
            continue;
        };
        for (version, names) in &before.versions {
            if !after.versions.contains_key(version) {
                let is_it = |tombstone: &VersionTombstone| {
                    (&*tombstone.group, &*tombstone.kind, &*tombstone.version)
                        == (*group, *kind, *version)
                };
                if !now.versions.iter().any(is_it) {
                    let path = format!("spec.versions[{version}]");
                    let message = "the version was removed without a tombstone".to_owned();
                    findings.push(finding(&MISSING, (*group, *kind), &path, message));
                }
                continue;
            }
            let there = |name: &Name| after.has(name);
            for name @ (path, last) in names.iter().filter(|name| !there(name)) {
                // A removed parent removes everything below it.
                let above_gone = names
                    .iter()
                    .any(|other| other != name && !there(other) && is_below(path, other));
                let is_it = |tombstone: &NameTombstone| {
                    (
                        &*tombstone.group,
                        &*tombstone.kind,
                        &*tombstone.path,
                        &*tombstone.name,
                    ) == (*group, *kind, path.as_str(), last.as_str())
                };
                let of = (*group, *kind, *version);
                let rebuilt = is_experimental_status(stable, of, name);
                if !above_gone && !rebuilt && !now.names.iter().any(is_it) {
                    let message = format!("`{last}` was removed without a tombstone");
                    let found = finding(&MISSING, (*group, *kind), path, message);
                    findings.push(about_name(found, last));
                }
            }
        }
    }
    // One cause, in any number of versions.
    let mut seen = BTreeSet::new();
    findings.retain(|found| {
        let key = (
            found.group.clone(),
            found.kind.clone(),
            found.path.clone(),
            found.change.message.clone(),
        );
        seen.insert(key)
    });
}

fn reused(of: (&str, &str), path: &str, what: &str, removed: &str) -> Finding {
    let message = format!("{what} was removed in {removed} and is used again");
    finding(&REUSED, of, path, message)
}

fn erased(of: (&str, &str), path: &str, name: &str) -> Finding {
    let message = format!("the tombstone of `{name}` was removed");
    finding(&ERASED, of, path, message)
}

/// The same finding, about a name inside the kind.
fn about_name(mut found: Finding, name: &str) -> Finding {
    found.change = found.change.of_member(name);
    found
}

/// A finding about the kind of a group.
fn finding(
    record: &'static Record,
    (group, kind): (&str, &str),
    path: &str,
    message: String,
) -> Finding {
    let change = Change::new([Verdict::Unknown; 3], Need::NEVER, message);
    Finding::new(record, Channel::Experimental, path, change).of_kind(group, kind)
}
