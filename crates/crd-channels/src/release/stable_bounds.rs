//! Finds the values that only the experimental channel accepts, because the stable one has other bounds.

use super::policy::quoted;
use crd_channels_schema::{Bounds, JsonType, Schema};
use serde_json::Number;

/// A bound of the stable channel that the experimental one lacks.
pub(super) struct StableBound {
    /// The bound in words, such as `over maxLength 20`.
    pub(super) shown: String,
    /// A CEL expression: whether a value exceeds the bound.
    pub(super) holds: String,
}

/// Returns every bound of `stable` that `schema` does not share, for the CEL expression `value`. If `schema` is stricter, no
/// value that it accepts exceeds the bound, so an extra check is harmless.
pub(super) fn stable_bounds(schema: &Schema, stable: &Schema, value: &str) -> Vec<StableBound> {
    if schema.ty != stable.ty {
        return Vec::new();
    }
    let none = Bounds::default();
    let own = schema.bounds.as_deref().unwrap_or(&none);
    let Bounds {
        minimum,
        exclusive_minimum,
        maximum,
        exclusive_maximum,
        // CEL has no remainder for floating-point numbers.
        multiple_of: _,
        min_length,
        max_length,
        pattern,
        min_items,
        max_items,
        min_properties,
        max_properties,
    } = stable.bounds.as_deref().unwrap_or(&none);
    let mut found = Vec::new();
    let mut add = |shown: String, holds: String| found.push(StableBound { shown, holds });
    let mut size = |keyword: &str, is_most: bool, own: Option<u64>, stable: &Option<u64>| {
        if let Some(bound) = stable.filter(|_| own != *stable) {
            let (word, sign) = if is_most {
                ("over", '>')
            } else {
                ("under", '<')
            };
            add(
                format!("{word} {keyword} {bound}"),
                format!("size({value}) {sign} {bound}"),
            );
        }
    };
    match stable.ty {
        Some(JsonType::String) => {
            size("minLength", false, own.min_length, min_length);
            size("maxLength", true, own.max_length, max_length);
            if let Some(pattern) = pattern.as_ref().filter(|_| own.pattern != *pattern) {
                add(
                    format!("not of the pattern {pattern}"),
                    format!("!{value}.matches({})", quoted(pattern)),
                );
            }
        }
        Some(JsonType::Array) => {
            size("minItems", false, own.min_items, min_items);
            size("maxItems", true, own.max_items, max_items);
        }
        Some(JsonType::Object) => {
            size("minProperties", false, own.min_properties, min_properties);
            size("maxProperties", true, own.max_properties, max_properties);
        }
        Some(JsonType::Integer | JsonType::Number) => {
            let lowest = (minimum, *exclusive_minimum);
            if let Some(bound) = minimum.as_ref().and_then(literal)
                && lowest != (&own.minimum, own.exclusive_minimum)
            {
                let sign = if *exclusive_minimum { "<=" } else { "<" };
                add(
                    format!("under minimum {bound}"),
                    format!("{value} {sign} {bound}"),
                );
            }
            let highest = (maximum, *exclusive_maximum);
            if let Some(bound) = maximum.as_ref().and_then(literal)
                && highest != (&own.maximum, own.exclusive_maximum)
            {
                let sign = if *exclusive_maximum { ">=" } else { ">" };
                add(
                    format!("over maximum {bound}"),
                    format!("{value} {sign} {bound}"),
                );
            }
        }
        Some(JsonType::Boolean) | None => {}
    }
    found
}

/// Formats a number for CEL, whose integers have 64 bits.
fn literal(number: &Number) -> Option<String> {
    let fits = number.is_i64() || number.is_f64();
    fits.then(|| number.to_string())
}
