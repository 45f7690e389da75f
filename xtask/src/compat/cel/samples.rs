//! Values of a schema to try a rule on: what it refuses is a counterexample.

use super::judged::{Judged, outcome, without_rules};
use crate::check::cel::ast::{Expression, Kind, Literal};
use crate::compat::values::{size, valid};
use crate::compat::verdict::Answer;
use crate::schema::{JsonType, ListType, Schema};
use serde_json::{Map, Number, Value, json};
use std::collections::BTreeSet;

/// How often an object is put together anew until it keeps the rules of its own schema.
const ATTEMPTS: u64 = 12;

/// So many values are tried.
const TRIES: u64 = 48;

/// So often a counterexample is made smaller.
const MOST_CUTS: usize = 24;

/// A value that a schema with its rules accepts and that an expression is not true of; none where none was found.
pub(super) fn refused(expression: &Expression, schema: &Schema) -> Option<Value> {
    let judged = Judged::of(schema)?;
    let plain = without_rules(schema);
    let mut words = Words::default();
    words.read(expression);
    let is_refused = |value: &Value| {
        outcome(expression, value, schema) == Some(false)
            && valid(&plain, value) == Answer::Yes
            && judged.holds(value)
    };
    let mut tries = 0..TRIES;
    let found = tries.find_map(|seed| {
        let value = sample(&judged, &words, &mut Dice::new(seed))?;
        is_refused(&value).then_some(value)
    })?;
    Some(shrunk(found, |value| is_refused(&defaulted(value, schema))))
}

/// A counterexample without what can go.
fn shrunk(mut value: Value, is_one: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..MOST_CUTS {
        match cuts(&value).into_iter().find(&is_one) {
            Some(less) => value = less,
            None => break,
        }
    }
    value
}

/// A value less one item or one member, wherever that is.
fn cuts(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => {
            let without = (0..items.len()).map(|gone| {
                let kept = items.iter().enumerate().filter(|(place, _)| *place != gone);
                kept.map(|(_, item)| item.clone()).collect()
            });
            let inside = items.iter().enumerate().flat_map(|(place, item)| {
                cuts(item).into_iter().map(move |less| {
                    let mut items = items.clone();
                    items.splice(place..=place, [less]);
                    Value::Array(items)
                })
            });
            without.chain(inside).collect()
        }
        Value::Object(members) => {
            let without = members.keys().map(|gone| {
                let mut members = members.clone();
                members.remove(gone);
                Value::Object(members)
            });
            let inside = members.iter().flat_map(|(name, member)| {
                cuts(member).into_iter().map(move |less| {
                    let mut members = members.clone();
                    members.insert(name.clone(), less);
                    Value::Object(members)
                })
            });
            without.chain(inside).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// A value as a server sees it: members that are missing are what their schema's default says.
fn defaulted(value: &Value, schema: &Schema) -> Value {
    match value {
        Value::Array(items) => match &schema.items {
            Some(item) => items.iter().map(|value| defaulted(value, item)).collect(),
            None => value.clone(),
        },
        Value::Object(members) => {
            let said = members.iter().map(|(name, value)| {
                let of = schema.member(name);
                let value = of.map_or_else(|| value.clone(), |of| defaulted(value, of));
                (name.clone(), value)
            });
            let missing = schema.properties.iter().filter_map(|(name, of)| {
                let default = of.default.as_deref()?;
                let is_missing = !members.contains_key(&**name);
                is_missing.then(|| (name.to_string(), defaulted(default, of)))
            });
            said.chain(missing).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

fn is(schema: &Schema, wanted: ListType) -> bool {
    let merge = schema.merge.as_deref();
    merge.is_some_and(|merge| merge.list_type == Some(wanted))
}

/// What a rule compares with.
#[derive(Default)]
struct Words {
    texts: BTreeSet<String>,
    numbers: BTreeSet<i128>,
}

impl Words {
    /// Adds what an expression compares with.
    fn read(&mut self, expression: &Expression) {
        if let Kind::Literal(literal) = &expression.kind {
            match literal {
                Literal::String(text) => {
                    self.texts.insert(text.to_string());
                }
                Literal::Int(int) => {
                    self.numbers.insert((*int).into());
                }
                Literal::Uint(int) => {
                    self.numbers.insert((*int).into());
                }
                Literal::Null | Literal::Bool(_) | Literal::Double(_) | Literal::Bytes(_) => {}
            }
        }
        for child in expression.kind.children() {
            self.read(child);
        }
    }
}

/// Choices that are the same in every run.
struct Dice(u64);

impl Dice {
    /// The choices of one try.
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1))
    }

    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let sides = u64::try_from(sides).unwrap_or(u64::MAX).max(1);
        usize::try_from((self.0 >> 11) % sides).unwrap_or(0)
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len())).cloned()
    }

    fn one_in(&mut self, sides: usize) -> bool {
        self.below(sides) == 0
    }
}

