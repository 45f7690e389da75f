//! `allOf`, `anyOf`, `oneOf`, `not`: whether the values that the whole node accepted satisfy them, and the other way round.

use super::fields::Field;
use super::{NodeRule, gated, narrowed, rejects, widened};
use crate::findings::verdict::{Answer, Need};
use crate::findings::{Change, Record, Topic};
use crate::schemas::cache::Cache;
use crate::schemas::normalize::without_text;
use crate::schemas::pair::SchemaPair;
use crd_channels_schema::{Junctors, Schema};
use serde_json::Value;

const FIELDS: &[Field] = &[Field::AllOf, Field::AnyOf, Field::OneOf, Field::Not];

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: gated(Record::new(
            "alternatives-tightened",
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

thread_local! {
    /// What the changed lists of two nodes mean. Each rule asks for it.
    static DECIDED: Cache<(Schema, Schema), Vec<ListChange>> = const { Cache::new() };
}

/// A list of branches that changed.
#[derive(Clone)]
struct ListChange {
    message: String,
    /// Whether the new one rejects what the old node accepted, and such a value.
    tighter: (Answer, Option<Value>),
    /// Whether the old one rejects what the new node accepts.
    looser: Answer,
}

fn decide(node: &SchemaPair<'_>, wanted: Direction) -> Vec<Change> {
    if node.old.junctors == node.new.junctors {
        return Vec::new();
    }
    let (was, is) = (bare(node.old), bare(node.new));
    let is_it = |(old, new): &(Schema, Schema)| *old == was && *new == is;
    let question = || (was.clone(), is.clone());
    let find = || list_changes(&was, &is);
    let lists = DECIDED.with(|known| known.get_or_insert_with(is_it, question, find));
    let changes = lists.into_iter().filter_map(|list| {
        let ListChange {
            message,
            tighter,
            looser,
        } = list;
        let direction = match (tighter.0, looser) {
            (Answer::No, Answer::No) => Direction::Same,
            (Answer::No, _) => Direction::Looser,
            _ => Direction::Tighter,
        };
        (direction == wanted).then(|| match direction {
            Direction::Tighter => Change {
                readers: looser.harm(),
                ..narrowed(node, tighter, message)
            },
            Direction::Looser => widened(node, looser, message),
            Direction::Same => {
                Change::harmless(Need::PATCH, format!("{message}; the values are the same"))
            }
        })
    });
    changes.collect()
}

fn list_changes(was: &Schema, is: &Schema) -> Vec<ListChange> {
    let lists = |node: &Schema| apart(node.junctors.as_deref().cloned().unwrap_or_default());
    let lists = lists(was).into_iter().zip(lists(is));
    let changed = lists.filter(|(old, new)| !are_reordered(&old.1, &new.1));
    let changes = changed.map(|((name, old), (_, new))| {
        let rejects = |old, new, branches| rejects(old, new, Answer::Unknown, &joined(branches));
        ListChange {
            message: difference(name, &old, &new),
            tighter: rejects(was, is, new),
            looser: rejects(is, was, old).0,
        }
    });
    changes.collect()
}

/// The node with its junctors without texts.
fn bare(node: &Schema) -> Schema {
    let none = Junctors::default();
    let junctors = without_text(node.junctors.as_deref().unwrap_or(&none));
    Schema {
        junctors: Some(Box::new(junctors)),
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
    let (only_new, only_old) = (missing(&new, &old), missing(&old, &new));
    let counted = |number: usize| match number {
        1 => "1 branch".to_owned(),
        number => format!("{number} branches"),
    };
    match (old.is_empty(), new.is_empty(), only_new, only_old) {
        (true, _, _, _) => format!("{name} added"),
        (_, true, _, _) => format!("{name} removed"),
        (_, _, 0, 0) => format!("{name}: branches are repeated, or no longer"),
        (_, _, only_new, 0) => format!("{name}: {} added", counted(only_new)),
        (_, _, 0, only_old) => format!("{name}: {} removed", counted(only_old)),
        (_, _, only_new, only_old) => {
            format!("{name}: {} added, {only_old} removed", counted(only_new))
        }
    }
}
