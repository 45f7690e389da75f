//! Schemas with everything that a structural schema may have except rules.

use super::Dice;
use super::plain::{PATTERNS, maybe};
use super::values::{WORDS, fitting};
use serde_json::{Value, json};

const FORMATS: [&str; 5] = ["date", "ipv4", "password", "unknown", "byte"];
const NUMBERS: [f64; 7] = [-2.5, -1.0, 0.5, 1.5, 2.0, 2.5, 4.0];

pub(in crate::tests) fn random(dice: &mut Dice, depth: u64) -> Value {
    let mut schema = match dice.roll(if depth == 0 { 7 } else { 13 }) {
        0 => json!({"type": "boolean"}),
        1 | 2 => text(dice),
        3 => number(dice, "integer"),
        4 => number(dice, "number"),
        5 => json!({"x-kubernetes-int-or-string": true}),
        6 => json!({"x-kubernetes-preserve-unknown-fields": true}),
        7 => map(dice, depth - 1),
        8 | 9 => list(dice, depth - 1),
        _ => object(dice, depth - 1),
    };
    if dice.one_in(5) {
        schema["nullable"] = json!(true);
    }
    if dice.one_in(5) {
        junctor(dice, &mut schema);
    }
    if dice.one_in(8)
        && let Some(default) = fitting(dice, &schema)
    {
        schema["default"] = default;
    }
    schema
}

fn text(dice: &mut Dice) -> Value {
    let mut schema = json!({"type": "string"});
    maybe(dice, &mut schema, "minLength", 4);
    maybe(dice, &mut schema, "maxLength", 5);
    if dice.one_in(4) {
        schema["pattern"] = json!(dice.pick(&PATTERNS));
    }
    if dice.one_in(5) {
        schema["format"] = json!(dice.pick(&FORMATS));
    }
    if dice.one_in(4) {
        schema["enum"] = (0..=dice.roll(3)).map(|_| word(dice)).collect();
    }
    schema
}

fn word(dice: &mut Dice) -> Value {
    match dice.roll(12) {
        0 => Value::Null,
        1 => json!("2024-01-01"),
        _ => json!(dice.pick(&WORDS)),
    }
}

fn number(dice: &mut Dice, ty: &str) -> Value {
    let mut schema = json!({"type": ty});
    for (bound, excluded) in [
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ] {
        if dice.one_in(3) {
            schema[bound] = any_number(dice, ty);
            if dice.one_in(4) {
                schema[excluded] = json!(true);
            }
        }
    }
    if dice.one_in(6) {
        schema["multipleOf"] = match dice.one_in(3) {
            true if ty == "number" => json!(dice.pick(&[0.5, 1.5, 2.5])),
            _ => json!(1 + dice.roll(3)),
        };
    }
    if dice.one_in(4) {
        schema["enum"] = (0..=dice.roll(3)).map(|_| any_number(dice, ty)).collect();
    }
    if dice.one_in(6) {
        schema["format"] = match ty {
            "integer" => json!(dice.pick(&["int32", "int64", "uint8"])),
            _ => json!(dice.pick(&["float", "double"])),
        };
    }
    schema
}

fn any_number(dice: &mut Dice, ty: &str) -> Value {
    match dice.roll(8) {
        0..=2 if ty == "number" => json!(dice.pick(&NUMBERS)),
        0 => json!(dice.pick(&NUMBERS)),
        1 => json!(3_000_000_000_u64),
        _ => json!(i64::try_from(dice.roll(8)).unwrap() - 2),
    }
}

fn map(dice: &mut Dice, depth: u64) -> Value {
    let mut schema = json!({"type": "object", "additionalProperties": random(dice, depth)});
    if dice.one_in(6) {
        schema["additionalProperties"] = json!(true);
    }
    maybe(dice, &mut schema, "minProperties", 3);
    maybe(dice, &mut schema, "maxProperties", 3);
    schema
}

fn list(dice: &mut Dice, depth: u64) -> Value {
    let mut schema = json!({"type": "array"});
    maybe(dice, &mut schema, "minItems", 3);
    maybe(dice, &mut schema, "maxItems", 4);
    match dice.roll(4) {
        0 => {
            schema["items"] = if dice.one_in(2) {
                text(dice)
            } else {
                number(dice, "integer")
            };
            schema["x-kubernetes-list-type"] = json!("set");
        }
        1 => {
            let other = random(dice, depth);
            schema["items"] = json!({"type": "object", "required": ["a"], "properties": {
                "a": text(dice), "b": other,
            }});
            schema["x-kubernetes-list-type"] = json!("map");
            schema["x-kubernetes-list-map-keys"] = json!(["a"]);
        }
        _ => schema["items"] = random(dice, depth),
    }
    schema
}

fn object(dice: &mut Dice, depth: u64) -> Value {
    let mut schema = json!({"type": "object", "properties": {}});
    for name in ["a", "b", "c"] {
        if !dice.one_in(3) {
            schema["properties"][name] = random(dice, depth);
        }
    }
    maybe(dice, &mut schema, "minProperties", 3);
    maybe(dice, &mut schema, "maxProperties", 4);
    require(dice, &mut schema);
    if dice.one_in(6) {
        schema["x-kubernetes-preserve-unknown-fields"] = json!(true);
    }
    schema
}

