//! CRDs drawn from what a schema can say, not from what Rust types say of themselves: every keyword wherever servers take it,
//! names that are no identifiers, defaults of every type, several versions.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use crate::objects::dice::Dice;
use crd_channels_check as check;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Names of properties, some of which are one identifier.
const NAMES: [&str; 24] = [
    "name", "type", "self", "Self", "crate", "super", "fn", "fooBar", "foo_bar", "foo-bar",
    "FooBar", "x.y", "$ref", "1st", "größe", "kind", "spec", "_", "other", "async", "gen", "URL",
    "podCIDRs", "a b",
];

/// Values of enums, some of which are one variant.
const VALUES: [&str; 20] = [
    "", "self", "Self", "a", "A", "1", "1.5", "+", "-", "<=", "fooBar", "FooBar", "foo_bar",
    "crate", "None", "Some", "true", "null", "ä", "a b",
];

/// Texts of descriptions.
const TEXTS: [&str; 9] = [
    "A text.",
    "Two\nlines.",
    "A paragraph.\n\nAnother.",
    "  indented",
    "- a\n- b\n\n      code",
    "ends with a space ",
    "*/ \"quoted\" \\ {} #[doc]",
    "<b>bold</b> [link] `code",
    "\n",
];

/// The CRD of a seed, with up to three versions; none if servers refuse it.
pub fn drawn(seed: u64) -> Option<Value> {
    let mut dice = Dice::new(&format!("crd {seed}"));
    let mut schema = node_of("object", 4, &mut dice);
    let status = dice.chance(1, 2);
    let mut properties = Map::new();
    for part in ["spec", "status"] {
        if part == "spec" || status {
            properties.insert(part.to_owned(), node_of("object", 4, &mut dice));
        }
    }
    if dice.chance(1, 2) {
        properties.insert("apiVersion".to_owned(), described("string", &mut dice));
        properties.insert("kind".to_owned(), described("string", &mut dice));
        properties.insert("metadata".to_owned(), json!({"type": "object"}));
    }
    for key in [
        "additionalProperties",
        "default",
        "nullable",
        "x-kubernetes-embedded-resource",
    ] {
        schema.as_object_mut()?.remove(key);
    }
    schema["properties"] = Value::Object(properties);
    if schema.get("required").is_some() {
        schema["required"] = json!(["spec"]);
    }
    let names = ["v1", "v1beta1", "v2alpha1"];
    let count = 1 + dice.roll(3);
    let stored = dice.roll(count);
    let mut versions = Vec::new();
    for (index, name) in names.iter().take(count).enumerate() {
        let mut own = schema.clone();
        if index > 0 {
            lessen(&mut own, &mut dice);
        }
        let mut version = json!({
            "name": name, "served": index == stored || dice.chance(3, 4), "storage": index == stored,
            "schema": {"openAPIV3Schema": own},
        });
        if status && dice.chance(2, 3) {
            version["subresources"] = json!({"status": {}});
        }
        if dice.chance(1, 4) {
            version["deprecated"] = true.into();
            version["deprecationWarning"] = "use another".into();
        }
        if dice.chance(1, 4) {
            version["additionalPrinterColumns"] = json!([
                {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
                {"name": "A \"b\"", "type": "string", "jsonPath": ".spec.name", "priority": 1, "description": "d"},
            ]);
        }
        versions.push(version);
    }
    let scope = ["Namespaced", "Cluster"][dice.roll(2)];
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Thing", "plural": "things", "singular": "thing", "listKind": "ThingList"},
            "scope": scope,
            "versions": versions,
        },
    });
    accepted(&crd).then_some(crd)
}

fn described(kind: &str, dice: &mut Dice) -> Value {
    json!({"type": kind, "description": TEXTS[dice.roll(TEXTS.len())]})
}

fn text(dice: &mut Dice) -> Value {
    VALUES[dice.roll(VALUES.len())].into()
}

fn node(depth: usize, dice: &mut Dice) -> Value {
    let kinds = [
        "object", "object", "array", "string", "string", "integer", "number", "boolean", "either",
        "any",
    ];
    let kind = kinds[dice.roll(kinds.len())];
    node_of(
        if depth == 0 && dice.chance(2, 3) {
            "string"
        } else {
            kind
        },
        depth.saturating_sub(1),
        dice,
    )
}

