//! Tombstones: names that are gone keep one, and never come back.

mod again;

use super::called::{KindNames, Name, Names, is_below};
use super::finding::{Change, Finding, Gate, Record, Topic};
use super::lineage::Lineage;
use super::set::Set;
use super::verdict::{Channel, Need, Verdict};
use crd_channels_cel::Text;
use crd_channels_released::manifest::{GoneKind, GoneName, GoneVersion, Tombstones};
use std::collections::BTreeSet;

pub(super) const MISSING: Record = Record {
    id: "tombstone-missing",
    rows: &[118],
    topic: Topic::Breaking,
    gate: Gate::Absolute,
    waivable: true,
    summary: "A name was removed without a tombstone.",
    explanation: "Stored objects and manifests may still contain it, so the name must never be reused. Write `#[tombstone(..)]` on the type that had it, or an entry in `channels/tombstones.toml` for kinds and versions. If the type is not yours, write a waiver.",
};

pub(super) const REUSED: Record = Record {
    id: "tombstone-reused",
    rows: &[119],
    topic: Topic::Breaking,
    gate: Gate::Absolute,
    waivable: true,
    summary: "A name that a tombstone reserves is used again.",
    explanation: "Stored objects may still contain it with its old meaning, even if its type is the same. Choose another name. Only a version that had it before the tombstone was written may keep it. The tombstone of a version covers the names that only it had. A waiver's reason should quote that of the tombstone.",
};

pub(super) const ERASED: Record = Record {
    id: "tombstone-erased",
    rows: &[120],
    topic: Topic::Breaking,
    gate: Gate::Absolute,
    waivable: true,
    summary: "A tombstone of an earlier bundle was removed.",
    explanation: "A tombstone is permanent: it documents why the name is reserved. Restore it. Its bundle and reason may be corrected.",
};

/// What the new tombstones make of the old ones, and of what is gone. Nothing where one of the sets has none to tell of.
pub(super) fn check(lineage: Lineage<'_>, old: &Set, new: &Set) -> Vec<Finding> {
    let (Some(before), Some(now)) = (&old.tombstones, &new.tombstones) else {
        return Vec::new();
    };
    let (was, is) = (Names::of(old), Names::of(new));
    let mut findings = Vec::new();
    missing(&was, &is, now, &mut findings);
    for grave in &before.kinds {
        let grave_of = (grave.group.as_str(), grave.kind.as_str());
        if is.kinds.contains_key(&(&*grave.group, &*grave.kind)) {
            findings.push(reused(grave_of.1, ".", "the kind", &grave.removed));
        }
        let mut left = now.kinds.iter();
        if !left.any(|left| (&left.group, &left.kind) == (&grave.group, &grave.kind)) {
            findings.push(erased(grave_of.1, ".", &grave.kind));
        }
    }
    for grave in &before.versions {
        let versions = is.kinds.get(&(&*grave.group, &*grave.kind));
        let path = format!("spec.versions[{}]", grave.version);
        if versions.is_some_and(|names| names.versions.contains_key(&*grave.version)) {
            findings.push(reused(&grave.kind, &path, "the version", &grave.removed));
        }
        let mut left = now.versions.iter();
        let key = |of: &GoneVersion| (of.group.clone(), of.kind.clone(), of.version.clone());
        if !left.any(|left| key(left) == key(grave)) {
            findings.push(erased(&grave.kind, &path, &grave.version));
        }
    }
    for grave in &before.types {
        if !now.types.iter().any(|left| left.name == grave.name) {
            findings.push(named(erased("", ".", &grave.name), &grave.name));
        }
    }
    findings.extend(again::check(lineage, (old, before), (&is, now)));
    for grave in &before.names {
        let Some(names) = is.kind(&grave.group, &grave.kind) else {
            continue;
        };
        let is_left = now.names.iter().any(|left| is_same(left, grave));
        let is_reused = findings.iter().any(|found| is_use_of(found, grave));
        if !is_left && (is_reused || can_say(names, grave)) {
            let found = erased(&grave.kind, &grave.path, &grave.name);
            findings.push(named(found, &grave.name));
        }
    }
    findings
}

/// Whether a type is left on which the tombstone could stand: a version has the place, and not the name. Elsewhere the ledger
/// of the bundles keeps it.
fn can_say(names: &KindNames<'_>, grave: &GoneName) -> bool {
    let mut versions = names.versions.values();
    versions.any(|names| {
        let mut here = names.iter().filter(|(path, _)| *path == grave.path);
        here.clone().next().is_some() && here.all(|(_, name)| *name != grave.name)
    })
}

