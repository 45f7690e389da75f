//! Random edits of objects, and random parts of them.

use serde_json::{Map, Value};

/// Choices of an edit; zeros, once they are spent, change nothing.
pub(super) struct Choices<'a>(std::slice::Iter<'a, u8>);

impl<'a> Choices<'a> {
    pub(super) fn of(choices: &'a [u8]) -> Self {
        Self(choices.iter())
    }

    fn next(&mut self, below: u8) -> u8 {
        self.0.next().copied().unwrap_or_default() % below
    }
}

/// Takes some values of another object: sets and unsets fields, chooses other members of unions, and inserts, removes and moves
/// elements.
pub(super) fn edited(value: &Value, other: &Value, choices: &mut Choices<'_>) -> Value {
    match (value, other, choices.next(4)) {
        (_, _, 0) => value.clone(),
        (_, other, 1) => other.clone(),
        (Value::Object(value), Value::Object(other), _) => fields(value, other, choices).into(),
        (Value::Array(value), Value::Array(other), _) => elements(value, other, choices).into(),
        (value, _, 2) => value.clone(),
        (_, other, _) => other.clone(),
    }
}

fn fields(
    value: &Map<String, Value>,
    other: &Map<String, Value>,
    choices: &mut Choices<'_>,
) -> Map<String, Value> {
    let mut all = Map::new();
    for (name, value) in value {
        match other.get(name) {
            Some(other) => drop(all.insert(name.clone(), edited(value, other, choices))),
            None if choices.next(4) == 1 => {}
            None => drop(all.insert(name.clone(), value.clone())),
        }
    }
    for (name, other) in other {
        if !value.contains_key(name) && choices.next(3) == 1 {
            all.insert(name.clone(), other.clone());
        }
    }
    all
}

fn elements(value: &[Value], other: &[Value], choices: &mut Choices<'_>) -> Vec<Value> {
    let mut all = value.to_vec();
    match choices.next(7) {
        1 if !all.is_empty() => {
            let index = usize::from(choices.next(u8::MAX)) % all.len();
            all.remove(index);
        }
        2 => all.extend(other.first().cloned()),
        3 => all.reverse(),
        4 => all.splice(0..0, other.first().cloned()).for_each(drop),
        5 => {
            let pairs = all.iter_mut().zip(other);
            pairs.for_each(|(value, other)| *value = edited(value, other, choices));
        }
        6 if !all.is_empty() => all.rotate_left(1),
        _ => {}
    }
    all
}

/// Leaves out some fields, whether they are required or not, and leaves some objects and lists empty or `null`, as servers do
/// that take one manager's fields from an object. The type and the name stay.
pub(super) fn part(object: &Value, choices: &mut Choices<'_>) -> Value {
    let Value::Object(fields) = object else {
        return object.clone();
    };
    let kept = fields.iter().filter_map(|(name, value)| {
        let value = match &**name {
            "apiVersion" | "kind" => value.clone(),
            "metadata" => Some(value.clone()).filter(|_| choices.next(3) != 1)?,
            _ => left(value, choices)?,
        };
        Some((name.clone(), value))
    });
    Value::Object(kept.collect())
}

/// What is left of a field.
fn left(value: &Value, choices: &mut Choices<'_>) -> Option<Value> {
    match (choices.next(6), value) {
        (1, _) => None,
        (2, Value::Array(_)) => Some(Value::Array(Vec::new())),
        (2, Value::Object(_)) => Some(Value::Object(Map::new())),
        (3, Value::Array(_) | Value::Object(_)) => Some(Value::Null),
        (4 | 5, _) => Some(some_of(value, choices)),
        _ => Some(value.clone()),
    }
}

/// Returns the value without some of the fields inside it.
fn some_of(value: &Value, choices: &mut Choices<'_>) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| some_of(item, choices)).collect(),
        Value::Object(fields) => {
            let kept = fields
                .iter()
                .filter_map(|(name, value)| Some((name.clone(), left(value, choices)?)));
            Value::Object(kept.collect())
        }
        other => other.clone(),
    }
}
