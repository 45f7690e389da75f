//! Lints on lists: how they are merged, what conditions are made of, defaults that have an item twice.

use super::schemas::Context;
use super::{flag, regret, text, texts};
use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_validation::path::Path;
use serde_json::Value;

/// What every condition has.
const CONDITION: [&str; 5] = ["type", "status", "reason", "message", "lastTransitionTime"];

pub(super) fn judge(schema: &Value, context: Context<'_>, at: Path<'_>, found: &mut Vec<Finding>) {
    if let Some(default) = schema.get("default") {
        duplicates(default, schema, at.child("default"), found);
    }
    if text(schema, "type") != "array" {
        return;
    }
    let Some(items) = schema.get("items") else {
        return;
    };
    if text(items, "type") != "object" {
        return;
    }
    if context.in_status && context.name == "conditions" {
        conditions(schema, items, at, found);
        return;
    }
    let untyped = schema.get("x-kubernetes-list-type").is_none();
    if untyped && !flag(schema, "x-kubernetes-preserve-unknown-fields") && !is_requirement(items) {
        let message = "a list of objects without `x-kubernetes-list-type` is replaced as a whole";
        let at = at.child("x-kubernetes-list-type");
        found.push(regret(Rule::UntypedList, at, message));
    }
}

/// A requirement of Kubernetes' own selectors. Kubernetes calls lists of them atomic, and so does the `kubernetes` convention;
/// under that of kube no author can.
fn is_requirement(items: &Value) -> bool {
    let properties = items.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| properties.keys().eq(["key", "operator", "values"]))
}

fn conditions(schema: &Value, items: &Value, at: Path<'_>, found: &mut Vec<Finding>) {
    let mut keys = texts(schema, "x-kubernetes-list-map-keys");
    let by_type = keys.next() == Some("type") && keys.next().is_none();
    if text(schema, "x-kubernetes-list-type") != "map" || !by_type {
        let message = "the conditions are not a list of type map by `type`";
        let at = at.child("x-kubernetes-list-type");
        found.push(regret(Rule::ConditionsList, at, message));
    }
    if flag(items, "x-kubernetes-preserve-unknown-fields") {
        return;
    }
    let at = at.child("items");
    let declared = |name: &str| items.pointer(&format!("/properties/{name}")).is_some();
    // What has a default is never missing.
    let required = |name: &str| {
        let default = format!("/properties/{name}/default");
        texts(items, "required").any(|required| required == name)
            || items.pointer(&default).is_some()
    };
    let lacks: Vec<String> = CONDITION
        .into_iter()
        .filter_map(|name| match (declared(name), required(name)) {
            (true, true) => None,
            (true, false) => Some(format!("`{name}` is not required")),
            (false, _) => Some(format!("`{name}` is missing")),
        })
        .collect();
    if !lacks.is_empty() {
        let message = format!("a condition lacks required fields: {}", lacks.join(", "));
        found.push(regret(Rule::ConditionFields, at, message));
    }
    if !declared("observedGeneration") {
        let message = "conditions without `observedGeneration` may describe an older spec";
        found.push(regret(Rule::UnobservedCondition, at, message));
    }
}

/// Items that stand twice in the sets and maps of a default; `at` is the default, wherever in it the list is.
fn duplicates(value: &Value, schema: &Value, at: Path<'_>, found: &mut Vec<Finding>) {
    match value {
        Value::Array(items) => {
            if let Some(twice) = twice(items, schema) {
                let message = format!("the default contains `{twice}` twice");
                found.push(regret(Rule::DuplicateDefault, at, message));
            }
            if let Some(below) = schema.get("items") {
                for item in items {
                    duplicates(item, below, at, found);
                }
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let property = schema.get("properties").and_then(|all| all.get(name));
                if let Some(below) = property.or(schema.get("additionalProperties")) {
                    duplicates(member, below, at, found);
                }
            }
        }
        _ => {}
    }
}

/// The first item of a set, or the keys of the first item of a map, that an earlier one has too.
fn twice(items: &[Value], schema: &Value) -> Option<Value> {
    let identity = |item: &Value| match text(schema, "x-kubernetes-list-type") {
        "set" => Some(item.clone()),
        "map" => {
            let keys = texts(schema, "x-kubernetes-list-map-keys");
            // A key that is left out has the value of its default.
            let key = |key: &str| {
                let default = || schema.pointer(&format!("/items/properties/{key}/default"));
                let value = item.get(key).or_else(default);
                Some((key.to_owned(), value?.clone()))
            };
            keys.map(key).collect::<Option<_>>().map(Value::Object)
        }
        _ => None,
    };
    let all: Vec<Value> = items.iter().filter_map(identity).collect();
    let mut places = all.iter().enumerate();
    let (_, found) =
        places.find(|(place, item)| all.iter().take(*place).any(|seen| seen == *item))?;
    Some(found.clone())
}
