//! The names in use in a set: kinds, versions, properties and enum values.

use super::{Crds, Published, Set};
use crate::schemas::pair::{Segment, child, push};
use crd_channels_released::manifest::ConditionList;
use crd_channels_schema::path::{condition, leads_through};
use crd_channels_schema::{Crd, Schema};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The path of a node, and the name of its property or enum value.
pub(crate) type Name = (String, String);

/// All names of a set, by group and kind, whatever the channel.
pub(crate) struct Names<'s> {
    pub(crate) kinds: BTreeMap<(&'s str, &'s str), KindNames<'s>>,
}

/// The names of each version.
#[derive(Default)]
pub(crate) struct KindNames<'s> {
    pub(crate) versions: BTreeMap<&'s str, BTreeSet<Name>>,
}

impl<'s> Names<'s> {
    pub(crate) fn of_set(set: &'s Set) -> Self {
        Self::with_conditions(set, true)
    }

    /// The names with or without those of conditions, which cannot be compared with a set that does not record them.
    pub(crate) fn with_conditions(set: &'s Set, conditions: bool) -> Self {
        let mut kinds: BTreeMap<(&str, &str), KindNames<'_>> = BTreeMap::new();
        for published in all(set) {
            let Crd { group, names, .. } = &published.crd;
            let of_kind = kinds.entry((group, &names.kind)).or_default();
            of_kind.add(published, conditions);
        }
        Self { kinds }
    }

    pub(crate) fn kind<'a>(&'a self, group: &'a str, kind: &'a str) -> Option<&'a KindNames<'a>> {
        self.kinds.get(&(group, kind))
    }
}

impl<'s> KindNames<'s> {
    /// The names of one kind; empty if the set does not have it.
    pub(crate) fn of_kind(set: &'s Set, group: &str, kind: &str) -> Self {
        let mut names = Self::default();
        let is_it = |crd: &Crd| (&*crd.group, &*crd.names.kind) == (group, kind);
        for published in all(set).filter(|published| is_it(&published.crd)) {
            names.add(published, true);
        }
        names
    }

    fn add(&mut self, published: &'s Published, conditions: bool) {
        for version in &published.crd.versions {
            let names = self.versions.entry(&*version.name).or_default();
            if let Some(schema) = &version.schema {
                collect(schema, "", names);
            }
            let lists = published.conditions.iter().flatten();
            let own = |list: &&ConditionList| conditions && *list.version == *version.name;
            for list in lists.filter(own) {
                collect_conditions(list, names);
            }
        }
    }

    /// Whether any version has the name.
    pub(crate) fn has(&self, name: &Name) -> bool {
        self.versions.values().any(|names| names.contains(name))
    }

    /// Whether a version has the name.
    pub(crate) fn has_in(&self, version: &str, name: &Name) -> bool {
        let names = self.versions.get(version);
        names.is_some_and(|names| names.contains(name))
    }
}

fn all(set: &Set) -> impl Iterator<Item = &Published> {
    set.channels.values().flat_map(Crds::values)
}

/// Condition types are names at the path of their list, and reasons at the path of their condition.
fn collect_conditions(list: &ConditionList, names: &mut BTreeSet<Name>) {
    for of in &list.types {
        names.insert((list.path.clone(), of.name.clone()));
        let place = condition(&list.path, &of.name);
        let reasons = of.reasons.iter().filter_map(|reason| reason.name.clone());
        names.extend(reasons.map(|reason| (place.clone(), reason)));
    }
}

fn collect(schema: &Schema, path: &str, names: &mut BTreeSet<Name>) {
    let place = if path.is_empty() { "." } else { path };
    for name in schema.properties.keys() {
        names.insert((place.to_owned(), name.to_string()));
    }
    for value in schema.enum_values.iter().filter_map(Value::as_str) {
        names.insert((place.to_owned(), value.to_owned()));
    }
    let properties = schema
        .properties
        .keys()
        .map(|name| Segment::Property(&**name));
    for segment in properties.chain([Segment::Items, Segment::Values]) {
        if let Some(below) = child(schema, segment) {
            let mut path = path.to_owned();
            push(&mut path, segment);
            collect(below, &path, names);
        }
    }
}

