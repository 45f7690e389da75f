//! Reads JSON values as the server's types: reports wrong kinds and unknown fields.

use super::model::{Many, Named};
use crate::path::{FieldPath, Path};
use serde_json::Value;

/// Realistic schemas are not nested deeper, and the recursion over the tree must be bounded.
const DEEPEST: usize = 256;

/// A mismatch with the server's types.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fault {
    /// The path.
    pub path: FieldPath,
    /// The message, including the path.
    pub message: String,
}

/// The faults found while reading a document.
#[derive(Debug, Default)]
pub struct Faults {
    /// Values of the wrong kind, at which the server stops.
    pub undecodable: Vec<Fault>,
    /// Fields that the server's types do not have.
    pub unknown: Vec<Fault>,
    /// Whether the server drops unknown fields silently here.
    silent: bool,
}

/// A value and its path.
#[derive(Clone, Copy, Debug)]
pub struct JsonNode<'a, 'p> {
    /// The value.
    pub value: &'a Value,
    /// Its path.
    pub path: &'p Path<'p>,
    depth: usize,
}

impl<'a, 'p> JsonNode<'a, 'p> {
    /// The root of a document, or of a part that is read separately.
    #[must_use]
    pub fn new(value: &'a Value, path: &'p Path<'p>) -> Self {
        Self {
            value,
            path,
            depth: 0,
        }
    }

    fn child_node<'q>(&self, value: &'a Value, path: &'q Path<'q>) -> JsonNode<'a, 'q> {
        JsonNode {
            value,
            path,
            depth: self.depth + 1,
        }
    }
}

impl Faults {
    /// Adds that a value is not what is `wanted`, such as `a string`.
    pub fn refuse(&mut self, node: JsonNode<'_, '_>, wanted: &str) {
        let found = match node.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        let message = match node.value {
            Value::Number(number) => {
                format!("`{}` takes {wanted}, not the number `{number}`", node.path)
            }
            _ => format!("`{}` takes {wanted}, not {found}", node.path),
        };
        self.undecodable.push(Fault {
            path: (*node.path).into(),
            message,
        });
    }

    /// Reads a part for which the server uses a custom decoder, which drops unknown fields silently.
    pub fn in_silence<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.silent, true);
        let done = read(self);
        self.silent = outer;
        done
    }

    /// Passes every field to `take`, which returns whether it knows the name. A null field counts as absent.
    pub fn fields<'a>(
        &mut self,
        node: JsonNode<'a, '_>,
        mut take: impl FnMut(&mut Self, &'a str, JsonNode<'a, '_>) -> bool,
    ) {
        let fields = match node.value {
            Value::Object(fields) => fields,
            Value::Null => return,
            _ => return self.refuse(node, "an object"),
        };
        if self.is_too_deep(node.path, node.depth) {
            return;
        }
        for (name, value) in fields {
            let path = node.path.child(name);
            if !take(self, name, node.child_node(value, &path)) {
                self.unknown(name, &path);
            }
        }
    }

    /// Whether a node is nested too deeply to be read, which is a fault.
    pub fn is_too_deep(&mut self, path: &Path<'_>, depth: usize) -> bool {
        let is_too_deep = depth > DEEPEST;
        if is_too_deep {
            let message = format!("`{path}` is nested too deep");
            let path = (*path).into();
            self.undecodable.push(Fault { path, message });
        }
        is_too_deep
    }

    /// Adds that a field is unknown.
    pub fn unknown(&mut self, name: &str, path: &Path<'_>) {
        let effect = if self.silent {
            "the server silently drops it"
        } else {
            "the server drops it, or rejects the CRD under strict field validation"
        };
        let message = format!("unknown field `{name}`: {effect}");
        let path = (*path).into();
        self.unknown.push(Fault { path, message });
    }

    /// A text; empty if it is null or of another kind.
    pub fn text<'a>(&mut self, node: JsonNode<'a, '_>) -> &'a str {
        self.some_text(node).unwrap_or_default()
    }

    /// A text, if there is one.
    pub fn some_text<'a>(&mut self, node: JsonNode<'a, '_>) -> Option<&'a str> {
        match node.value {
            Value::String(text) => Some(text),
            Value::Null => None,
            _ => {
                self.refuse(node, "a string");
                None
            }
        }
    }

    /// A boolean; false if it is null or of another kind.
    pub fn flag(&mut self, node: JsonNode<'_, '_>) -> bool {
        self.some_flag(node).unwrap_or_default()
    }

    /// A boolean, if there is one.
    pub fn some_flag(&mut self, node: JsonNode<'_, '_>) -> Option<bool> {
        match node.value {
            Value::Bool(flag) => Some(*flag),
            Value::Null => None,
            _ => {
                self.refuse(node, "a boolean");
                None
            }
        }
    }

    /// An integer within 64 bits, without a decimal point or an exponent.
    pub fn integer(&mut self, node: JsonNode<'_, '_>) -> Option<i64> {
        match node.value {
            Value::Null => None,
            value => {
                let integer = value.as_i64();
                if integer.is_none() {
                    self.refuse(node, "an integer of 64 bits without a decimal point");
                }
                integer
            }
        }
    }

    /// The same within 32 bits.
    pub fn small_integer(&mut self, node: JsonNode<'_, '_>) -> Option<i64> {
        let integer = self.integer(node)?;
        if i32::try_from(integer).is_err() {
            self.refuse(node, "an integer of 32 bits");
        }
        Some(integer)
    }

    /// A number, if there is one.
    pub fn number(&mut self, node: JsonNode<'_, '_>) -> Option<f64> {
        match node.value {
            Value::Null => None,
            value => {
                let number = value.as_f64();
                if number.is_none() {
                    self.refuse(node, "a number");
                }
                number
            }
        }
    }

    /// A list, with `read` for its items.
    pub fn list<'a, T>(
        &mut self,
        node: JsonNode<'a, '_>,
        mut read: impl FnMut(&mut Self, JsonNode<'a, '_>) -> T,
    ) -> Many<T> {
        match node.value {
            Value::Array(items) => {
                let read = items.iter().enumerate().map(|(index, value)| {
                    let path = node.path.index(index);
                    read(self, node.child_node(value, &path))
                });
                Many(Some(read.collect()))
            }
            Value::Null => Many(None),
            _ => {
                self.refuse(node, "a list");
                Many(None)
            }
        }
    }

    /// A list of texts.
    pub fn texts<'a>(&mut self, node: JsonNode<'a, '_>) -> Many<&'a str> {
        self.list(node, Self::text)
    }

    /// A map, with `read` for its values.
    pub fn map<'a, T>(
        &mut self,
        node: JsonNode<'a, '_>,
        mut read: impl FnMut(&mut Self, JsonNode<'a, '_>) -> T,
    ) -> Named<'a, T> {
        match node.value {
            Value::Object(fields) => {
                let read = fields.iter().map(|(name, value)| {
                    let path = node.path.child(name);
                    (name.as_str(), read(self, node.child_node(value, &path)))
                });
                let mut entries: Vec<_> = read.collect();
                entries.sort_by_key(|(name, _)| *name);
                Many(Some(entries))
            }
            Value::Null => Many(None),
            _ => {
                self.refuse(node, "an object");
                Many(None)
            }
        }
    }
}
