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
const STATUSES: &[&str] = &["True", "False", "Unknown", "", "Maybe"];
const REASONS: &[&str] = &["Accepted", "Pending", "Invalid", "", "no_reason"];
const MESSAGES: &[&str] = &["", "It is.", "ä \"quoted\"\n", "It is not."];
const TIMES: &[&str] = &[
    "2026-11-22T18:01:00Z",
    "2026-11-22T18:01:00+02:00",
    "2025-01-01T00:00:00.5Z",
    "1999-12-31T23:59:59-11:30",
    "0001-01-01T00:00:00Z",
];

/// The input of one update. What is there may be anything; what is set has the form of a condition.
pub fn input(dice: &mut Dice) -> Value {
    let count = dice.roll(6);
    let conditions: Vec<Value> = (0..count).map(|_| condition(dice)).collect();
    let set = json!({
        "type": dice.pick(&TYPES[..5]),
        "status": dice.pick(&STATUSES[..3]),
        "reason": dice.pick(&REASONS[..3]),
        "message": dice.pick(MESSAGES),
        "observedGeneration": 1 + dice.roll(5),
    });
    json!({
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
