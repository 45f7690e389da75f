//! Reading JSON values as the kinds that the server's types have: what does not fit, and fields that nobody has.

use super::super::model::{Many, Named};
use super::super::path::Path;
use crate::check::finding::Finding;
use crate::check::registry::Rule;
use serde_json::Value;

/// Deeper nesting is not a schema that anybody writes, and recursion over the tree has to stay bounded.
const DEEPEST: usize = 256;

/// What reading a document found.
#[derive(Default)]
pub(super) struct Faults {
    /// Values of the wrong kind: the server reads no further.
    pub(super) undecodable: Vec<Finding>,
    /// Fields that the server's types do not have.
    pub(super) unknown: Vec<Finding>,
    /// Whether the server would drop unknown fields in silence here.
    silent: bool,
}

/// A value and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Node<'a, 'p> {
    pub(super) value: &'a Value,
    pub(super) path: &'p Path<'p>,
    depth: usize,
}

impl<'a, 'p> Node<'a, 'p> {
    pub(super) fn new(value: &'a Value, path: &'p Path<'p>) -> Self {
        Self {
            value,
            path,
            depth: 0,
        }
    }

    fn below<'q>(&self, value: &'a Value, path: &'q Path<'q>) -> Node<'a, 'q> {
        Node {
            value,
            path,
            depth: self.depth + 1,
        }
    }
}

impl Faults {
    pub(super) fn refuse(&mut self, node: Node<'_, '_>, wanted: &str) {
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
        self.undecodable
            .push(Finding::new(Rule::Undecodable, message));
    }

    /// Reads what the server reads with a decoder of its own, which drops unknown fields in silence.
    pub(super) fn in_silence<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.silent, true);
        let done = read(self);
        self.silent = outer;
        done
    }

    /// Hands every field to `take`, which says whether it knows the name. A null leaves a field as if it were absent.
    pub(super) fn fields<'a>(
        &mut self,
        node: Node<'a, '_>,
        mut take: impl FnMut(&mut Self, &'a str, Node<'a, '_>) -> bool,
    ) {
        let fields = match node.value {
            Value::Object(fields) => fields,
            Value::Null => return,
            _ => return self.refuse(node, "an object"),
        };
        if node.depth > DEEPEST {
            let message = format!("`{}` is nested too deep", node.path);
            return self
                .undecodable
                .push(Finding::new(Rule::Undecodable, message));
        }
        for (name, value) in fields {
            let path = node.path.child(name);
            if !take(self, name, node.below(value, &path)) {
                self.unknown(name, &path);
            }
        }
    }

    pub(super) fn unknown(&mut self, name: &str, path: &Path<'_>) {
        let effect = if self.silent {
            "the server drops it in silence"
        } else {
            "the server drops it, or refuses the CRD where field validation is strict"
        };
        let message = format!("`{name}` is not a field that is known here: {effect}");
        self.unknown
            .push(Finding::new(Rule::UnknownField, message).at(path.to_string()));
    }

    pub(super) fn text<'a>(&mut self, node: Node<'a, '_>) -> &'a str {
        self.some_text(node).unwrap_or_default()
    }

    pub(super) fn some_text<'a>(&mut self, node: Node<'a, '_>) -> Option<&'a str> {
        match node.value {
            Value::String(text) => Some(text),
            Value::Null => None,
            _ => {
                self.refuse(node, "a string");
                None
            }
        }
    }

    pub(super) fn flag(&mut self, node: Node<'_, '_>) -> bool {
        self.some_flag(node).unwrap_or_default()
    }

    pub(super) fn some_flag(&mut self, node: Node<'_, '_>) -> Option<bool> {
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
    pub(super) fn integer(&mut self, node: Node<'_, '_>) -> Option<i64> {
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
    pub(super) fn small_integer(&mut self, node: Node<'_, '_>) -> Option<i64> {
        let integer = self.integer(node)?;
        if i32::try_from(integer).is_err() {
            self.refuse(node, "an integer of 32 bits");
        }
        Some(integer)
    }

    pub(super) fn number(&mut self, node: Node<'_, '_>) -> Option<f64> {
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

    pub(super) fn list<'a, T>(
        &mut self,
        node: Node<'a, '_>,
        mut read: impl FnMut(&mut Self, Node<'a, '_>) -> T,
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

    pub(super) fn texts<'a>(&mut self, node: Node<'a, '_>) -> Many<&'a str> {
        self.list(node, Self::text)
    }

    pub(super) fn map<'a, T>(
        &mut self,
        node: Node<'a, '_>,
        mut read: impl FnMut(&mut Self, Node<'a, '_>) -> T,
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
