//! Objects that are broken in exactly one place.

use super::dice::Dice;
use super::field::Field;
use super::validate::{Violation, violations};
use crd_channels_schema::{Bounds, JsonType, Schema};
use serde_json::{Number, Value, json};

const JUNCTORS: [&str; 4] = ["allOf", "anyOf", "oneOf", "not"];

/// An object, and the one thing that is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The object.
    pub object: Value,
    /// What is wrong.
    pub violation: Violation,
}

/// Every way in which changing one place of a valid object makes exactly one thing wrong. Changes that break more, such as a
/// number that is below its bound and no value of an enum either, are left out, and so are those that break a junctor, which
/// servers report in many ways.
#[must_use]
pub fn all(schema: &Schema, object: &Value) -> Vec<Broken> {
    let mut changes = Vec::new();
    collect(schema, object, &Field::default(), &mut changes);
    let broken = changes.into_iter().filter_map(|(field, change)| {
        let mut object = object.clone();
        match change {
            Change::Remove => {
                field.remove(&mut object)?;
            }
            Change::Set(value) => *field.get_mut(&mut object)? = value,
        }
        let mut violations = violations(schema, &object);
        let violation = violations.pop()?;
        let single = violations.is_empty() && !JUNCTORS.contains(&violation.keyword);
        single.then_some(Broken { object, violation })
    });
    broken.collect()
}

/// Up to this number of them, of as many keywords as there are.
#[must_use]
pub fn choose(mut broken: Vec<Broken>, wanted: usize, dice: &mut Dice) -> Vec<Broken> {
    let mut chosen: Vec<Broken> = Vec::new();
    while chosen.len() < wanted && !broken.is_empty() {
        let times = |keyword| {
            chosen
                .iter()
                .filter(|one| one.violation.keyword == keyword)
                .count()
        };
        let fewest = broken.iter().map(|one| times(one.violation.keyword)).min();
        let rare: Vec<usize> = (0..broken.len())
            .filter(|at| broken.get(*at).map(|one| times(one.violation.keyword)) == fewest)
            .collect();
        let Some(at) = dice.pick(&rare) else { break };
        chosen.push(broken.swap_remove(*at));
    }
    chosen
}

enum Change {
    Remove,
    Set(Value),
}

fn collect(schema: &Schema, value: &Value, field: &Field, changes: &mut Vec<(Field, Change)>) {
    let mut set = |value: Value| changes.push((field.clone(), Change::Set(value)));
    if !field.0.is_empty() {
        set(of_another_type(schema));
    }
    let none = Bounds::default();
    let bounds = schema.bounds.as_deref().unwrap_or(&none);
    if !schema.enum_values.is_empty() {
        set(json!("no-such-value"));
    }
    match value {
        Value::Number(_) => numbers(bounds).into_iter().for_each(set),
        Value::String(text) => strings(schema, bounds, text).into_iter().for_each(set),
        Value::Array(items) => {
            lists(bounds, items).into_iter().for_each(set);
            let Some(of_items) = &schema.items else {
                return;
            };
            for (index, item) in items.iter().enumerate() {
                collect(of_items, item, &field.index(index), changes);
            }
        }
        Value::Object(fields) => {
            for name in &schema.required {
                changes.push((field.name(name), Change::Remove));
            }
            for (name, value) in fields {
                if let Some(below) = schema.member(name) {
                    collect(below, value, &field.name(name), changes);
                }
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// A value that has none of the types that the schema takes.
fn of_another_type(schema: &Schema) -> Value {
    match schema.ty {
        _ if schema.int_or_string => json!(true),
        Some(JsonType::Boolean | JsonType::Integer | JsonType::Number) => json!("text"),
        Some(JsonType::String | JsonType::Array | JsonType::Object) | None => json!(7),
    }
}

fn numbers(bounds: &Bounds) -> Vec<Value> {
    let beyond = |bound: &Option<Number>, by: i64| {
        let bound = bound.as_ref()?;
        let whole = bound.as_i64().and_then(|bound| bound.checked_add(by));
        #[expect(clippy::cast_precision_loss, reason = "it is 1 or -1")]
        let float = || Number::from_f64(bound.as_f64()? + by as f64).map(Value::Number);
        whole.map(Value::from).or_else(float)
    };
    let mut values = Vec::new();
    values.extend(beyond(&bounds.minimum, -1));
    values.extend(beyond(&bounds.maximum, 1));
    if bounds.exclusive_minimum {
        values.extend(beyond(&bounds.minimum, 0));
    }
    if bounds.exclusive_maximum {
        values.extend(beyond(&bounds.maximum, 0));
    }
    // Beyond `int32` is not tried: servers report it at the object that holds the number.
    if bounds.multiple_of.is_some() {
        let near = beyond(&bounds.minimum, 1).unwrap_or(json!(1));
        values.push(near);
    }
    values
}

fn strings(schema: &Schema, bounds: &Bounds, text: &str) -> Vec<Value> {
    let mut values = Vec::new();
    let length = |bound: Option<u64>| bound.and_then(|bound| usize::try_from(bound).ok());
    if let Some(most) = length(bounds.max_length) {
        // Repeating what is there keeps many patterns.
        let unit = text.chars().next_back().unwrap_or('a');
        let missing = most.saturating_sub(text.chars().count()) + 1;
        values.push(format!("{text}{}", unit.to_string().repeat(missing)));
    }
    if let Some(least) = length(bounds.min_length) {
        values.push(text.chars().take(least.saturating_sub(1)).collect());
    }
    if bounds.pattern.is_some() {
        let same_length = |odd: &str| odd.repeat(text.chars().count().max(1));
        values.extend([" ", "\u{1}", "_", "!", "\u{e9}"].map(same_length));
        values.push(String::new());
    }
    if schema.format.is_some() {
        values.push("no such format".to_owned());
    }
    values.into_iter().map(Value::String).collect()
}

fn lists(bounds: &Bounds, items: &[Value]) -> Vec<Value> {
    let mut values = Vec::new();
    if let Some(first) = items.first() {
        // Where items are told apart, the last one is now a duplicate; else this may be one too many.
        let mut more = items.to_vec();
        more.push(first.clone());
        values.push(Value::Array(more));
        if let Some(most) = bounds.max_items.and_then(|most| usize::try_from(most).ok()) {
            let missing = most.saturating_sub(items.len()) + 1;
            let copies = std::iter::repeat_n(first.clone(), missing.min(1000));
            values.push(items.iter().cloned().chain(copies).collect());
        }
    }
    if let Some(least) = bounds
        .min_items
        .and_then(|least| usize::try_from(least).ok())
    {
        let fewer = items.iter().take(least.saturating_sub(1));
        values.push(fewer.cloned().collect());
    }
    values
}
