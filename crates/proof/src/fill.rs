//! Fills holes with values of the compiled CRDs: finds holes by their marks, and takes the values at the same paths.

use crate::facts::{key_element, value_at};
use crd_channels_check::PathElement;
use crd_channels_generator::pipeline::recorded::Entry;
use crd_channels_generator::pipeline::{Missing, marked};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A hole, identified by the missing part and its full path.
pub(crate) type Name = (Missing, String);

/// Keywords that only the surroundings of a hole can add.
const SHARED: [&str; 9] = [
    "additionalProperties",
    "allOf",
    "anyOf",
    "enum",
    "items",
    "not",
    "oneOf",
    "properties",
    "required",
];

/// The content of a hole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Answer {
    /// The schema; `None` for a default.
    pub(crate) schema: Option<Value>,
    /// Whether the field is required.
    pub(crate) required: Option<bool>,
    /// The default, if one is shown.
    pub(crate) default: Option<Value>,
    /// Whether the schema of the default does not know all of its parts.
    pub(crate) untyped: bool,
}

impl Answer {
    /// Whether a record says the same.
    pub(crate) fn is_in(&self, entry: &Entry) -> bool {
        entry.content() == (self.schema.as_ref(), self.required, self.default.as_ref())
    }
}

/// One occurrence of a hole.
#[derive(Clone, Debug)]
pub(crate) struct HoleSighting {
    pub(crate) name: Name,
    way: Vec<PathElement>,
    answer: Option<Answer>,
    /// Whether the node belongs to the hole alone. Flattened content, or content next to a tag, shares a node with its
    /// surroundings.
    own: bool,
    /// The number of keywords that the place of use adds to the answer.
    laid_over: usize,
}

/// Returns all holes of the CRD read from source, with the compiled CRD's values.
pub(crate) fn sights(read: &Value, compiled: &Value) -> Vec<HoleSighting> {
    let mut found = Vec::new();
    look(read, compiled, &mut Vec::new(), &mut found);
    found
}

/// Adds the holes of a node and of all nodes below it.
fn look(node: &Value, compiled: &Value, way: &mut Vec<PathElement>, found: &mut Vec<HoleSighting>) {
    match node {
        Value::Object(node) => {
            if let Some(Value::String(text)) = node.get("default")
                && let Some((missing, place)) = marked(text)
            {
                let answer = value_at(compiled, way).map(|node| Answer {
                    default: node.get("default").cloned(),
                    untyped: is_untyped(node),
                    ..Answer::default()
                });
                found.push(HoleSighting {
                    name: (missing, place.to_owned()),
                    way: way.clone(),
                    answer,
                    own: true,
                    laid_over: 0,
                });
            }
            if let Some(sight) = sight(node, compiled, way) {
                found.push(sight);
                return;
            }
            for (key, value) in node {
                way.push(key_element(way, key));
                look(value, compiled, way, found);
                way.pop();
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                way.push(PathElement::Index(index));
                look(item, compiled, way, found);
                way.pop();
            }
        }
        _ => {}
    }
}

/// Returns true if a schema accepts something that it does not describe.
fn is_untyped(schema: &Value) -> bool {
    let Value::Object(node) = schema else {
        return schema == &Value::Bool(true);
    };
    let has = |keys: &[&str]| keys.iter().any(|key| node.contains_key(*key));
    let is_bare = match node.get("type").and_then(Value::as_str) {
        Some("object") => !has(&["properties", "additionalProperties"]),
        Some(_) => false,
        None => !has(&[
            "x-kubernetes-int-or-string",
            "anyOf",
            "oneOf",
            "allOf",
            "enum",
        ]),
    };
    let properties = node.get("properties").and_then(Value::as_object);
    let parts = ["items", "additionalProperties"];
    let parts = parts.iter().filter_map(|key| node.get(*key));
    is_bare
        || has(&["x-kubernetes-preserve-unknown-fields"])
        || properties
            .into_iter()
            .flat_map(Map::values)
            .chain(parts)
            .any(is_untyped)
}

/// Returns the hole that a node marks.
fn sight(node: &Map<String, Value>, compiled: &Value, way: &[PathElement]) -> Option<HoleSighting> {
    let text = node.get("externalDocs")?.get("url")?.as_str()?;
    let (missing, place) = marked(text)?;
    let laid_over = |key: &String| !["type", "externalDocs"].contains(&key.as_str());
    let mut answer = value_at(compiled, way).map(|node| Answer {
        schema: Some(node.clone()),
        ..Answer::default()
    });
    if let Some(answer) = &mut answer {
        match missing {
            // Keywords of the use do not belong to the type.
            Missing::Type => {
                if let Some(Value::Object(schema)) = &mut answer.schema {
                    schema.retain(|key, _| !node.contains_key(key) || !laid_over(key));
                }
            }
            Missing::Field => answer.required = Some(is_required(compiled, way)),
            Missing::Default => {}
        }
    }
    Some(HoleSighting {
        name: (missing, place.to_owned()),
        way: way.to_vec(),
        answer,
        own: !node.keys().any(|key| SHARED.contains(&key.as_str())),
        laid_over: node.keys().filter(|key| laid_over(key)).count(),
    })
}

/// Returns the path of the object around a property, and the property's name.
fn property(way: &[PathElement]) -> Option<(&[PathElement], &str)> {
    match way {
        [around @ .., keyword, PathElement::Key(name)] if keyword.is_child("properties") => {
            Some((around, name))
        }
        _ => None,
    }
}

