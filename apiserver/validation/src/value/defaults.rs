//! Defaults: adds the fields that are missing in an object, as a server does.

use crate::schema::Schema;
use serde_json::Value;

/// Drops nulls that are not nullable and have no default. Then adds the defaults of fields that are missing, or are null and
/// not nullable.
pub fn complete(value: &mut Value, schema: &Schema<'_>) {
    drop_nulls(value, Some(schema));
    add(value, schema);
}

fn add(value: &mut Value, schema: &Schema<'_>) {
    match value {
        Value::Object(fields) => {
            for (name, property) in schema.properties.iter() {
                let Some(default) = default(property) else {
                    continue;
                };
                let missing = fields
                    .get(*name)
                    .is_none_or(|value| misses(value, property));
                if missing {
                    fields.insert((*name).to_owned(), default.clone());
                }
            }
            for (name, value) in fields {
                match schema.properties.get(name) {
                    Some(property) => add(value, property),
                    None => element(value, schema.values()),
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                element(item, schema.item());
            }
        }
        _ => {}
    }
}

/// An item of a list, or a value of a map.
fn element(value: &mut Value, schema: Option<&Schema<'_>>) {
    let Some(schema) = schema else { return };
    if misses(value, schema) {
        *value = default(schema).cloned().unwrap_or_default();
    }
    add(value, schema);
}

fn misses(value: &Value, schema: &Schema<'_>) -> bool {
    value.is_null() && !schema.nullable
}

fn default<'a>(schema: &Schema<'a>) -> Option<&'a Value> {
    schema.default.filter(|value| !value.is_null())
}

fn drop_nulls(value: &mut Value, schema: Option<&Schema<'_>>) {
    match value {
        Value::Object(fields) => fields.retain(|name, value| {
            let below = schema.and_then(|schema| {
                let property = schema.properties.get(name);
                property.or_else(|| schema.values())
            });
            let dropped =
                below.is_some_and(|below| misses(value, below) && default(below).is_none());
            if !dropped {
                drop_nulls(value, below);
            }
            !dropped
        }),
        Value::Array(items) => {
            let below = schema.and_then(Schema::item);
            items.iter_mut().for_each(|item| drop_nulls(item, below));
        }
        _ => {}
    }
}
