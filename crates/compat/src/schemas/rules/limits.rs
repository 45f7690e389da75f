//! Bounds and patterns, compared by the values that they accept.

use super::fields::Field;
use super::{NodeRule, accepts_more, gated, narrowed, rejects, widened};
use crate::findings::verdict::{Answer, Need};
use crate::findings::{Change, Record, Topic};
use crate::schemas::pair::SchemaPair;
use crate::values::{Limit, Local};
use crd_channels_cel::Text;
use crd_channels_schema::{Bounds, Schema};
use serde_json::Value;

const LIMITS: &[Field] = &[
    Field::Minimum,
    Field::Maximum,
    Field::MultipleOf,
    Field::MinLength,
    Field::MaxLength,
    Field::MinItems,
    Field::MaxItems,
    Field::MinProperties,
    Field::MaxProperties,
];

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: gated(Record::new(
            "limit-tightened",
            Topic::Breaking,
            "A bound was tightened.",
            "Stored objects outside the new bound cannot be updated, and their manifests are rejected.",
        )),
        claims: LIMITS,
        decide: |node, _| limits(node, Direction::Tighter),
    },
    NodeRule {
        record: gated(Record::new(
            "limit-loosened",
            Topic::Loosened,
            "A bound was relaxed.",
            "Implementations must handle the additional values without crashing.",
        )),
        claims: LIMITS,
        decide: |node, _| limits(node, Direction::Looser),
    },
    NodeRule {
        record: gated(Record::new(
            "limit-rewritten",
            Topic::Fixed,
            "A bound is written differently but allows the same values.",
            "Nothing to do.",
        )),
        claims: LIMITS,
        decide: |node, _| limits(node, Direction::Same),
    },
    NodeRule {
        record: gated(Record::new(
            "pattern-tightened",
            Topic::Breaking,
            "A pattern rejects strings that were accepted.",
            "Stored objects with such strings cannot be updated. If the two patterns cannot be compared, a waiver must state that the change is safe.",
        )),
        claims: &[Field::Pattern],
        decide: |node, _| pattern(node, Direction::Tighter),
    },
    NodeRule {
        record: gated(Record::new(
            "pattern-loosened",
            Topic::Loosened,
            "A pattern accepts strings that were rejected.",
            "Implementations must handle the additional values without crashing.",
        )),
        claims: &[Field::Pattern],
        decide: |node, _| pattern(node, Direction::Looser),
    },
    NodeRule {
        record: gated(Record::new(
            "pattern-rewritten",
            Topic::Fixed,
            "A pattern is written differently but matches the same strings.",
            "Nothing to do.",
        )),
        claims: &[Field::Pattern],
        decide: |node, _| pattern(node, Direction::Same),
    },
];

#[derive(Clone, Copy, Eq, PartialEq)]
enum Direction {
    Tighter,
    Looser,
    Same,
}

impl Direction {
    /// The change, if it goes in this direction.
    fn change_in_direction(
        self,
        node: &SchemaPair<'_>,
        tighter: (Answer, Option<Value>),
        looser: Answer,
        message: String,
    ) -> Option<Change> {
        // The rules on enums and types report bounds that replace an enum or come with a type.
        let elsewhere = node.old.ty != node.new.ty
            || (!node.old.enum_values.is_empty() && node.new.enum_values.is_empty());
        match (self, tighter.0, looser) {
            (Self::Same, Answer::No, Answer::No) if elsewhere => None,
            (Self::Same, Answer::No, Answer::No) => Some(Change::harmless(
                Need::PATCH,
                format!("{message}; the values are the same"),
            )),
            (Self::Tighter, Answer::Yes | Answer::Unknown, looser) => {
                let change = narrowed(node, tighter, message);
                Some(Change {
                    readers: looser.harm(),
                    ..change
                })
            }
            (Self::Looser, Answer::No, Answer::Yes | Answer::Unknown) => {
                Some(widened(node, looser, message))
            }
            _ => None,
        }
    }
}

fn bounds<'a>(schema: &'a Schema, none: &'a Bounds) -> &'a Bounds {
    schema.bounds.as_deref().unwrap_or(none)
}

fn limits(node: &SchemaPair<'_>, direction: Direction) -> Vec<Change> {
    if node.old.bounds == node.new.bounds {
        return Vec::new();
    }
    let none = Bounds::default();
    let (old, new) = (bounds(node.old, &none), bounds(node.new, &none));
    let changed = Limit::ALL.into_iter().filter_map(|limit| {
        let (was, is) = (limit.shown(old), limit.shown(new));
        if was == is {
            return None;
        }
        let some = |local: Option<Local<'_>>| local.map_or(Answer::No, |local| local.some());
        let tighter = some(Local::from_schema(node.old).outside(limit, new));
        let tighter = rejects(node.old, node.new, tighter, &only(node, limit.only(new)));
        let looser = some(Local::from_schema(node.new).outside(limit, old));
        let looser = accepts_more(node.old, node.new, looser, &only(node, limit.only(old)));
        direction.change_in_direction(node, tighter, looser, transition(limit.name(), was, is))
    });
    changed.collect()
}

/// A schema with only these bounds. A bound that is no integer means something else beside the type.
fn only(node: &SchemaPair<'_>, bounds: Bounds) -> Schema {
    Schema {
        ty: node.new.ty.filter(|ty| node.old.ty == Some(*ty)),
        bounds: Some(Box::new(bounds)),
        ..Schema::default()
    }
}

fn transition(name: &str, was: Option<String>, is: Option<String>) -> String {
    match (was, is) {
        (Some(was), Some(is)) => format!("{name} was {was} and is {is}"),
        (None, Some(is)) => format!("{name} {is} added"),
        (Some(was), None) => format!("{name} {was} removed"),
        (None, None) => format!("{name} changed"),
    }
}

fn pattern(node: &SchemaPair<'_>, direction: Direction) -> Vec<Change> {
    let none = Bounds::default();
    let old = &bounds(node.old, &none).pattern;
    let new = &bounds(node.new, &none).pattern;
    if old == new {
        return Vec::new();
    }
    let some = |schema, pattern: &Option<_>| match pattern {
        Some(pattern) => Local::from_schema(schema).not_matching(pattern).some(),
        None => Answer::No,
    };
    let alone = |pattern: &Option<Text>| {
        let bounds = Bounds {
            pattern: pattern.clone(),
            ..Bounds::default()
        };
        only(node, bounds)
    };
    let tighter = rejects(node.old, node.new, some(node.old, new), &alone(new));
    let looser = accepts_more(node.old, node.new, some(node.new, old), &alone(old));
    let quoted = |pattern: &Option<Text>| pattern.as_ref().map(|text| format!("`{text}`"));
    let message = transition("pattern", quoted(old), quoted(new));
    direction
        .change_in_direction(node, tighter, looser, message)
        .into_iter()
        .collect()
}
