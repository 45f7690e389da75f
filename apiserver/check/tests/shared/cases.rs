//! Short descriptions of CRDs: each case is a change of a small CRD, or of a named case.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A CRD whose only node with a rule has the schema of the tests of CEL.
pub fn with_rule(rule: &str) -> Value {
    let schema = include_str!("../../../cel/tests/server/schema.json");
    let mut schema: Value = serde_json::from_str(schema).unwrap_or_default();
    schema["x-kubernetes-validations"] = json!([{"rule": rule}]);
    let schema = json!({"type": "object", "properties": {"spec": schema}});
    crd(version(schema))
}

/// The cases so far that have names.
#[derive(Debug, Default)]
pub struct Cases(BTreeMap<String, Value>);

impl Cases {
    /// The CRD of a case.
    ///
    /// It starts with the case named by `of`, with the CRD of the CEL rule in `expression`, or with a small CRD. `field` sets a
    /// field of its `spec`, `rule` one of its rules; `schema`, `version`, `spec` and `crd` set fields of the schema, its
    /// version, the specification and the whole CRD. `set` maps JSON pointers to values, `remove` lists pointers. `description`
    /// is the number of bytes of the root's description.
    pub fn crd(&mut self, case: &Value) -> Result<Value, String> {
        let text = |key: &str| case.get(key).and_then(Value::as_str);
        let mut crd = match (text("of"), text("expression")) {
            (Some(name), _) => {
                let named = self.0.get(name).cloned();
                named.ok_or_else(|| format!("no case before it is named `{name}`: {case}"))?
            }
            (None, Some(rule)) => with_rule(rule),
            (None, None) => changed(case),
        };
        for (pointer, value) in case
            .get("set")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            insert(&mut crd, pointer, Some(value))
                .ok_or_else(|| format!("`{pointer}` leads nowhere: {case}"))?;
        }
        for pointer in case
            .get("remove")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let pointer = pointer.as_str().unwrap_or_default();
            insert(&mut crd, pointer, None)
                .ok_or_else(|| format!("`{pointer}` leads nowhere: {case}"))?;
        }
        if let Some(bytes) = case.get("description").and_then(Value::as_u64) {
            let bytes = usize::try_from(bytes).unwrap_or_default();
            schema_of(&mut crd)["description"] = "x".repeat(bytes).into();
        }
        if let Some(name) = text("name") {
            self.0.insert(name.to_owned(), crd.clone());
        }
        Ok(crd)
    }

    /// The cases with names, with their CRDs.
    pub fn named_cases(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter()
    }
}

/// Sets the value at a JSON pointer, or removes it.
fn insert(crd: &mut Value, pointer: &str, value: Option<&Value>) -> Option<()> {
    let Some((above, key)) = pointer.rsplit_once('/') else {
        *crd = value?.clone();
        return Some(());
    };
    match (crd.pointer_mut(above)?, value) {
        (Value::Object(fields), value) => {
            let key = key.replace("~1", "/").replace("~0", "~");
            match value {
                Some(value) => _ = fields.insert(key, value.clone()),
                None => _ = fields.remove(&key)?,
            }
        }
        (Value::Array(items), Some(value)) => {
            *items.get_mut(key.parse::<usize>().ok()?)? = value.clone();
        }
        _ => return None,
    }
    Some(())
}

fn changed(case: &Value) -> Value {
    let mut crd = small();
    let schema = schema_of(&mut crd);
    if let Some(field) = case.get("field") {
        schema["properties"]["spec"]["properties"]["f"] = field.clone();
    }
    if let Some(rule) = case.get("rule") {
        schema["properties"]["spec"]["x-kubernetes-validations"] = json!([rule]);
    }
    if let Some(changes) = case.get("schema") {
        let mut changes = changes.clone();
        let properties = changes.get_mut("properties").map(Value::take);
        set(&mut schema["properties"], properties.as_ref());
        if let Some(changes) = changes.as_object_mut() {
            changes.remove("properties");
        }
        set(schema, Some(&changes));
    }
    set(&mut crd["spec"]["versions"][0], case.get("version"));
    set(&mut crd["spec"], case.get("spec"));
    set(&mut crd, case.get("crd"));
    crd
}

fn schema_of(crd: &mut Value) -> &mut Value {
    &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
}

fn set(object: &mut Value, fields: Option<&Value>) {
    for (name, value) in fields.and_then(Value::as_object).into_iter().flatten() {
        object[name.as_str()] = value.clone();
    }
}

/// The CRD that cases change unless they name another.
pub fn small() -> Value {
    let schema = json!({"type": "object", "properties": {"spec": spec()}});
    crd(version(schema))
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
