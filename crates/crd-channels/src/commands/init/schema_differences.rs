//! Two schemas as JSON, and everything in which they differ.

use super::differences::{What, keyword, pairs, same};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Keywords that no validation reads.
const PROSE: [&str; 4] = ["description", "example", "externalDocs", "title"];

/// What a schema's type is called where it takes integers and strings.
const INT_OR_STRING: &str = "int-or-string";

/// Where a schema differs, and how.
type Tell<'t> = dyn FnMut(String, What) + 't;

/// Tells everything in which `new` differs from `old`; both are schemas of whole objects.
pub fn schemas(old: &Value, new: &Value, tell: &mut Tell<'_>) {
    walk("", &written_out(old), &written_out(new), tell);
}

/// A schema without the fields that every object has, said or not.
fn written_out(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(properties) = schema["properties"].as_object_mut() {
        for (name, ty) in [
            ("apiVersion", "string"),
            ("kind", "string"),
            ("metadata", "object"),
        ] {
            let plain = |schema: &Map<String, Value>| {
                let mut said = schema.keys().filter(|key| !PROSE.contains(&key.as_str()));
                schema.get("type").is_some_and(|found| found == ty) && said.all(|key| key == "type")
            };
            if properties
                .get(name)
                .and_then(Value::as_object)
                .is_some_and(plain)
            {
                properties.remove(name);
            }
        }
    }
    schema
}

fn walk(path: &str, old: &Value, new: &Value, tell: &mut Tell<'_>) {
    let nothing = Map::new();
    let (old, new) = (
        old.as_object().unwrap_or(&nothing),
        new.as_object().unwrap_or(&nothing),
    );
    let here = || {
        if path.is_empty() {
            ".".to_owned()
        } else {
            path.to_owned()
        }
    };
    // With another type everything below is another thing.
    let (old_type, new_type) = (type_of(old), type_of(new));
    if let Some(what) = keyword("type", old_type.as_ref(), new_type.as_ref()) {
        return tell(here(), what);
    }
    let bounded = !says_bounds(old) && says_bounds(new) && bounds_of_format(new);
    if bounded {
        tell(here(), What::meaning("the bounds of its `format` are new"));
    }
    for (key, old_value, new_value) in pairs(old, new) {
        match (key.as_str(), old_value, new_value) {
            ("properties", old, new) => {
                let old = old.and_then(Value::as_object).unwrap_or(&nothing);
                let new = new.and_then(Value::as_object).unwrap_or(&nothing);
                properties(path, old, new, tell);
            }
            ("required" | "x-kubernetes-int-or-string", _, _) => {}
            ("minimum" | "maximum", _, _) if bounded => {}
            ("anyOf", old, new) if is_int_or_string(old_type.as_ref()) => {
                let said = |branches: &&Value| !are_its_types(branches);
                if let Some(what) = keyword("anyOf", old.filter(said), new.filter(said)) {
                    tell(here(), what);
                }
            }
            ("enum", Some(Value::Array(old)), Some(Value::Array(new))) => {
                let many = ["values are new", "values are removed", "values differ"];
                elements(
                    "the value",
                    many,
                    (old, new),
                    Value::to_string,
                    &mut |what| tell(here(), what),
                );
            }
            ("x-kubernetes-validations", old, new) => {
                let text = |rule: &Value| rule["rule"].as_str().unwrap_or_default().to_owned();
                let many = ["rules are new", "rules are removed", "rules differ"];
                elements(
                    "the rule",
                    many,
                    (items(old), items(new)),
                    text,
                    &mut |what| tell(here(), what),
                );
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
                let how = match (old, new) {
                    (None, Some(_)) => "is new",
                    (Some(_), None) => "is removed",
                    (Some(old), Some(new)) if same(old, new) => continue,
                    (Some(old), Some(new))
                        if words(old).is_some_and(|old| words(new) == Some(old)) =>
                    {
                        "has other line breaks"
                    }
                    (Some(_), Some(_)) => "differs",
                    (None, None) => continue,
                };
                tell(here(), What::prose(format!("`{prose}` {how}")));
            }
            (key, old, new) => {
                if let Some(what) = keyword(key, old, new) {
                    tell(here(), what);
                }
            }
        }
    }
    required(path, old, new, tell);
}

/// The type of a schema's values.
fn type_of(schema: &Map<String, Value>) -> Option<Value> {
    match schema.get("x-kubernetes-int-or-string") {
        Some(Value::Bool(true)) => Some(INT_OR_STRING.into()),
        _ => schema.get("type").filter(|ty| !ty.is_null()).cloned(),
    }
}

fn is_int_or_string(ty: Option<&Value>) -> bool {
    ty.is_some_and(|ty| ty == INT_OR_STRING)
}

/// Whether branches say no more than that there are integers and strings.
fn are_its_types(branches: &Value) -> bool {
    let is_type = |branch: &Value| {
        branch.as_object().is_some_and(|branch| {
            branch
                .iter()
                .all(|(key, value)| key == "type" && (value == "integer" || value == "string"))
        })
    };
    branches
        .as_array()
        .is_some_and(|branches| branches.iter().all(is_type))
}

fn says_bounds(schema: &Map<String, Value>) -> bool {
    schema.contains_key("maximum")
        || schema
            .get("minimum")
            .is_some_and(|least| least.as_f64() != Some(0.0))
}

