//! One change at a random place of a document.

use crate::tests::drawn::Dice;
use serde_json::{Map, Value, json};

/// The place of a change, and its kind.
#[derive(Debug)]
pub(super) struct Changed {
    /// The path.
    pub(super) pointer: Vec<String>,
    /// The name of the unknown field that was added.
    pub(super) unknown: Option<String>,
    _before: Value,
    _after: Value,
}

/// Keywords that a schema may have, usually with values that have no effect.
const KEYWORDS: [(&str, &str); 14] = [
    ("nullable", "false"),
    ("nullable", "true"),
    ("exclusiveMinimum", "false"),
    ("x-kubernetes-embedded-resource", "false"),
    ("x-kubernetes-int-or-string", "false"),
    ("default", "null"),
    ("description", "null"),
    ("required", "[]"),
    ("enum", "[]"),
    ("x-kubernetes-validations", "[]"),
    ("allOf", "[]"),
    ("minLength", "0"),
    ("title", "\"T\""),
    ("x-other", "1"),
];

/// Fields of other parts of CRDs.
const FIELDS: [(&str, &str, &str); 10] = [
    ("/spec", "conversion", "{\"strategy\":\"None\"}"),
    ("/spec", "preserveUnknownFields", "false"),
    ("/spec", "x-other", "1"),
    ("/spec/names", "categories", "[]"),
    ("/spec/names", "shortNames", "null"),
    ("/metadata", "annotations", "{}"),
    ("/metadata", "creationTimestamp", "null"),
    ("/spec/versions/0", "additionalPrinterColumns", "[]"),
    ("/spec/versions/0", "deprecated", "false"),
    ("/spec/versions/0", "selectableFields", "[]"),
];

/// Changes a document at one random place, if that is possible there.
pub(super) fn change(dice: &mut Dice, document: &mut Value) -> Option<Changed> {
    let before = document.clone();
    if dice.one_in(8) {
        let (above, name, value) = *dice.pick(&FIELDS);
        let fields = document.pointer_mut(above)?.as_object_mut()?;
        return add(fields, above, name, value);
    }
    let mut pointer = Vec::new();
    let mut at = &before;
    // Down to a leaf, or to a part that is removed as a whole.
    let is_whole = dice.one_in(6);
    loop {
        let next = match at {
            Value::Object(fields) if !fields.is_empty() => {
                let names: Vec<&String> = fields.keys().collect();
                (*dice.pick(&names)).clone()
            }
            Value::Array(items) if !items.is_empty() => dice.roll(items.len() as u64).to_string(),
            _ => break,
        };
        at = match at {
            Value::Object(fields) => &fields[&next],
            other => &other[next.parse::<usize>().unwrap()],
        };
        pointer.push(next);
        if is_whole && pointer.len() > 2 && dice.one_in(6) {
            break;
        }
    }
    let path = written(&pointer);
    // The parts that make it a CRD, and one version, must stay.
    let fixed = [
        "/apiVersion",
        "/kind",
        "/metadata/name",
        "/spec/names/plural",
        "/spec/group",
        "/spec/versions",
    ];
    if fixed.contains(&path.as_str()) || pointer.len() < 2 {
        return None;
    }
    if is_schema(&pointer) && at.is_object() && dice.one_in(2) {
        let (name, value) = *dice.pick(&KEYWORDS);
        let fields = document.pointer_mut(&path)?.as_object_mut()?;
        return add(fields, &path, name, value);
    }
    let after = match at {
        Value::Bool(flag) => json!(!flag),
        Value::Number(_) if dice.one_in(3) => json!(at.as_f64()?),
        Value::Number(number) => json!(number.as_f64()? + 1.0),
        Value::String(text) => json!(other_text(pointer.last()?, text)),
        Value::Array(items) => items.iter().rev().cloned().collect(),
        Value::Null | Value::Object(_) => Value::Null,
    };
    let is_removed = after.is_null() || dice.one_in(4);
    let (last, above) = pointer.split_last()?;
    match document.pointer_mut(&written(above))? {
        Value::Object(fields) if is_removed => _ = fields.remove(last)?,
        Value::Array(items) if is_removed => _ = items.remove(last.parse().ok()?),
        Value::Object(fields) => _ = fields.insert(last.clone(), after.clone()),
        Value::Array(items) => items[last.parse::<usize>().ok()?] = after.clone(),
        _ => return None,
    }
    Some(Changed {
        pointer: pointer.clone(),
        unknown: None,
        _before: at.clone(),
        _after: if is_removed { json!("removed") } else { after },
    })
}

/// Adds a field that is absent.
fn add(fields: &mut Map<String, Value>, above: &str, name: &str, value: &str) -> Option<Changed> {
    if fields.contains_key(name) {
        return None;
    }
    let value: Value = serde_json::from_str(value).unwrap();
    fields.insert(name.to_owned(), value.clone());
    let mut pointer: Vec<String> = above.split('/').skip(1).map(plain).collect();
    pointer.push(name.to_owned());
    Some(Changed {
        pointer,
        unknown: name.starts_with("x-other").then(|| name.to_owned()),
        _before: json!("absent"),
        _after: value,
    })
}

/// Whether a pointer leads to a schema.
fn is_schema(pointer: &[String]) -> bool {
    let Some(start) = pointer.iter().position(|step| step == "openAPIV3Schema") else {
        return false;
    };
    let mut rest = pointer[start + 1..].iter().map(String::as_str);
    while let Some(step) = rest.next() {
        match step {
            "items" | "additionalProperties" | "not" => {}
            "properties" | "allOf" | "anyOf" | "oneOf" => {
                if rest.next().is_none() {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}

/// Another keyword value if there are few, else a longer text.
fn other_text(key: &str, text: &str) -> String {
    let other = match text {
        "string" => "integer",
        "integer" => "number",
        "number" => "boolean",
        "boolean" => "string",
        "Namespaced" => "Cluster",
        "Cluster" => "Namespaced",
        "set" => "atomic",
        "atomic" if key.ends_with("list-type") => "set",
        "atomic" => "granular",
        "granular" => "atomic",
        _ => return format!("{text}x"),
    };
    other.to_owned()
}

fn plain(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

fn written(pointer: &[String]) -> String {
    pointer
        .iter()
        .map(|step| format!("/{}", step.replace('~', "~0").replace('/', "~1")))
        .collect()
}
