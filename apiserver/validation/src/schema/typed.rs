//! A schema as the expressions of rules see it.

use super::model::{Additional, Items, Schema};
use crd_channels_cel::types::{Schema as Described, Shape};

/// Whether rules can read a value of the node.
#[must_use]
pub fn has_type(schema: &Schema<'_>) -> bool {
    if schema.int_or_string {
        return true;
    }
    match schema.ty {
        "array" => schema.item().is_some_and(has_type),
        "object" => schema.values().is_none_or(has_type),
        "string" | "boolean" | "number" | "integer" => true,
        _ => false,
    }
}

/// Describes a node and all nodes below it; `is_resource` marks the root of a resource.
#[must_use]
pub fn described<'s>(schema: &'s Schema<'_>, is_resource: bool) -> Described<'s> {
    Described {
        shape: shape(schema),
        int_or_string: schema.int_or_string,
        resource: is_resource || schema.embedded_resource,
        max_length: schema.max_length,
        has_default: schema.default.is_some_and(|value| !value.is_null()),
    }
}

fn shape<'s>(schema: &'s Schema<'_>) -> Shape<'s> {
    let below = |schema: &'s Schema<'_>| Box::new(described(schema, false));
    match (schema.ty, &schema.items, &schema.additional_properties) {
        ("boolean", _, _) => Shape::Boolean,
        ("integer", _, _) => Shape::Integer,
        ("number", _, _) => Shape::Number,
        ("string", _, _) => Shape::String {
            format: schema.format,
            longest_value: longest(schema),
        },
        ("array", Some(Items::One(items)), _) => Shape::Array {
            items: below(items),
            max_items: schema.max_items,
        },
        ("object", _, Some(Additional::Schema(values))) => Shape::Map {
            values: below(values),
            max_properties: schema.max_properties,
        },
        ("object", _, _) => Shape::Object {
            properties: schema
                .properties
                .iter()
                .map(|(name, property)| (*name, described(property, false)))
                .collect(),
            required: schema.required.iter().copied().collect(),
        },
        _ => Shape::Unknown,
    }
}

/// The length of the longest text in the enum, if there is an enum.
fn longest(schema: &Schema<'_>) -> Option<i64> {
    let values = schema.enum_values.iter();
    values
        .map(|value| value.as_str().map_or(0, str::len))
        .max()
        .and_then(|length| i64::try_from(length).ok())
}
