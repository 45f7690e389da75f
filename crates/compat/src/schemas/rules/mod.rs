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

use super::pair::{SchemaPair, Walk};
use crate::findings::verdict::Answer;
use crate::findings::{Change, Gate, Record};
use fields::Field;

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

/// A change that narrows values: harmless if no old value can be there, and at most a minor in `status`, which only controllers
/// write.
fn narrowed(node: &SchemaPair<'_>, some: Answer, message: String) -> Change {
    let some = match some {
        Answer::No => Answer::No,
        some => some.and(node.live_before()),
    };
    let change = Change::tighter(some, message);
    lenient(node, change)
}

/// A change that widens values.
fn widened(node: &SchemaPair<'_>, some: Answer, message: String) -> Change {
    let some = match some {
        Answer::No => Answer::No,
        some => some.and(node.live_after()),
    };
    Change::looser(some, message)
}

/// At most a minor in `status`.
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
