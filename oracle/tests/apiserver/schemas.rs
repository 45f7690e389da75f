//! Random structural schemas with every keyword that a server accepts.

use super::dice::Dice;
use super::{objects, rules};
use serde_json::{Map, Value, json};

/// The names of fields.
pub const NAMES: &[&str] = &[
    "a",
    "b",
    "name",
    "port",
    "status-code",
    "if",
    "in",
    "x__y",
    "a.b/c",
    "x y",
];

const FORMATS: &[&str] = &[
    "date",
    "date-time",
    "duration",
    "byte",
    "uuid",
    "ipv4",
    "ipv6",
    "cidr",
    "uri",
    "hostname",
    "email",
    "mac",
];

/// Formats that servers know for some types only, or not at all.
const ODD_FORMATS: &[&str] = &["date", "int32", "double", "k8s-short-name", "percent"];

/// A CRD with one version.
pub fn crd(dice: &mut Dice) -> Value {
    let mut properties = Map::new();
    properties.insert("spec".into(), object(dice, 3));
    if dice.one_in(2) {
        let mut status = object(dice, 1);
        if dice.one_in(3) {
            status["default"] = objects::fitting(dice, &status);
        }
        properties.insert("status".into(), status);
    }
    let mut schema = json!({ "type": "object", "properties": properties });
    if dice.one_in(3) {
        schema["required"] = json!(["spec"]);
    }
    if dice.one_in(2) {
        rules::add(dice, &mut schema, true);
    }
    let mut version = json!({
        "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema },
    });
    if dice.one_in(3) {
        version["subresources"] = json!({ "status": {} });
    }
    if dice.wants("scale", 3) {
        version["subresources"]["scale"] = json!({
            "specReplicasPath": ".spec.a", "statusReplicasPath": ".status.b", "labelSelectorPath": ".status.name",
        });
    }
    let scope = if dice.one_in(12) {
        "Cluster"
    } else {
        "Namespaced"
    };
    of_version(scope, &version)
}

/// The CRD of things with only that version.
pub fn of_version(scope: &str, version: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "things.example.com" },
        "spec": {
            "group": "example.com",
            "names": { "kind": "Thing", "plural": "things", "singular": "thing", "listKind": "ThingList" },
            "scope": scope,
            "versions": [version],
        },
    })
}

fn schema(dice: &mut Dice, depth: usize) -> Value {
    let mut schema = match dice.roll(if depth == 0 { 7 } else { 13 }) {
        0 | 1 => text(dice),
        2 => number(dice, "integer"),
        3 => number(dice, "number"),
        4 => json!({ "type": "boolean" }),
        5 => json!({ "x-kubernetes-int-or-string": true }),
        6 => json!({ "x-kubernetes-preserve-unknown-fields": true }),
        7 | 8 => object(dice, depth - 1),
        9 => map(dice, depth - 1),
        10 => embedded(dice, depth - 1),
        _ => list(dice, depth - 1),
    };
    if dice.wants("odd format", 12) {
        schema["format"] = dice.pick(ODD_FORMATS).into();
    }
    if dice.one_in(6) {
        schema["nullable"] = true.into();
    }
    if dice.one_in(5) {
        junctor(dice, &mut schema);
    }
    if dice.wants("default", 6) {
        schema["default"] = objects::fitting(dice, &schema);
    }
    schema
}

fn text(dice: &mut Dice) -> Value {
    let mut schema = json!({ "type": "string" });
    bounds(dice, &mut schema, "minLength", "maxLength", 5);
    if dice.one_in(4) {
        schema["pattern"] = dice.pick(&["^[a-z]+$", "a|b", "^\\d{2}", "\\bx"]).into();
    }
    if dice.wants("format", 4) {
        schema["format"] = dice.pick(FORMATS).into();
    }
    if dice.one_in(6) {
        schema["enum"] = json!(["a", "b", "12"]);
    }
    schema
}