/// A value of a schema, mostly one that its rules accept too; none where none was come by.
fn sample(judged: &Judged<'_>, words: &Words, dice: &mut Dice) -> Option<Value> {
    let schema = judged.schema;
    if !schema.enum_values.is_empty() {
        return listed(schema, words, dice);
    }
    let fits = |value: &Value| valid(&judged.plain, value) == Answer::Yes;
    match schema.ty {
        None if schema.int_or_string => dice.pick(&[json!(80), json!("a")]),
        None => None,
        Some(JsonType::Boolean) => dice.pick(&[json!(false), json!(true)]),
        Some(JsonType::Integer | JsonType::Number) => {
            let (low, high) = size::numbers(schema).unwrap_or_default();
            let ends = [low, high].into_iter().flatten();
            let said = words.numbers.iter().copied();
            let near = ends.chain(said).flat_map(|end| [end - 1, end, end + 1]);
            let numbers = near.chain([0, 1, 2, -1, 100]).filter_map(Number::from_i128);
            let mut numbers: Vec<Value> = numbers.map(Value::Number).collect();
            numbers.retain(fits);
            dice.pick(&numbers)
        }
        Some(JsonType::String) => text(schema, words, dice, fits),
        Some(JsonType::Array) => array(judged, words, dice),
        Some(JsonType::Object) => object(judged, words, dice),
    }
}

/// One of the values that are listed, often one that rules speak of.
fn listed(schema: &Schema, words: &Words, dice: &mut Dice) -> Option<Value> {
    let spoken_of = |value: &&Value| value.as_str().is_some_and(|it| words.texts.contains(it));
    let said: Vec<Value> = schema
        .enum_values
        .iter()
        .filter(spoken_of)
        .cloned()
        .collect();
    if said.is_empty() || dice.one_in(3) {
        dice.pick(&schema.enum_values)
    } else {
        dice.pick(&said)
    }
}

