//! `allOf`, `anyOf`, `oneOf`, `not`: whether the values that the whole node accepted satisfy them, and the other way round.

use super::fields::Field;
use super::{NodeRule, gated, narrowed, rejects, widened};
use crate::findings::verdict::{Answer, Need};
use crate::findings::{Change, Record, Topic};
use crate::schemas::normalize::without_text;
use crate::schemas::pair::SchemaPair;
use crd_channels_schema::{Junctors, Schema};

const FIELDS: &[Field] = &[Field::AllOf, Field::AnyOf, Field::OneOf, Field::Not];

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: gated(Record::new(
            "alternatives-tightened",
            &[90, 91, 92, 93, 94],
            Topic::Breaking,
            "`allOf`, `anyOf`, `oneOf` or `not` rejects values that were accepted.",
            "Stored objects that do not match cannot be updated. A `oneOf` is not monotone: another branch may make a value match two. A branch that requires a new property takes nothing away, since no stored object has it.",
        )),
        claims: FIELDS,
        decide: |node, _| decide(node, Direction::Tighter),
    },
    NodeRule {
        record: gated(Record::new(
            "alternatives-loosened",
            &[90, 91, 92, 93, 94],
            Topic::Loosened,
            "`allOf`, `anyOf`, `oneOf` or `not` accepts values that were rejected.",
            "Implementations must handle it without crashing.",
        )),
        claims: FIELDS,
        decide: |node, _| decide(node, Direction::Looser),
    },
    NodeRule {
        record: gated(Record::new(
            "alternatives-rewritten",
            &[90, 91, 92, 93, 94],
            Topic::Fixed,
            "`allOf`, `anyOf`, `oneOf` or `not` is written differently but accepts the same values.",
            "Nothing to do.",
        )),
        claims: FIELDS,
        decide: |node, _| decide(node, Direction::Same),
    },
];

#[derive(Clone, Copy, Eq, PartialEq)]
enum Direction {
    Tighter,
    Looser,
    Same,
}

fn decide(node: &SchemaPair<'_>, wanted: Direction) -> Vec<Change> {
    if node.old.junctors == node.new.junctors {
        return Vec::new();
    }
    let none = Junctors::default();
    let old = without_text(node.old.junctors.as_deref().unwrap_or(&none));
    let new = without_text(node.new.junctors.as_deref().unwrap_or(&none));
    let (was, is) = (bare(node.old, &old), bare(node.new, &new));
    let lists = apart(old).into_iter().zip(apart(new));
    let changed = lists.filter(|(old, new)| !are_reordered(&old.1, &new.1));
    let changes = changed.filter_map(|((name, old), (_, new))| {
        let message = difference(name, &old, &new);
        let rejects = |old, new, branches| rejects(old, new, Answer::Unknown, &joined(branches));
        let tighter = rejects(&was, &is, new);
        if tighter.0 != Answer::No {
            let change = || Change {
                readers: rejects(&is, &was, old).0.harm(),
                ..narrowed(node, tighter, message)
            };
            return (wanted == Direction::Tighter).then(change);
        }
        if wanted == Direction::Tighter {
            return None;
        }
        match (rejects(&is, &was, old).0, wanted) {
            (Answer::No, Direction::Same) => Some(Change::harmless(
                Need::PATCH,
                format!("{message}; the values are the same"),
            )),
            (Answer::No, _) | (_, Direction::Same) => None,
            (looser, _) => Some(widened(node, looser, message)),
        }
    });
    changes.collect()
}

/// The node with its junctors without texts.
fn bare(node: &Schema, junctors: &Junctors) -> Schema {
    Schema {
        junctors: Some(Box::new(junctors.clone())),
        ..node.clone()
    }
}

/// Each list of branches on its own.
fn apart(junctors: Junctors) -> [(&'static str, Junctors); 4] {
    let Junctors {
        all_of,
        any_of,
        one_of,
        not,
    } = junctors;
    let none = Junctors::default;
    [
        ("allOf", Junctors { all_of, ..none() }),
        ("anyOf", Junctors { any_of, ..none() }),
        ("oneOf", Junctors { one_of, ..none() }),
        ("not", Junctors { not, ..none() }),
    ]
}

/// A schema with only these branches.
fn joined(branches: Junctors) -> Schema {
    Schema {
        junctors: Some(Box::new(branches)),
        ..Schema::default()
    }
}

/// Whether two lists have the same branches in any order.
fn are_reordered(old: &Junctors, new: &Junctors) -> bool {
    fn count(all: &[Schema], branch: &Schema) -> usize {
        all.iter().filter(|other| *other == branch).count()
    }
    let same = |old: &[Schema], new: &[Schema]| {
        old.len() == new.len() && old.iter().all(|it| count(old, it) == count(new, it))
    };
    same(&old.all_of, &new.all_of)
        && same(&old.any_of, &new.any_of)
        && same(&old.one_of, &new.one_of)
        && old.not == new.not
}

/// How two lists of branches differ.
fn difference(name: &str, old: &Junctors, new: &Junctors) -> String {
    if name == "not" {
        let how = match (&old.not, &new.not) {
            (None, _) => " added",
            (_, None) => " removed",
            _ => ": the excluded values changed",
        };
        return format!("not{how}");
    }
    let branches = |of: &Junctors| [&of.all_of[..], &of.any_of, &of.one_of].concat();
    let (old, new) = (branches(old), branches(new));
    let missing = |one: &[Schema], other: &[Schema]| {
        let missing = one.iter().filter(|branch| !other.contains(branch));
        missing.count()
    };
    let (came, went) = (missing(&new, &old), missing(&old, &new));
    let counted = |number: usize| match number {
        1 => "1 branch".to_owned(),
        number => format!("{number} branches"),
    };
    match (old.is_empty(), new.is_empty(), came, went) {
        (true, _, _, _) => format!("{name} added"),
        (_, true, _, _) => format!("{name} removed"),
        (_, _, 0, 0) => format!("{name}: branches are repeated, or no longer"),
        (_, _, came, 0) => format!("{name}: {} added", counted(came)),
        (_, _, 0, went) => format!("{name}: {} removed", counted(went)),
        (_, _, came, went) => format!("{name}: {} added, {went} removed", counted(came)),
    }
}
