//! Random valid values of a schema.

use super::dice::Dice;
use super::text;
use super::validate::{repeats, violations_of};
use crd_channels_schema as source;
use crd_channels_validation::schema::Schema;
use serde_json::{Map, Value, json};

/// The maximum number of attempts, since a value may violate keywords that its generation ignores.
const ATTEMPTS: usize = 40;

/// The maximum number of attempts that end without a value, since those of the parts multiply.
const MISSES: usize = 3;

/// The maximum number of optional fields to expect in an object.
const FIELDS: usize = 8;

/// The maximum number of entries of lists and maps, unless their bounds require more.
const FEW: usize = 3;

/// Returns a value that the schema allows, except for its rules; `None` if none was found.
#[must_use]
pub fn value(schema: &source::Schema, dice: &mut Dice) -> Option<Value> {
    decoded(&crd_channels_check::schema(schema), dice)
}

/// The same for a schema as servers decode it.
#[must_use]
pub fn decoded(schema: &Schema<'_>, dice: &mut Dice) -> Option<Value> {
    let mut misses = 0;
    for _ in 0..ATTEMPTS {
        match any(schema, dice) {
            Some(value) if violations_of(schema, &value).is_empty() => return Some(value),
            Some(_) => {}
            None => misses += 1,
        }
        if misses == MISSES {
            break;
        }
    }
    None
}

fn any(schema: &Schema<'_>, dice: &mut Dice) -> Option<Value> {
    if schema.nullable && dice.chance(1, 6) {
        return Some(Value::Null);
    }
    if !schema.enum_values.is_empty() {
        return dice
            .pick(schema.enum_values.as_slice())
            .map(|value| (*value).clone());
    }
    if schema.int_or_string && dice.chance(1, 2) {
        return text::string(schema, dice).map(Value::String);
    }
    match schema.ty {
        _ if schema.int_or_string => number(schema, true, dice),
        "array" => valid_list(schema, dice),
        "boolean" => Some(Value::Bool(dice.chance(1, 2))),
        "integer" => number(schema, true, dice),
        "number" => number(schema, false, dice),
        "object" => object(schema, dice),
        "string" => text::string(schema, dice).map(Value::String),
        // Only a node that keeps unknown fields has no type: any value is valid.
        _ => Some(json!({"kept": dice.roll(100)})),
    }
}

fn number(schema: &Schema<'_>, whole: bool, dice: &mut Dice) -> Option<Value> {
    let unit = schema.multiple_of.unwrap_or(if whole { 1.0 } else { 0.25 });
    let (least, most) = (schema.minimum, schema.maximum);
    // In multiples, so that every number in the range is one.
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

fn valid_list(schema: &Schema<'_>, dice: &mut Dice) -> Option<Value> {
    let items = schema.item()?;
    let wanted = count(schema.min_items, schema.max_items, dice);
    let mut values: Vec<Value> = Vec::new();
    for _ in 0..wanted.saturating_mul(4) {
        if values.len() == wanted {
            break;
        }
        values.push(decoded(items, dice)?);
        if schema.list_type.is_some() && repeats(schema, &values) {
            values.pop();
        }
    }
    Some(Value::Array(values))
}

/// Returns the number of entries: few, but at least the minimum.
fn count(least: Option<i64>, most: Option<i64>, dice: &mut Dice) -> usize {
    let number = |bound: i64| usize::try_from(bound).unwrap_or(usize::MAX);
    let least = least.map_or(0, number);
    let most = most.map_or(usize::MAX, number);
    least.saturating_add(dice.roll(FEW)).min(most)
}

fn object(schema: &Schema<'_>, dice: &mut Dice) -> Option<Value> {
    let choice = Choice::draw(schema, dice);
    // Some objects are sparse, since rules often require one field without another.
    let density = 1 + dice.roll(4);
    let optional = schema.properties.iter().count().max(1);
    let mut fields = Map::new();
    if schema.embedded_resource {
        fields.insert("apiVersion".into(), "v1".into());
        fields.insert("kind".into(), "ConfigMap".into());
        fields.insert("metadata".into(), json!({"name": "embedded"}));
    }
    for (name, property) in schema.properties.iter() {
        let required = schema.required.as_slice().contains(name) || choice.required.contains(name);
        let wanted = required
            || (!choice.forbidden.contains(name)
                && dice.chance(density * optional.min(FIELDS), 5 * optional));
        if fields.contains_key(*name) || !wanted {
            continue;
        }
        match decoded(property, dice) {
            Some(value) => fields.insert((*name).to_owned(), value),
            None if required => return None,
            None => None,
        };
    }
    if let Some(values) = schema.values() {
        for index in 0..count(schema.min_properties, schema.max_properties, dice) {
            fields.insert(format!("key{index}"), decoded(values, dice)?);
        }
    }
    Some(Value::Object(fields))
}

/// The requirements of one branch of each junctor for an object's fields, which are satisfied on purpose.
#[derive(Default)]
struct Choice<'a> {
    required: Vec<&'a str>,
    forbidden: Vec<&'a str>,
}

impl<'a> Choice<'a> {
    fn draw(schema: &Schema<'a>, dice: &mut Dice) -> Self {
        let mut choice = Self::default();
        for branch in schema.all_of.iter() {
            choice.take(branch, dice);
        }
        if let Some(branch) = dice.pick(schema.any_of.as_slice()) {
            choice.take(branch, dice);
        }
        if let Some(chosen) = dice.pick(schema.one_of.as_slice()) {
            choice.take(chosen, dice);
            let others = schema.one_of.iter();
            let others = others.flat_map(|branch| branch.required.iter());
            let others = others.filter(|name| !chosen.required.as_slice().contains(name));
            choice.forbidden.extend(others);
        }
        if let Some(not) = schema.not.as_deref() {
            let branches = std::iter::once(not).chain(not.any_of.iter());
            let names = branches.flat_map(|branch| branch.required.iter());
            choice.forbidden.extend(names);
        }
        choice
    }

    fn take(&mut self, branch: &Schema<'a>, dice: &mut Dice) {
        self.required.extend(branch.required.iter());
        let inner = Self::draw(branch, dice);
        self.required.extend(inner.required);
        self.forbidden.extend(inner.forbidden);
    }
}