fn require(dice: &mut Dice, schema: &mut Value) {
    let names: Vec<&str> = ["a", "b", "c"]
        .into_iter()
        .filter(|name| schema["properties"].get(name).is_some() && dice.one_in(3))
        .collect();
    if !names.is_empty() {
        schema["required"] = json!(names);
    }
}

fn junctor(dice: &mut Dice, schema: &mut Value) {
    let ty = schema["type"].as_str().unwrap_or_default().to_owned();
    let branches =
        |dice: &mut Dice| -> Value { (0..=dice.roll(3)).map(|_| branch(dice, &ty, 1)).collect() };
    match dice.roll(4) {
        0 => schema["not"] = branch(dice, &ty, 1),
        1 => schema["allOf"] = branches(dice),
        2 => schema["anyOf"] = branches(dice),
        _ => schema["oneOf"] = branches(dice),
    }
}

/// The constraints that a branch may have for values of a type.
fn branch(dice: &mut Dice, ty: &str, depth: u64) -> Value {
    if depth > 0 && dice.one_in(8) {
        return json!({"not": branch(dice, ty, depth - 1)});
    }
    match (ty, dice.roll(4)) {
        ("string", 0) => json!({"minLength": dice.roll(4)}),
        ("string", 1) => json!({"maxLength": dice.roll(4)}),
        ("string", 2) => json!({"pattern": dice.pick(&PATTERNS)}),
        ("string", _) => json!({"enum": [word(dice), word(dice)]}),
        ("integer" | "number", 0 | 1) => json!({"minimum": any_number(dice, ty)}),
        ("integer" | "number", 2) => json!({"maximum": any_number(dice, ty)}),
        ("integer" | "number", _) => json!({"enum": [any_number(dice, ty), any_number(dice, ty)]}),
        ("array", 0) => json!({"minItems": dice.roll(3)}),
        ("array", _) => json!({"maxItems": dice.roll(4)}),
        ("object", 0) => json!({"required": ["a"]}),
        ("object", 1) => json!({"required": ["b"]}),
        ("object", _) => json!({"maxProperties": dice.roll(3)}),
        ("boolean", _) => json!({"enum": [dice.one_in(2)]}),
        (_, 0) => json!({"minimum": 2}),
        (_, 1) => json!({"maxLength": 2}),
        _ => json!({"enum": [1, "a"]}),
    }
}

/// The same schema with some nodes or keywords generated again.
pub(in crate::tests) fn mutated(dice: &mut Dice, schema: &Value, depth: u64) -> Value {
    if dice.one_in(12) {
        return random(dice, depth);
    }
    let mut new = schema.clone();
    if dice.one_in(3) {
        change(dice, &mut new, depth);
    }
    let below = depth.saturating_sub(1);
    let keyed = schema["x-kubernetes-list-type"] != Value::Null;
    for key in ["items", "additionalProperties"] {
        if let Some(child) = schema.get(key).filter(|child| child.is_object() && !keyed) {
            new[key] = mutated(dice, child, below);
        }
    }
    for name in ["a", "b", "c"] {
        match schema.pointer(&format!("/properties/{name}")) {
            Some(child) => new["properties"][name] = mutated(dice, child, below),
            None if schema.get("properties").is_some() && dice.one_in(10) => {
                new["properties"][name] = random(dice, below);
                if dice.one_in(3) {
                    require(dice, &mut new);
                }
            }
            None => {}
        }
    }
    if let Some(properties) = new.get_mut("properties").filter(|_| dice.one_in(12)) {
        let name = *dice.pick(&["a", "b", "c"]);
        properties.as_object_mut().unwrap().remove(name);
        if let Some(required) = new.get_mut("required") {
            required
                .as_array_mut()
                .unwrap()
                .retain(|known| known != name);
        }
    }
    // A default must be valid for its schema.
    if new
        .get("default")
        .is_some_and(|default| !super::values::is_valid(&new, default))
    {
        new.as_object_mut().unwrap().remove("default");
    }
    new
}

/// Removes a keyword of a node, or copies some from another node of its type.
fn change(dice: &mut Dice, new: &mut Value, depth: u64) {
    const KEPT: [&str; 6] = [
        "type",
        "properties",
        "items",
        "additionalProperties",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-int-or-string",
    ];
    let is_kept = |key: &str| KEPT.contains(&key);
    match dice.roll(4) {
        0 => new["nullable"] = json!(new["nullable"] != true),
        1 => {
            let fields = new.as_object_mut().unwrap();
            let keys: Vec<String> = fields.keys().filter(|key| !is_kept(key)).cloned().collect();
            if keys.is_empty() {
                return;
            }
            let key = dice.pick(&keys).clone();
            fields.remove(&key);
            if key == "x-kubernetes-list-type" {
                fields.remove("x-kubernetes-list-map-keys");
            }
        }
        _ => {
            let other = (0..6).map(|_| random(dice, depth));
            let other: Vec<Value> = other.collect();
            let Some(other) = other.iter().find(|other| other["type"] == new["type"]) else {
                return;
            };
            for (key, value) in other.as_object().unwrap() {
                if !is_kept(key) && key != "required" && key != "x-kubernetes-list-type" {
                    new[key] = value.clone();
                }
            }
        }
    }
}