/// A schema of this type, with keywords that such a schema may have.
fn node_of(kind: &str, depth: usize, dice: &mut Dice) -> Value {
    let mut out = match kind {
        "either" => json!({"x-kubernetes-int-or-string": true}),
        "any" => json!({"x-kubernetes-preserve-unknown-fields": true}),
        _ => json!({"type": kind}),
    };
    match kind {
        "object" => object(&mut out, depth, dice),
        "array" => array(&mut out, depth, dice),
        "string" => string(&mut out, dice),
        "integer" | "number" => number(&mut out, kind == "integer", dice),
        "either" if dice.chance(2, 3) => {
            let both = json!([{"type": "integer"}, {"type": "string"}]);
            match dice.chance(1, 4) {
                true => out["allOf"] = json!([{"anyOf": both}, {"maxLength": 9}]),
                false => out["anyOf"] = both,
            }
        }
        _ => {}
    }
    let mut may = |key: &str, of: usize, dice: &mut Dice, value: fn(&str, &mut Dice) -> Value| {
        if dice.chance(1, of) {
            out[key] = value(kind, dice);
        }
    };
    may("description", 2, dice, |_, dice| {
        TEXTS[dice.roll(TEXTS.len())].into()
    });
    may("title", 12, dice, |_, _| "A title".into());
    may("nullable", 8, dice, |_, _| true.into());
    may("default", 6, dice, value_of);
    may("example", 12, dice, value_of);
    may(
        "externalDocs",
        20,
        dice,
        |_, _| json!({"url": "https://example.com", "description": "more"}),
    );
    may("x-kubernetes-validations", 8, dice, rules);
    may(
        "not",
        14,
        dice,
        |kind, dice| json!({"enum": [value_of(kind, dice)]}),
    );
    out
}

/// A value of a type, whatever else its schema says.
fn value_of(kind: &str, dice: &mut Dice) -> Value {
    match kind {
        "object" => [json!({}), json!({"name": "a"})][dice.roll(2)].clone(),
        "array" => json!([]),
        "string" => text(dice),
        "integer" => {
            [json!(0), json!(-1), json!(7), json!(3_000_000_000_i64)][dice.roll(4)].clone()
        }
        "number" => [json!(0), json!(0.5), json!(1e20), json!(-3)][dice.roll(4)].clone(),
        "boolean" => dice.chance(1, 2).into(),
        _ => [json!(1), json!("50%")][dice.roll(2)].clone(),
    }
}

fn rules(_: &str, dice: &mut Dice) -> Value {
    let mut rule = json!({"rule": "self == self"});
    match dice.roll(4) {
        0 => rule["message"] = "said \"so\"".into(),
        1 => rule["messageExpression"] = "'a'".into(),
        2 => {
            rule["message"] = "m".into();
            rule["messageExpression"] = "'b'".into();
            rule["reason"] = "FieldValueForbidden".into();
        }
        _ => {}
    }
    json!([rule])
}

fn object(out: &mut Value, depth: usize, dice: &mut Dice) {
    match dice.roll(8) {
        0 => out["additionalProperties"] = node(depth, dice),
        1 => out["x-kubernetes-preserve-unknown-fields"] = true.into(),
        2 => {}
        _ => {
            let mut properties = Map::new();
            for _ in 0..=dice.roll(4) {
                properties.insert(NAMES[dice.roll(NAMES.len())].to_owned(), node(depth, dice));
            }
            let required: Vec<&String> = properties.keys().filter(|_| dice.chance(1, 3)).collect();
            if !required.is_empty() {
                out["required"] = json!(required);
            }
            if properties.len() > 1 && dice.chance(1, 5) {
                out.as_object_mut().unwrap().remove("required");
                if dice.chance(1, 3) {
                    out["minProperties"] = json!(1);
                    out["maxProperties"] = json!(1);
                }
                let one = properties.keys().map(|name| json!({"required": [name]}));
                out[["oneOf", "anyOf"][dice.roll(2)]] = one.collect();
            }
            out["properties"] = Value::Object(properties);
            if dice.chance(1, 10) {
                out["x-kubernetes-preserve-unknown-fields"] = true.into();
            }
            if dice.chance(1, 12) {
                out["x-kubernetes-embedded-resource"] = true.into();
            }
        }
    }
    if dice.chance(1, 8) {
        out["x-kubernetes-map-type"] = ["atomic", "granular"][dice.roll(2)].into();
    }
    if dice.chance(1, 8) {
        out["minProperties"] = json!(dice.roll(2));
        out["maxProperties"] = json!(5);
    }
    if dice.chance(1, 20) {
        out["items"] = json!({"type": "string"});
    }
}

