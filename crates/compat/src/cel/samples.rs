//! Sample values of a schema to test a rule with, made from the constants that the rule compares with.

use super::compiled::Compiled;
use crate::values::{fits, size};
use crd_channels_check::cel::ast::{Expression, Kind, Literal};
use crd_channels_schema::{JsonType, ListType, Schema};
use crd_channels_validation::value::complete;
use serde_json::{Map, Number, Value, json};
use std::collections::BTreeSet;

/// How many times an object is generated until it satisfies the rules of its own schema.
const ATTEMPTS: u64 = 12;

fn is(schema: &Schema, wanted: ListType) -> bool {
    let merge = schema.merge.as_deref();
    merge.is_some_and(|merge| merge.list_type == Some(wanted))
}

/// Texts that many schemas accept.
const USUAL: [&str; 10] = [
    "",
    "a",
    "b",
    "A",
    "abc",
    "example.com",
    "/",
    "/a",
    "10.0.0.1",
    "1",
];

/// The constants that a rule compares with.
#[derive(Default)]
pub(super) struct Words {
    texts: BTreeSet<String>,
    numbers: BTreeSet<i128>,
}

impl Words {
    /// Adds the constants that an expression compares with.
    pub(super) fn add_constants(&mut self, expression: &Expression) {
        for part in expression.parts() {
            match &part.kind {
                Kind::Literal(Literal::String(text)) => {
                    self.texts.insert(text.to_string());
                }
                Kind::Literal(Literal::Int(int)) => {
                    self.numbers.insert((*int).into());
                }
                Kind::Literal(Literal::Uint(int)) => {
                    self.numbers.insert((*int).into());
                }
                _ => {}
            }
        }
    }
}

/// The longest text, since servers take more than a machine has room for.
const LONGEST_TEXT: u64 = 10_000;

/// The longest list.
const LONGEST_LIST: u64 = 64;

/// The values of which a sample is made at most: lists of lists of lists have no end.
const MOST_VALUES: u32 = 10_000;

/// Deterministic random choices, for a sample of limited size.
pub(super) struct Dice {
    state: u64,
    /// How many more values there may be.
    left: u32,
}

impl Dice {
    /// The choices of one attempt.
    pub(super) fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1),
            left: MOST_VALUES,
        }
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let sides = u64::try_from(sides).unwrap_or(u64::MAX).max(1);
        usize::try_from((self.state >> 11) % sides).unwrap_or(0)
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.roll(from.len())).cloned()
    }

    fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }
}

/// A value of a schema, usually one that its rules accept too; `None` if none could be made.
pub(super) fn sample(compiled: &Compiled<'_>, words: &Words, dice: &mut Dice) -> Option<Value> {
    dice.left = dice.left.checked_sub(1)?;
    let schema = compiled.schema;
    if !schema.enum_values.is_empty() {
        return listed(schema, words, dice);
    }
    let fits = |value: &Value| fits(compiled.served, value);
    match schema.ty {
        None if schema.int_or_string => dice.pick(&[json!(80), json!("a")]),
        None => None,
        Some(JsonType::Boolean) => dice.pick(&[json!(false), json!(true)]),
        Some(JsonType::Integer | JsonType::Number) => {
            let (low, high) = size::numbers(schema).unwrap_or_default();
            let ends = [low, high].into_iter().flatten();
            let mentioned = words.numbers.iter().copied();
            let near = ends
                .chain(mentioned)
                .flat_map(|end| [end - 1, end, end + 1]);
            let numbers = near.chain([0, 1, 2, -1, 100]).filter_map(Number::from_i128);
            let mut numbers: Vec<Value> = numbers.map(Value::Number).collect();
            numbers.retain(fits);
            dice.pick(&numbers)
        }
        Some(JsonType::String) => sample_text(schema, words, dice, fits),
        Some(JsonType::Array) => array(compiled, words, dice),
        Some(JsonType::Object) => object(compiled, words, dice),
    }
}

/// A value of the enum, preferably one that the rules mention.
fn listed(schema: &Schema, words: &Words, dice: &mut Dice) -> Option<Value> {
    let is_mentioned = |value: &&Value| value.as_str().is_some_and(|it| words.texts.contains(it));
    let mentioned: Vec<Value> = schema
        .enum_values
        .iter()
        .filter(is_mentioned)
        .cloned()
        .collect();
    if mentioned.is_empty() || dice.one_in(3) {
        dice.pick(&schema.enum_values)
    } else {
        dice.pick(&mentioned)
    }
}

