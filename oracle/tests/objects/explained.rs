//! Differences between a type and its CRD that are intended.

use crd_channels_validation::schema::Schema;
use serde_json::Value;

/// Why servers accept this object although no schema means it; nothing where schemas can say which values are valid. Asked of
/// the object and not of serde's message, which names no value where an untagged enum is around it.
pub fn accepted(value: &Value, schema: &Schema<'_>) -> Option<&'static str> {
    match value {
        Value::Array(_) if schema.ty == "string" && !schema.format.is_empty() => {
            Some("servers accept a list for a string with a format")
        }
        Value::Number(number) if schema.int_or_string => {
            let integer = number.as_i64().map(i32::try_from);
            (!matches!(integer, Some(Ok(_))))
                .then_some("servers do not limit the integers of an int-or-string to 32 bits")
        }
        Value::Object(fields) => fields.iter().find_map(|(name, value)| {
            let declared = schema.properties.get(name).or(schema.values())?;
            accepted(value, declared)
        }),
        Value::Array(items) => {
            let declared = schema.item()?;
            items.iter().find_map(|item| accepted(item, declared))
        }
        _ => None,
    }
}

/// Why the difference with this message is right; nothing where it is a fault.
pub fn written(difference: &str) -> Option<&'static str> {
    difference.contains(".secs: 92233720368547758").then_some(
        "a `Duration` adds seconds to the largest integer of JSON, for nanoseconds beyond a second",
    )
}
