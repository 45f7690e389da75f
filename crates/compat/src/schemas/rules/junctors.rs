//! `allOf`, `anyOf`, `oneOf`, `not`: branches are matched by content, not by index.

use super::fields::Field;
use super::{NodeRule, gated, narrowed, widened};
use crate::findings::verdict::Answer;
use crate::findings::{Change, Record, Topic};
use crate::schemas::inclusion::included;
use crate::schemas::normalize::without_text;
use crate::schemas::pair::{SchemaPair, Walk};
use crd_channels_schema::{Junctors, Schema};

const FIELDS: &[Field] = &[Field::AllOf, Field::AnyOf, Field::OneOf, Field::Not];

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: gated(Record::new(
            "alternatives-tightened",
            &[90, 91, 92, 93, 94],
            Topic::Breaking,
            "`allOf`, `anyOf`, `oneOf` or `not` rejects values that were accepted.",
            "Stored objects that do not match cannot be updated. A `oneOf` is not monotone: another branch may make a value match two.",
        )),
        claims: FIELDS,
        decide: |node, walk| decide(node, walk, true),
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
        decide: |node, walk| decide(node, walk, false),
    },
];

fn decide(node: &SchemaPair<'_>, walk: Walk, tightened: bool) -> Vec<Change> {
    if node.old.junctors == node.new.junctors {
        return Vec::new();
    }
    let none = Junctors::default();
    let old = without_text(node.old.junctors.as_deref().unwrap_or(&none));
    let new = without_text(node.new.junctors.as_deref().unwrap_or(&none));
    let changes = [
        all(&old.all_of, &new.all_of, walk),
        any(&old.any_of, &new.any_of, walk),
        one(&old.one_of, &new.one_of, walk),
        not(old.not.as_deref(), new.not.as_deref(), walk),
    ];
    let changes = changes.into_iter().flatten().filter_map(|compared| {
        let Compared {
            tighter,
            looser,
            message,
        } = compared;
        match tighter {
            Answer::No if tightened => None,
            Answer::No if looser == Answer::No => None,
            Answer::No => Some(widened(node, looser, message)),
            tighter if tightened => Some(Change {
                readers: looser.harm(),
                ..narrowed(node, tighter, message)
            }),
            _ => None,
        }
    });
    changes.collect()
}

struct Compared {
    tighter: Answer,
    looser: Answer,
    message: String,
}

/// The branches of one list that are missing in another.
fn only_in<'a>(one: &'a [Schema], other: &[Schema]) -> Vec<&'a Schema> {
    one.iter()
        .filter(|branch| !other.contains(branch))
        .collect()
}

fn counts(name: &str, came: usize, went: usize) -> String {
    let branches = |number: usize| if number == 1 { "branch" } else { "branches" };
    match (came, went) {
        (came, 0) => format!("{name}: {came} {} added", branches(came)),
        (0, went) => format!("{name}: {went} {} removed", branches(went)),
        (came, went) => format!("{name}: {came} {} added, {went} removed", branches(came)),
    }
}

/// An added branch narrows, unless an old one implied it; a removed one widens, unless a new one implies it.
fn all(old: &[Schema], new: &[Schema], walk: Walk) -> Option<Compared> {
    let (came, went) = (only_in(new, old), only_in(old, new));
    if came.is_empty() && went.is_empty() {
        return None;
    }
    let implied = |branch: &Schema, by: &[Schema]| {
        Answer::any(by.iter().map(|other| included(other, branch, walk))).or(trivial(branch))
    };
    let refuses = |branches: &[&Schema], by: &[Schema]| {
        let all = Answer::all(branches.iter().map(|branch| implied(branch, by)));
        // Compared with no branch, a branch with constraints rejects something.
        if by.is_empty() || all != Answer::No {
            all.not()
        } else {
            Answer::Unknown
        }
    };
    Some(Compared {
        tighter: refuses(&came, old),
        looser: refuses(&went, new),
        message: counts("allOf", came.len(), went.len()),
    })
}

/// An added branch widens, unless it is included in an old one; a removed one narrows, unless a new one covers it.
fn any(old: &[Schema], new: &[Schema], walk: Walk) -> Option<Compared> {
    let (came, went) = (only_in(new, old), only_in(old, new));
    if came.is_empty() && went.is_empty() {
        return None;
    }
    if old.is_empty() || new.is_empty() {
        return Some(whole("anyOf", old.is_empty()));
    }
    let covered = |branches: &[&Schema], by: &[Schema]| {
        Answer::all(branches.iter().map(|branch| {
            let one = Answer::any(by.iter().map(|other| included(branch, other, walk)));
            // Several branches may still cover it together.
            if one == Answer::No && by.len() > 1 {
                one.or(apart(branch, by))
            } else {
                one
            }
        }))
    };
    Some(Compared {
        tighter: covered(&went, new).not(),
        looser: covered(&came, old).not(),
        message: counts("anyOf", came.len(), went.len()),
    })
}

/// `No` if a branch is certainly not covered by several others: it is disjoint from all but one of them.
fn apart(branch: &Schema, others: &[Schema]) -> Answer {
    let meeting = others
        .iter()
        .filter(|other| crate::schemas::inclusion::disjoint(branch, other) != Answer::Yes);
    if meeting.count() <= 1 {
        Answer::No
    } else {
        Answer::Unknown
    }
}

fn one(old: &[Schema], new: &[Schema], walk: Walk) -> Option<Compared> {
    let (came, went) = (only_in(new, old), only_in(old, new));
    if came.is_empty() && went.is_empty() {
        return None;
    }
    if old.is_empty() || new.is_empty() {
        return Some(whole("oneOf", old.is_empty()));
    }
    let exclusive = |branches: &[Schema]| {
        let pairs = branches.iter().enumerate().flat_map(|(index, one)| {
            branches
                .iter()
                .skip(index + 1)
                .map(move |other| crate::schemas::inclusion::disjoint(one, other))
        });
        Answer::all(pairs)
    };
    // If no value matches two branches, `oneOf` is equivalent to `anyOf`.
    if exclusive(old) == Answer::Yes && exclusive(new) == Answer::Yes {
        return any(old, new, walk).map(|compared| Compared {
            message: counts("oneOf", came.len(), went.len()),
            ..compared
        });
    }
    Some(Compared {
        tighter: Answer::Unknown,
        looser: Answer::Unknown,
        message: counts("oneOf", came.len(), went.len()),
    })
}

fn whole(name: &str, added: bool) -> Compared {
    Compared {
        tighter: added.into(),
        looser: (!added).into(),
        message: format!("{name} {}", if added { "added" } else { "removed" }),
    }
}

/// Inside `not`, narrowing and widening are swapped.
fn not(old: Option<&Schema>, new: Option<&Schema>, walk: Walk) -> Option<Compared> {
    match (old, new) {
        (None, None) => None,
        (None, Some(_)) => Some(whole("not", true)),
        (Some(_), None) => Some(whole("not", false)),
        (Some(old), Some(new)) if old == new => None,
        (Some(old), Some(new)) => Some(Compared {
            tighter: included(new, old, walk).not(),
            looser: included(old, new, walk).not(),
            message: "not: the excluded values changed".to_owned(),
        }),
    }
}

/// Whether a branch accepts every value.
fn trivial(branch: &Schema) -> Answer {
    (*branch == Schema::default()).into()
}