fn is_use_of(finding: &Finding, grave: &GoneName) -> bool {
    let of = (
        &*finding.kind,
        &*finding.path,
        finding.change.member.as_deref(),
    );
    finding.record.id == REUSED.id && of == (&*grave.kind, &*grave.path, Some(&*grave.name))
}

/// Whether two tombstones are about the same name at the same place.
fn is_same(one: &GoneName, other: &GoneName) -> bool {
    (&one.group, &one.kind, &one.path, &one.name)
        == (&other.group, &other.kind, &other.path, &other.name)
}

/// The tombstones of several bundles together, and those of a new one: what a new bundle has to carry on. Of two about one
/// thing the first stays.
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
        for grave in kinds {
            let key = |grave: &GoneKind| (grave.group.clone(), grave.kind.clone());
            add(&mut whole.kinds, grave, key);
        }
        for grave in versions {
            let key = |grave: &GoneVersion| {
                let GoneVersion {
                    group,
                    kind,
                    version,
                    ..
                } = grave;
                (group.clone(), kind.clone(), version.clone())
            };
            add(&mut whole.versions, grave, key);
        }
        for grave in types {
            add(&mut whole.types, grave, |grave| grave.name.clone());
        }
        for grave in names {
            let key = |grave: &GoneName| {
                let GoneName {
                    group,
                    kind,
                    path,
                    name,
                    ..
                } = grave;
                (group.clone(), kind.clone(), path.clone(), name.clone())
            };
            add(&mut whole.names, grave, key);
        }
    }
    whole.kinds.sort();
    whole.versions.sort();
    whole.types.sort();
    whole.names.sort();
    whole
}

fn add<T: Clone, K: Eq>(all: &mut Vec<T>, one: &T, key: impl Fn(&T) -> K) {
    if !all.iter().any(|known| key(known) == key(one)) {
        all.push(one.clone());
    }
}

fn missing(was: &Names<'_>, is: &Names<'_>, now: &Tombstones, findings: &mut Vec<Finding>) {
    for ((group, kind), before) in &was.kinds {
        let Some(after) = is.kinds.get(&(*group, *kind)) else {
            let mut graves = now.kinds.iter();
            if !graves.any(|grave| (&*grave.group, &*grave.kind) == (*group, *kind)) {
                findings.push(finding(
                    &MISSING,
                    kind,
                    ".",
                    "the kind was removed without a tombstone".to_owned(),
                ));
            }
            continue;
        };
        for (version, names) in &before.versions {
            if !after.versions.contains_key(version) {
                let is_it = |grave: &GoneVersion| {
                    (&*grave.group, &*grave.kind, &*grave.version) == (*group, *kind, *version)
                };
                if !now.versions.iter().any(is_it) {
                    let path = format!("spec.versions[{version}]");
                    let message = "the version was removed without a tombstone".to_owned();
                    findings.push(finding(&MISSING, kind, &path, message));
                }
                continue;
            }
            let there = |name: &Name| after.has(name);
            for name @ (path, last) in names.iter().filter(|name| !there(name)) {
                // What stood below something that is gone went with it.
                let above_gone = names
                    .iter()
                    .any(|other| other != name && !there(other) && is_below(path, other));
                let is_it = |grave: &GoneName| {
                    (&*grave.group, &*grave.kind, &*grave.path, &*grave.name)
                        == (*group, *kind, path.as_str(), last.as_str())
                };
                if !above_gone && !now.names.iter().any(is_it) {
                    let message = format!("`{last}` was removed without a tombstone");
                    findings.push(named(finding(&MISSING, kind, path, message), last));
                }
            }
        }
    }
    // One cause, in whatever versions.
    let mut seen = BTreeSet::new();
    findings.retain(|found| {
        let key = (
            found.kind.clone(),
            found.path.clone(),
            found.change.message.clone(),
        );
        seen.insert(key)
    });
}

fn reused(kind: &str, path: &str, what: &str, removed: &str) -> Finding {
    let message = format!("{what} was removed in {removed} and is used again");
    finding(&REUSED, kind, path, message)
}

fn erased(kind: &str, path: &str, name: &str) -> Finding {
    let message = format!("the tombstone of `{name}` was removed");
    finding(&ERASED, kind, path, message)
}

/// The same about a name inside the kind.
fn named(mut found: Finding, name: &str) -> Finding {
    found.change = found.change.of_member(name);
    found
}

fn finding(record: &'static Record, kind: &str, path: &str, message: String) -> Finding {
    Finding {
        record,
        kind: kind.into(),
        version: Text::default(),
        path: path.to_owned(),
        channel: Channel::Experimental,
        within: None,
        change: Change::new([Verdict::Unknown; 3], Need::NEVER, message),
        origin: None,
        waived: None,
    }
}
