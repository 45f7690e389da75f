//! JSON values with their paths, for errors that name the path.

use super::Words;
use crd_channels_diagnostics::Text;
use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;
use std::fmt;

/// A part of a document that could not be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Misread {
    /// The path from the document's root: `spec.versions[0].schema`; empty at the root.
    pub path: String,
    /// The reason: lowercase, no full stop.
    pub reason: String,
    /// An unknown key with its value; the rest could be read.
    pub unknown: Option<(String, Value)>,
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() {
            "."
        } else {
            &self.path
        };
        write!(f, "`{path}`: {}", self.reason)
    }
}

pub(super) type Misreads = Vec<Misread>;

/// A value and the path to it.
#[derive(Clone, Copy)]
pub(super) struct JsonNode<'a> {
    pub(super) value: &'a Value,
    segment: Segment<'a>,
    parent: Option<&'a JsonNode<'a>>,
    pub(super) depth: usize,
    /// Whether a null field counts as absent, as it does for a server.
    null_is_absent: bool,
}

#[derive(Clone, Copy)]
pub(super) enum Segment<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> JsonNode<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        JsonNode {
            value,
            segment: Segment::Root,
            parent: None,
            depth: 0,
            null_is_absent: false,
        }
    }

    /// The root of a document that another tool wrote.
    pub(super) fn foreign(value: &'a Value) -> Self {
        JsonNode {
            null_is_absent: true,
            ..JsonNode::root(value)
        }
    }

    fn child<'b>(&'b self, segment: Segment<'b>, value: &'b Value) -> JsonNode<'b> {
        JsonNode {
            value,
            segment,
            parent: Some(self),
            depth: self.depth + 1,
            null_is_absent: self.null_is_absent,
        }
    }

    fn path(&self) -> String {
        let mut segments = Vec::new();
        let mut node = Some(self);
        while let Some(at) = node {
            segments.push(at.segment);
            node = at.parent;
        }
        let mut path = String::new();
        for segment in segments.into_iter().rev() {
            match segment {
                Segment::Root => {}
                Segment::Index(index) => path.push_str(&format!("[{index}]")),
                Segment::Key(key) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(key);
                }
            }
        }
        path
    }

    pub(super) fn misread<T>(
        &self,
        misreads: &mut Misreads,
        reason: impl Into<String>,
    ) -> Option<T> {
        misreads.push(Misread {
            path: self.path(),
            reason: reason.into(),
            unknown: None,
        });
        None
    }

    fn expected<T>(&self, misreads: &mut Misreads, wanted: &str) -> Option<T> {
        let found = match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        self.misread(misreads, format!("expected {wanted}, found {found}"))
    }
}

/// The entries of one object. Keys that were never read are reported at the end.
pub(super) struct Fields<'a, 'm> {
    node: &'a JsonNode<'a>,
    map: &'a Map<String, Value>,
    asked: Vec<&'static str>,
    misreads: &'m mut Misreads,
}

impl<'a, 'm> Fields<'a, 'm> {
    pub(super) fn of_object(node: &'a JsonNode<'a>, misreads: &'m mut Misreads) -> Option<Self> {
        match node.value {
            Value::Object(map) => Some(Fields {
                node,
                map,
                asked: Vec::new(),
                misreads,
            }),
            _ => node.expected(misreads, "an object"),
        }
    }

