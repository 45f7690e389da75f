//! Objects with exactly one fault.

use super::dice::Dice;
use super::field::Field;
use super::validate::violations_of;
use crd_channels_schema as source;
use crd_channels_validation::Violation;
use crd_channels_validation::schema::Schema;
use serde_json::{Number, Value, json};

/// An object and its only fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The object.
    pub object: Value,
    /// The changed place.
    pub field: Field,
    /// The keyword that the change violates.
    pub keyword: &'static str,
    /// The violation.
    pub violation: Violation,
}

/// Returns every change of one place of a valid object that causes exactly one violation. Changes that cause more, such as a
/// number that is below its minimum and not in an enum either, are left out, and so are those that violate a junctor, which
/// servers report without a field.
#[must_use]
pub fn all(schema: &source::Schema, object: &Value) -> Vec<Broken> {
    let schema = crd_channels_check::schema(schema);
    let changes = changes(&schema, object);
    let broken = changes.into_iter().filter_map(|change| {
        let object = change.apply(object)?;
        let Change { field, keyword, .. } = change;
        let mut violations = violations_of(&schema, &object);
        let violation = violations.pop()?;
        let single = violations.is_empty() && !violation.field.is_empty();
        single.then_some(Broken {
            object,
            field,
            keyword,
            violation,
        })
    });
    broken.collect()
}

/// Chooses up to this number of them, with as many different keywords as possible.
#[must_use]
pub fn choose(mut broken: Vec<Broken>, wanted: usize, dice: &mut Dice) -> Vec<Broken> {
    let mut chosen: Vec<Broken> = Vec::new();
    while chosen.len() < wanted && !broken.is_empty() {
        let times = |keyword| chosen.iter().filter(|one| one.keyword == keyword).count();
        let fewest = broken.iter().map(|one| times(one.keyword)).min();
        let rare: Vec<usize> = (0..broken.len())
            .filter(|at| broken.get(*at).map(|one| times(one.keyword)) == fewest)
            .collect();
        let Some(at) = dice.pick(&rare) else { break };
        chosen.push(broken.swap_remove(*at));
    }
    chosen
}

/// A change of one place, after which the object may still be valid.
#[derive(Clone, Debug)]
pub struct Change {
    /// The place.
    pub field: Field,
    /// The keyword that the change is to violate.
    pub keyword: &'static str,
    /// The new value; `None` if the place is removed.
    pub value: Option<Value>,
}

impl Change {
    /// The changed object; `None` if it does not have the place.
    #[must_use]
    pub fn apply(&self, object: &Value) -> Option<Value> {
        let mut object = object.clone();
        match &self.value {
            None => {
                self.field.remove(&mut object)?;
            }
            Some(value) => self.field.get_mut(&mut object)?.clone_from(value),
        }
        Some(object)
    }
}

/// Returns every change that is to violate a keyword.
#[must_use]
pub fn changes(schema: &Schema<'_>, object: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    collect(schema, object, &Field::default(), &mut changes);
    changes
}