/// Whether the bounds are those that the integers of the format have anyhow.
fn bounds_of_format(schema: &Map<String, Value>) -> bool {
    let bounds = match schema.get("format").and_then(Value::as_str) {
        Some("int8") => [f64::from(i8::MIN), f64::from(i8::MAX)],
        Some("int16") => [f64::from(i16::MIN), f64::from(i16::MAX)],
        Some("uint8") => [0.0, f64::from(u8::MAX)],
        Some("uint16") => [0.0, f64::from(u16::MAX)],
        _ => return false,
    };
    ["minimum", "maximum"].map(|key| schema.get(key).and_then(Value::as_f64)) == bounds.map(Some)
}

/// A text's words, wherever its lines break.
fn words(text: &Value) -> Option<Vec<&str>> {
    Some(text.as_str()?.split_whitespace().collect())
}

fn items(list: Option<&Value>) -> &[Value] {
    list.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn properties(path: &str, old: &Map<String, Value>, new: &Map<String, Value>, tell: &mut Tell<'_>) {
    let renamed = renamed(old, new);
    let mut arrived: BTreeSet<&str> = renamed.values().copied().collect();
    for (name, schema) in old {
        let below = format!("{path}.{name}");
        if let Some(other) = new.get(name) {
            walk(&below, schema, other, tell);
        } else if let Some((to, other)) = renamed
            .get(name.as_str())
            .and_then(|to| new.get_key_value(*to))
        {
            tell(
                format!("{below}, now {to}"),
                What::meaning("the field's name has a different spelling"),
            );
            walk(&below, schema, other, tell);
        } else {
            let what = What::meaning(format!("the field `{name}` is removed"));
            tell(below, what.of_many("fields are removed"));
        }
    }
    arrived.extend(old.keys().map(String::as_str));
    for name in new.keys().filter(|name| !arrived.contains(name.as_str())) {
        let what = What::meaning(format!("the field `{name}` is new"));
        tell(format!("{path}.{name}"), what.of_many("fields are new"));
    }
}

/// The fields that have the same name in other letters, such as `maxAge` for `max_age`.
fn renamed<'v>(
    old: &'v Map<String, Value>,
    new: &'v Map<String, Value>,
) -> BTreeMap<&'v str, &'v str> {
    let letters = |name: &str| -> String {
        let letters = name.chars().filter(|letter| letter.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let only = |here: &'v Map<String, Value>, there: &Map<String, Value>| {
        let names = here.keys().filter(|name| !there.contains_key(*name));
        names
            .map(|name| (letters(name), name.as_str()))
            .collect::<BTreeMap<_, _>>()
    };
    let arrived = only(new, old);
    let gone = only(old, new).into_iter();
    gone.filter_map(|(letters, name)| Some((name, *arrived.get(&letters)?)))
        .collect()
}

/// Fields that both have, and that have to be there in one of them only.
fn required(path: &str, old: &Map<String, Value>, new: &Map<String, Value>, tell: &mut Tell<'_>) {
    let fields = |schema: &Map<String, Value>| {
        schema
            .get("properties")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default()
    };
    let (old_fields, new_fields) = (fields(old), fields(new));
    let renamed = renamed(&old_fields, &new_fields);
    let names = |schema: &Map<String, Value>| -> BTreeSet<String> {
        let required = schema.get("required").and_then(Value::as_array);
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        names.map(str::to_owned).collect()
    };
    let new_names = names(new);
    let old_names: BTreeSet<String> = names(old)
        .into_iter()
        .map(|name| {
            renamed
                .get(name.as_str())
                .map_or(name.clone(), |to| (*to).to_owned())
        })
        .collect();
    let knows = |schema: &Map<String, Value>, fields: &Map<String, Value>, name: &str| {
        !schema.contains_key("properties") || fields.contains_key(name)
    };
    for name in old_names.symmetric_difference(&new_names) {
        let before = renamed
            .iter()
            .find(|(_, to)| **to == name.as_str())
            .map_or(name.as_str(), |(from, _)| *from);
        if !knows(old, &old_fields, before) || !knows(new, &new_fields, name) {
            continue;
        }
        let what = if new_names.contains(name) {
            "it is required now"
        } else {
            "it is no longer required"
        };
        tell(format!("{path}.{name}"), What::meaning(what));
    }
}

/// Elements told apart by their names, whatever their order. `many` says what several that are new, gone or different
/// are called.
fn elements(
    noun: &str,
    many: [&'static str; 3],
    (old, new): (&[Value], &[Value]),
    name: impl Fn(&Value) -> String,
    tell: &mut dyn FnMut(What),
) {
    let [are_new, are_gone, differ] = many;
    let find = |list: &[Value], wanted: &str| list.iter().position(|value| name(value) == wanted);
    for value in old {
        let name = name(value);
        match find(new, &name).and_then(|at| new.get(at)) {
            None => tell(What::meaning(format!("{noun} `{name}` is removed")).of_many(are_gone)),
            Some(other) if !same(value, other) => {
                tell(What::meaning(format!("{noun} `{name}` differs")).of_many(differ));
            }
            Some(_) => {}
        }
    }
    for value in new {
        let name = name(value);
        if find(old, &name).is_none() {
            tell(What::meaning(format!("{noun} `{name}` is new")).of_many(are_new));
        }
    }
}
