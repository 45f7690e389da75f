//! One JSON for a schema, from any writer: texts for people are left out, as is what means the same as its absence.

use serde_json::{Map, Number, Value};

/// Texts for people.
const TEXTS: [&str; 4] = ["description", "title", "example", "externalDocs"];

/// The schema in the form that digests are of.
pub(super) fn canonical(schema: &Value) -> Value {
    let Value::Object(keywords) = schema else {
        return schema.clone();
    };
    let mut kept: Vec<(&String, Value)> = keywords
        .iter()
        .filter(|(keyword, _)| !TEXTS.contains(&keyword.as_str()))
        .filter_map(|(keyword, value)| Some((keyword, of_keyword(keyword, value)?)))
        .collect();
    // In order, also where another package keeps the order of files.
    kept.sort_by_key(|(keyword, _)| *keyword);
    kept.into_iter()
        .map(|(keyword, value)| (keyword.clone(), value))
        .collect::<Map<String, Value>>()
        .into()
}

/// The value of a keyword; `None` if it says nothing.
fn of_keyword(keyword: &str, value: &Value) -> Option<Value> {
    if value.is_null() {
        return None;
    }
    let each = |value: &Value| match value {
        Value::Array(schemas) => schemas.iter().map(canonical).collect(),
        other => canonical(other),
    };
    Some(match keyword {
        "default" | "enum" => plain(value),
        "items" | "additionalProperties" | "not" => each(value),
        _ if is_nothing(value) => return None,
        "allOf" | "anyOf" | "oneOf" => each(value),
        "properties" | "patternProperties" | "definitions" => match value {
            Value::Object(named) => sorted(named, canonical),
            other => plain(other),
        },
        _ => plain(value),
    })
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => !flag,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Null | Value::Number(_) => false,
    }
}

/// A value whose keys are in order and whose numbers have one form.
fn plain(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(fields) => sorted(fields, plain),
        Value::Number(number) => number_of(number).into(),
        other => other.clone(),
    }
}

/// The same number without a fraction, if it has none.
#[allow(
    clippy::cast_possible_truncation,
    reason = "numbers without a fraction in the range of 54 bits"
)]
fn number_of(number: &Number) -> Number {
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => {
            Number::from(float as i64)
        }
        _ => number.clone(),
    }
}

fn sorted(fields: &Map<String, Value>, of: impl Fn(&Value) -> Value) -> Value {
    let mut all: Vec<(&String, &Value)> = fields.iter().collect();
    all.sort_by_key(|(name, _)| *name);
    let all = all
        .into_iter()
        .map(|(name, value)| (name.clone(), of(value)));
    Value::Object(all.collect())
}