fn collect(schema: &Schema<'_>, value: &Value, field: &Field, changes: &mut Vec<Change>) {
    let mut set = |(keyword, value): (&'static str, Value)| {
        changes.push(Change {
            field: field.clone(),
            keyword,
            value: Some(value),
        });
    };
    if !field.0.is_empty() {
        set(("type", of_another_type(schema)));
    }
    if !schema.enum_values.is_empty() {
        set(("enum", json!("no-such-value")));
    }
    match value {
        Value::Number(_) => numbers(schema).into_iter().for_each(set),
        Value::String(text) => strings(schema, text).into_iter().for_each(set),
        Value::Array(items) => {
            lists(schema, items).into_iter().for_each(set);
            let Some(of_items) = schema.item() else {
                return;
            };
            for (index, item) in items.iter().enumerate() {
                collect(of_items, item, &field.index(index), changes);
            }
        }
        Value::Object(fields) => {
            for name in schema.required.iter() {
                changes.push(Change {
                    field: field.name(name),
                    keyword: "required",
                    value: None,
                });
            }
            for (name, value) in fields {
                if let Some(below) = schema.properties.get(name).or_else(|| schema.values()) {
                    collect(below, value, &field.name(name), changes);
                }
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// Returns a value of a type that the schema does not allow.
fn of_another_type(schema: &Schema<'_>) -> Value {
    match schema.ty {
        _ if schema.int_or_string => json!(true),
        "boolean" | "integer" | "number" => json!("text"),
        _ => json!(7),
    }
}

fn numbers(schema: &Schema<'_>) -> Vec<(&'static str, Value)> {
    let beyond = |bound: Option<f64>, by: f64| {
        let float = bound? + by;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole numbers of this size are exact"
        )]
        let whole = (float.fract() == 0.0 && float.abs() < 1e15).then_some(float as i64);
        let float = || Number::from_f64(float).map(Value::Number);
        whole.map(Value::from).or_else(float)
    };
    let mut values = Vec::new();
    let mut add =
        |keyword, value: Option<Value>| values.extend(value.map(|value| (keyword, value)));
    add("minimum", beyond(schema.minimum, -1.0));
    add("maximum", beyond(schema.maximum, 1.0));
    if schema.exclusive_minimum {
        add("minimum", beyond(schema.minimum, 0.0));
    }
    if schema.exclusive_maximum {
        add("maximum", beyond(schema.maximum, 0.0));
    }
    // Values beyond `int32` are not tried: servers report them without a field.
    if schema.multiple_of.is_some() {
        let near = beyond(schema.minimum, 1.0).unwrap_or(json!(1));
        add("multipleOf", Some(near));
    }
    values
}

fn strings(schema: &Schema<'_>, text: &str) -> Vec<(&'static str, Value)> {
    let mut values = Vec::new();
    let length = |bound: Option<i64>| bound.and_then(|bound| usize::try_from(bound).ok());
    if let Some(most) = length(schema.max_length) {
        // Repeating the last character satisfies many patterns.
        let unit = text.chars().next_back().unwrap_or('a');
        let missing = most.saturating_sub(text.chars().count()) + 1;
        let longer = format!("{text}{}", unit.to_string().repeat(missing));
        values.push(("maxLength", longer));
    }
    if let Some(least) = length(schema.min_length) {
        let shorter = text.chars().take(least.saturating_sub(1)).collect();
        values.push(("minLength", shorter));
    }
    if !schema.pattern.as_str().is_empty() {
        let same_length = |odd: &str| odd.repeat(text.chars().count().max(1));
        let odd = [" ", "\u{1}", "_", "!", "\u{e9}"].map(same_length);
        values.extend(odd.map(|odd| ("pattern", odd)));
        values.push(("pattern", String::new()));
    }
    if !schema.format.is_empty() {
        values.push(("format", "no such format".to_owned()));
    }
    let values = values.into_iter();
    values
        .map(|(keyword, text)| (keyword, Value::String(text)))
        .collect()
}

fn lists(schema: &Schema<'_>, items: &[Value]) -> Vec<(&'static str, Value)> {
    let mut values = Vec::new();
    let length = |bound: Option<i64>| bound.and_then(|bound| usize::try_from(bound).ok());
    if let Some(first) = items.first() {
        let mut twice = items.to_vec();
        twice.push(first.clone());
        let keeps_apart = matches!(schema.list_type, Some("set" | "map"));
        let keyword = if keeps_apart {
            "x-kubernetes-list-type"
        } else {
            "maxItems"
        };
        values.push((keyword, Value::Array(twice)));
        if let Some(most) = length(schema.max_items) {
            let missing = most.saturating_sub(items.len()) + 1;
            let copies = std::iter::repeat_n(first.clone(), missing.min(1000));
            values.push(("maxItems", items.iter().cloned().chain(copies).collect()));
        }
    }
    if let Some(least) = length(schema.min_items) {
        let fewer = items.iter().take(least.saturating_sub(1));
        values.push(("minItems", fewer.cloned().collect()));
    }
    values
}
