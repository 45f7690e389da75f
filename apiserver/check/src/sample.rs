//! Schemas for tests, from short JSON.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use crd_channels_schema::{Additional, JsonType, Schema};
use serde_json::Value;
use std::sync::Arc;

/// A schema, from JSON with only the keywords that matter to reads.
pub(super) fn schema(json: &str) -> Schema {
    from_value(&serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}")))
}

/// The documents of a YAML text.
pub(super) fn documents(text: &str) -> Vec<Value> {
    serde_saphyr::from_multiple(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The schema of a JSON value.
pub(super) fn from_value(value: &Value) -> Schema {
    let flag = |name: &str| value.get(name).and_then(Value::as_bool).unwrap_or_default();
    let child = |name: &str| {
        let found = value.get(name).filter(|child| child.is_object());
        found.map(|child| Arc::new(from_value(child)))
    };
    let properties = value.get("properties").and_then(Value::as_object);
    Schema {
        ty: value
            .get("type")
            .and_then(Value::as_str)
            .and_then(JsonType::from_name),
        enum_values: value
            .get("enum")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default(),
        properties: properties
            .into_iter()
            .flatten()
            .map(|(name, child)| (name.as_str().into(), Arc::new(from_value(child))))
            .collect(),
        items: child("items"),
        additional_properties: child("additionalProperties").map(Additional::Schema),
        int_or_string: flag("x-kubernetes-int-or-string"),
        preserve_unknown_fields: flag("x-kubernetes-preserve-unknown-fields"),
        embedded_resource: flag("x-kubernetes-embedded-resource"),
        ..Schema::default()
    }
}
