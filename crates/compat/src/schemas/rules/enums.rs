//! Enums, value by value.

use super::fields::{Field, member_key};
use super::{NodeRule, accepts_more, gated, listed, narrowed, rejects, widened};
use crate::findings::verdict::{Answer, Channel, Need, Verdict};
use crate::findings::{Change, Record, Topic};
use crate::schemas::pair::SchemaPair;
use crate::values::{Kinds, Local, key, keys, listing, unlisted, valid};
use crd_channels_schema::Schema;
use serde_json::Value;
use std::collections::HashSet;

const ENUM: &[Field] = &[Field::Enum];

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: gated(Record::new(
            "enum-added",
            Topic::Breaking,
            "An enum was added where any value was accepted.",
            "Stored objects with other values cannot be updated.",
        )),
        claims: ENUM,
        decide: |node, _| added(node),
    },
    NodeRule {
        record: gated(Record::new(
            "enum-removed",
            Topic::Loosened,
            "An enum was removed.",
            "Implementations must handle any other value without crashing.",
        )),
        claims: ENUM,
        decide: |node, _| removed(node),
    },
    NodeRule {
        record: gated(Record::new(
            "enum-value-added",
            Topic::Loosened,
            "A value was added to an enum.",
            "Implementations must handle it without crashing. A value must be in the experimental channel first.",
        )),
        claims: ENUM,
        decide: |node, _| values_added(node, Path::Unknown),
    },
    NodeRule {
        record: gated(Record::new(
            "enum-value-graduated",
            Topic::Graduated,
            "A value of an enum graduated from experimental to stable.",
            "It was in the experimental channel of the old bundle.",
        )),
        claims: ENUM,
        decide: |node, _| values_added(node, Path::Graduated),
    },
    NodeRule {
        record: Record {
            waivable: true,
            ..gated(Record::new(
                "enum-value-straight-to-stable",
                Topic::Added,
                "A new value of an enum is stable without having been experimental.",
                "A value must first be in the experimental channel of an earlier bundle. If that was not possible, a waiver can state why.",
            ))
        },
        claims: ENUM,
        decide: |node, _| values_added(node, Path::Straight),
    },
    NodeRule {
        record: gated(Record::new(
            "enum-value-removed",
            Topic::Breaking,
            "A value of an enum was removed.",
            "Stored objects that have it cannot be updated, and manifests with it are rejected.",
        )),
        claims: ENUM,
        decide: |node, _| values_removed(node),
    },
];

fn shown(values: &[&Value]) -> String {
    let names: Vec<String> = values
        .iter()
        .map(|value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        })
        .collect();
    listed(&names)
}

/// The values of one list that are missing in another. Null is never a value of an enum, listed or not.
fn only_in<'a>(one: &'a Schema, other: &Schema) -> Vec<&'a Value> {
    let key = member_key(one);
    let known = keys(&other.enum_values, key);
    let values = one.enum_values.iter().filter(|value| !value.is_null());
    values
        .filter(|value| !known.contains(&key(value)))
        .collect()
}

/// The values of a schema without an enum that the enum of another rejects. A null that the other one drops is not rejected.
fn refused<'a>(schema: &'a Schema, by: &'a Schema) -> Local<'a> {
    let refused = Local::from_schema(schema).none_of(&by.enum_values);
    if by.nullable {
        refused
    } else {
        refused.without(Kinds::NULL)
    }
}

/// A schema with only the enum of another.
fn only(schema: &Schema) -> Schema {
    Schema {
        enum_values: schema.enum_values.clone(),
        ..Schema::default()
    }
}

fn added(node: &SchemaPair<'_>) -> Vec<Change> {
    if !node.old.enum_values.is_empty() || node.new.enum_values.is_empty() {
        return Vec::new();
    }
    let some = refused(node.old, node.new).some();
    let some = rejects(node.old, node.new, some, &only(node.new));
    let values: Vec<&Value> = node.new.enum_values.iter().collect();
    let message = format!("only {} accepted from now on", shown(&values));
    vec![narrowed(node, some, message)]
}

fn removed(node: &SchemaPair<'_>) -> Vec<Change> {
    if node.old.enum_values.is_empty() || !node.new.enum_values.is_empty() {
        return Vec::new();
    }
    let some = refused(node.new, node.old).some();
    let some = accepts_more(node.old, node.new, some, &only(node.old));
    let values: Vec<&Value> = node.old.enum_values.iter().collect();
    let message = format!("no longer restricted to {}", shown(&values));
    vec![widened(node, some, message)]
}

/// How an enum value became stable.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Path {
    Unknown,
    Graduated,
    Straight,
}

fn path(node: &SchemaPair<'_>, tried: &HashSet<String>, value: &Value) -> Path {
    match node.channel {
        Channel::Experimental => Path::Unknown,
        Channel::Stable if tried.contains(&key(value)) => Path::Graduated,
        Channel::Stable if node.tried_first => Path::Straight,
        Channel::Stable => Path::Unknown,
    }
}

fn values_added(node: &SchemaPair<'_>, wanted: Path) -> Vec<Change> {
    if node.old.enum_values.is_empty() || node.new.enum_values.is_empty() {
        return Vec::new();
    }
    let mut only_new = only_in(node.new, node.old);
    let tried = node.beside_old.map(|tried| keys(&tried.enum_values, key));
    let tried = tried.unwrap_or_default();
    only_new.retain(|value| path(node, &tried, value) == wanted);
    if only_new.is_empty() {
        return Vec::new();
    }
    let (listed, alone) = (only(node.old), unlisted(node.new));
    let is_new = |value| match valid(&listing(&alone, value), value) {
        Answer::No => Answer::No,
        new => new.and(valid(&listed, value).not()),
    };
    let some = Answer::any(only_new.iter().map(|value| is_new(value)));
    let values = shown(&only_new);
    let message = match wanted {
        Path::Unknown => format!("{values} added to the enum"),
        Path::Graduated => format!("{values} graduated to stable"),
        Path::Straight => format!("{values} added to the enum without having been experimental"),
    };
    let some = accepts_more(node.old, node.new, some, &listed);
    let change = widened(node, some, message);
    let bump = match wanted {
        Path::Straight => Need::NEVER,
        Path::Unknown | Path::Graduated => change.bump,
    };
    let first = only_new.first().and_then(|value| value.as_str());
    vec![Change {
        bump,
        member: first.map(Into::into),
        ..change
    }]
}

fn values_removed(node: &SchemaPair<'_>) -> Vec<Change> {
    if node.old.enum_values.is_empty() || node.new.enum_values.is_empty() {
        return Vec::new();
    }
    let only_old = only_in(node.old, node.new);
    if only_old.is_empty() {
        return Vec::new();
    }
    let some = refused(node.old, node.new).some();
    let some = rejects(node.old, node.new, some, &only(node.new));
    let mut change = narrowed(
        node,
        some,
        format!("{} removed from the enum", shown(&only_old)),
    );
    if change.stored == Verdict::Ok {
        change.bump = Need::PATCH;
    }
    vec![change]
}
