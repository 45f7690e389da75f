//! Merges the removal and the addition of a renamed or moved property into one finding, if there is evidence besides the type:
//! a similar name or the same text.

use super::normalize::bare;
use crate::findings::verdict::Need;
use crate::findings::{Change, Finding, Gate, PropertyChange, Record, Topic};
use crd_channels_schema::Schema;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const RENAMED: Record = Record {
    id: "property-renamed",
    topic: Topic::Removed,
    gate: Gate::Node,
    waivable: false,
    summary: "A property was renamed.",
    explanation: "The value under the old name is pruned. Rename it in a new API version with conversion; the old name needs a tombstone.",
};

pub(crate) const MOVED: Record = Record {
    id: "property-moved",
    topic: Topic::Removed,
    gate: Gate::Node,
    waivable: false,
    summary: "A property was moved.",
    explanation: "The value at the old path is pruned. Move it in a new API version with conversion; the old name needs a tombstone.",
};

/// The number of names on each side of a name in their order that are compared with it.
const NEIGHBOURS: usize = 8;

/// Pairs removed with added properties, if each has exactly one counterpart.
pub(crate) fn recognise(findings: &mut Vec<Finding>) {
    let gone: Vec<usize> = (0..findings.len())
        .filter(|place| {
            matches!(
                property_change(findings, *place),
                Some(PropertyChange::Removed(_))
            )
        })
        .collect();
    let added = AddedProperties::from_findings(findings);
    if gone.is_empty() || added.is_empty() {
        return;
    }
    let mut matched: BTreeSet<usize> = BTreeSet::new();
    for removed in gone {
        let matching = added.near(findings, removed).into_iter();
        let mut matching = matching
            .filter(|added| !matched.contains(added))
            .filter(|added| alike(findings, removed, *added));
        let (Some(added), None) = (matching.next(), matching.next()) else {
            continue;
        };
        drop(matching);
        matched.insert(added);
        let new_path = findings
            .get(added)
            .map(|finding| finding.path.clone())
            .unwrap_or_default();
        let Some(finding) = findings.get_mut(removed) else {
            continue;
        };
        let same_parent = parent(&finding.path) == parent(&new_path);
        finding.record = if same_parent { &RENAMED } else { &MOVED };
        let verb = if same_parent { "renamed" } else { "moved" };
        let Change { message, bump, .. } = &mut finding.change;
        *message = format!("property {verb} to `{new_path}`");
        // If the old place was experimental, the bump is already a minor.
        if bump.counts_as() > Need::MINOR.counts_as() {
            *bump = Need::VERSION;
        }
    }
    let mut index = 0;
    findings.retain(|_| {
        index += 1;
        !matched.contains(&(index - 1))
    });
}

fn property_change(findings: &[Finding], place: usize) -> Option<&PropertyChange> {
    findings.get(place)?.change.property_change.as_ref()
}

/// The added properties, in the orders in which counterparts are near each other: by name and by its end, among siblings, and
/// by name among all.
#[derive(Default)]
struct AddedProperties {
    siblings: BTreeMap<(String, String), usize>,
    backwards: BTreeMap<(String, String), usize>,
    by_leaf: BTreeMap<(String, usize), usize>,
    by_fields: BTreeMap<(String, usize), usize>,
}

impl AddedProperties {
    fn from_findings(findings: &[Finding]) -> Self {
        let mut added = Self::default();
        for (place, finding) in findings.iter().enumerate() {
            let Some(PropertyChange::Added(schema)) = &finding.change.property_change else {
                continue;
            };
            let (parent, leaf) = (parent(&finding.path), leaf(&finding.path));
            added
                .siblings
                .insert((parent.to_owned(), leaf.to_owned()), place);
            added
                .backwards
                .insert((parent.to_owned(), reversed(leaf)), place);
            added.by_leaf.insert((leaf.to_owned(), place), place);
            added.by_fields.insert((fields(schema), place), place);
        }
        added
    }

    fn is_empty(&self) -> bool {
        self.siblings.is_empty()
    }

