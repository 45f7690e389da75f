//! Removes keywords, as hand-written schemas and transforms do.

use super::super::keywords;
use super::{Raw, Types};

impl Raw {
    /// Removes a keyword.
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
            "examples" => self.first_example = None,
            _ => keywords::unset(&mut self.node, key),
        }
    }
}
