//! Values of a random schema, and whether a server accepts them.

use super::Dice;
use crd_channels_validation::path::Path;
use crd_channels_validation::schema::{Faults, JsonNode, Schema, decode_schema};
use crd_channels_validation::value::resources::{self, ResourcePosition};
use crd_channels_validation::value::{complete, prune, uniqueness, violations};
use crd_channels_validation::violation::Violations;
use serde_json::{Map, Value, json};

pub(in crate::tests) const WORDS: [&str; 6] = ["", "a", "bb", "abc", "dddd", "éé"];

/// A schema as a server reads it.
pub(in crate::tests) fn served(schema: &Value) -> Schema<'_> {
    decode_schema(
        &mut Faults::default(),
        JsonNode::new(schema, &Path::root("schema")),
    )
}

/// A value as a server reads it: without unknown fields and nulls, with defaults.
pub(in crate::tests) fn decoded(schema: &Schema<'_>, value: &Value) -> Value {
    let mut value = value.clone();
    prune(&mut value, schema, false, Some(Path::root("value")));
    complete(&mut value, schema);
    value
}

/// A value without the fields that a schema does not have.
pub(in crate::tests) fn pruned(schema: &Schema<'_>, value: &Value) -> Value {
    let mut value = value.clone();
    prune(&mut value, schema, false, Some(Path::root("value")));
    value
}

/// Whether a server accepts a decoded value.
pub(in crate::tests) fn accepts(schema: &Schema<'_>, value: &Value) -> bool {
    let at = Some(Path::root("value"));
    let place = ResourcePosition {
        is_resource: false,
        at,
    };
    let mut repeated = Violations::default();
    uniqueness(value, schema, at, &mut repeated);
    repeated.is_empty()
        && violations(value, schema, None).is_empty()
        && resources::violations(value, schema, place).is_empty()
}

/// A schema with only one keyword of a type, and the keywords that it depends on.
pub(in crate::tests) fn only(schema: &Value, keyword: &str) -> Value {
    let mut only = json!({});
    let exclusive = match keyword {
        "minimum" => "exclusiveMinimum",
        "maximum" => "exclusiveMaximum",
        _ => keyword,
    };
    for key in [keyword, exclusive] {
        if let Some(value) = schema.get(key) {
            only[key] = value.clone();
        }
    }
    only
}

/// Whether a value is valid for a schema as written, so that it may be a default.
pub(super) fn is_valid(schema: &Value, value: &Value) -> bool {
    let schema = served(schema);
    decoded(&schema, value) == *value && accepts(&schema, value)
}

/// A value that may be the default of a schema.
pub(super) fn fitting(dice: &mut Dice, schema: &Value) -> Option<Value> {
    let mut all = values(schema, 1, dice);
    all.retain(|value| !value.is_null() && is_valid(schema, value));
    (!all.is_empty()).then(|| dice.pick(&all).clone())
}

/// Every short word, and a few longer ones that patterns distinguish.
fn words() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..3 {
        let longer = |word: &String| ["a", "b", "x"].map(|letter| format!("{word}{letter}"));
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    for length in 4..7 {
        let fill = |letter: &str| letter.repeat(length - 1);
        for (first, rest) in [
            ("a", "a"),
            ("b", "b"),
            ("x", "x"),
            ("a", "x"),
            ("b", "x"),
            ("a", "b"),
        ] {
            all.push(format!("{first}{}", fill(rest)));
            all.push(format!("{}{first}", fill(rest)));
        }
    }
    all
}

