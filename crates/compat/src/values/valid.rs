//! Whether one value is valid, as an API server would say.

use super::kinds::{Kinds, enforced, kinds};
use super::numbers::{End, Numbers};
use super::{matches, same};
use crate::verdict::Answer;
use crd_channels_schema::{Bounds, Schema};
use serde_json::{Map, Value};

/// Whether a schema accepts a value. Rules, and formats that a server enforces, are not evaluated.
pub(crate) fn valid(schema: &Schema, value: &Value) -> Answer {
    if !kinds(schema).meets(Kinds::of(value)) {
        return Answer::No;
    }
    let listed = schema.enum_values.is_empty()
        || value.is_null()
        || schema.enum_values.iter().any(|known| same(known, value));
    let bounded = schema
        .bounds
        .as_deref()
        .map_or(Answer::Yes, |bounds| within(bounds, value));
    let format = match value {
        Value::String(_) if enforced(schema).is_some_and(|format| format != "password") => {
            Answer::Unknown
        }
        _ => Answer::Yes,
    };
    let ruled = if schema.rules.is_empty() {
        Answer::Yes
    } else {
        Answer::Unknown
    };
    Answer::from(listed)
        .and(bounded)
        .and(children(schema, value))
        .and(joined(schema, value))
        .and(format)
        .and(ruled)
}

fn within(bounds: &Bounds, value: &Value) -> Answer {
    let count = |min: Option<u64>, max: Option<u64>, number: usize| {
        let number = number as u64;
        min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
    };
    match value {
        Value::Null | Value::Bool(_) => Answer::Yes,
        Value::Number(number) => {
            let end = |at: &Option<_>, excluded| at.clone().map(|at| End { at, excluded });
            let numbers = Numbers {
                lower: end(&bounds.minimum, bounds.exclusive_minimum),
                upper: end(&bounds.maximum, bounds.exclusive_maximum),
                multiples: bounds.multiple_of.iter().cloned().collect(),
                no_multiple: None,
            };
            numbers.has(number).into()
        }
        Value::String(text) => {
            let length = count(bounds.min_length, bounds.max_length, text.chars().count());
            let matched = bounds.pattern.as_deref();
            let matched = matched.map_or(Answer::Yes, |pattern| matches(pattern, text));
            Answer::from(length).and(matched)
        }
        Value::Array(items) => count(bounds.min_items, bounds.max_items, items.len()).into(),
        Value::Object(members) => {
            count(bounds.min_properties, bounds.max_properties, members.len()).into()
        }
    }
}

fn children(schema: &Schema, value: &Value) -> Answer {
    match value {
        Value::Array(items) => match &schema.items {
            Some(item) => Answer::all(items.iter().map(|value| valid(item, value))),
            None => Answer::Yes,
        },
        Value::Object(members) => object(schema, members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Answer::Yes,
    }
}

fn object(schema: &Schema, members: &Map<String, Value>) -> Answer {
    let declared = |name: &str| schema.member(name);
    // A null where none is allowed is dropped before anything is judged.
    let dropped = |name: &str, value: &Value| {
        value.is_null() && declared(name).is_some_and(|schema| !kinds(schema).meets(Kinds::NULL))
    };
    let there = schema.required.iter().all(|name| {
        members
            .get(&**name)
            .is_some_and(|value| !dropped(name, value))
    });
    let members = members
        .iter()
        .filter(|(name, value)| !dropped(name, value))
        .map(|(name, value)| declared(name).map_or(Answer::Yes, |schema| valid(schema, value)));
    Answer::from(there).and(Answer::all(members))
}

fn joined(schema: &Schema, value: &Value) -> Answer {
    let Some(junctors) = schema.junctors.as_deref() else {
        return Answer::Yes;
    };
    let each = |branches: &[Schema]| -> Vec<Answer> {
        branches.iter().map(|branch| valid(branch, value)).collect()
    };
    let all = Answer::all(each(&junctors.all_of));
    let any = if junctors.any_of.is_empty() {
        Answer::Yes
    } else {
        Answer::any(each(&junctors.any_of))
    };
    let one = if junctors.one_of.is_empty() {
        Answer::Yes
    } else {
        let answers = each(&junctors.one_of);
        let certain = answers
            .iter()
            .filter(|answer| **answer == Answer::Yes)
            .count();
        let possible = answers
            .iter()
            .filter(|answer| **answer == Answer::Unknown)
            .count();
        match (certain, possible) {
            (1, 0) => Answer::Yes,
            (0 | 1, 1..) => Answer::Unknown,
            _ => Answer::No,
        }
    };
    let not = junctors
        .not
        .as_deref()
        .map_or(Answer::Yes, |not| valid(not, value).not());
    all.and(any).and(one).and(not)
}