/// Whether a path leads through a name of another place.
pub(crate) fn is_below(path: &str, (above, property): &Name) -> bool {
    if leads_through(path, &condition(above, property)) {
        return true;
    }
    let mut name = if above == "." {
        String::new()
    } else {
        above.to_owned()
    };
    push(&mut name, Segment::Property(property));
    leads_through(path, &name)
}

/// The names of several sets.
pub struct NamesInUse<'s> {
    sets: Vec<Names<'s>>,
}

/// An object or a value of a kind.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Spot {
    /// The group of the kind.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The place, as in `spec.rules[]`; `.` for the root.
    pub path: String,
}

impl<'s> NamesInUse<'s> {
    /// The names of some sets.
    #[must_use]
    pub fn of_sets(sets: impl Iterator<Item = &'s Set>) -> Self {
        Self {
            sets: sets.map(Names::of_set).collect(),
        }
    }

    /// Whether any set has the kind.
    #[must_use]
    pub fn has_kind(&self, group: &str, kind: &str) -> bool {
        let mut sets = self.sets.iter();
        sets.any(|names| names.kind(group, kind).is_some())
    }

    /// Whether any set has the version of the kind.
    #[must_use]
    pub fn has_version(&self, group: &str, kind: &str, version: &str) -> bool {
        let mut kinds = self.sets.iter().filter_map(|names| names.kind(group, kind));
        kinds.any(|kind| kind.versions.contains_key(version))
    }

    /// The places at which any version of any set has a property or enum value of that name, with all names that occur beside
    /// it.
    #[must_use]
    pub fn spots(&self, name: &str) -> BTreeMap<Spot, BTreeSet<&str>> {
        let mut found = BTreeMap::new();
        for ((group, kind), names) in self.versions() {
            for (path, _) in names.iter().filter(|(_, known)| known == name) {
                let spot = Spot {
                    group: group.to_owned(),
                    kind: kind.to_owned(),
                    path: path.clone(),
                };
                let beside: &mut BTreeSet<&str> = found.entry(spot).or_default();
                beside.extend(names_at_path(names, path));
            }
        }
        found
    }

    /// Whether every version that has names at a place has this one there.
    #[must_use]
    pub fn has_everywhere(&self, name: &str, spot: &Spot) -> bool {
        let of_kind = self
            .versions()
            .filter(|(of, _)| *of == (&*spot.group, &*spot.kind));
        let mut here = of_kind
            .map(|(_, names)| names_at_path(names, &spot.path).collect::<BTreeSet<&str>>())
            .filter(|here| !here.is_empty())
            .peekable();
        here.peek().is_some() && here.all(|here| here.contains(name))
    }

    /// The names at a place, in any set and version.
    #[must_use]
    pub fn names_at<'a>(&'a self, spot: &'a Spot) -> BTreeSet<&'a str> {
        let of_kind = self
            .versions()
            .filter(|(of, _)| *of == (&*spot.group, &*spot.kind));
        of_kind
            .flat_map(|(_, names)| names_at_path(names, &spot.path))
            .collect()
    }

    fn versions(&self) -> impl Iterator<Item = ((&str, &str), &BTreeSet<Name>)> {
        let kinds = self.sets.iter().flat_map(|names| &names.kinds);
        kinds.flat_map(|(of, kind)| kind.versions.values().map(move |names| (*of, names)))
    }
}

fn names_at_path<'n>(names: &'n BTreeSet<Name>, path: &'n str) -> impl Iterator<Item = &'n str> {
    let here = names.iter().filter(move |(place, _)| place == path);
    here.map(|(_, name)| name.as_str())
}