    fn value(&self, key: &str) -> Option<&'a Value> {
        let value = self.map.get(key)?;
        let absent = self.node.null_is_absent && value.is_null();
        (!absent).then_some(value)
    }

    pub(super) fn get<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(JsonNode<'a>, &mut Misreads) -> Option<T>,
    ) -> Option<T> {
        self.asked.push(key);
        let value = self.value(key)?;
        read(self.node.child(Segment::Key(key), value), self.misreads)
    }

    pub(super) fn must<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(JsonNode<'a>, &mut Misreads) -> Option<T>,
    ) -> Option<T> {
        if self.value(key).is_none() {
            self.node
                .misread::<()>(self.misreads, format!("lacks `{key}`"));
        }
        self.get(key, read)
    }

    pub(super) fn flag(&mut self, key: &'static str) -> bool {
        self.get(key, boolean).unwrap_or_default()
    }

    pub(super) fn list<T>(
        &mut self,
        key: &'static str,
        read: impl Fn(JsonNode<'_>, &mut Misreads) -> Option<T>,
    ) -> Vec<T> {
        self.get(key, |node, misreads| read_list(node, misreads, read))
            .unwrap_or_default()
    }

    pub(super) fn finish(self) {
        for (key, value) in self.map {
            if !self.asked.contains(&key.as_str()) {
                self.misreads.push(Misread {
                    path: self.node.path(),
                    reason: format!("unknown key `{key}`"),
                    unknown: Some((key.clone(), value.clone())),
                });
            }
        }
    }
}

pub(super) fn read_text(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<Text> {
    match node.value {
        Value::String(text) => Some(text.as_str().into()),
        _ => node.expected(misreads, "a string"),
    }
}

pub(super) fn boolean(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<bool> {
    match node.value {
        Value::Bool(flag) => Some(*flag),
        _ => node.expected(misreads, "a boolean"),
    }
}

pub(super) fn number(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<Number> {
    match node.value {
        Value::Number(number) => Some(number.clone()),
        _ => node.expected(misreads, "a number"),
    }
}

pub(super) fn integer<T: TryFrom<i128>>(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<T> {
    let read = match node.value {
        Value::Number(number) => number.as_i128().map(T::try_from),
        _ => return node.expected(misreads, "a whole number"),
    };
    match read {
        Some(Ok(read)) => Some(read),
        Some(Err(_)) => node.misread(misreads, format!("`{}` is out of range", node.value)),
        None => node.misread(misreads, format!("`{}` is not a whole number", node.value)),
    }
}

pub(super) fn any(node: JsonNode<'_>, _: &mut Misreads) -> Option<Value> {
    Some(node.value.clone())
}

pub(super) fn read_list<T>(
    node: JsonNode<'_>,
    misreads: &mut Misreads,
    read: impl Fn(JsonNode<'_>, &mut Misreads) -> Option<T>,
) -> Option<Vec<T>> {
    let Value::Array(values) = node.value else {
        return node.expected(misreads, "a list");
    };
    let items = values.iter().enumerate();
    Some(
        items
            .filter_map(|(index, value)| read(node.child(Segment::Index(index), value), misreads))
            .collect(),
    )
}

pub(super) fn map<T>(
    node: JsonNode<'_>,
    misreads: &mut Misreads,
    read: impl Fn(JsonNode<'_>, &mut Misreads) -> Option<T>,
) -> Option<BTreeMap<Text, T>> {
    let Value::Object(map) = node.value else {
        return node.expected(misreads, "an object");
    };
    let entries = map.iter();
    Some(
        entries
            .filter_map(|(key, value)| {
                let value = read(node.child(Segment::Key(key), value), misreads)?;
                Some((key.as_str().into(), value))
            })
            .collect(),
    )
}

pub(super) fn texts(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<BTreeMap<Text, Text>> {
    map(node, misreads, read_text)
}

pub(super) fn word<T: Copy>(
    words: Words<T>,
    node: JsonNode<'_>,
    misreads: &mut Misreads,
) -> Option<T> {
    let Value::String(found) = node.value else {
        return node.expected(misreads, "a string");
    };
    match words.iter().find(|(word, _)| word == found) {
        Some((_, value)) => Some(*value),
        None => {
            let known: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            node.misread(
                misreads,
                format!("`{found}` is not one of {}", known.join(", ")),
            )
        }
    }
}

/// Reads a text that must equal `wanted`.
pub(super) fn exactly(wanted: &str, node: JsonNode<'_>, misreads: &mut Misreads) -> Option<()> {
    match read_text(node, misreads)? {
        found if &*found == wanted => Some(()),
        found => node.misread(misreads, format!("expected `{wanted}`, found `{found}`")),
    }
}
