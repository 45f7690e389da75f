//! Objects of a CRD's schema, as the tasks of this repository draw them.

#[path = "../../../tasks/src/objects/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;
#[path = "../../../tasks/src/objects/text.rs"]
mod text;
#[path = "../../../tasks/src/objects/valid.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod valid;
#[path = "../../../tasks/src/objects/validate.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod validate;

use crd_channels_validation::path::Path;
use crd_channels_validation::schema::{Faults, JsonNode, Schema, decode_schema};
use dice::Dice;
use serde_json::{Value, json};

/// Calls a function with the schema of the only version, as servers decode it.
pub fn with_schema<T>(crd: &Value, then: impl FnOnce(&Schema<'_>) -> T) -> T {
    let document = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    let path = Path::root("");
    then(&decode_schema(
        &mut Faults::default(),
        JsonNode::new(document, &path),
    ))
}

/// This many objects of a version, most of which its schema allows.
pub fn objects(crd: &Value, version: &str, count: usize) -> Vec<Value> {
    let spec = &crd["spec"];
    let group = spec["group"].as_str().unwrap();
    let kind = &spec["names"]["kind"];
    let mut dice = Dice::new(kind.as_str().unwrap());
    let mut drawn: Vec<Value> = with_schema(crd, |schema| {
        let drawn = (0..count).filter_map(|_| valid::decoded(schema, &mut dice));
        drawn.collect()
    });
    for object in &mut drawn {
        let has_fields = object.as_object().is_some_and(|fields| !fields.is_empty());
        if has_fields && dice.chance(1, 2) {
            replace_one(object, &mut dice);
        }
    }
    let whole = drawn.into_iter().map(|mut object| {
        object["apiVersion"] = format!("{group}/{version}").into();
        object["kind"] = kind.clone();
        object["metadata"] = json!({ "name": "main" });
        object
    });
    whole.collect()
}

/// Puts another value in the place of one that has no values inside. Many schemas refuse it.
fn replace_one(value: &mut Value, dice: &mut Dice) {
    let inner = match value {
        Value::Object(fields) if !fields.is_empty() => {
            let at = dice.roll(fields.len());
            fields.values_mut().nth(at)
        }
        Value::Array(items) if !items.is_empty() => {
            let at = dice.roll(items.len());
            items.get_mut(at)
        }
        _ => None,
    };
    match inner {
        Some(inner) => replace_one(inner, dice),
        None => *value = other(value, dice),
    }
}

fn other(value: &Value, dice: &mut Dice) -> Value {
    const NUMBERS: [&str; 12] = [
        "0",
        "-1",
        "127",
        "-129",
        "65536",
        "2147483648",
        "-2147483649",
        "4294967296",
        "9223372036854775807",
        "-9223372036854775808",
        "1.5",
        "1e300",
    ];
    const TEXTS: [&str; 6] = ["", "a", "\u{e4}\u{1f600}", "two words", "-1", "1"];
    const ANY: [&str; 8] = [
        "null",
        "true",
        "0",
        "\"a\"",
        "[]",
        "{}",
        "[null]",
        "{\"a\":1}",
    ];
    let of = |texts: &[&str], dice: &mut Dice| {
        let text = dice.pick(texts).unwrap();
        serde_json::from_str(text).unwrap()
    };
    match value {
        Value::Number(_) if !dice.chance(1, 6) => of(&NUMBERS, dice),
        Value::String(_) if !dice.chance(1, 6) => (*dice.pick(&TEXTS).unwrap()).into(),
        _ => of(&ANY, dice),
    }
}