fn array(out: &mut Value, depth: usize, dice: &mut Dice) {
    out["items"] = node(depth, dice);
    out["maxItems"] = json!(1 + dice.roll(4));
    match dice.roll(6) {
        0 => out["x-kubernetes-list-type"] = "atomic".into(),
        1 => out["x-kubernetes-list-type"] = "set".into(),
        2 => {
            out["x-kubernetes-list-type"] = "map".into();
            out["x-kubernetes-list-map-keys"] = json!(["name"]);
            out["items"] = json!({"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string"}, "value": node(0, dice)}});
        }
        3 => out["minItems"] = json!(dice.roll(2)),
        _ => {}
    }
}

fn string(out: &mut Value, dice: &mut Dice) {
    match dice.roll(6) {
        0 | 1 => {
            let mut values: Vec<Value> = Vec::new();
            for _ in 0..=dice.roll(5) {
                let value = text(dice);
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            out["enum"] = values.into();
        }
        2 => out["pattern"] = ["^[a-z]*$", "\"\\d\\\\", "a|b"][dice.roll(3)].into(),
        3 => {
            out["format"] = [
                "date-time",
                "byte",
                "duration",
                "ipv4",
                "made-up",
                "password",
            ][dice.roll(6)]
            .into()
        }
        4 => {
            out["minLength"] = json!(dice.roll(2));
            out["maxLength"] = json!(9);
        }
        _ => out["allOf"] = json!([{"pattern": "^a"}, {"minLength": 1}]),
    }
}

fn number(out: &mut Value, is_integer: bool, dice: &mut Dice) {
    let formats: &[&str] = match is_integer {
        true => &["int32", "int64", "uint32", "int8", "int16"],
        false => &["float", "double", "int32"],
    };
    if dice.chance(1, 2) {
        out["format"] = formats[dice.roll(formats.len())].into();
    }
    match dice.roll(6) {
        0 => {
            out["minimum"] = json!(-1);
            out["exclusiveMinimum"] = dice.chance(1, 2).into();
        }
        1 => {
            out["maximum"] =
                [json!(1e30), json!(4_294_967_296_i64), json!(0.25)][dice.roll(3)].clone()
        }
        2 => out["multipleOf"] = [json!(2), json!(0.1)][dice.roll(2)].clone(),
        3 => out["enum"] = json!([1, 2, 2.5]),
        _ => {}
    }
}

/// Whether servers take a CRD.
pub fn accepted(crd: &Value) -> bool {
    !check::validate(crd, check::NEWEST)
        .iter()
        .any(check::Finding::refuses)
}

/// Removes something of a CRD that a channel may lack: an optional property, a value of an enum, a rule, any keyword, or a part of
/// a description.
pub fn lessen(node: &mut Value, dice: &mut Dice) {
    let Some(map) = node.as_object_mut() else {
        return;
    };
    let required: BTreeSet<String> = texts(&map.get("required").cloned().unwrap_or_default());
    if let Some(properties) = map.get_mut("properties").and_then(Value::as_object_mut) {
        let names: Vec<String> = properties.keys().cloned().collect();
        for name in names {
            if !required.contains(&name) && dice.chance(1, 6) {
                properties.remove(&name);
            } else {
                lessen(&mut properties[&name], dice);
            }
        }
    }
    for key in ["items", "additionalProperties"] {
        if let Some(below) = map.get_mut(key) {
            lessen(below, dice);
        }
    }
    for key in ["enum", "x-kubernetes-validations"] {
        if let Some(list) = map.get_mut(key).and_then(Value::as_array_mut)
            && list.len() > 1
            && dice.chance(1, 3)
        {
            list.pop();
        }
    }
    // Whatever it is, the other channel has it.
    let keys: Vec<String> = map.keys().cloned().collect();
    for key in keys {
        let is_kept = ["type", "properties", "items", "required"].contains(&key.as_str());
        if !is_kept && dice.chance(1, 12) {
            map.remove(&key);
        }
    }
    if let Some(text) = map.get_mut("description")
        && dice.chance(1, 4)
    {
        let more = ["", "\n\nOnly here.", "\nOnly here. ", " "][dice.roll(4)];
        *text = format!("{}{more}", text.as_str().unwrap()).into();
    }
}

fn texts(list: &Value) -> BTreeSet<String> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}
