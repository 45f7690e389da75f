//! Random CRDs with random rules.

use super::coverage::Coverage;
use super::dice::Dice;
use super::places::{Bounds, bound, places};
use super::rule::{Topic, rule, topics};
use super::schemas;
use crate::verdicts::causes;
use crd_channels_envtest::http::Answer;
use serde_json::{Value, json};

/// The number of rules to add to a CRD.
const EACH: usize = 14;

/// Makes CRDs that cover every function, operator and macro in turn.
pub struct Maker {
    topics: Vec<Topic>,
    turn: usize,
}

/// A CRD.
pub struct RandomCrd {
    /// Its seed.
    pub seed: u64,
    /// The CRD itself.
    pub document: Value,
}

impl Default for Maker {
    fn default() -> Self {
        Self {
            topics: topics(),
            turn: 0,
        }
    }
}

impl Maker {
    /// Returns the names of all topics.
    pub fn topics(&self) -> impl Iterator<Item = String> {
        self.topics.iter().map(Topic::name)
    }

    /// Returns the CRD of a seed. Topics without an accepted rule come first, then all take turns.
    pub fn make(&mut self, seed: u64, accepted: &Coverage) -> RandomCrd {
        let mut dice = Dice::new(seed);
        let mut document = schemas::crd(&mut dice);
        if dice.one_in(5) {
            let mut other = schemas::crd(&mut dice)["spec"]["versions"][0].take();
            other["name"] = "v2".into();
            other["storage"] = false.into();
            document["spec"]["versions"]
                .as_array_mut()
                .unwrap()
                .push(other);
        }
        let bounds = match dice.roll(6) {
            0..3 => Bounds::Small,
            3..5 => Bounds::Mixed,
            _ => Bounds::None,
        };
        if dice.one_in(6) {
            // A schema may only restrict `name` and `generateName` in an object's own metadata.
            let name = json!({"type": "object", "properties": {"name": {"type": "string"}}});
            let root = "/spec/versions/0/schema/openAPIV3Schema/properties";
            document.pointer_mut(root).unwrap()["metadata"] = name;
        }
        bound(&mut document, bounds, &mut dice);
        let places = places(&document);
        let are_spoilt = !dice.one_in(3);
        for _ in 0..EACH {
            let place = &places[dice.roll(places.len())];
            let is_spoilt = are_spoilt && !dice.one_in(4);
            self.turn += 1;
            let mut turns = (self.turn..).map(|turn| &self.topics[turn % self.topics.len()]);
            let in_turn = turns.clone().next();
            let missing = turns
                .by_ref()
                .take(self.topics.len())
                .find(|topic| !accepted.0.contains_key(&topic.name()));
            let topic = missing.filter(|_| !is_spoilt).or(in_turn).unwrap();
            let schema = document.pointer_mut(&place.pointer).unwrap();
            if let Some(rule) = rule(&mut dice, schema, place, topic, is_spoilt) {
                let rules = &mut schema["x-kubernetes-validations"];
                match rules.as_array_mut() {
                    Some(rules) => rules.push(rule),
                    None => *rules = json!([rule]),
                }
            }
        }
        RandomCrd { seed, document }
    }
}

impl RandomCrd {
    /// Drops the defaults that a response refuses. Returns whether there were any.
    pub fn drop_defaults(&mut self, answer: &Answer) -> bool {
        let refused: Vec<String> = causes(answer)
            .iter()
            .filter_map(|cause| Some(cause["field"].as_str()?.to_owned()))
            .collect();
        let mut any = false;
        for place in places(&self.document) {
            let default = format!("{}.default", place.field);
            let schema = self.document.pointer_mut(&place.pointer).unwrap();
            if refused.iter().any(|field| is_at_or_below(field, &default)) {
                any |= schema.as_object_mut().unwrap().remove("default").is_some();
            }
        }
        any
    }
}

/// Whether a path leads to a place or below it.
pub fn is_at_or_below(path: &str, place: &str) -> bool {
    let rest = path.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
