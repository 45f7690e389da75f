//! The CRDs that servers are asked about.

use serde_json::{Map, Value, json};

/// A CRD whose only node with a rule has the schema of the tests of CEL.
pub fn with_rule(rule: &str) -> Value {
    let schema = include_str!("../../../cel/tests/server/schema.json");
    let mut schema: Value = serde_json::from_str(schema).unwrap();
    schema["x-kubernetes-validations"] = json!([{"rule": rule}]);
    let schema = json!({"type": "object", "properties": {"spec": schema}});
    crd(version(schema))
}

/// The CRD of a case: `field` is a field of `spec`, `rule` one of its rules; `schema`, `version`, `spec` and `crd` are set in
/// the schema, its version, the specification and the whole.
pub fn changed(case: &Value) -> Value {
    let mut schema = json!({"type": "object", "properties": {"spec": spec()}});
    if let Some(field) = case.get("field") {
        schema["properties"]["spec"]["properties"]["f"] = field.clone();
    }
    if let Some(rule) = case.get("rule") {
        schema["properties"]["spec"]["x-kubernetes-validations"] = json!([rule]);
    }
    if let Some(changes) = case.get("schema") {
        let mut changes = changes.clone();
        let properties = changes.as_object_mut().unwrap().remove("properties");
        set(&mut schema["properties"], properties.as_ref());
        set(&mut schema, Some(&changes));
    }
    let mut version = version(schema);
    set(&mut version, case.get("version"));
    let mut crd = crd(version);
    set(&mut crd["spec"], case.get("spec"));
    set(&mut crd, case.get("crd"));
    crd
}

fn set(object: &mut Value, fields: Option<&Value>) {
    let fields = fields.and_then(Value::as_object).into_iter().flatten();
    let set: Map<_, _> = fields
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    object.as_object_mut().unwrap().extend(set);
}

fn spec() -> Value {
    let mut properties = json!({
        "s": {"type": "string", "maxLength": 10},
        "i": {"type": "integer"},
        "b": {"type": "boolean"},
        "n": {"type": "number"},
        "ls": {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 5}},
        "m": {"type": "object", "maxProperties": 5,
              "additionalProperties": {"type": "string", "maxLength": 5}},
        "o": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},
    });
    for nth in 0..9 {
        properties[format!("p{nth}")] = json!({"type": "string"});
    }
    json!({"type": "object", "properties": properties})
}

fn version(schema: Value) -> Value {
    json!({"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}})
}

fn crd(version: Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {
                "plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList",
            },
            "versions": [version],
        },
    })
}
