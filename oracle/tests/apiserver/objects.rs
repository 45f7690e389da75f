//! Random objects of a schema: most values are nearly valid, some are arbitrary.

use super::dice::Dice;
use super::schemas::NAMES;
use serde_json::{Map, Value, json};

const TEXTS: &[&str] = &[
    "a",
    "b",
    "12",
    "abc",
    "",
    "aaaaaa",
    "ä",
    "x y",
    "2026-01-31",
    "2026-01-31T12:00:00Z",
    "1h30m",
    "aGVsbG8=",
    "10.0.0.1",
    "::1",
    "10.0.0.0/8",
    "https://example.com/a",
    "a.example.com",
    "a@example.com",
    "01:23:45:67:89:ab",
    "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
];

/// An object to create, or an update, of the status as well.
pub fn case(dice: &mut Dice, schema: &Value, has_status: bool) -> Value {
    let old = whole(dice, schema);
    if dice.one_in(2) {
        return json!({ "object": old });
    }
    let mut object = old.clone();
    for _ in 0..dice.roll(3) {
        change(dice, &mut object, schema);
    }
    if has_status && dice.one_in(3) {
        object["status"] = value(dice, &schema["properties"]["status"]);
    }
    json!({ "object": object, "old": old, "status": has_status && dice.one_in(2) })
}

fn whole(dice: &mut Dice, schema: &Value) -> Value {
    let mut object = Map::new();
    object.insert("apiVersion".into(), "example.com/v1".into());
    object.insert("kind".into(), "Thing".into());
    let mut metadata = json!({ "name": "thing", "namespace": "space", "resourceVersion": "1" });
    odd_metadata(dice, &mut metadata, 15);
    object.insert("metadata".into(), metadata);
    for (name, property) in schema["properties"].as_object().unwrap() {
        if !dice.one_in(15) {
            object.insert(name.clone(), value(dice, property));
        }
    }
    object.into()
}

/// Adds valid and invalid metadata.
fn odd_metadata(dice: &mut Dice, metadata: &mut Value, one_in: usize) {
    let mut odd = |dice: &mut Dice, field: &str, of: &[Value]| {
        if dice.one_in(one_in) {
            metadata[field] = of[dice.roll(of.len())].clone();
        }
    };
    odd(
        dice,
        "labels",
        &[json!({ "a": "b" }), json!({ "a b": "" }), json!({ "a": 1 })],
    );
    odd(
        dice,
        "annotations",
        &[json!({ "a/b": "b" }), json!({ "a/b/c": "" })],
    );
    odd(
        dice,
        "finalizers",
        &[json!(["example.com/a"]), json!(["-"]), json!("a")],
    );
    odd(dice, "unheardOf", &[json!(1)]);
}

/// A value of a schema, usually.
pub fn value(dice: &mut Dice, schema: &Value) -> Value {
    match dice.roll(18) {
        0 => anything(dice, 2),
        1 if dice.one_in(2) => Value::Null,
        _ => near(dice, schema, 10),
    }
}

/// A value of the schema's shape, which may exceed bounds.
pub fn fitting(dice: &mut Dice, schema: &Value) -> Value {
    near(dice, schema, 0)
}

/// About one in `odd` objects has unknown fields; none if `odd` is zero.
fn near(dice: &mut Dice, schema: &Value, odd: usize) -> Value {
    let below = |dice: &mut Dice, schema: &Value| match odd {
        0 => near(dice, schema, 0),
        _ => value(dice, schema),
    };
    if let Some(values) = schema["enum"].as_array()
        && !dice.one_in(5)
    {
        return values[dice.roll(values.len())].clone();
    }
    match schema["type"].as_str() {
        Some("string") => dice.pick(TEXTS).into(),
        Some("integer") => integer(dice),
        Some("number") if dice.one_in(2) => json!(dice.pick(&[0.5, 1.0, 2.5, -1.25, 1e9])),
        Some("number") => integer(dice),
        Some("boolean") => dice.one_in(2).into(),
        Some("array") => (0..dice.roll(4))
            .map(|_| below(dice, &schema["items"]))
            .collect(),
        Some("object") => object(dice, schema, odd),
        _ if schema["x-kubernetes-int-or-string"] == true => match dice.one_in(2) {
            true => integer(dice),
            false => dice.pick(TEXTS).into(),
        },
        _ => anything(dice, 2),
    }
}

