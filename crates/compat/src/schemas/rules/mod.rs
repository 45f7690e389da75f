//! The rules: each decides one kind of change. The tables here list all of them.

pub(crate) mod fields;
mod properties;
mod types;
pub(crate) use types::disjoint as types_are_disjoint;
mod limits;
mod enums;
mod defaults;
mod cel;
mod junctors;
mod merge;
mod text;

use super::inclusion::proven;
use super::pair::{SchemaPair, Walk};
use crate::findings::verdict::Answer;
use crate::findings::{Change, Gate, Record};
use crate::values::refused;
use crd_channels_schema::Schema;
use fields::Field;
use serde_json::Value;

/// A rule on one node of a schema.
pub(crate) struct NodeRule {
    pub(crate) record: Record,
    /// The keywords whose changes it handles.
    pub(crate) claims: &'static [Field],
    /// Returns all changes of its kind at the node itself. The `Walk` compares schemas that are not nodes.
    pub(crate) decide: fn(&SchemaPair<'_>, Walk) -> Vec<Change>,
}

/// All rules on nodes.
pub(crate) const NODE_RULES: &[&[NodeRule]] = &[
    types::RULES,
    properties::RULES,
    limits::RULES,
    enums::RULES,
    defaults::RULES,
    cel::RULES,
    junctors::RULES,
    merge::RULES,
    text::RULES,
];

/// A record of a part that can have its own experimental marker.
const fn gated(record: Record) -> Record {
    Record {
        gate: Gate::Own,
        ..record
    }
}

/// Of a node with more fields no rejected value is shown.
const MOST_FIELDS: usize = 256;

/// Whether a constraint of `new` rejects a value that `old` accepts, and such a value. `some` is the answer without junctors and
/// rules: what these change is proven or shown.
fn rejects(
    old: &Schema,
    new: &Schema,
    some: Answer,
    constraint: &Schema,
) -> (Answer, Option<Value>) {
    let is_certain = some == Answer::Yes && old.junctors.is_none();
    if some == Answer::No || (!is_certain && proven(old, new, constraint)) {
        return (Answer::No, None);
    }
    // Making objects with so many fields takes long, for each of them.
    if is_certain && old.properties.len() > MOST_FIELDS {
        return (some, None);
    }
    match refused(old, new, constraint) {
        Some(value) => (Answer::Yes, Some(value)),
        None if old.junctors.is_some() || !old.rules.is_empty() => (Answer::Unknown, None),
        None => (some, None),
    }
}

/// Whether `new` accepts a value that a constraint of `old` rejects.
fn accepts_more(old: &Schema, new: &Schema, some: Answer, constraint: &Schema) -> Answer {
    match some {
        Answer::Yes if new.junctors.is_none() => Answer::Yes,
        some => rejects(new, old, some, constraint).0,
    }
}

/// A change that narrows values: harmless if no old value can be there.
fn narrowed(
    node: &SchemaPair<'_>,
    (some, rejected): (Answer, Option<Value>),
    message: String,
) -> Change {
    let some = match some {
        Answer::No => Answer::No,
        some => some.and(node.live_before()),
    };
    Change {
        rejected: rejected.filter(|_| some != Answer::No),
        ..Change::tighter(some, message)
    }
}

/// A change that widens values.
fn widened(node: &SchemaPair<'_>, some: Answer, message: String) -> Change {
    let some = match some {
        Answer::No => Answer::No,
        some => some.and(node.live_after()),
    };
    Change::looser(some, message)
}

/// At most a minor in `status`, where defaults are the states of objects that no controller has seen yet.
fn lenient(node: &SchemaPair<'_>, mut change: Change) -> Change {
    if node.in_status() {
        change.bump = change.bump.at_most_minor();
    }
    change
}

/// `a`, `b` and 3 more
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = names
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    let rest = names.len().saturating_sub(SHOWN);
    if rest > 0 {
        format!("{} and {rest} more", shown.join(", "))
    } else {
        shown.join(", ")
    }
}