/// Values on and next to every boundary, some of each kind that a schema accepts.
pub(in crate::tests) fn values(schema: &Value, depth: u64, dice: &mut Dice) -> Vec<Value> {
    const MOST: usize = 600;
    let mut all = vec![Value::Null];
    let ty = schema["type"].as_str();
    match ty {
        Some("boolean") => all.extend([json!(true), json!(false)]),
        Some("string") => {
            all.extend(WORDS.iter().map(|word| json!(word)));
            all.extend(words().into_iter().map(Value::from));
            all.extend(["2024-01-01", "10.0.0.1", "YWJj"].map(Value::from));
        }
        Some("integer") => {
            all.extend((-7..14).map(|number| json!(number)));
            all.push(json!(3_000_000_000_u64));
        }
        Some("number") => {
            let halves = (-8..28).map(|half| match half % 2 {
                0 => json!(half / 2),
                _ => json!(f64::from(half) / 2.0),
            });
            all.extend(halves);
            all.extend([
                json!(2.25),
                json!(1.0),
                json!(2.0),
                json!(5.0),
                json!(3_000_000_000_u64),
                json!(1e300),
            ]);
        }
        Some("array") => {
            let items = child_values(&schema["items"], depth, dice);
            all.push(json!([]));
            for (place, item) in items.iter().enumerate() {
                all.extend((1..5).map(|many| Value::Array(vec![item.clone(); many])));
                for many in 2..5 {
                    all.push(
                        items
                            .iter()
                            .cycle()
                            .skip(place)
                            .take(many)
                            .cloned()
                            .collect(),
                    );
                }
            }
        }
        Some(_) => objects(schema, depth, dice, &mut all),
        None => {
            let any = [
                json!(1),
                json!(-7),
                json!(2),
                json!(2.5),
                json!("a"),
                json!("abc"),
                json!(""),
                json!(true),
            ];
            all.extend(any);
            all.extend([json!([]), json!({}), json!({"x": {"y": 1}}), json!([1])]);
        }
    }
    let mentioned = schema["enum"].as_array().into_iter().flatten();
    for value in mentioned.chain(schema.get("default")) {
        all.push(value.clone());
        all.extend(value.as_i64().map(|whole| json!(whole as f64 + 0.5)));
    }
    if depth > 0 {
        while all.len() > MOST {
            let at = usize::try_from(dice.roll(all.len() as u64)).unwrap();
            all.swap_remove(at);
        }
    }
    all
}

/// The values of a child that are accepted there.
fn child_values(schema: &Value, depth: u64, dice: &mut Dice) -> Vec<Value> {
    let mut values = values(schema, depth + 1, dice);
    let served = served(schema);
    values.retain(|value| value.is_null() || accepts(&served, &decoded(&served, value)));
    values
}

fn objects(schema: &Value, depth: u64, dice: &mut Dice, all: &mut Vec<Value>) {
    let mut names = vec!["a", "b", "c"];
    let declared = schema["properties"].as_object().into_iter().flatten();
    let more = declared
        .map(|(name, _)| &**name)
        .filter(|name| !["a", "b", "c"].contains(name));
    names.extend(more.take(5).collect::<Vec<_>>());
    let of = |name: &str, dice: &mut Dice| match (
        schema["properties"].get(name),
        schema.get("additionalProperties"),
    ) {
        (Some(child), _) | (None, Some(child @ Value::Object(_))) => {
            child_values(child, depth, dice)
        }
        (None, _) => vec![json!(1), json!("a"), json!({"x": 1})],
    };
    let each: Vec<Vec<Value>> = names.iter().map(|name| of(name, dice)).collect();
    let object = |members: Vec<Option<&Value>>| {
        let members = names.iter().zip(members);
        let members =
            members.filter_map(|(name, value)| Some(((*name).to_owned(), value?.clone())));
        Value::Object(members.collect::<Map<_, _>>())
    };
    all.push(json!({}));
    for (place, values) in each.iter().enumerate() {
        for value in values {
            // Every value occurs alone, and with some of the others.
            for mask in 0..4 {
                let mut members = vec![None; names.len()];
                members[place] = Some(value);
                let others = (0..names.len()).filter(|other| *other != place);
                for (index, other) in others.enumerate() {
                    let is_there = match index {
                        0 | 1 => mask & (1 << index) != 0,
                        _ => dice.one_in(2),
                    };
                    if is_there && !each[other].is_empty() {
                        members[other] = Some(dice.pick(&each[other]));
                    }
                }
                all.push(object(members));
            }
        }
    }
}
