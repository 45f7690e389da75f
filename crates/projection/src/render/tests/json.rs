//! Schemas as JSON, and a check of whether they are structural.

use crd_channels_schema::Schema;
use serde_json::{Value, json};

pub(super) fn to_json(schema: &Schema) -> Value {
    serde_json::to_value(schema).unwrap()
}

/// Returns why an API server would refuse a schema as not structural; empty if it is structural.
pub(super) fn faults(schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    find_faults(schema, "", &mut faults);
    faults
}

fn find_faults(schema: &Value, path: &str, faults: &mut Vec<String>) {
    let is = |key: &str| schema.get(key) == Some(&Value::Bool(true));
    let loose = is("x-kubernetes-preserve-unknown-fields") || is("x-kubernetes-int-or-string");
    if schema.get("type").is_none() && !loose {
        faults.push(format!("{path}: no type"));
    }
    if schema.get("type") == Some(&json!("array")) && schema.get("items").is_none() {
        faults.push(format!("{path}: no items"));
    }
    if let (Some(_), Some(more)) = (schema.get("properties"), schema.get("additionalProperties"))
        && *more != Value::Bool(true)
    {
        faults.push(format!("{path}: properties and additionalProperties"));
    }
    for refused in ["$ref", "additionalItems", "patternProperties"] {
        if schema.get(refused).is_some() {
            faults.push(format!("{path}: {refused}"));
        }
    }
    if schema.get("items").is_some_and(Value::is_array) {
        faults.push(format!("{path}: list of items"));
    }
    for (name, property) in schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        find_faults(property, &format!("{path}.{name}"), faults);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(below) = schema.get(key).filter(|below| below.is_object()) {
            find_faults(below, &format!("{path}.{key}"), faults);
        }
    }
    let either = is("x-kubernetes-int-or-string")
        && schema.get("anyOf") == Some(&json!([{"type": "integer"}, {"type": "string"}]));
    for key in ["allOf", "anyOf", "oneOf"] {
        if key == "anyOf" && either {
            continue;
        }
        for branch in schema
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            check_branch(branch, &format!("{path}.{key}"), schema, faults);
        }
    }
    if let Some(not) = schema.get("not") {
        check_branch(not, &format!("{path}.not"), schema, faults);
    }
}

fn check_branch(branch: &Value, path: &str, around: &Value, faults: &mut Vec<String>) {
    for key in branch.as_object().into_iter().flatten().map(|(key, _)| key) {
        let checks = [
            "enum",
            "format",
            "required",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "pattern",
            "multipleOf",
            "properties",
            "items",
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "example",
        ];
        if !checks.contains(&key.as_str()) {
            faults.push(format!("{path}: {key} in a junctor"));
        }
    }
    for (name, property) in branch
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        match around.get("properties").and_then(|known| known.get(name)) {
            Some(known) => check_branch(property, &format!("{path}.{name}"), known, faults),
            None => faults.push(format!("{path}.{name}: only in a junctor")),
        }
    }
    if let Some(items) = branch.get("items") {
        check_branch(items, &format!("{path}.items"), around, faults);
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        for inner in branch
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            check_branch(inner, &format!("{path}.{key}"), around, faults);
        }
    }
}
