//! The meaning of a CRD to a server, as JSON: without defaults and ignored fields, in canonical order.

use serde_json::{Map, Value, json};

/// Lists without a significant order.
const UNORDERED: [&str; 4] = ["required", "enum", "categories", "selectableFields"];

/// Flags that default to false.
const FLAGS: [&str; 8] = [
    "nullable",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
    "deprecated",
    "preserveUnknownFields",
];

/// The meaning of a CRD.
pub(super) fn meaning(crd: &Value) -> Value {
    let mut crd = crd.clone();
    if let Some(spec) = crd["spec"].as_object_mut() {
        if let Some(conversion) = spec.get_mut("conversion").and_then(Value::as_object_mut)
            && conversion.get("strategy").is_some_and(|it| it == "None")
        {
            conversion.remove("strategy");
        }
        if spec.get("conversion") == Some(&json!({})) {
            spec.remove("conversion");
        }
        if let Some(names) = spec.get_mut("names").and_then(Value::as_object_mut) {
            let kind = names
                .get("kind")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let (singular, list) = (kind.to_lowercase(), format!("{kind}List"));
            names.entry("singular").or_insert(json!(singular));
            names.entry("listKind").or_insert(json!(list));
        }
        let versions = spec.get_mut("versions").and_then(Value::as_array_mut);
        for version in versions.into_iter().flatten() {
            if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
                drop_object_fields(schema);
            }
        }
    }
    if let Some(crd) = crd.as_object_mut() {
        crd.remove("status");
    }
    if let Some(metadata) = crd["metadata"].as_object_mut() {
        metadata.remove("creationTimestamp");
    }
    plain(&crd, "", None)
}

/// Drops the fields that every object has, if the schema does not constrain them further.
fn drop_object_fields(schema: &mut Value) {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    properties.retain(|name, property| {
        let ty = match name.as_str() {
            "apiVersion" | "kind" => "string",
            "metadata" => "object",
            _ => return true,
        };
        let mut property = property.clone();
        if let Some(fields) = property.as_object_mut() {
            fields.retain(|name, _| {
                !["title", "description", "example", "externalDocs"].contains(&name.as_str())
            });
        }
        plain(&property, name, None) != json!({"type": ty}) || required.contains(&json!(name))
    });
}

/// The canonical form of a part. Numbers become floats, unless that changes them.
fn plain(value: &Value, key: &str, ty: Option<&str>) -> Value {
    match value {
        Value::Number(number) if ty == Some("number") && key == "enum" => json!(number.to_string()),
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(|item| plain(item, key, ty)).collect();
            if UNORDERED.contains(&key) {
                items.sort_by_key(Value::to_string);
                items.dedup();
            }
            Value::Array(items)
        }
        Value::Object(fields) => object(fields, key),
        other => other.clone(),
    }
}

fn object(fields: &Map<String, Value>, key: &str) -> Value {
    // Names that users choose are not keywords, and values keep all of their content.
    let is_named = ["properties", "annotations", "labels"].contains(&key);
    let is_value = ["default", "example", "enum"].contains(&key);
    let ty = fields.get("type").and_then(Value::as_str);
    let parts = fields.iter().filter_map(|(name, value)| {
        let below = match (is_value, is_named) {
            (true, _) => key,
            (_, true) => "",
            _ => name,
        };
        let value = plain(value, below, ty);
        let is_absent = !is_value && (value.is_null() || (!is_named && is_empty(name, &value)));
        (!is_absent).then(|| (name.clone(), value))
    });
    Value::Object(parts.collect())
}

/// Whether a server treats the field as absent.
fn is_empty(name: &str, value: &Value) -> bool {
    let is_container = ["properties", "annotations", "labels", "schema"].contains(&name);
    let is_value = ["default", "example"].contains(&name);
    match value {
        Value::Bool(flag) => !flag && FLAGS.contains(&name),
        Value::Array(items) => items.is_empty() && !is_value,
        Value::Object(fields) => fields.is_empty() && is_container,
        Value::Number(number) => name == "priority" && number.as_f64() == Some(0.0),
        _ => false,
    }
}
