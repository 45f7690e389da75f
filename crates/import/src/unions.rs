//! Objects of which the schema proves that they have exactly one property, as enums.

use crate::attributes::texts;
use crate::merged::Node;
use crate::names;
use crate::shapes::{Shapes, is_described};
use crate::types::{Place, Variant};
use serde_json::{Value, json};
use std::collections::BTreeSet;

impl Shapes<'_> {
    /// The variants, if an object has exactly one of its properties in each channel. Servers remove what has no property, and null.
    pub(crate) fn union(&mut self, node: &Node, place: &Place) -> Option<Vec<Variant>> {
        let order = self.one_of(node)?;
        let is_plain = |name: &&str| {
            let property = &node.properties[*name];
            property.node.present == node.present
                && property.required == [false; 2]
                && property.node.agrees_on("description")
                && !["default", "nullable"]
                    .iter()
                    .any(|key| property.node.keywords.contains_key(*key))
        };
        if order.len() < 2 || !order.iter().all(is_plain) {
            return None;
        }
        let rust = names::variants(&order);
        let variants = order.iter().zip(rust).map(|(name, rust)| {
            let inside = &node.properties[*name].node;
            let place = place.property(name);
            let described = is_described(inside) == Some(true);
            let mut typed = self.ty(inside, &place, described);
            let doc = typed.left.remove("description").unwrap_or_default();
            let content = self.wrapped(inside, typed, &place);
            Variant {
                value: (*name).to_owned(),
                rust,
                gate: None,
                doc: texts(&doc, inside.present),
                content: Some(content),
            }
        });
        Some(variants.collect())
    }

    /// The properties in the order of the alternatives that require them, if the object has no other keywords.
    fn one_of<'n>(&self, node: &'n Node) -> Option<Vec<&'n str>> {
        let is_open = [
            "x-kubernetes-embedded-resource",
            "x-kubernetes-preserve-unknown-fields",
        ]
        .iter()
        .any(|key| node.keywords.contains_key(*key));
        if is_open || self.purpose.keeps_unknown() {
            return None;
        }
        let of_source = |key: &String| ["oneOf", "type"].contains(&key.as_str());
        if !self.purpose.is_client() && !node.keywords.keys().all(of_source) {
            return None;
        }
        let names: Vec<&str> = node.properties.keys().map(String::as_str).collect();
        let count = |key: &str| node.same(key) == Some(&json!(1));
        if self.purpose.is_client() && count("minProperties") && count("maxProperties") {
            return Some(names);
        }
        let branches = node.same("oneOf")?.as_array()?;
        let only = |branch: &'n Value| {
            let name = branch.pointer("/required/0")?.as_str()?;
            (*branch == json!({ "required": [name] })).then_some(name)
        };
        let order: Vec<&str> = branches.iter().map(only).collect::<Option<_>>()?;
        let listed: BTreeSet<&str> = order.iter().copied().collect();
        (order.len() == names.len() && names.iter().all(|name| listed.contains(name)))
            .then_some(order)
    }
}
