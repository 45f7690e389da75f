//! Reading JSON values as the kinds that the server's types have: what does not fit, and fields that nobody has.

use super::model::{Many, Named};
use crate::path::Path;
use serde_json::Value;

/// Deeper nesting is not a schema that anybody writes, and recursion over the tree has to stay bounded.
const DEEPEST: usize = 256;

/// Something that does not fit the server's types.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fault {
    /// Where.
    pub path: String,
    /// What is wrong, with the path.
    pub message: String,
}

/// What reading a document found.
#[derive(Debug, Default)]
pub struct Faults {
    /// Values of the wrong kind: the server reads no further.
    pub undecodable: Vec<Fault>,
    /// Fields that the server's types do not have.
    pub unknown: Vec<Fault>,
    /// Whether the server would drop unknown fields in silence here.
    silent: bool,
}

/// A value and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct JsonNode<'a, 'p> {
    /// The value.
    pub value: &'a Value,
    /// Where it stands.
    pub path: &'p Path<'p>,
    depth: usize,
}

impl<'a, 'p> JsonNode<'a, 'p> {
    /// The root of a document, or of a part that is read by itself.
    #[must_use]
    pub fn new(value: &'a Value, path: &'p Path<'p>) -> Self {
        Self {
            value,
            path,
            depth: 0,
        }
    }

    fn below<'q>(&self, value: &'a Value, path: &'q Path<'q>) -> JsonNode<'a, 'q> {
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
            path: node.path.to_string(),
            message,
        });
    }

    /// Reads what the server reads with a decoder of its own, which drops unknown fields in silence.
    pub fn in_silence<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.silent, true);
        let done = read(self);
        self.silent = outer;
        done
    }

    /// Hands every field to `take`, which says whether it knows the name. A null leaves a field as if it were absent.
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
            if !take(self, name, node.below(value, &path)) {
                self.unknown(name, &path);
            }
        }
    }

    /// Whether a node lies so deep that it is not read, which is a fault.
    pub fn is_too_deep(&mut self, path: &Path<'_>, depth: usize) -> bool {
        let is_too_deep = depth > DEEPEST;
        if is_too_deep {
            let message = format!("`{path}` is nested too deep");
            let path = path.to_string();
            self.undecodable.push(Fault { path, message });
        }
        is_too_deep
    }

    /// Adds that nobody knows a field.
    pub fn unknown(&mut self, name: &str, path: &Path<'_>) {
        let effect = if self.silent {
            "the server silently drops it"
        } else {
            "the server drops it, or rejects the CRD under strict field validation"
        };
        let message = format!("unknown field `{name}`: {effect}");
        let path = path.to_string();
        self.unknown.push(Fault { path, message });
    }

    /// A text; empty where there is none.
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

    /// A boolean; false where there is none.
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

    /// A whole number written without a point or an exponent, within 64 bits.
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

    /// A list whose items `read` takes.
    pub fn list<'a, T>(
        &mut self,
        node: JsonNode<'a, '_>,
        mut read: impl FnMut(&mut Self, JsonNode<'a, '_>) -> T,
    ) -> Many<T> {
        match node.value {
            Value::Array(items) => {
                let read = items.iter().enumerate().map(|(index, value)| {
                    let path = node.path.index(index);
                    read(self, node.below(value, &path))
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

    /// A map whose values `read` takes.
    pub fn map<'a, T>(
        &mut self,
        node: JsonNode<'a, '_>,
        mut read: impl FnMut(&mut Self, JsonNode<'a, '_>) -> T,
    ) -> Named<'a, T> {
        match node.value {
            Value::Object(fields) => {
                let read = fields.iter().map(|(name, value)| {
                    let path = node.path.child(name);
                    (name.as_str(), read(self, node.below(value, &path)))
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
