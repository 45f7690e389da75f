//! Builds schemas for rules from JSON.

use crd_channels_cel::types::{Schema, Shape};
use serde_json::Value;

/// The part of an OpenAPI schema that rules see.
pub fn schema(value: &Value) -> Schema<'_> {
    let number = |name: &str| value[name].as_i64();
    let shape = match value["type"].as_str() {
        Some("boolean") => Shape::Boolean,
        Some("integer") => Shape::Integer,
        Some("number") => Shape::Number,
        Some("string") => Shape::String {
            format: value["format"].as_str().unwrap_or_default(),
            longest_value: value["enum"].as_array().map(|values| longest(values)),
        },
        Some("array") => Shape::Array {
            items: Box::new(schema(&value["items"])),
            max_items: number("maxItems"),
        },
        Some("object") if value["additionalProperties"].is_object() => Shape::Map {
            values: Box::new(schema(&value["additionalProperties"])),
            max_properties: number("maxProperties"),
        },
        Some("object") => {
            let properties = value["properties"].as_object().into_iter().flatten();
            let required = value["required"].as_array().into_iter().flatten();
            Shape::Object {
                properties: properties
                    .map(|(name, property)| (name.as_str(), schema(property)))
                    .collect(),
                required: required.filter_map(Value::as_str).collect(),
            }
        }
        _ => Shape::Unknown,
    };
    Schema {
        shape,
        int_or_string: value["x-kubernetes-int-or-string"] == true,
        resource: value["x-kubernetes-embedded-resource"] == true,
        max_length: number("maxLength"),
        has_default: !value["default"].is_null(),
    }
}

fn longest(values: &[Value]) -> i64 {
    let lengths = values.iter().filter_map(Value::as_str).map(str::len);
    i64::try_from(lengths.max().unwrap_or_default()).unwrap_or(i64::MAX)
}
