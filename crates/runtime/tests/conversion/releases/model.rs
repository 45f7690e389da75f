//! The object as people think of it: all fields of all versions, under one name each.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// What a version shows, under the names of the model.
pub fn wide(spec: &Value, version: &str) -> Value {
    let renamed: &[(&str, &str)] = match version {
        "v1beta1" => &[
            ("title", "name"),
            ("attempts", "retries"),
            ("service", "backend"),
        ],
        _ => &[],
    };
    match spec {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                let new = renamed
                    .iter()
                    .find(|(old, _)| old == name)
                    .map_or(&**name, |(_, new)| new);
                (new.to_owned(), wide(value, version))
            });
            Value::Object(fields.collect())
        }
        Value::Array(items) => items.iter().map(|item| wide(item, version)).collect(),
        Value::String(text) if text == "Bounce" => json!("Redirect"),
        other => other.clone(),
    }
}

/// What a version shows of the object.
pub fn shown(model: &Value, version: &str) -> Value {
    let hidden: &[&str] = match version {
        "v1" => &["comment"],
        "v1beta1" => &["quiet", "level", "note", "inline", "weight", "soft"],
        _ => &[
            "quiet", "level", "note", "comment", "mode", "source", "limits", "retries", "weight",
            "zone", "wait",
        ],
    };
    match model {
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .filter(|(name, _)| !hidden.contains(&&***name));
            Value::Object(
                fields
                    .map(|(name, value)| (name.clone(), shown(value, version)))
                    .collect(),
            )
        }
        Value::Array(items) => items.iter().map(|item| shown(item, version)).collect(),
        Value::String(text) if version != "v1" && (text == "Mirror" || text == "Drop") => {
            json!("Forward")
        }
        other => other.clone(),
    }
}

/// The object after a client has seen some of it and sent it back.
pub fn merged(
    was: Option<&Value>,
    saw: Option<&Value>,
    sent: Option<&Value>,
    field: &str,
) -> Option<Value> {
    if saw == sent {
        return was.cloned();
    }
    match (was, saw, sent) {
        (Some(Value::Object(was)), Some(Value::Object(saw)), Some(Value::Object(sent))) => {
            // Another member of the union takes the place of one that the client did not see.
            let is_member = |name: &&String| field == "source" && *name != "depth";
            let (before, after) = (saw.keys().filter(is_member), sent.keys().filter(is_member));
            let is_chosen_anew = !before.eq(after);
            let names: BTreeSet<&String> =
                was.keys().chain(saw.keys()).chain(sent.keys()).collect();
            let fields = names.into_iter().filter_map(|name| {
                let value = match is_chosen_anew && is_member(&name) {
                    true => sent.get(name).cloned(),
                    false => merged(was.get(name), saw.get(name), sent.get(name), name),
                };
                Some((name.clone(), value?))
            });
            Some(Value::Object(fields.collect()))
        }
        (Some(Value::Array(was)), Some(Value::Array(saw)), Some(Value::Array(sent))) => {
            let find = |list: &[Value], name: &Value| {
                list.iter().find(|item| item["name"] == *name).cloned()
            };
            let elements = sent.iter().enumerate().map(|(index, element)| match field {
                "rules" => {
                    let (was, saw) = (find(was, &element["name"]), find(saw, &element["name"]));
                    merged(was.as_ref(), saw.as_ref(), Some(element), "").unwrap_or_default()
                }
                // An element without a key is the one that looks the same; their order distinguishes equal ones.
                _ => {
                    let nth = sent[..index]
                        .iter()
                        .filter(|other| *other == element)
                        .count();
                    let mut before = saw.iter().zip(was).filter(|(saw, _)| *saw == element);
                    before.nth(nth).map_or(element, |(_, was)| was).clone()
                }
            });
            Some(elements.collect())
        }
        _ => sent.cloned(),
    }
}