fn sample_text(
    schema: &Schema,
    words: &Words,
    dice: &mut Dice,
    fits: impl Fn(&Value) -> bool,
) -> Option<Value> {
    let count = size::allowed_sizes(schema);
    let longest = count.max.unwrap_or(300).min(300);
    let lengths = [count.min, longest].into_iter();
    let lengths = lengths.filter(|length| *length <= LONGEST_TEXT);
    let lengths = lengths.map(|length| "a".repeat(usize::try_from(length).unwrap_or(0)));
    let usual = USUAL.into_iter().map(str::to_owned).chain(lengths);
    let fitting = |texts: Vec<String>| -> Vec<Value> {
        texts
            .into_iter()
            .map(Value::String)
            .filter(|it| fits(it))
            .collect()
    };
    let mentioned = fitting(words.texts.iter().cloned().collect());
    if mentioned.is_empty() || dice.one_in(2) {
        dice.pick(&fitting(usual.collect()))
    } else {
        dice.pick(&mentioned)
    }
}

fn array(compiled: &Compiled<'_>, words: &Words, dice: &mut Dice) -> Option<Value> {
    let count = size::allowed_sizes(compiled.schema);
    let most = count.max.unwrap_or(u64::MAX).min(LONGEST_LIST);
    if count.min > most {
        return None;
    }
    let length = dice.pick(&[count.min, 1, 2, 3, 16])?.clamp(count.min, most);
    let Some(item) = compiled.each.as_deref() else {
        return (length == 0).then(|| json!([]));
    };
    let twice = !is(compiled.schema, ListType::Set);
    let mut items: Vec<Value> = Vec::new();
    for _ in 0..length {
        let value = match items.last().filter(|_| twice && dice.one_in(2)) {
            Some(again) => {
                dice.left = dice.left.checked_sub(values_in(again))?;
                Some(again.clone())
            }
            None => sample(item, words, dice),
        };
        let mut value = match value {
            Some(value) => value,
            None if items.len() as u64 >= count.min => break,
            None => return None,
        };
        give_keys(compiled.schema, item, items.len(), &mut value);
        items.push(value);
    }
    Some(Value::Array(items))
}

/// How many values there are in a value, with itself.
fn values_in(value: &Value) -> u32 {
    let inside: u32 = match value {
        Value::Array(items) => items.iter().map(values_in).sum(),
        Value::Object(members) => members.values().map(values_in).sum(),
        _ => 0,
    };
    inside + 1
}

/// Gives an item of a list map unique keys, if they may be any text.
fn give_keys(schema: &Schema, item: &Compiled<'_>, place: usize, value: &mut Value) {
    for key in schema.merge.iter().flat_map(|merge| &merge.list_map_keys) {
        let text = json!(format!("a{place}"));
        let is_free = |property: &Compiled<'_>| {
            property.schema.enum_values.is_empty() && fits(property.served, &text)
        };
        if item.properties.get(key).is_some_and(is_free)
            && let Some(members) = value.as_object_mut()
        {
            members.insert(key.to_string(), text);
        }
    }
}

/// Adds up to two entries to a map, under names that the rules mention or others.
fn entries(
    compiled: &Compiled<'_>,
    words: &Words,
    dice: &mut Dice,
    mentioned: &[String],
    members: &mut Map<String, Value>,
) {
    let Some(values) = compiled.each.as_deref() else {
        return;
    };
    for _ in 0..dice.roll(3) {
        let key = dice.pick(mentioned).filter(|_| dice.one_in(2));
        let key = key.unwrap_or_else(|| dice.pick(&USUAL).unwrap_or_default().to_owned());
        if let Some(value) = sample(values, words, dice) {
            members.insert(key, value);
        }
    }
}

/// An object with few of its optional members; with other members if its own rules fail.
fn object(compiled: &Compiled<'_>, words: &Words, dice: &mut Dice) -> Option<Value> {
    let mut last = None;
    for attempt in 0..ATTEMPTS {
        // The first attempt is as small as possible.
        let sparse = if attempt == 0 {
            usize::MAX
        } else {
            dice.roll(4) + 1
        };
        let mut members = Map::new();
        for (name, property) in &compiled.properties {
            let required = compiled.schema.required.contains(name);
            let wanted = required || (sparse < usize::MAX && dice.one_in(sparse));
            match wanted.then(|| sample(property, words, dice)).flatten() {
                Some(value) => {
                    members.insert(name.to_string(), value);
                }
                None if required => return None,
                None => {}
            }
        }
        if sparse < usize::MAX {
            let mentioned: Vec<String> = words.texts.iter().cloned().collect();
            entries(compiled, words, dice, &mentioned, &mut members);
        }
        let mut value = Value::Object(members);
        complete(&mut value, compiled.served);
        if compiled.holds_here(&value) {
            // A small object seldom breaks a rule.
            if attempt > 0 || dice.one_in(3) {
                return Some(value);
            }
            last = Some(value);
        }
    }
    last
}
