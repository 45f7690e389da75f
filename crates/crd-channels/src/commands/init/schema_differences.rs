//! The differences between two schemas, in words.

use super::difference_text::{DifferenceText, keyword};
use crd_channels_compat::{Field, keywords, same_value, schema_differences};
use crd_channels_diagnostics::Text;
use crd_channels_schema::Schema;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Keywords that do not affect validation.
const PROSE: [&str; 4] = ["description", "example", "externalDocs", "title"];

/// The type of a schema that accepts integers and strings.
const INT_OR_STRING: &str = "int-or-string";

/// Receives the path and the text of each difference.
type Report<'t> = dyn FnMut(String, DifferenceText) + 't;

type Properties = BTreeMap<Text, Arc<Schema>>;

/// Reports all differences between `old` and `new`, which are schemas of whole objects.
pub fn schemas(old: &Schema, new: &Schema, report: &mut Report<'_>) {
    compare_schemas("", old, new, report);
}

/// The same for the schemas of the node at `path`.
fn compare_schemas(path: &str, old: &Schema, new: &Schema, report: &mut Report<'_>) {
    schema_differences(old, new, &mut |inside, schemas, fields| {
        let path = match inside {
            "." => path.to_owned(),
            item if item.starts_with(['[', '{']) => format!("{path}{item}"),
            property => format!("{path}.{property}"),
        };
        node(&path, schemas, fields, report)
    });
}

/// Reports the differences of one node. Returns whether it is still the same kind of node, so that its children are comparable.
fn node(path: &str, [old, new]: [&Schema; 2], fields: &[Field], report: &mut Report<'_>) -> bool {
    let here = || match path {
        "" => ".".to_owned(),
        path => path.to_owned(),
    };
    if fields.is_empty() {
        return true;
    }
    let differing: BTreeSet<&str> = fields
        .iter()
        .flat_map(|field| field.keywords())
        .copied()
        .collect();
    let (was, is) = (keywords(old), keywords(new));
    if let Some(what) = keyword("type", type_of(&was).as_ref(), type_of(&is).as_ref()) {
        report(here(), what);
        return false;
    }
    let bounded = !has_bounds(&was) && has_bounds(&is) && bounds_of_format(&is);
    if bounded {
        report(
            here(),
            DifferenceText::meaning("the bounds of its `format` are new"),
        );
    }
    for key in differing {
        let (before, now) = (was.get(key), is.get(key));
        match key {
            "properties" => properties(path, &old.properties, &new.properties, report),
            "type" | "x-kubernetes-int-or-string" | "required" => {}
            "minimum" | "maximum" if bounded => {}
            "enum" if before.is_some() && now.is_some() => {
                let many = ["values are new", "values are removed", "values differ"];
                let both = (items(before), items(now));
                elements(
                    "the value",
                    many,
                    both,
                    same_value,
                    Value::to_string,
                    &mut |what| report(here(), what),
                );
            }
            "x-kubernetes-validations" => {
                let text = |rule: &Value| rule["rule"].as_str().unwrap_or_default().to_owned();
                let same = |one: &Value, other: &Value| one["rule"] == other["rule"];
                let many = ["rules are new", "rules are removed", "rules differ"];
                let both = (items(before), items(now));
                elements("the rule", many, both, same, text, &mut |what| {
                    report(here(), what)
                });
            }
            prose if PROSE.contains(&prose) => {
                let how = match (before, now) {
                    (None, Some(_)) => "is new",
                    (Some(_), None) => "is removed",
                    (Some(before), Some(now))
                        if words(before).is_some_and(|before| words(now) == Some(before)) =>
                    {
                        "has other line breaks"
                    }
                    (Some(_), Some(_)) => "differs",
                    (None, None) => continue,
                };
                report(here(), DifferenceText::prose(format!("`{prose}` {how}")));
            }
            key => {
                if let Some(what) = keyword(key, before, now) {
                    report(here(), what);
                }
            }
        }
    }
    if fields.contains(&Field::Required) {
        required(path, old, new, report);
    }
    true
}

/// The type of a schema's values.
fn type_of(keywords: &Map<String, Value>) -> Option<Value> {
    match keywords.get("x-kubernetes-int-or-string") {
        Some(_) => Some(INT_OR_STRING.into()),
        None => keywords.get("type").cloned(),
    }
}

