//! Names for what only one channel has.

use crate::mapping::{ByPlace, Entries};
use crate::merged::Node;
use crate::names;
use serde_json::Value;
use std::collections::BTreeMap;

/// The features that gates may name: proposed by the name of what is gated, the same for the same name anywhere.
#[derive(Debug, Default)]
pub(crate) struct Features {
    /// By name in lowercase: the name, and the names on the wire that it stands for.
    by_key: BTreeMap<String, (String, Vec<String>)>,
    /// The names that people chose, by place and by name on the wire.
    mapped: ByPlace,
}

/// The features as a place sees them.
pub(crate) struct Here<'a> {
    features: &'a Features,
    mapped: Option<&'a str>,
}

impl Features {
    pub(crate) fn new(mapped: &Entries) -> Self {
        Self {
            by_key: BTreeMap::new(),
            mapped: ByPlace::new(mapped),
        }
    }

    /// The features as the place sees them.
    pub(crate) fn at(&self, path: &str) -> Here<'_> {
        Here {
            features: self,
            mapped: self.mapped.around(path),
        }
    }

    /// Collects the names of the properties and values that only one channel has.
    pub(crate) fn collect(&mut self, node: &Node) {
        if let Some([stable, experimental]) = node.keywords.get("enum") {
            let values = |value: &Option<Value>| match value {
                Some(Value::Array(values)) => values.clone(),
                _ => Vec::new(),
            };
            let (stable, experimental) = (values(stable), values(experimental));
            if node.present == [true, true] && !stable.is_empty() && !experimental.is_empty() {
                let only = |own: &[Value], other: &[Value]| -> Vec<Value> {
                    own.iter()
                        .filter(|value| !other.contains(value))
                        .cloned()
                        .collect()
                };
                let only = [only(&stable, &experimental), only(&experimental, &stable)].concat();
                only.iter()
                    .filter_map(Value::as_str)
                    .for_each(|value| self.add(value));
            }
        }
        for (name, property) in &node.properties {
            if property.node.present != node.present {
                self.add(name);
            } else {
                self.collect(&property.node);
            }
        }
        let below = [&node.items, &node.values];
        below
            .into_iter()
            .flatten()
            .for_each(|below| self.collect(below));
    }

    fn key(&self, name: &str) -> String {
        let mapped = self.mapped.of_word(name).map(str::to_lowercase);
        mapped.unwrap_or_else(|| names::feature(name).to_lowercase())
    }

    fn add(&mut self, name: &str) {
        let (feature, is_mapped) = match self.mapped.of_word(name) {
            Some(mapped) => (mapped.to_owned(), true),
            None => (names::feature(name), false),
        };
        let (feature_name, of) = self
            .by_key
            .entry(self.key(name))
            .or_insert_with(|| (feature.clone(), Vec::new()));
        // Of two spellings the one with more capital letters is the field's own: `CORS` rather than `Cors`.
        let capitals = |name: &str| name.chars().filter(char::is_ascii_uppercase).count();
        if is_mapped || capitals(&feature) > capitals(feature_name) {
            *feature_name = feature;
        }
        if !of.iter().any(|known| known == name) {
            of.push(name.to_owned());
        }
    }

    /// The names on the wire that each stands for.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.by_key
            .values()
            .map(|(name, words)| (name.as_str(), words.as_slice()))
    }
}

impl Here<'_> {
    /// The feature that people chose for the place.
    pub(crate) fn mapped(&self) -> Option<String> {
        self.mapped.map(str::to_owned)
    }

    /// The feature of a gated name.
    pub(crate) fn of_name(&self, name: &str) -> Option<String> {
        self.mapped().or_else(|| {
            let key = self.features.key(name);
            let known = self.features.by_key.get(&key);
            known.map(|(feature, _)| feature.clone())
        })
    }

    /// The feature whose field or value a text mentions, if it mentions one.
    pub(crate) fn named_in(&self, text: &str) -> Option<String> {
        self.mapped().or_else(|| {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let words: Vec<&str> = text.split(|c| !is_word(c)).collect();
            let mut all = self.features.by_key.values();
            let found = all.find(|(_, of)| of.iter().any(|name| words.contains(&&**name)));
            found.map(|(feature, _)| feature.clone())
        })
    }
}