fn integer(dice: &mut Dice) -> Value {
    match dice.one_in(12) {
        true => json!(dice.pick(&[1.0, 3.0, 1e3])),
        false => json!(dice.pick(&[0_i64, 1, 2, 3, 4, 6, 12, -1, 3_000_000_000])),
    }
}

fn object(dice: &mut Dice, schema: &Value, odd: usize) -> Value {
    let mut fields = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let required = schema["required"]
            .as_array()
            .is_some_and(|names| names.contains(&json!(name)));
        let wanted = if required {
            odd == 0 || !dice.one_in(12)
        } else {
            dice.one_in(2)
        };
        if wanted {
            let inner = if odd == 0 {
                near(dice, property, 0)
            } else {
                value(dice, property)
            };
            fields.insert(name.clone(), inner);
        }
    }
    if let Some(values) = schema.get("additionalProperties") {
        for _ in 0..dice.roll(3) {
            let inner = if odd == 0 {
                near(dice, values, 0)
            } else {
                value(dice, values)
            };
            fields.insert(dice.pick(NAMES).into(), inner);
        }
    }
    if odd != 0 && dice.one_in(odd) {
        fields.insert(
            dice.pick(&["unknown", "kind", "metadata"]).into(),
            anything(dice, 1),
        );
    }
    if schema["x-kubernetes-embedded-resource"] == true {
        let (version, kind) = (
            dice.pick(&["v1", "apps/v1", "v1", "v1", "a/b/c"]),
            dice.pick(&["Pod", "Pod", "Pod", ""]),
        );
        fields.insert("apiVersion".into(), version.into());
        fields.insert("kind".into(), kind.into());
        let mut metadata = json!({ "name": "inner" });
        odd_metadata(dice, &mut metadata, if odd == 0 { 1_000 } else { 12 });
        fields.insert("metadata".into(), metadata);
    }
    fields.into()
}

/// Any JSON.
fn anything(dice: &mut Dice, depth: usize) -> Value {
    match dice.roll(if depth == 0 { 6 } else { 8 }) {
        0 => Value::Null,
        1 => dice.one_in(2).into(),
        2 => integer(dice),
        3 => json!(dice.pick(&[1.5, 2.0])),
        4 | 5 => dice.pick(TEXTS).into(),
        6 => (0..dice.roll(3))
            .map(|_| anything(dice, depth - 1))
            .collect(),
        _ => {
            let fields =
                (0..dice.roll(3)).map(|_| (dice.pick(NAMES).to_owned(), anything(dice, depth - 1)));
            Value::Object(fields.collect())
        }
    }
}

/// Changes a value somewhere.
fn change(dice: &mut Dice, value: &mut Value, schema: &Value) {
    let stays = dice.one_in(5);
    match value {
        Value::Object(fields) if !fields.is_empty() && !stays => {
            let names: Vec<String> = fields
                .keys()
                .filter(|name| !matches!(name.as_str(), "apiVersion" | "kind" | "metadata"))
                .cloned()
                .collect();
            if names.is_empty() {
                return;
            }
            let name = &names[dice.roll(names.len())];
            let below = match schema["properties"].get(name) {
                Some(property) => property,
                None => &schema["additionalProperties"],
            };
            if dice.one_in(8) {
                fields.remove(name);
            } else if let Some(inner) = fields.get_mut(name) {
                change(dice, inner, below);
            }
        }
        Value::Array(items) if !items.is_empty() && !stays => {
            let at = dice.roll(items.len());
            match dice.roll(5) {
                0 => {
                    items.remove(at);
                }
                1 => items.push(items[at].clone()),
                2 => items.reverse(),
                _ => change(dice, &mut items[at], &schema["items"]),
            }
        }
        _ if schema
            .get("properties")
            .and_then(|properties| properties.get("spec"))
            .is_some() => {}
        _ => *value = self::value(dice, schema),
    }
}
