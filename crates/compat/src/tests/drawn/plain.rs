//! Schemas whose verdicts must all be certain: types, bounds, enums, objects and lists, and optionally patterns.

use super::Dice;
use super::values::WORDS;
use serde_json::{Value, json};

pub(super) const PATTERNS: [&str; 5] = ["^a", "^[a-c]*$", "b", "^.{2}$", "^(a|bb)?$"];

pub(super) fn maybe(dice: &mut Dice, schema: &mut Value, key: &str, most: u64) {
    if dice.one_in(3) {
        schema[key] = json!(dice.roll(most));
    }
}

pub(in crate::tests) fn random(dice: &mut Dice, depth: u64, patterns: bool) -> Value {
    let leaf = depth == 0 || dice.one_in(2);
    let mut schema = match dice.roll(if leaf { 4 } else { 6 }) {
        0 => json!({"type": "boolean"}),
        1 => {
            let mut schema = json!({"type": "string"});
            maybe(dice, &mut schema, "minLength", 4);
            maybe(dice, &mut schema, "maxLength", 5);
            if patterns && dice.one_in(2) {
                schema["pattern"] = json!(dice.pick(&PATTERNS));
            }
            if dice.one_in(3) {
                schema["enum"] = (0..=dice.roll(3))
                    .map(|_| json!(dice.pick(&WORDS)))
                    .collect();
            }
            schema
        }
        2 | 3 => {
            let number = dice.one_in(4);
            let mut schema = json!({"type": if number { "number" } else { "integer" }});
            maybe(dice, &mut schema, "minimum", 4);
            maybe(dice, &mut schema, "maximum", 6);
            for (bound, excluded) in [
                ("minimum", "exclusiveMinimum"),
                ("maximum", "exclusiveMaximum"),
            ] {
                if schema.get(bound).is_some() && dice.one_in(4) {
                    schema[excluded] = json!(true);
                }
            }
            if !number && dice.one_in(4) {
                schema["multipleOf"] = json!(1 + dice.roll(3));
            }
            if dice.one_in(4) {
                schema["enum"] = (0..=dice.roll(3)).map(|_| json!(dice.roll(7))).collect();
            }
            schema
        }
        4 => {
            let mut schema = json!({"type": "array", "items": random(dice, depth - 1, patterns)});
            maybe(dice, &mut schema, "minItems", 3);
            maybe(dice, &mut schema, "maxItems", 4);
            schema
        }
        _ => {
            let mut schema = json!({"type": "object", "properties": {
                "a": random(dice, depth - 1, patterns), "b": random(dice, depth - 1, patterns),
            }});
            maybe(dice, &mut schema, "minProperties", 3);
            maybe(dice, &mut schema, "maxProperties", 3);
            let required: Vec<&str> = ["a", "b"].into_iter().filter(|_| dice.one_in(3)).collect();
            if !required.is_empty() {
                schema["required"] = json!(required);
            }
            schema
        }
    };
    if dice.one_in(6) {
        schema["nullable"] = json!(true);
    }
    schema
}

/// The same schema with a few nodes or keywords generated again.
pub(in crate::tests) fn mutated(
    dice: &mut Dice,
    schema: &Value,
    depth: u64,
    patterns: bool,
) -> Value {
    let mut new = schema.clone();
    if dice.one_in(2) {
        let other = random(dice, depth, patterns);
        if dice.one_in(4) || other["type"] != schema["type"] {
            return if dice.one_in(2) { other } else { new };
        }
        for (key, value) in other.as_object().unwrap() {
            if key != "properties" && key != "items" {
                new[key] = value.clone();
            }
        }
    }
    let fields = new.as_object_mut().unwrap();
    let droppable: Vec<String> = fields
        .keys()
        .filter(|key| !["type", "properties", "items"].contains(&key.as_str()))
        .cloned()
        .collect();
    if !droppable.is_empty() && dice.one_in(4) {
        let key = dice.pick(&droppable).clone();
        fields.remove(&key);
        // An exclusive flag has no effect without its bound.
        if key == "minimum" || key == "maximum" {
            fields.remove("exclusiveMinimum");
            fields.remove("exclusiveMaximum");
        }
    }
    if let Some(items) = schema.get("items") {
        new["items"] = mutated(dice, items, depth.saturating_sub(1), patterns);
    }
    for name in ["a", "b"] {
        if let Some(child) = schema.pointer(&format!("/properties/{name}")) {
            new["properties"][name] = mutated(dice, child, depth.saturating_sub(1), patterns);
        }
    }
    new
}