fn has_bounds(schema: &Map<String, Value>) -> bool {
    schema.contains_key("maximum")
        || schema
            .get("minimum")
            .is_some_and(|least| least.as_f64() != Some(0.0))
}

/// Whether the bounds are those that the integer format implies.
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

/// Splits a text into words, regardless of line breaks.
fn words(text: &Value) -> Option<Vec<&str>> {
    Some(text.as_str()?.split_whitespace().collect())
}

fn items(list: Option<&Value>) -> &[Value] {
    list.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Reports the properties that only one of two schemas has. Shared properties are nodes of their own.
fn properties(path: &str, old: &Properties, new: &Properties, report: &mut Report<'_>) {
    let respelled = respelled(old, new);
    for (name, schema) in old.iter().filter(|(name, _)| !new.contains_key(*name)) {
        let here = format!("{path}.{name}");
        match respelled.get(name).and_then(|to| Some((to, new.get(*to)?))) {
            Some((to, other)) => {
                let what = DifferenceText::meaning("the field's name has a different spelling");
                report(format!("{here}, now {to}"), what);
                compare_schemas(&here, schema, other, report);
            }
            None => {
                let what = DifferenceText::meaning(format!("the field `{name}` is removed"));
                report(here, what.of_many("fields are removed"));
            }
        }
    }
    let arrived: BTreeSet<&Text> = respelled.into_values().collect();
    for name in new.keys() {
        if !old.contains_key(name) && !arrived.contains(name) {
            let what = DifferenceText::meaning(format!("the field `{name}` is new"));
            report(format!("{path}.{name}"), what.of_many("fields are new"));
        }
    }
}

/// Returns the fields whose names differ only in spelling, such as `maxAge` and `max_age`.
fn respelled<'s>(old: &'s Properties, new: &'s Properties) -> BTreeMap<&'s Text, &'s Text> {
    let letters = |name: &str| -> String {
        let letters = name.chars().filter(|letter| letter.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let only = |here: &'s Properties, there: &Properties| {
        let names = here.keys().filter(|name| !there.contains_key(*name));
        names
            .map(|name| (letters(name), name))
            .collect::<BTreeMap<_, _>>()
    };
    let arrived = only(new, old);
    let gone = only(old, new).into_iter();
    gone.filter_map(|(letters, name)| Some((name, *arrived.get(&letters)?)))
        .collect()
}

/// Reports the shared fields that only one of the schemas requires.
fn required(path: &str, old: &Schema, new: &Schema, report: &mut Report<'_>) {
    let respelled = respelled(&old.properties, &new.properties);
    let now = |name| respelled.get(name).copied().unwrap_or(name);
    let before: BTreeSet<&Text> = old.required.iter().map(now).collect();
    let after: BTreeSet<&Text> = new.required.iter().collect();
    let knows = |schema: &Schema, name: &Text| {
        schema.properties.is_empty() || schema.properties.contains_key(name)
    };
    for name in before.symmetric_difference(&after).copied() {
        let what = match after.contains(name) {
            true => "it is required now",
            false => "it is no longer required",
        };
        let old_name = respelled.iter().find(|(_, to)| **to == name);
        let old_name = old_name.map_or(name, |(from, _)| *from);
        if knows(old, old_name) && knows(new, name) {
            report(format!("{path}.{name}"), DifferenceText::meaning(what));
        }
    }
}

/// Reports the elements that only one of two lists has, in any order, and those that differ but have the same identity. `many`
/// has the texts for several elements that are new, gone or different.
fn elements(
    noun: &str,
    many: [&'static str; 3],
    (old, new): (&[Value], &[Value]),
    is_same: fn(&Value, &Value) -> bool,
    name: fn(&Value) -> String,
    report: &mut dyn FnMut(DifferenceText),
) {
    let [are_new, are_gone, differ] = many;
    for value in old {
        let what = match new.iter().find(|other| is_same(value, other)) {
            None => DifferenceText::meaning(format!("{noun} `{}` is removed", name(value)))
                .of_many(are_gone),
            Some(other) if !same_value(value, other) => {
                DifferenceText::meaning(format!("{noun} `{}` differs", name(value))).of_many(differ)
            }
            Some(_) => continue,
        };
        report(what);
    }
    for value in new {
        if !old.iter().any(|other| is_same(value, other)) {
            report(
                DifferenceText::meaning(format!("{noun} `{}` is new", name(value)))
                    .of_many(are_new),
            );
        }
    }
}