fn number(dice: &mut Dice, ty: &str) -> Value {
    let mut schema = json!({ "type": ty });
    bounds(dice, &mut schema, "minimum", "maximum", 8);
    for (flag, of) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        if schema.get(of).is_some() && dice.one_in(3) {
            schema[flag] = true.into();
        }
    }
    if dice.one_in(5) {
        schema["multipleOf"] = dice.pick(&[2, 3]).into();
    }
    if dice.one_in(4) {
        let formats: &[&str] = if ty == "integer" {
            &["int32", "int64"]
        } else {
            &["float", "double"]
        };
        schema["format"] = dice.pick(formats).into();
    }
    if dice.one_in(8) {
        schema["enum"] = json!([1, 2, 4]);
    }
    schema
}

/// A lower bound, an upper bound, both, or neither.
fn bounds(dice: &mut Dice, schema: &mut Value, least: &str, most: &str, range: usize) {
    let low = dice.roll(range);
    if dice.one_in(4) {
        schema[least] = low.into();
    }
    if dice.one_in(4) {
        schema[most] = (low + dice.roll(range)).into();
    }
}

fn object(dice: &mut Dice, depth: usize) -> Value {
    let mut properties = Map::new();
    for _ in 0..1 + dice.roll(4) {
        properties.insert(dice.pick(NAMES).into(), schema(dice, depth));
    }
    let required: Vec<&String> = properties.keys().filter(|_| dice.one_in(3)).collect();
    let mut schema = json!({ "type": "object" });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema["properties"] = properties.into();
    bounds(dice, &mut schema, "minProperties", "maxProperties", 3);
    if dice.wants("keeps unknown fields", 8) {
        schema["x-kubernetes-preserve-unknown-fields"] = true.into();
    }
    if dice.one_in(8) {
        schema["x-kubernetes-map-type"] = dice.pick(&["atomic", "granular"]).into();
    }
    schema
}

fn map(dice: &mut Dice, depth: usize) -> Value {
    let mut map = json!({ "type": "object", "additionalProperties": schema(dice, depth) });
    if let Some(values) = map["additionalProperties"].as_object_mut() {
        // Defaults below maps are not validated, so they need not fit.
        values.remove("default");
    }
    bounds(dice, &mut map, "minProperties", "maxProperties", 3);
    map
}

fn embedded(dice: &mut Dice, depth: usize) -> Value {
    let mut resource = object(dice, depth);
    resource["x-kubernetes-embedded-resource"] = true.into();
    dice.note("embedded resource");
    resource
}

fn list(dice: &mut Dice, depth: usize) -> Value {
    let mut list = json!({ "type": "array", "items": schema(dice, depth) });
    bounds(dice, &mut list, "minItems", "maxItems", 4);
    match dice.roll(4) {
        0 => {
            dice.note("set");
            list["x-kubernetes-list-type"] = "set".into();
            let mut items = if dice.one_in(2) {
                text(dice)
            } else {
                number(dice, "integer")
            };
            items["nullable"] = false.into();
            list["items"] = items;
        }
        1 => {
            dice.note("list with keys");
            let mut items = object(dice, depth);
            let keys: &[&str] = if dice.one_in(3) {
                &["name", "port"]
            } else {
                &["name"]
            };
            for key in keys {
                items["properties"][key] = if *key == "name" {
                    text(dice)
                } else {
                    number(dice, "integer")
                };
            }
            items["required"] = json!(keys);
            list["items"] = items;
            list["x-kubernetes-list-type"] = "map".into();
            list["x-kubernetes-list-map-keys"] = json!(keys);
        }
        2 => list["x-kubernetes-list-type"] = "atomic".into(),
        _ => {}
    }
    list
}

/// An additional constraint on a value: branches without types of their own.
fn junctor(dice: &mut Dice, schema: &mut Value) {
    let branch = |dice: &mut Dice| match dice.roll(6) {
        0 => json!({ "minLength": dice.roll(3) }),
        1 => json!({ "maximum": dice.roll(6) }),
        2 => json!({ "pattern": "^a" }),
        3 => json!({ "required": [dice.pick(NAMES)] }),
        4 => json!({ "maxItems": dice.roll(3) }),
        _ => json!({ "enum": ["a", 1, true] }),
    };
    let keyword = dice.weigh(&[(1, "allOf"), (1, "anyOf"), (1, "oneOf"), (1, "not")]);
    schema[keyword] = match keyword {
        "not" => branch(dice),
        _ => (0..1 + dice.roll(3)).map(|_| branch(dice)).collect(),
    };
}
