//! Tombstones: names that are gone keep one, and never come back.

use super::finding::{Change, Finding, Gate, Record, Topic};
use super::node::{Step, child, push};
use super::set::{Crds, Set};
use super::verdict::{Channel, Need, Verdict};
use crate::Text;
use crate::released::manifest::{GoneKind, GoneName, GoneVersion, Tombstones};
use crate::schema::path::leads_through;
use crate::schema::{Crd, Schema};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const MISSING: Record = Record {
    id: "tombstone-missing",
    rows: &[118],
    topic: Topic::Breaking,
    gate: Gate::Absolute,
    waivable: true,
    summary: "A name is gone and has no tombstone.",
    explanation: "Stored objects and manifests may still carry it, so nothing else may ever be called so. Write `#[tombstone(..)]` on the type that had it, or an entry in `channels/tombstones.toml` for kinds and versions. Where the type is not yours, a waiver is the way.",
};

pub(super) const REUSED: Record = Record {
    id: "tombstone-reused",
    rows: &[119],
    topic: Topic::Breaking,
    gate: Gate::Absolute,
    waivable: true,
    summary: "A name is used again that a tombstone keeps out of use.",
    explanation: "Stored objects may still carry it with its old meaning, whatever its type is now. Choose another name. The reason of a waiver should quote the tombstone's.",
};

pub(super) const ERASED: Record = Record {
    id: "tombstone-erased",
    rows: &[120],
    topic: Topic::Breaking,
    gate: Gate::Absolute,
    waivable: true,
    summary: "A tombstone of an earlier bundle is gone.",
    explanation: "A tombstone holds for ever: the next author has to see why the name is not free. Write it back. What it says of the bundle and the reason may be corrected.",
};

/// What the new tombstones make of the old ones, and of what is gone. Nothing where one of the sets has none to tell of.
pub(super) fn check(old: &Set, new: &Set) -> Vec<Finding> {
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
    for grave in &before.names {
        let Some(names) = is.kinds.get(&(&*grave.group, &*grave.kind)) else {
            continue;
        };
        let mut places = names.versions.values();
        if places.any(|names| names.contains(&(grave.path.clone(), grave.name.clone()))) {
            let what = format!("the name `{}`", grave.name);
            let found = reused(&grave.kind, &grave.path, &what, &grave.removed);
            findings.push(named(found, &grave.name));
        }
        let mut places = names.versions.values();
        // Where nothing is left of the place no type is left to say it on; the ledger keeps it.
        let there = places.any(|names| names.iter().any(|(path, _)| *path == grave.path));
        let mut left = now.names.iter();
        let is_it = |left: &GoneName| {
            (&left.group, &left.kind, &left.path, &left.name)
                == (&grave.group, &grave.kind, &grave.path, &grave.name)
        };
        if there && !left.any(is_it) {
            let found = erased(&grave.kind, &grave.path, &grave.name);
            findings.push(named(found, &grave.name));
        }
    }
    findings
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
                    "the kind is gone and has no tombstone".to_owned(),
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
                    let message = "the version is gone and has no tombstone".to_owned();
                    findings.push(finding(&MISSING, kind, &path, message));
                }
                continue;
            }
            let there =
                |name: &(String, String)| after.versions.values().any(|names| names.contains(name));
            for name @ (path, last) in names.iter().filter(|name| !there(name)) {
                // What stood below something that is gone went with it.
                let above_gone = names.iter().any(|other @ (above, step)| {
                    other != name && !there(other) && is_below(path, above, step)
                });
                let is_it = |grave: &GoneName| {
                    (&*grave.group, &*grave.kind, &*grave.path, &*grave.name)
                        == (*group, *kind, path.as_str(), last.as_str())
                };
                if !above_gone && !now.names.iter().any(is_it) {
                    let message = format!("`{last}` is gone and has no tombstone");
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

/// Whether a path leads through a name of another place.
fn is_below(path: &str, above: &str, step: &str) -> bool {
    let mut name = if above == "." {
        String::new()
    } else {
        above.to_owned()
    };
    push(&mut name, Step::Property(step));
    leads_through(path, &name)
}

fn reused(kind: &str, path: &str, what: &str, removed: &str) -> Finding {
    let message = format!("{what} was removed in {removed} and is used again");
    finding(&REUSED, kind, path, message)
}

fn erased(kind: &str, path: &str, name: &str) -> Finding {
    let message = format!("the tombstone of `{name}` is gone");
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

/// All names of a set, by group and kind, whatever the channel.
struct Names<'s> {
    kinds: BTreeMap<(&'s str, &'s str), KindNames<'s>>,
}

/// The names of each version: the place that has them, and the property or the value of an enum.
#[derive(Default)]
struct KindNames<'s> {
    versions: BTreeMap<&'s str, BTreeSet<(String, String)>>,
}

impl<'s> Names<'s> {
    fn of(set: &'s Set) -> Self {
        let mut kinds: BTreeMap<(&str, &str), KindNames<'_>> = BTreeMap::new();
        for published in set.channels.values().flat_map(Crds::values) {
            let Crd {
                group,
                names,
                versions,
                ..
            } = &published.crd;
            let kind = kinds.entry((&**group, &*names.kind)).or_default();
            for version in versions {
                let names = kind.versions.entry(&*version.name).or_default();
                if let Some(schema) = &version.schema {
                    collect(schema, "", names);
                }
            }
        }
        Self { kinds }
    }
}

/// What sets call their kinds, versions, properties and values.
pub struct Called<'s> {
    sets: Vec<Names<'s>>,
}

impl<'s> Called<'s> {
    /// The names of some sets.
    #[must_use]
    pub fn of(sets: impl Iterator<Item = &'s Set>) -> Self {
        Self {
            sets: sets.map(Names::of).collect(),
        }
    }

    /// Whether any set has the kind.
    #[must_use]
    pub fn has_kind(&self, group: &str, kind: &str) -> bool {
        let mut sets = self.sets.iter();
        sets.any(|names| names.kinds.contains_key(&(group, kind)))
    }

    /// Whether any set has the version of the kind.
    #[must_use]
    pub fn has_version(&self, group: &str, kind: &str, version: &str) -> bool {
        let mut kinds = self
            .sets
            .iter()
            .filter_map(|names| names.kinds.get(&(group, kind)));
        kinds.any(|kind| kind.versions.contains_key(version))
    }

    /// Whether any set has a property or a value of that name, wherever: types move.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        let kinds = self.sets.iter().flat_map(|names| names.kinds.values());
        let mut versions = kinds.flat_map(|kind| kind.versions.values());
        versions.any(|names| names.iter().any(|(_, known)| known == name))
    }
}

fn collect(schema: &Schema, path: &str, names: &mut BTreeSet<(String, String)>) {
    let place = if path.is_empty() { "." } else { path };
    for name in schema.properties.keys() {
        names.insert((place.to_owned(), name.to_string()));
    }
    for value in schema.enum_values.iter().filter_map(Value::as_str) {
        names.insert((place.to_owned(), value.to_owned()));
    }
    let properties = schema.properties.keys().map(|name| Step::Property(name));
    for step in properties.chain([Step::Items, Step::Values]) {
        if let Some(below) = child(schema, step) {
            let mut path = path.to_owned();
            push(&mut path, step);
            collect(below, &path, names);
        }
    }
}
