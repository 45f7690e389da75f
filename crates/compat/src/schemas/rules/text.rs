//! Texts for people.

use super::fields::Field;
use super::{NodeRule, gated};
use crate::findings::verdict::Need;
use crate::findings::{Change, Record, Topic};
use crate::schemas::normalize::without_text;
use crate::schemas::pair::SchemaPair;
use crd_channels_schema::{DEPRECATED, Schema, deprecation};

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: gated(Record::new(
            "description-changed",
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
            "field-deprecated",
            Topic::Deprecated,
            "A field was deprecated, or no longer is.",
            "It is valid as before. The policy `deprecated-fields` of a bundle warns of new uses.",
        )),
        claims: &[Field::Description],
        decide: |node, _| deprecated(node),
    },
    NodeRule {
        record: gated(Record::new(
            "annotation-changed",
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
    let is_same = match (instead(node.old), instead(node.new)) {
        (Some(old), Some(new)) if old != new => false,
        _ => rest(node.old) == rest(node.new),
    };
    if is_same && !inside {
        return Vec::new();
    }
    vec![Change::harmless(Need::PATCH, "description changed")]
}

fn deprecated(node: &SchemaPair<'_>) -> Vec<Change> {
    let change = match (instead(node.old), instead(node.new)) {
        (None, Some(instead)) => format!("deprecated: {instead}"),
        (Some(_), None) => "no longer deprecated".to_owned(),
        _ => return Vec::new(),
    };
    vec![Change::harmless(Need::PATCH, change)]
}

/// What a description says to use instead of the field.
fn instead(schema: &Schema) -> Option<&str> {
    schema.description.as_deref().and_then(deprecation)
}

/// A description without that line.
fn rest(schema: &Schema) -> String {
    let text = schema.description.as_deref().unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with(DEPRECATED));
    lines.collect::<Vec<_>>().join("\n").trim_end().to_owned()
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
