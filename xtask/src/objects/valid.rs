//! Random values that a schema allows.

use super::dice::Dice;
use super::text;
use super::validate::{key, list_type, violations};
use crd_channels_schema::{Additional, Bounds, JsonType, ListType, Schema};
use serde_json::{Map, Value, json};

/// How often a value is made anew where chance broke a keyword that making it does not look at.
const ATTEMPTS: usize = 40;

/// How many entries lists and maps get at most, unless their bounds ask for more.
const FEW: usize = 3;

/// A value that the schema allows, its rules aside; none where none was found.
#[must_use]
pub fn value(schema: &Schema, dice: &mut Dice) -> Option<Value> {
    (0..ATTEMPTS).find_map(|_| {
        let value = any(schema, dice)?;
        violations(schema, &value).is_empty().then_some(value)
    })
}

fn any(schema: &Schema, dice: &mut Dice) -> Option<Value> {
    if schema.nullable && dice.chance(1, 6) {
        return Some(Value::Null);
    }
    if !schema.enum_values.is_empty() {
        return dice.pick(&schema.enum_values).cloned();
    }
    if schema.int_or_string && dice.chance(1, 2) {
        return text::string(schema, dice).map(Value::String);
    }
    match schema.ty {
        _ if schema.int_or_string => number(schema, true, dice),
        Some(JsonType::Array) => list(schema, dice),
        Some(JsonType::Boolean) => Some(Value::Bool(dice.chance(1, 2))),
        Some(JsonType::Integer) => number(schema, true, dice),
        Some(JsonType::Number) => number(schema, false, dice),
        Some(JsonType::Object) => object(schema, dice),
        Some(JsonType::String) => text::string(schema, dice).map(Value::String),
        // Only what keeps unknown fields has no type: anything goes.
        None => Some(json!({"kept": dice.roll(100)})),
    }
}

fn number(schema: &Schema, whole: bool, dice: &mut Dice) -> Option<Value> {
    let none = Bounds::default();
    let bounds = schema.bounds.as_deref().unwrap_or(&none);
    let unit = bounds
        .multiple_of
        .as_ref()
        .and_then(serde_json::Number::as_f64);
    let unit = unit.unwrap_or(if whole { 1.0 } else { 0.25 });
    let bound =
        |bound: &Option<serde_json::Number>| bound.as_ref().and_then(serde_json::Number::as_f64);
    let (least, most) = (bound(&bounds.minimum), bound(&bounds.maximum));
    // In units, so that every number between the two is a multiple.
    let low = least.map(|least| (least / unit).ceil());
    let high = most.map(|most| (most / unit).floor());
    let (low, high) = match (low, high) {
        (Some(low), Some(high)) => (low, high),
        (Some(low), None) => (low, low + 1000.0),
        (None, Some(high)) => (high - 1000.0, high),
        (None, None) => (-500.0, 500.0),
    };
    #[expect(clippy::cast_precision_loss, reason = "a roll of the dice is small")]
    let steps = dice.roll(10_000) as f64 / 9_999.0;
    let value = (low + ((high - low) * steps).round()) * unit;
    if !whole {
        return serde_json::Number::from_f64(value).map(Value::Number);
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it was rounded, and truncation saturates"
    )]
    let value = value as i64;
    Some(value.into())
}

fn list(schema: &Schema, dice: &mut Dice) -> Option<Value> {
    let items = schema.items.as_deref()?;
    let (least, most) = schema
        .bounds
        .as_deref()
        .map_or((None, None), |bounds| (bounds.min_items, bounds.max_items));
    let wanted = count(least, most, dice);
    let mut values: Vec<Value> = Vec::new();
    for _ in 0..wanted.saturating_mul(4) {
        if values.len() == wanted {
            break;
        }
        let value = value(items, dice)?;
        let told_apart = list_type(schema).is_some_and(|ty| ty != ListType::Atomic);
        let known = |other: &Value| key(schema, items, other) == key(schema, items, &value);
        if !(told_apart && values.iter().any(known)) {
            values.push(value);
        }
    }
    Some(Value::Array(values))
}

/// How many entries: few, but as many as there must be.
fn count(least: Option<u64>, most: Option<u64>, dice: &mut Dice) -> usize {
    let number = |bound: u64| usize::try_from(bound).unwrap_or(usize::MAX);
    let least = least.map_or(0, number);
    let most = most.map_or(usize::MAX, number);
    least.saturating_add(dice.roll(FEW)).min(most)
}

fn object(schema: &Schema, dice: &mut Dice) -> Option<Value> {
    let choice = Choice::of(schema, dice);
    // Some objects are sparse, since rules often want one field and no other.
    let density = 1 + dice.roll(4);
    let mut fields = Map::new();
    if schema.embedded_resource {
        fields.insert("apiVersion".into(), "v1".into());
        fields.insert("kind".into(), "ConfigMap".into());
        fields.insert("metadata".into(), json!({"name": "embedded"}));
    }
    for (name, property) in &schema.properties {
        let required = schema.required.contains(name) || choice.required.contains(&name);
        let wanted = required || (!choice.forbidden.contains(&name) && dice.chance(density, 5));
        if fields.contains_key(&**name) || !wanted {
            continue;
        }
        match value(property, dice) {
            Some(value) => fields.insert(name.to_string(), value),
            None if required => return None,
            None => None,
        };
    }
    if let Some(Additional::Schema(values)) = &schema.additional_properties {
        let bounds = schema.bounds.as_deref();
        let least = bounds.and_then(|bounds| bounds.min_properties);
        let most = bounds.and_then(|bounds| bounds.max_properties);
        for index in 0..count(least, most, dice) {
            fields.insert(format!("key{index}"), value(values, dice)?);
        }
    }
    Some(Value::Object(fields))
}

/// What a branch of each junctor asks of an object's fields, so that chance does not have to find it.
#[derive(Default)]
struct Choice<'s> {
    required: Vec<&'s crd_channels_diagnostics::Text>,
    forbidden: Vec<&'s crd_channels_diagnostics::Text>,
}

impl<'s> Choice<'s> {
    fn of(schema: &'s Schema, dice: &mut Dice) -> Self {
        let mut choice = Self::default();
        let Some(junctors) = &schema.junctors else {
            return choice;
        };
        for branch in &junctors.all_of {
            choice.take(branch, dice);
        }
        if let Some(branch) = dice.pick(&junctors.any_of) {
            choice.take(branch, dice);
        }
        if let Some(chosen) = dice.pick(&junctors.one_of) {
            choice.take(chosen, dice);
            let others = junctors.one_of.iter().flat_map(|branch| &branch.required);
            let others = others.filter(|name| !chosen.required.contains(name));
            choice.forbidden.extend(others);
        }
        if let Some(not) = &junctors.not {
            let joined = not.junctors.iter().flat_map(|inner| inner.any_of.iter());
            let names = std::iter::once(&**not).chain(joined);
            choice
                .forbidden
                .extend(names.flat_map(|branch| &branch.required));
        }
        choice
    }

    fn take(&mut self, branch: &'s Schema, dice: &mut Dice) {
        self.required.extend(&branch.required);
        let inner = Self::of(branch, dice);
        self.required.extend(inner.required);
        self.forbidden.extend(inner.forbidden);
    }
}
