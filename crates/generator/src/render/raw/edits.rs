//! Keywords taken away and lists added to, as hand-written schemas and transforms do.

use super::super::keywords;
use super::{Raw, Types};
use crate::Text;
use crate::schema::draft::Literal;
use serde_json::Value;

impl Raw {
    /// Takes a keyword away.
    pub fn remove(&mut self, key: &str) {
        match key {
            "type" => self.types = Types::default(),
            "nullable" => self.nullable = None,
            "enum" => self.values = None,
            "const" => self.constant = None,
            "items" => self.items = None,
            "unevaluatedProperties" => self.unevaluated = None,
            "allOf" => self.all_of = None,
            "anyOf" => self.any_of = None,
            "oneOf" => self.one_of = None,
            "not" => self.not = None,
            _ => keywords::unset(&mut self.node, key),
        }
    }

    /// Adds a value to a keyword that is a list, if it is there.
    pub fn push(&mut self, key: &str, value: &Literal) {
        let Literal::Value(value) = value else {
            return;
        };
        match (key, value) {
            ("enum", value) => {
                if let Some(values) = &mut self.values {
                    values.push(value.clone());
                }
            }
            ("required", Value::String(name)) if !self.node.required.is_empty() => {
                let name = Text::from(name.as_str());
                if let Err(at) = self.node.required.binary_search(&name) {
                    self.node.required.insert(at, name);
                }
            }
            _ => {}
        }
    }
}