/// Whether it is not clear which element without a key is which: a client edits a list of which two look the same to one of the
/// releases, or an element of which it does not see a field, because the former release does not know the field.
pub fn is_unclear(was: &Value, saw: &Value, sent: &Value, version: &str) -> bool {
    let list = |spec: &Value| spec["steps"].as_array().cloned().unwrap_or_default();
    let (was, saw, sent) = (list(was), list(saw), list(sent));
    let is_repeated = |all: &[Value]| {
        let names: BTreeSet<_> = all.iter().map(|item| item["run"].to_string()).collect();
        names.len() < all.len()
    };
    let is_unseen = |(saw, was): (&Value, &Value)| {
        version != "v1alpha1" && saw.get("wait") != was.get("wait") && !sent.contains(saw)
    };
    saw != sent && (is_repeated(&saw) || is_repeated(&sent) || saw.iter().zip(&was).any(is_unseen))
}

/// Whether a client writes a field that the former release, which converts it, does not know into an element without a key, which
/// looks as it did then and keeps what the client does not see.
pub fn is_edit_unseen(saw: &Value, sent: &Value) -> bool {
    let list = |spec: &Value| spec["steps"].as_array().cloned().unwrap_or_default();
    let saw_steps = list(saw);
    let known = |step: &Value| {
        let mut step = step.clone();
        step.as_object_mut().map(|step| step.remove("wait"));
        step
    };
    let is_edited = |step: &Value| {
        !saw_steps.contains(step) && saw_steps.iter().any(|saw| known(saw) == known(step))
    };
    list(sent).iter().any(is_edited)
}

/// Whether a client sets a field that has a value which it does not see, because the former release does not know the field. It
/// does not know either that the field of another version is the same one, and keeps a value of each.
pub fn is_set_unseen(was: &Value, saw: &Value, sent: &Value) -> bool {
    const NEWER: [&str; 6] = ["retries", "oci", "depth", "zone", "wait", "least"];
    match (was, saw, sent) {
        (Value::Object(was), Value::Object(saw), Value::Object(sent)) => {
            was.iter()
                .any(|(name, was)| match (saw.get(name), sent.get(name)) {
                    (None, Some(_)) => NEWER.contains(&&**name),
                    (None, None) => name == "oci" && saw != sent,
                    (Some(saw), Some(sent)) => is_set_unseen(was, saw, sent),
                    (Some(_), None) => false,
                })
        }
        (Value::Array(was), Value::Array(saw), Value::Array(sent)) => {
            sent.iter().enumerate().any(|(index, sent)| {
                // Those of a list map have a name, wherever they are.
                let find = |list: &[Value]| match sent.get("name") {
                    Some(name) => list.iter().find(|item| item["name"] == *name).cloned(),
                    None => list.get(index).cloned(),
                };
                let pair = find(was).zip(find(saw));
                pair.is_some_and(|(was, saw)| is_set_unseen(&was, &saw, sent))
            })
        }
        _ => false,
    }
}

/// The fields that are there, and the names of their elements, keys and members.
pub fn names(spec: &Value) -> BTreeSet<(String, String)> {
    let mut names = BTreeSet::new();
    for (field, value) in spec.as_object().into_iter().flatten() {
        names.insert((field.clone(), String::new()));
        for name in value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
        {
            names.insert((field.clone(), name.clone()));
        }
        for item in value.as_array().into_iter().flatten() {
            let name = item["name"].as_str().or_else(|| item["run"].as_str());
            names.insert((field.clone(), name.unwrap_or_default().to_owned()));
        }
    }
    names
}

/// The object with the elements of list maps in one order.
pub fn sorted(spec: &Value) -> Map<String, Value> {
    let mut spec = spec.as_object().cloned().unwrap_or_default();
    if let Some(Value::Array(rules)) = spec.get_mut("rules") {
        rules.sort_by_key(|rule| rule["name"].to_string());
    }
    spec
}
