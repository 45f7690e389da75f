//! The values that a schema accepts: whether there are any, and whether it accepts a given one.

mod numbers;
mod kinds;
mod languages;
mod local;
mod inhabited;
mod valid;
mod candidates;
mod witness;
pub(super) mod size;

pub(super) use inhabited::{inhabited, occurs, without};
pub(super) use kinds::{Kinds, bounds_of_format, bounds_texts, enforced, kinds};
pub(super) use languages::matches;
pub(super) use local::{Limit, Local, listing, refuses_numbers, unlisted};
pub(super) use numbers::{same_number, whole};
pub(super) use valid::{fits, keeps, valid};
pub(super) use witness::refused;

use serde_json::Value;
use std::collections::HashSet;

/// Whether two JSON values are equal: `1` and `1.0` are.
#[must_use]
pub fn same(one: &Value, other: &Value) -> bool {
    key(one) == key(other)
}

/// A text that equal values share, and no others.
pub(super) fn key(value: &Value) -> String {
    match value {
        Value::Number(number) => numbers::key(number),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(key).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, value)| format!("{name:?}:{}", key(value)));
            let mut fields: Vec<String> = fields.collect();
            fields.sort_unstable();
            format!("{{{}}}", fields.join(","))
        }
        Value::String(text) => format!("{text:?}"),
        Value::Null | Value::Bool(_) => value.to_string(),
    }
}

/// The same for members of an enum if numbers may have fractions: servers truncate for whole members, so `1` and `1.0` differ.
pub(super) fn key_of_member(value: &Value) -> String {
    let form = match value {
        Value::Number(number) if number.is_f64() => "float ",
        _ => "",
    };
    format!("{form}{}", key(value))
}

/// The keys of values, to look others up.
pub(super) fn keys(values: &[Value], key: fn(&Value) -> String) -> HashSet<String> {
    values.iter().map(key).collect()
}
