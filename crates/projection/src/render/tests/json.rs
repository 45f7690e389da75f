//! Schemas as JSON, and a check of whether they are structural.

use crd_channels_schema::{
    Additional, Bounds, JsonType, Junctors, ListType, MapType, Merge, Notes, Rule, Schema,
};
use serde_json::{Map, Value, json};

pub(super) fn to_json(schema: &Schema) -> Value {
    let Schema {
        ty,
        format,
        title,
        description,
        nullable,
        default,
        enum_values,
        properties,
        required,
        additional_properties,
        items,
        bounds,
        junctors,
        merge,
        notes,
        rules,
        embedded_resource,
        int_or_string,
        preserve_unknown_fields,
        origin: _,
        levels: _,
        keys: _,
    } = schema;
    let mut out = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            out.insert(key.to_owned(), value);
        }
    };
    let text = |text: &Option<crd_channels_diagnostics::Text>| text.as_deref().map(Value::from);
    put("type", ty.map(|ty| name(ty).into()));
    put("format", text(format));
    put("title", text(title));
    put("description", text(description));
    put("nullable", nullable.then_some(true.into()));
    put("default", default.as_deref().cloned());
    put(
        "enum",
        (!enum_values.is_empty()).then(|| enum_values.clone().into()),
    );
    let map: Map<String, Value> = properties
        .iter()
        .map(|(name, property)| (name.to_string(), to_json(property)))
        .collect();
    put("properties", (!map.is_empty()).then_some(map.into()));
    put(
        "required",
        (!required.is_empty()).then(|| json!(texts(required))),
    );
    put(
        "additionalProperties",
        additional_properties.as_ref().map(|more| match more {
            Additional::Allowed(allowed) => (*allowed).into(),
            Additional::Schema(schema) => to_json(schema),
        }),
    );
    put("items", items.as_deref().map(to_json));
    let Bounds {
        minimum,
        exclusive_minimum,
        maximum,
        exclusive_maximum,
        multiple_of,
        min_length,
        max_length,
        pattern,
        min_items,
        max_items,
        min_properties,
        max_properties,
    } = bounds.as_deref().cloned().unwrap_or_default();
    put("minimum", minimum.map(Value::from));
    put("maximum", maximum.map(Value::from));
    put("multipleOf", multiple_of.map(Value::from));
    put("exclusiveMinimum", exclusive_minimum.then_some(true.into()));
    put("exclusiveMaximum", exclusive_maximum.then_some(true.into()));
    put("minLength", min_length.map(Value::from));
    put("maxLength", max_length.map(Value::from));
    put("pattern", text(&pattern));
    put("minItems", min_items.map(Value::from));
    put("maxItems", max_items.map(Value::from));
    put("minProperties", min_properties.map(Value::from));
    put("maxProperties", max_properties.map(Value::from));
    let Junctors {
        all_of,
        any_of,
        one_of,
        not,
    } = junctors.as_deref().cloned().unwrap_or_default();
    for (key, list) in [("allOf", all_of), ("anyOf", any_of), ("oneOf", one_of)] {
        put(
            key,
            (!list.is_empty()).then(|| list.iter().map(to_json).collect()),
        );
    }
    put("not", not.as_deref().map(to_json));
    let Merge {
        list_type,
        list_map_keys,
        map_type,
    } = merge.as_deref().cloned().unwrap_or_default();
    put(
        "x-kubernetes-list-type",
        list_type.map(|ty| match ty {
            ListType::Atomic => "atomic".into(),
            ListType::Set => "set".into(),
            ListType::Map => "map".into(),
        }),
    );
    put(
        "x-kubernetes-list-map-keys",
        (!list_map_keys.is_empty()).then(|| json!(texts(&list_map_keys))),
    );
    put(
        "x-kubernetes-map-type",
        map_type.map(|ty| match ty {
            MapType::Atomic => "atomic".into(),
            MapType::Granular => "granular".into(),
        }),
    );
    let Notes {
        example,
        docs_url,
        docs_description,
    } = notes.as_deref().cloned().unwrap_or_default();
    put("example", example);
    assert!(docs_url.is_none() && docs_description.is_none(), "not used");
    put(
        "x-kubernetes-validations",
        (!rules.is_empty()).then(|| rules.iter().map(rule).collect()),
    );
    put(
        "x-kubernetes-embedded-resource",
        embedded_resource.then_some(true.into()),
    );
    put(
        "x-kubernetes-int-or-string",
        int_or_string.then_some(true.into()),
    );
    put(
        "x-kubernetes-preserve-unknown-fields",
        preserve_unknown_fields.then_some(true.into()),
    );
    out.into()
}

fn texts(texts: &[crd_channels_diagnostics::Text]) -> Vec<&str> {
    texts.iter().map(AsRef::as_ref).collect()
}

fn rule(rule: &Rule) -> Value {
    let mut out = json!({ "rule": *rule.rule });
    if let Some(message) = &rule.message {
        out["message"] = message.as_ref().into();
    }
    out
}

fn name(ty: JsonType) -> &'static str {
    match ty {
        JsonType::Array => "array",
        JsonType::Boolean => "boolean",
        JsonType::Integer => "integer",
        JsonType::Number => "number",
        JsonType::Object => "object",
        JsonType::String => "string",
    }
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
