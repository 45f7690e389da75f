//! Values of a schema to try a rule on: what it refuses is a counterexample.

use super::truth::truth;
use crate::check::cel::ast::Expression;
use crate::check::cel::parse;
use crate::compat::values::{size, valid};
use crate::compat::verdict::Answer;
use crate::schema::{Bounds, JsonType, Schema};
use serde_json::{Map, Number, Value, json};
use std::sync::Arc;

/// So many values are tried.
const TRIES: u64 = 24;

/// Whether a value is found that a schema with its rules accepts, and that an expression is not true of.
pub(super) fn refused(expression: &Expression, schema: &Schema) -> bool {
    let rules: Vec<Expression> = schema
        .rules
        .iter()
        .filter_map(|rule| parse(&rule.rule).ok())
        .collect();
    if rules.len() < schema.rules.len() {
        return false;
    }
    let plain = Schema {
        rules: Vec::new(),
        ..schema.clone()
    };
    (0..TRIES).any(|seed| {
        let Some(value) = sample(&plain, &mut Dice(seed)) else {
            return false;
        };
        let only = exactly(&value);
        valid(&plain, &value) == Answer::Yes
            && rules.iter().all(|rule| truth(rule, &only) == Answer::Yes)
            && truth(expression, &only) == Answer::No
    })
}

/// Choices that are the same in every run.
struct Dice(u64);

impl Dice {
    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        let sides = from.len() as u64;
        let index = self.0.checked_rem(sides)?;
        self.0 = (self.0 / sides).wrapping_add(self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40);
        from.get(usize::try_from(index).ok()?).cloned()
    }
}

fn sample(schema: &Schema, dice: &mut Dice) -> Option<Value> {
    let fitting = |candidates: Vec<Value>| -> Vec<Value> {
        candidates
            .into_iter()
            .filter(|value| valid(schema, value) == Answer::Yes)
            .collect()
    };
    if !schema.enum_values.is_empty() {
        return dice.pick(&schema.enum_values);
    }
    match schema.ty? {
        JsonType::Boolean => dice.pick(&[json!(false), json!(true)]),
        JsonType::Integer | JsonType::Number => {
            let (low, high) = size::numbers(schema).unwrap_or_default();
            let ends = [low, high].into_iter().flatten();
            let near = ends.flat_map(|end| [end - 1, end, end + 1]);
            let numbers = near.chain([0, 1, 2, -1, 100]).filter_map(Number::from_i128);
            dice.pick(&fitting(numbers.map(Value::Number).collect()))
        }
        JsonType::String => {
            let count = size::of(schema);
            let longest = count.max.unwrap_or(300).min(300);
            let lengths =
                [count.min, longest].map(|length| "a".repeat(usize::try_from(length).unwrap_or(0)));
            let words = [
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
            let words = words.map(str::to_owned).into_iter().chain(lengths);
            dice.pick(&fitting(words.map(Value::String).collect()))
        }
        JsonType::Array => {
            let count = size::of(schema);
            let longest = count.max.unwrap_or(4).min(16);
            let length = dice.pick(&[count.min, count.min.max(1), longest.max(count.min)])?;
            let item = schema
                .items
                .as_deref()
                .and_then(|items| sample(items, dice));
            match item {
                Some(item) => Some(Value::Array(vec![item; usize::try_from(length).ok()?])),
                None => Some(json!([])),
            }
        }
        JsonType::Object => {
            let mut members = Map::new();
            for (name, property) in &schema.properties {
                let wanted = schema.required.contains(name) || dice.pick(&[true, true, false])?;
                if let Some(value) = wanted.then(|| sample(property, dice)).flatten() {
                    members.insert(name.to_string(), value);
                }
            }
            Some(Value::Object(members))
        }
    }
}

/// The schema of one value and nothing else. Lists have equal items.
fn exactly(value: &Value) -> Schema {
    let of = |ty| Schema {
        ty: Some(ty),
        ..Schema::default()
    };
    let listed = |ty| Schema {
        enum_values: vec![value.clone()],
        ..of(ty)
    };
    match value {
        Value::Null => Schema::default(),
        Value::Bool(_) => listed(JsonType::Boolean),
        Value::Number(number) if number.as_i128().is_some() => listed(JsonType::Integer),
        Value::Number(_) => listed(JsonType::Number),
        Value::String(_) => listed(JsonType::String),
        Value::Array(items) => {
            let length = Some(items.len() as u64);
            Schema {
                items: items.first().map(|item| Arc::new(exactly(item))),
                bounds: Some(Box::new(Bounds {
                    min_items: length,
                    max_items: length,
                    ..Bounds::default()
                })),
                ..of(JsonType::Array)
            }
        }
        Value::Object(members) => Schema {
            properties: members
                .iter()
                .map(|(name, value)| (name.as_str().into(), Arc::new(exactly(value))))
                .collect(),
            required: members.keys().map(|name| name.as_str().into()).collect(),
            ..of(JsonType::Object)
        },
    }
}
