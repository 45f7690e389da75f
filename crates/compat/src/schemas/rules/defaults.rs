//! Defaults: they change the values that are read without a write.

use super::fields::Field;
use super::{NodeRule, gated, lenient};
use crate::findings::verdict::{Need, Verdict};
use crate::findings::{Change, Record, Topic};
use crate::schemas::pair::{SchemaPair, Segment};
use crate::values::same;

const DEFAULT: &[Field] = &[Field::Default];

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: gated(Record::new(
            "default-added",
            Topic::Breaking,
            "A default was added to an existing property.",
            "Existing objects without a value read differently at once. A waiver can state that the default is what its absence meant.",
        )),
        claims: DEFAULT,
        decide: |node, _| added(node),
    },
    NodeRule {
        record: gated(Record::new(
            "default-removed",
            Topic::Breaking,
            "A default was removed.",
            "Objects that relied on it read differently; if the property is required they are rejected.",
        )),
        claims: DEFAULT,
        decide: |node, _| removed(node),
    },
    NodeRule {
        record: gated(Record::new(
            "default-changed",
            Topic::Breaking,
            "A default changed.",
            "Objects that were written with it keep the old default, all others change.",
        )),
        claims: DEFAULT,
        decide: |node, _| changed(node),
    },
];

fn added(node: &SchemaPair<'_>) -> Vec<Change> {
    match (&node.old.default, &node.new.default) {
        (None, Some(default)) => {
            let verdicts = [Verdict::No, Verdict::No, Verdict::Unknown];
            let message = format!("default `{default}` added");
            vec![lenient(node, Change::new(verdicts, Need::VERSION, message))]
        }
        _ => Vec::new(),
    }
}

fn removed(node: &SchemaPair<'_>) -> Vec<Change> {
    match (&node.old.default, &node.new.default) {
        (Some(default), None) => {
            let required = match (node.segment, node.parent) {
                (Some(Segment::Property(name)), Some(parent)) => {
                    parent.new.required.iter().any(|known| **known == *name)
                }
                _ => false,
            };
            let refused = if required {
                "; it is required, so objects without it are rejected"
            } else {
                ""
            };
            let message = format!("default `{default}` removed{refused}");
            let change = Change::new([Verdict::No; 3], Need::VERSION, message);
            // A controller that relied on the default can no longer write its status.
            vec![if required {
                change
            } else {
                lenient(node, change)
            }]
        }
        _ => Vec::new(),
    }
}

fn changed(node: &SchemaPair<'_>) -> Vec<Change> {
    match (&node.old.default, &node.new.default) {
        (Some(old), Some(new)) if !same(old, new) => {
            let verdicts = [Verdict::No, Verdict::No, Verdict::Unknown];
            let message = format!("default was `{old}` and is `{new}`");
            vec![lenient(node, Change::new(verdicts, Need::VERSION, message))]
        }
        _ => Vec::new(),
    }
}
