//! Texts for people.

use super::fields::Field;
use super::{NodeRule, gated};
use crate::findings::verdict::Need;
use crate::findings::{Change, Record, Topic};
use crate::schemas::normalize::without_text;
use crate::schemas::pair::SchemaPair;

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: gated(Record::new(
            "description-changed",
            &[95],
            Topic::Fixed,
            "A description changed.",
            "A clarification is a patch. No tool can check what a description promises.",
        )),
        // Branches of junctors have descriptions too.
        claims: &[
            Field::Description,
            Field::AllOf,
            Field::AnyOf,
            Field::OneOf,
            Field::Not,
        ],
        decide: |node, _| description(node),
    },
    NodeRule {
        record: gated(Record::new(
            "annotation-changed",
            &[96],
            Topic::Fixed,
            "A title, an example or a link changed.",
            "They do not affect validation.",
        )),
        claims: &[Field::Title, Field::Example, Field::ExternalDocs],
        decide: |node, _| annotations(node),
    },
];

fn description(node: &SchemaPair<'_>) -> Vec<Change> {
    let (old, new) = (&node.old.junctors, &node.new.junctors);
    let inside = old != new && old.as_deref().map(without_text) == new.as_deref().map(without_text);
    if node.old.description == node.new.description && !inside {
        return Vec::new();
    }
    vec![Change::harmless(Need::PATCH, "description changed")]
}

fn annotations(node: &SchemaPair<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    if node.old.title != node.new.title {
        changes.push(Change::harmless(Need::PATCH, "title changed"));
    }
    if node.old.notes != node.new.notes {
        changes.push(Change::harmless(Need::PATCH, "example or link changed"));
    }
    changes
}
