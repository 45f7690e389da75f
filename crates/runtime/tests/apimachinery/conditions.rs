//! Random conditions, with another one to set.

use super::dice::Dice;
use serde_json::{Map, Value, json};

const TYPES: &[&str] = &[
    "Accepted",
    "Programmed",
    "ResolvedRefs",
    "Ready",
    "example.com/Own",
    "",
];
const STATUSES: &[&str] = &["True", "False", "Unknown", ""];
const REASONS: &[&str] = &["Accepted", "Pending", "Invalid", ""];
const MESSAGES: &[&str] = &["", "It is.", "ä \"quoted\"\n", "It is not."];
const TIMES: &[&str] = &[
    "2026-11-22T18:01:00Z",
    "2026-11-22T18:01:00+02:00",
    "2025-01-01T00:00:00.5Z",
    "1999-12-31T23:59:59-11:30",
    "0001-01-01T00:00:00Z",
];

/// The input of one update.
pub fn input(dice: &mut Dice) -> Value {
    let count = dice.roll(6);
    let conditions: Vec<Value> = (0..count).map(|_| condition(dice)).collect();
    let mut set = condition(dice);
    if let Some(set) = set.as_object_mut() {
        set.remove("lastTransitionTime");
    }
    json!({
        "rule": "kubernetes",
        "now": dice.pick(&TIMES[..4]),
        "conditions": conditions,
        "set": set,
    })
}

fn condition(dice: &mut Dice) -> Value {
    let mut condition = Map::new();
    let mut put = |key: &str, value: Value| condition.insert(key.to_owned(), value);
    put("type", dice.pick(TYPES).into());
    for (key, of) in [
        ("status", STATUSES),
        ("reason", REASONS),
        ("message", MESSAGES),
    ] {
        if !dice.one_in(20) {
            put(key, dice.pick(of).into());
        }
    }
    if !dice.one_in(5) {
        put("observedGeneration", dice.roll(5).into());
    }
    match dice.roll(12) {
        0 => {}
        1 => {
            put("lastTransitionTime", Value::Null);
        }
        _ => {
            put("lastTransitionTime", dice.pick(TIMES).into());
        }
    }
    condition.into()
}
