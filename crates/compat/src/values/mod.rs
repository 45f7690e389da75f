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
pub(super) use local::{Limit, Local, refuses_numbers};
pub(super) use numbers::{same_number, whole};
pub(super) use valid::{fits, keeps, valid};
pub(super) use witness::refused;

use serde_json::Value;

/// Whether two JSON values are equal: `1` and `1.0` are.
#[must_use]
pub fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => same_number(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, one)| other.get(key).is_some_and(|other| same(one, other)))
        }
        _ => one == other,
    }
}

/// Whether two members of an enum are equal if numbers may have fractions: servers truncate for whole members, so `1` and `1.0`
/// differ.
pub(super) fn is_same_member(one: &Value, other: &Value) -> bool {
    let are_alike = match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.is_f64() == other.is_f64(),
        _ => true,
    };
    are_alike && same(one, other)
}