fn text(
    schema: &Schema,
    words: &Words,
    dice: &mut Dice,
    fits: impl Fn(&Value) -> bool,
) -> Option<Value> {
    let count = size::of(schema);
    let longest = count.max.unwrap_or(300).min(300);
    let lengths = [count.min, longest];
    let lengths = lengths.map(|length| "a".repeat(usize::try_from(length).unwrap_or(0)));
    let usual = [
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
    let usual = usual.into_iter().map(str::to_owned).chain(lengths);
    let fitting = |texts: Vec<String>| -> Vec<Value> {
        texts
            .into_iter()
            .map(Value::String)
            .filter(|it| fits(it))
            .collect()
    };
    let said = fitting(words.texts.iter().cloned().collect());
    if said.is_empty() || dice.one_in(2) {
        dice.pick(&fitting(usual.collect()))
    } else {
        dice.pick(&said)
    }
}

fn array(judged: &Judged<'_>, words: &Words, dice: &mut Dice) -> Option<Value> {
    let count = size::of(judged.schema);
    let most = count.max.unwrap_or(u64::MAX);
    let length = dice
        .pick(&[count.min, 1, 2, 3, 16])?
        .clamp(count.min, most.min(64).max(count.min));
    let Some(item) = judged.each.as_deref() else {
        return (length == 0).then(|| json!([]));
    };
    let twice = !is(judged.schema, ListType::Set);
    let mut items: Vec<Value> = Vec::new();
    for _ in 0..length {
        let again = items.last().filter(|_| twice && dice.one_in(2)).cloned();
        let made = again.or_else(|| sample(item, words, dice));
        let mut made = match made {
            Some(made) => made,
            None => break,
        };
        told_apart(judged.schema, item, items.len(), &mut made);
        items.push(made);
    }
    Some(Value::Array(items))
}

/// Gives an item of a list-map keys of its own, where any text will do.
fn told_apart(schema: &Schema, item: &Judged<'_>, place: usize, made: &mut Value) {
    for key in schema.merge.iter().flat_map(|merge| &merge.list_map_keys) {
        let text = json!(format!("a{place}"));
        let fits = |property| valid(property, &text) == Answer::Yes;
        let free = item.schema.properties.get(key);
        if free.is_some_and(|property| property.enum_values.is_empty() && fits(property))
            && let Some(members) = made.as_object_mut()
        {
            members.insert(key.to_string(), text);
        }
    }
}

/// An object with few of its optional members, then with others, until its own rules hold.
fn object(judged: &Judged<'_>, words: &Words, dice: &mut Dice) -> Option<Value> {
    let mut last = None;
    for attempt in 0..ATTEMPTS {
        // The first one is as small as can be.
        let sparse = if attempt == 0 {
            usize::MAX
        } else {
            dice.below(4) + 1
        };
        let mut members = Map::new();
        for (name, property) in &judged.properties {
            let required = judged.schema.required.contains(name);
            let wanted = required || (sparse < usize::MAX && dice.one_in(sparse));
            match wanted.then(|| sample(property, words, dice)).flatten() {
                Some(value) => {
                    members.insert(name.to_string(), value);
                }
                None if required => return None,
                None => {}
            }
        }
        let value = defaulted(&Value::Object(members), judged.schema);
        if judged.holds_here(&value) {
            // A small object seldom breaks anything.
            if attempt > 0 || dice.one_in(3) {
                return Some(value);
            }
            last = Some(value);
        }
    }
    last
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::counterexample;
    use crate::schema::Schema;
    use serde_json::{Value, json};

    /// What is found for a rule on a schema.
    fn found(rule: &str, schema: &Value) -> Option<Value> {
        counterexample(rule, &Schema::from_json(schema).unwrap())
    }

    #[test]
    fn rules_are_refuted_by_the_smallest_value_at_hand() {
        let filter = json!({"type": "object", "required": ["type"], "properties": {
            "type": {"type": "string", "enum": ["Mirror", "Redirect", "Cors"]},
            "cors": {"type": "object", "properties": {"age": {"type": "integer", "minimum": 1}}},
            "mirror": {"type": "object"},
        }, "x-kubernetes-validations": [
            {"rule": "has(self.cors) == (self.type == 'Cors')"},
            {"rule": "has(self.mirror) == (self.type == 'Mirror')"},
        ]});
        let filters = json!({"type": "array", "items": filter, "maxItems": 16});
        let once = "self.filter(f, f.type == 'Cors').size() <= 1";
        let twice = json!([{"type": "Cors", "cors": {}}, {"type": "Cors", "cors": {}}]);
        assert_eq!(found(once, &filters), Some(twice));
        assert_eq!(
            found("self.all(f, f.type != 'Cors' || has(f.cors))", &filters),
            None
        );
    }

    #[test]
    fn what_a_default_fills_in_is_there() {
        let schema = json!({"type": "object", "properties": {
            "mode": {"type": "string", "enum": ["On", "Off"], "default": "On"},
            "note": {"type": "string"},
        }});
        assert_eq!(found("has(self.mode)", &schema), None);
        assert_eq!(
            found("self.mode == 'Off' || has(self.note)", &schema),
            Some(json!({}))
        );
    }

    #[test]
    fn what_a_list_has_once_only_does_not_repeat() {
        let item = json!({"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string", "maxLength": 3},
        }});
        let rule = "self.all(a, self.exists_one(b, a.name == b.name))";
        let list = json!({"type": "array", "items": item});
        assert!(found(rule, &list).is_some());
        let map = json!({"type": "array", "items": item,
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]});
        assert_eq!(found(rule, &map), None);
        let set =
            json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"});
        assert_eq!(found("self.all(a, self.exists_one(b, a == b))", &set), None);
    }
}
