//! The schemas of both channels, laid over each other.

use crate::Problems;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A value in the stable and in the experimental channel. If only one set is imported, it is both.
pub(crate) type Each<T> = [T; 2];

/// The keywords of a node that hold no schemas, in each channel.
pub(crate) type Keywords = BTreeMap<String, Each<Option<Value>>>;

/// A node of a schema in both channels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// Which channels have it.
    pub(crate) present: Each<bool>,
    /// The keywords without schemas.
    pub(crate) keywords: Keywords,
    /// The properties.
    pub(crate) properties: BTreeMap<String, Property>,
    /// The schema of the items of a list.
    pub(crate) items: Option<Box<Node>>,
    /// The schema of the values of a map.
    pub(crate) values: Option<Box<Node>>,
}

/// A property of an object.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) node: Node,
    pub(crate) required: Each<bool>,
}

/// Keywords whose value `false` says nothing.
const FLAGS: [&str; 7] = [
    "exclusiveMaximum",
    "exclusiveMinimum",
    "nullable",
    "uniqueItems",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
];

impl Node {
    /// Lays the schemas of the channels over each other.
    pub(crate) fn new(schemas: Each<Option<&Value>>, path: &str, problems: &mut Problems) -> Self {
        let maps = schemas.map(|schema| schema.and_then(Value::as_object));
        let mut node = Node {
            present: schemas.map(|schema| schema.is_some()),
            ..Node::default()
        };
        for (schema, map) in schemas.iter().zip(maps) {
            if schema.is_some() && map.is_none() {
                problems.add(path, "a schema is an object");
            }
        }
        let is_typed = |wanted: &str| {
            let mut maps = maps.iter().flatten();
            maps.any(|map| map.get("type").and_then(Value::as_str) == Some(wanted))
        };
        let keys: BTreeSet<&String> = maps.into_iter().flatten().flat_map(Map::keys).collect();
        for key in keys {
            let values = maps.map(|map| map?.get(key).filter(|value| says_something(key, value)));
            if values == [None, None] {
                continue;
            }
            match key.as_str() {
                "items" if is_typed("array") => {
                    node.items = Some(boxed_node(values, &format!("{path}[]"), problems));
                }
                "properties" if is_typed("object") => {
                    node.properties = properties(values, maps, path, problems);
                }
                // A property says itself that it is required.
                "required" if is_typed("object") && only_properties(values, maps) => {}
                "additionalProperties"
                    if is_typed("object") && values.iter().flatten().all(|it| it.is_object()) =>
                {
                    node.values = Some(boxed_node(values, &format!("{path}{{}}"), problems));
                }
                // What no Rust type of this schema says stays a keyword.
                _ => {
                    let values = values.map(|value| value.cloned());
                    node.keywords.insert(key.clone(), values);
                }
            }
        }
        let below = [&node.items, &node.values];
        let partly = below
            .iter()
            .any(|it| it.as_ref().is_some_and(|it| it.present != node.present));
        if partly || (node.values.is_some() && !node.properties.is_empty()) {
            problems.differs(path, "items, properties or additionalProperties");
        }
        node
    }

    /// Whether the channels with the node agree on a keyword, or on having none.
    pub(crate) fn agrees_on(&self, key: &str) -> bool {
        !self.keywords.contains_key(key) || self.same(key).is_some()
    }

    /// The value of a keyword that is the same in each channel that has the node.
    pub(crate) fn same(&self, key: &str) -> Option<&Value> {
        agreed(self.present, self.keywords.get(key)?)
    }

    /// Whether a keyword is `true`.
    pub(crate) fn is(&self, key: &str) -> bool {
        self.same(key) == Some(&Value::Bool(true))
    }
}

/// The value that all channels with the node have.
pub(crate) fn agreed(present: Each<bool>, values: &Each<Option<Value>>) -> Option<&Value> {
    let mut found = None;
    for (_, value) in present.iter().zip(values).filter(|(present, _)| **present) {
        let value = value.as_ref()?;
        if found.is_some_and(|found| found != value) {
            return None;
        }
        found = Some(value);
    }
    found
}

fn boxed_node(values: Each<Option<&Value>>, path: &str, problems: &mut Problems) -> Box<Node> {
    Box::new(Node::new(values, path, problems))
}

fn properties(
    values: Each<Option<&Value>>,
    maps: Each<Option<&Map<String, Value>>>,
    path: &str,
    problems: &mut Problems,
) -> BTreeMap<String, Property> {
    let properties = values.map(|value| value.and_then(Value::as_object));
    let names: BTreeSet<&String> = properties
        .into_iter()
        .flatten()
        .flat_map(Map::keys)
        .collect();
    let required = maps.map(|map| map.and_then(|map| map.get("required")?.as_array()));
    let named = names.into_iter().map(|name| {
        let required = required.map(|names| {
            names.is_some_and(|names| names.iter().any(|it| it.as_str() == Some(name)))
        });
        let node = Node::new(
            properties.map(|map| map?.get(name)),
            &format!("{path}.{name}"),
            problems,
        );
        (name.clone(), Property { node, required })
    });
    named.collect()
}

/// Whether all required names are names of properties.
fn only_properties(
    required: Each<Option<&Value>>,
    maps: Each<Option<&Map<String, Value>>>,
) -> bool {
    let mut each = required.into_iter().zip(maps);
    each.all(|(names, map)| {
        let properties = map.and_then(|map| map.get("properties")?.as_object());
        let mut names = names.and_then(Value::as_array).into_iter().flatten();
        names.all(|name| {
            let name = name.as_str().unwrap_or_default();
            properties.is_some_and(|properties| properties.contains_key(name))
        })
    })
}

/// Whether a keyword with this value means something. A server takes null for an absent keyword.
fn says_something(key: &str, value: &Value) -> bool {
    let is_data = ["default", "example"].contains(&key);
    match value {
        Value::Null => false,
        _ if is_data => true,
        Value::Bool(false) => !FLAGS.contains(&key),
        Value::Array(values) => !values.is_empty(),
        Value::Object(entries) => !entries.is_empty() || key != "properties",
        Value::String(text) => !text.is_empty(),
        _ => true,
    }
}
