//! Merges the removal and the addition of a renamed or moved property into one finding.

use super::normalize::bare;
use crate::findings::verdict::Need;
use crate::findings::{Change, Finding, Gate, Record, Topic, Traveller};
use crd_channels_schema::Schema;

pub(crate) const RENAMED: Record = Record {
    id: "property-renamed",
    rows: &[50],
    topic: Topic::Removed,
    gate: Gate::Node,
    waivable: false,
    summary: "A property was renamed.",
    explanation: "The value under the old name is pruned. Rename it in a new API version with conversion; the old name needs a tombstone.",
};

pub(crate) const MOVED: Record = Record {
    id: "property-moved",
    rows: &[51],
    topic: Topic::Removed,
    gate: Gate::Node,
    waivable: false,
    summary: "A property was moved.",
    explanation: "The value at the old path is pruned. Move it in a new API version with conversion; the old name needs a tombstone.",
};

/// Pairs removed with added properties, if each has exactly one counterpart.
pub(crate) fn recognise(findings: &mut Vec<Finding>) {
    let gone: Vec<usize> = places(findings, |traveller| {
        matches!(traveller, Traveller::Went(_))
    });
    let mut taken: Vec<usize> = Vec::new();
    for went in gone {
        let came = places(findings, |traveller| {
            matches!(traveller, Traveller::Came(_))
        });
        let mut matching = came
            .into_iter()
            .filter(|came| !taken.contains(came))
            .filter(|came| alike(findings, went, *came));
        let (Some(came), None) = (matching.next(), matching.next()) else {
            continue;
        };
        taken.push(came);
        let new_path = findings
            .get(came)
            .map(|finding| finding.path.clone())
            .unwrap_or_default();
        let Some(finding) = findings.get_mut(went) else {
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
        !taken.contains(&(index - 1))
    });
}

fn places(findings: &[Finding], wanted: impl Fn(&Traveller) -> bool) -> Vec<usize> {
    let all = findings.iter().enumerate();
    all.filter(|(_, finding)| finding.change.traveller.as_ref().is_some_and(&wanted))
        .map(|(index, _)| index)
        .collect()
}

fn parent(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(parent, _)| parent)
}

fn leaf(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(_, leaf)| leaf)
}

fn alike(findings: &[Finding], went: usize, came: usize) -> bool {
    let schema = |index: usize| match findings.get(index)?.change.traveller.as_ref()? {
        Traveller::Came(schema) | Traveller::Went(schema) => {
            Some((schema, &*findings.get(index)?.path))
        }
    };
    let (Some((old, old_path)), Some((new, new_path))) = (schema(went), schema(came)) else {
        return false;
    };
    let equal = bare(old) == bare(new);
    if parent(old_path) == parent(new_path) {
        return renamed(leaf(old_path), old, leaf(new_path), new);
    }
    equal && (telling(old) || leaf(old_path) == leaf(new_path))
}

/// Whether two siblings are the same property under two names.
pub(crate) fn renamed(old_name: &str, old: &Schema, new_name: &str, new: &Schema) -> bool {
    if bare(old) == bare(new) {
        return close(old_name, new_name) || telling(old);
    }
    let (old, new) = (&old.properties, &new.properties);
    let shared = old
        .keys()
        .filter(|name| new.keys().any(|other| close(name, other)))
        .count();
    // Most of the properties below are the same.
    shared > 0 && shared * 3 >= old.len().max(new.len()) * 2
}

/// Whether two names are nearly equal.
fn close(one: &str, other: &str) -> bool {
    similar::TextDiff::from_chars(one, other).ratio() > 0.6
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