    /// The added properties that may be the counterpart of a removed one.
    fn near(&self, findings: &[Finding], removed: usize) -> BTreeSet<usize> {
        let mut near = BTreeSet::new();
        let (Some(finding), Some(PropertyChange::Removed(schema))) =
            (findings.get(removed), property_change(findings, removed))
        else {
            return near;
        };
        let (parent, leaf) = (parent(&finding.path).to_owned(), leaf(&finding.path));
        around(
            &self.siblings,
            &(parent.clone(), leaf.to_owned()),
            &mut near,
        );
        around(&self.backwards, &(parent, reversed(leaf)), &mut near);
        around(&self.by_leaf, &(leaf.to_owned(), 0), &mut near);
        around(&self.by_fields, &(fields(schema), 0), &mut near);
        near
    }
}

/// The entries next to a key.
fn around<K: Ord>(all: &BTreeMap<K, usize>, key: &K, near: &mut BTreeSet<usize>) {
    near.extend(all.range(key..).take(NEIGHBOURS).map(|(_, place)| *place));
    near.extend(
        all.range(..key)
            .rev()
            .take(NEIGHBOURS)
            .map(|(_, place)| *place),
    );
}

fn reversed(name: &str) -> String {
    name.chars().rev().collect()
}

/// The names of the properties of a schema.
fn fields(schema: &Schema) -> String {
    let names: Vec<&str> = schema.properties.keys().map(|name| &**name).collect();
    names.join(" ")
}

fn parent(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(parent, _)| parent)
}

fn leaf(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(_, leaf)| leaf)
}

/// Whether an added property may be the removed one under another name or at another place.
fn alike(findings: &[Finding], removed: usize, added: usize) -> bool {
    let schema = |index: usize| match property_change(findings, index)? {
        PropertyChange::Added(schema) | PropertyChange::Removed(schema) => {
            Some((schema, &*findings.get(index)?.path))
        }
    };
    let (Some((old, old_path)), Some((new, new_path))) = (schema(removed), schema(added)) else {
        return false;
    };
    let (old_leaf, new_leaf) = (leaf(old_path), leaf(new_path));
    if parent(old_path) == parent(new_path) {
        return renamed(old_leaf, old, new_leaf, new);
    }
    // The schema alone does not tell: many fields have a common type.
    let is_named_alike = old_leaf == new_leaf || (telling(old) && close(old_leaf, new_leaf));
    (is_named_alike || says_the_same(old, new)) && bare(old) == bare(new)
}

/// Whether two siblings are the same property under two names: they are named or described alike and have the same schema, or
/// so many properties below are the same that the name does not matter.
pub(crate) fn renamed(old_name: &str, old: &Schema, new_name: &str, new: &Schema) -> bool {
    if old.ty != new.ty {
        return false;
    }
    let shared = shared(old, new);
    let is_most = shared * 3 >= old.properties.len().max(new.properties.len()) * 2;
    if close(old_name, new_name) || says_the_same(old, new) {
        return (shared > 0 && is_most) || bare(old) == bare(new);
    }
    shared > 2 && is_most
}

/// How many of the properties below are the same.
fn shared(old: &Schema, new: &Schema) -> usize {
    /// More are only compared by their whole names.
    const MOST: usize = 64;
    let (old, new) = (&old.properties, &new.properties);
    let is_small = old.len().max(new.len()) <= MOST;
    let has = |name: &&crd_channels_cel::Text| {
        new.contains_key(*name) || (is_small && new.keys().any(|other| close(name, other)))
    };
    old.keys().filter(has).count()
}

/// Whether both have the same text, which is not that of a common type.
fn says_the_same(old: &Schema, new: &Schema) -> bool {
    let text = |schema: &Schema| {
        schema
            .description
            .as_ref()
            .map(|text| text.trim().to_owned())
    };
    let (old, new) = (text(old), text(new));
    old.is_some_and(|text| text.split_whitespace().count() > 3 && new == Some(text))
}

/// Whether two names are nearly equal. Of short names that says nothing: `id` and `kind` have most letters in common.
fn close(one: &str, other: &str) -> bool {
    let shorter = one.len().min(other.len());
    let ends = one.starts_with(other) || other.starts_with(one);
    (shorter > 3 && similar::TextDiff::from_chars(one, other).ratio() > 0.6)
        || (shorter > 2 && ends)
}

/// Whether a schema is so specific that an equal one is unlikely to be a coincidence.
fn telling(schema: &Schema) -> bool {
    schema.properties.len() > 1
        || !schema.enum_values.is_empty()
        || schema
            .bounds
            .as_deref()
            .is_some_and(|bounds| bounds.pattern.is_some())
        || schema.items.as_deref().is_some_and(telling)
}
