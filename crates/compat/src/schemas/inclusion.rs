//! Inclusion and disjointness of whole schemas, such as the branches of junctors.

use super::normalize::without_notes;
use super::pair::{SchemaPair, Walk};
use crate::findings::verdict::{Answer, Verdict};
use crate::values::{Kinds, inhabited, kinds, valid};
use crd_channels_schema::Schema;

/// Whether all values of `old` are values of `new`.
pub(crate) fn included(old: &Schema, new: &Schema, walk: Walk) -> Answer {
    if without_notes(old) == without_notes(new) {
        return Answer::Yes;
    }
    if inhabited(old) == Answer::No {
        return Answer::Yes;
    }
    // A branch without a type may name properties of its parent only, so the properties that it does not name are
    // unconstrained.
    let named = new
        .properties
        .keys()
        .all(|name| old.properties.contains_key(name));
    let mut answer = if named { Answer::Yes } else { Answer::Unknown };
    for (_, change) in walk(&SchemaPair::alone(old, new)) {
        let kept = change.traveller.is_some();
        answer = match change.stored {
            Verdict::Ok => answer,
            Verdict::Unknown => answer.and(Answer::Unknown),
            // Dropping a keyword about a property does not narrow anything here.
            Verdict::No if kept => answer,
            Verdict::No => Answer::No,
        };
    }
    answer
}

/// Whether no value is valid for both.
pub(crate) fn disjoint(one: &Schema, other: &Schema) -> Answer {
    if !shared(one, other) {
        return Answer::Yes;
    }
    for (listed, checked) in [(one, other), (other, one)] {
        if !listed.enum_values.is_empty() {
            let values = listed.enum_values.iter();
            return Answer::any(
                values.map(|value| valid(listed, value).and(valid(checked, value))),
            )
            .not();
        }
    }
    let meet = one.properties.iter().filter_map(|(name, one_schema)| {
        let both = one.required.contains(name) && other.required.contains(name);
        let other_schema = other.properties.get(name)?;
        both.then(|| disjoint(one_schema, other_schema))
    });
    match Answer::any(meet) {
        Answer::Yes => Answer::Yes,
        Answer::No | Answer::Unknown => Answer::Unknown,
    }
}

fn shared(one: &Schema, other: &Schema) -> bool {
    let (one, other) = (kinds(one), kinds(other));
    one.minus(Kinds::NULL).meets(other.minus(Kinds::NULL))
        || (one.meets(Kinds::NULL) && other.meets(Kinds::NULL))
}