fn is_required(compiled: &Value, way: &[PathElement]) -> bool {
    let names = property(way).and_then(|(around, name)| {
        let required = value_at(compiled, around)?.get("required")?.as_array()?;
        Some(required.iter().any(|known| known == name))
    });
    names.unwrap_or_default()
}

/// The reason why there is no answer if the hole has no node of its own.
pub(crate) const NO_PLACE: &str = "it has no place of its own in any CRD";

/// Returns the answer for each hole, or why there is none.
pub(crate) fn answers(sights: &[HoleSighting]) -> BTreeMap<Name, Result<Answer, String>> {
    let mut all: BTreeMap<&Name, Vec<&HoleSighting>> = BTreeMap::new();
    for sight in sights {
        all.entry(&sight.name).or_default().push(sight);
    }
    let answers = all.into_iter().map(|(name, sights)| {
        let own = || sights.iter().filter(|sight| sight.own);
        let least = own().map(|sight| sight.laid_over).min();
        let mut best = own()
            .filter(|sight| Some(sight.laid_over) == least)
            .map(|sight| &sight.answer);
        let first = best.next().cloned().flatten();
        let answer = match first {
            _ if least.is_none() => Err(NO_PLACE.to_owned()),
            None => Err("the compiled CRD has nothing there".to_owned()),
            Some(first) if best.all(|other| other.as_ref() == Some(&first)) => Ok(first),
            Some(_) => Err("it differs between its uses".to_owned()),
        };
        (name.clone(), answer)
    });
    answers.collect()
}

/// Removes holes from both CRDs, so that the rest can be compared.
pub(crate) fn remove_holes(sights: &[HoleSighting], read: &mut Value, compiled: &mut Value) {
    for crd in [read, compiled] {
        sights.iter().for_each(|sight| remove_hole(sight, crd));
    }
}

fn remove_hole(sight: &HoleSighting, crd: &mut Value) {
    let missing = sight.name.0;
    match at_mut(crd, &sight.way) {
        Some(Value::Object(node)) if missing == Missing::Default => {
            node.remove("default");
        }
        Some(Value::Object(node)) => node.clear(),
        _ => {}
    }
    if missing == Missing::Field
        && let Some((around, name)) = property(&sight.way)
        && let Some(Value::Object(node)) = at_mut(crd, around)
        && let Some(Value::Array(required)) = node.get_mut("required")
    {
        required.retain(|known| known != name);
        if required.is_empty() {
            node.remove("required");
        }
    }
}

fn at_mut<'v>(crd: &'v mut Value, way: &[PathElement]) -> Option<&'v mut Value> {
    way.iter().try_fold(crd, |value, step| match step {
        PathElement::Child(key) | PathElement::Key(key) => value.get_mut(key),
        PathElement::Index(index) => value.get_mut(index),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{answers, remove_holes, sights};
    use crd_channels_generator::pipeline::{Missing, mark};
    use serde_json::json;

    #[test]
    fn holes_are_answered_by_what_stands_there() {
        let hole = |missing, place: &str| json!({"type": "object", "externalDocs": {"url": mark(missing, place)}});
        let mut described = hole(Missing::Type, "a::T");
        described["description"] = "D.".into();
        let mut read = json!({
            "required": ["c", "x"],
            "properties": {
                "a": described,
                "b": {"items": hole(Missing::Type, "a::T")},
                "c": hole(Missing::Field, "a::S.c"),
                "d": {"type": "integer", "default": mark(Missing::Default, "a::S.d")},
                "e": hole(Missing::Type, "a::U"),
                "f": hole(Missing::Type, "a::U"),
                "g": hole(Missing::Field, "a::S.g"),
                "h": {"type": "object", "properties": {}, "externalDocs": {"url": mark(Missing::Field, "a::S.h")}},
            }
        });
        let mut compiled = json!({
            "required": ["c", "x"],
            "properties": {
                "a": {"type": "string", "description": "D."},
                "b": {"items": {"type": "string", "description": "T."}},
                "c": {"type": "boolean", "description": "C."},
                "d": {"type": "integer", "default": null},
                "e": {"type": "string"},
                "f": {"type": "integer"},
                "h": {"type": "object", "properties": {}},
            }
        });
        let found = sights(&read, &compiled);
        let answers = answers(&found);
        let answer = |missing, place: &str| answers[&(missing, place.to_owned())].clone();
        let text = answer(Missing::Type, "a::T").unwrap();
        assert_eq!(
            text.schema,
            Some(json!({"type": "string", "description": "T."}))
        );
        let field = answer(Missing::Field, "a::S.c").unwrap();
        assert_eq!(field.required, Some(true));
        assert_eq!(
            field.schema,
            Some(json!({"type": "boolean", "description": "C."}))
        );
        let default = answer(Missing::Default, "a::S.d").unwrap();
        assert_eq!(default.default, Some(json!(null)));
        assert!(answer(Missing::Type, "a::U").is_err());
        assert!(answer(Missing::Field, "a::S.g").is_err());
        assert!(answer(Missing::Field, "a::S.h").is_err());
        remove_holes(&found, &mut read, &mut compiled);
        assert_eq!(read["required"], json!(["x"]));
        assert_eq!(read["required"], compiled["required"]);
        assert_eq!(read["properties"]["d"], compiled["properties"]["d"]);
    }
}
