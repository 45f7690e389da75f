//! Pruning: whether the server would drop a part of a value that the schema does not know.

use super::super::model::Schema;
use super::super::schema::is_meta;
use serde_json::Value;

/// Whether anything would be dropped. `embedded` says that the value is a whole resource, whose own fields stay.
pub(super) fn would_drop(value: &Value, schema: Option<&Schema<'_>>, embedded: bool) -> bool {
    drops(value, schema, embedded, false)
}

/// `preserving` says that a list around the value preserves what is unknown.
fn drops(value: &Value, schema: Option<&Schema<'_>>, embedded: bool, preserving: bool) -> bool {
    let preserving = preserving || schema.is_some_and(Schema::preserves);
    match value {
        Value::Object(fields) => fields.iter().any(|(name, value)| {
            let Some(schema) = schema else {
                return !preserving;
            };
            if (embedded || schema.embedded_resource) && is_meta(name) {
                return false;
            }
            match (schema.properties.get(name), &schema.additional_properties) {
                (Some(property), _) => drops(value, Some(property), false, false),
                (None, Some(_)) => drops(value, schema.values(), false, false),
                (None, None) => !preserving,
            }
        }),
        Value::Array(items) => {
            let item = schema.and_then(Schema::item);
            items
                .iter()
                .any(|value| drops(value, item, false, preserving))
        }
        _ => false,
    }
}
