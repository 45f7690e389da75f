//! Removes keywords and changes lists, as hand-written schemas and transforms do.

use super::super::keywords;
use super::{Raw, Types};
use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::{ItemFilter, Literal};
use serde_json::Value;

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

    /// Returns the schemas of `allOf`, `anyOf` or `oneOf`, if the keyword is present.
    pub fn branches_of(&mut self, key: &str) -> Option<&mut Vec<Raw>> {
        match key {
            "allOf" => self.all_of.as_mut(),
            "anyOf" => self.any_of.as_mut(),
            "oneOf" => self.one_of.as_mut(),
            _ => None,
        }
    }

    /// Removes items from a keyword that is a list, if it is present. Returns false if it cannot tell which items are meant.
    #[must_use]
    pub fn drop_items(&mut self, key: &str, filter: &ItemFilter) -> bool {
        let is_told = match &filter.key {
            Some(key) => matches!(&**key, "const" | "enum" | "title" | "description"),
            None => false,
        };
        match key {
            "allOf" | "anyOf" | "oneOf" => {
                let branches = self.branches_of(key);
                if let (Some(branches), true) = (branches, is_told) {
                    filter.drop_from(branches, |branch, key| branch.keyword(key?));
                }
                is_told
            }
            "enum" if filter.key.is_none() => {
                if let Some(values) = &mut self.values {
                    filter.drop_from(values, |value, _| Some(value.clone()));
                }
                true
            }
            "required" if filter.key.is_none() => {
                let name = |name: &Text, _: Option<&str>| Some(Value::String(name.to_string()));
                filter.drop_from(&mut self.node.required, name);
                true
            }
            _ => false,
        }
    }

    /// Returns the value of a keyword that identifies branches; `None` for any other keyword.
    fn keyword(&self, key: &str) -> Option<Value> {
        let text = |text: &Option<Text>| text.as_ref().map(|text| Value::String(text.to_string()));
        match key {
            "const" => self.constant.clone(),
            "enum" => self.values.clone().map(Value::Array),
            "title" => text(&self.node.title),
            "description" => text(&self.node.description),
            _ => None,
        }
    }

    /// Adds a value to a keyword that is a list, if it is present.
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
