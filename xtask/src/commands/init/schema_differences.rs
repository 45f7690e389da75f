//! Two schemas as JSON, and everything in which they differ.

use super::differences::{keyword, pairs, same};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Keywords that no validation reads.
const PROSE: [&str; 4] = ["description", "example", "externalDocs", "title"];

/// Where a schema differs, how, and whether only in text for people.
type Tell<'t> = dyn FnMut(String, String, bool) + 't;

/// Tells everything in which `new` differs from `old`.
pub fn schemas(old: &Value, new: &Value, tell: &mut Tell<'_>) {
    walk("", old, new, tell);
}

fn walk(path: &str, old: &Value, new: &Value, tell: &mut Tell<'_>) {
    let nothing = Map::new();
    let old = old.as_object().unwrap_or(&nothing);
    let new = new.as_object().unwrap_or(&nothing);
    let here = || {
        if path.is_empty() {
            ".".to_owned()
        } else {
            path.to_owned()
        }
    };
    // With another type everything below is another thing.
    if let Some(what) = keyword("type", old.get("type"), new.get("type")) {
        return tell(here(), what, false);
    }
    for (key, old_value, new_value) in pairs(old, new) {
        match (key.as_str(), old_value, new_value) {
            ("properties", old, new) => {
                let old = old.and_then(Value::as_object).unwrap_or(&nothing);
                let new = new.and_then(Value::as_object).unwrap_or(&nothing);
                properties(path, old, new, tell);
            }
            ("required", _, _) => {}
            ("enum", Some(Value::Array(old)), Some(Value::Array(new))) => {
                elements("the value", old, new, Value::to_string, &mut |what| {
                    tell(here(), what, false)
                });
            }
            ("x-kubernetes-validations", old, new) => {
                let text = |rule: &Value| rule["rule"].as_str().unwrap_or_default().to_owned();
                let (old, new) = (items(old), items(new));
                elements("the rule", old, new, text, &mut |what| {
                    tell(here(), what, false)
                });
            }
            ("items", Some(old), Some(new)) => walk(&format!("{path}[]"), old, new, tell),
            (
                "additionalProperties",
                Some(old @ Value::Object(_)),
                Some(new @ Value::Object(_)),
            ) => {
                walk(&format!("{path}{{}}"), old, new, tell);
            }
            (prose, old, new) if PROSE.contains(&prose) => {
                let what = match (old, new) {
                    (None, Some(_)) => "is new",
                    (Some(_), None) => "is gone",
                    (Some(old), Some(new)) if !same(old, new) => "differs",
                    _ => continue,
                };
                tell(here(), format!("`{prose}` {what}"), true);
            }
            (key, old, new) => {
                if let Some(what) = keyword(key, old, new) {
                    tell(here(), what, false);
                }
            }
        }
    }
    let names = |schema: &Map<String, Value>| -> BTreeSet<String> {
        let required = schema.get("required").and_then(Value::as_array);
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        names.map(str::to_owned).collect()
    };
    let has = |name: &String| {
        [old, new].into_iter().all(|schema| {
            schema
                .get("properties")
                .is_none_or(|properties| properties.get(name).is_some())
        })
    };
    let (old_names, new_names) = (names(old), names(new));
    for name in old_names
        .symmetric_difference(&new_names)
        .filter(|name| has(name))
    {
        let what = if new_names.contains(name) {
            "it is required now"
        } else {
            "it is not required any more"
        };
        tell(format!("{path}.{name}"), what.to_owned(), false);
    }
}

fn items(list: Option<&Value>) -> &[Value] {
    list.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn properties(path: &str, old: &Map<String, Value>, new: &Map<String, Value>, tell: &mut Tell<'_>) {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        let below = format!("{path}.{name}");
        match (old.get(name), new.get(name)) {
            (Some(old), Some(new)) => walk(&below, old, new, tell),
            (Some(_), None) => tell(below, format!("the field `{name}` is gone"), false),
            (None, _) => tell(below, format!("the field `{name}` is new"), false),
        }
    }
}

/// Elements told apart by their names, whatever their order.
fn elements(
    noun: &str,
    old: &[Value],
    new: &[Value],
    name: impl Fn(&Value) -> String,
    tell: &mut dyn FnMut(String),
) {
    let find = |list: &[Value], wanted: &str| list.iter().position(|value| name(value) == wanted);
    for value in old {
        let name = name(value);
        match find(new, &name).and_then(|at| new.get(at)) {
            None => tell(format!("{noun} `{name}` is gone")),
            Some(other) if !same(value, other) => tell(format!("{noun} `{name}` differs")),
            Some(_) => {}
        }
    }
    for value in new {
        let name = name(value);
        if find(old, &name).is_none() {
            tell(format!("{noun} `{name}` is new"));
        }
    }
}
