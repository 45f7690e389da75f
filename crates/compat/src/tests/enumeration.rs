//! Verdicts against a validator of others: where old values stay valid none is refused, and where some do not one is shown.

use crate::schema_pair::SchemaPair;
use crate::verdict::Verdict;
use crate::walk::changes;
use crd_channels_schema::Schema;
use serde_json::{Map, Value, json};

/// The same numbers in every run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    pub(super) fn one_in(&mut self, sides: u64) -> bool {
        self.below(sides) == 0
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let index = usize::try_from(self.below(from.len() as u64)).unwrap();
        &from[index]
    }
}

const WORDS: [&str; 6] = ["", "a", "bb", "abc", "dddd", "éé"];
const PATTERNS: [&str; 5] = ["^a", "^[a-c]*$", "b", "^.{2}$", "^(a|bb)?$"];

fn maybe(dice: &mut Dice, schema: &mut Value, key: &str, most: u64) {
    if dice.one_in(3) {
        schema[key] = json!(dice.below(most));
    }
}

pub(super) fn random(dice: &mut Dice, depth: u64, patterns: bool) -> Value {
    let leaf = depth == 0 || dice.one_in(2);
    let mut schema = match dice.below(if leaf { 4 } else { 6 }) {
        0 => json!({"type": "boolean"}),
        1 => {
            let mut schema = json!({"type": "string"});
            maybe(dice, &mut schema, "minLength", 4);
            maybe(dice, &mut schema, "maxLength", 5);
            if patterns && dice.one_in(2) {
                schema["pattern"] = json!(dice.pick(&PATTERNS));
            }
            if dice.one_in(3) {
                schema["enum"] = (0..=dice.below(3))
                    .map(|_| json!(dice.pick(&WORDS)))
                    .collect();
            }
            schema
        }
        2 | 3 => {
            let number = dice.one_in(4);
            let mut schema = json!({"type": if number { "number" } else { "integer" }});
            maybe(dice, &mut schema, "minimum", 4);
            maybe(dice, &mut schema, "maximum", 6);
            for (bound, excluded) in [
                ("minimum", "exclusiveMinimum"),
                ("maximum", "exclusiveMaximum"),
            ] {
                if schema.get(bound).is_some() && dice.one_in(4) {
                    schema[excluded] = json!(true);
                }
            }
            if !number && dice.one_in(4) {
                schema["multipleOf"] = json!(1 + dice.below(3));
            }
            if dice.one_in(4) {
                schema["enum"] = (0..=dice.below(3)).map(|_| json!(dice.below(7))).collect();
            }
            schema
        }
        4 => {
            let mut schema = json!({"type": "array", "items": random(dice, depth - 1, patterns)});
            maybe(dice, &mut schema, "minItems", 3);
            maybe(dice, &mut schema, "maxItems", 4);
            schema
        }
        _ => {
            let mut schema = json!({"type": "object", "properties": {
                "a": random(dice, depth - 1, patterns), "b": random(dice, depth - 1, patterns),
            }});
            maybe(dice, &mut schema, "minProperties", 3);
            maybe(dice, &mut schema, "maxProperties", 3);
            let required: Vec<&str> = ["a", "b"].into_iter().filter(|_| dice.one_in(3)).collect();
            if !required.is_empty() {
                schema["required"] = json!(required);
            }
            schema
        }
    };
    if dice.one_in(6) {
        schema["nullable"] = json!(true);
    }
    schema
}

/// The same schema with a few of its nodes drawn again, or a keyword of them.
fn mutated(dice: &mut Dice, schema: &Value, depth: u64, patterns: bool) -> Value {
    let mut new = schema.clone();
    if dice.one_in(2) {
        let other = random(dice, depth, patterns);
        if dice.one_in(4) || other["type"] != schema["type"] {
            return if dice.one_in(2) { other } else { new };
        }
        for (key, value) in other.as_object().unwrap() {
            if key != "properties" && key != "items" {
                new[key] = value.clone();
            }
        }
    }
    let fields = new.as_object_mut().unwrap();
    let droppable: Vec<String> = fields
        .keys()
        .filter(|key| !["type", "properties", "items"].contains(&key.as_str()))
        .cloned()
        .collect();
    if !droppable.is_empty() && dice.one_in(4) {
        let key = dice.pick(&droppable).clone();
        fields.remove(&key);
        // Without a bound there is nothing to exclude.
        if key == "minimum" || key == "maximum" {
            fields.remove("exclusiveMinimum");
            fields.remove("exclusiveMaximum");
        }
    }
    if let Some(items) = schema.get("items") {
        new["items"] = mutated(dice, items, depth.saturating_sub(1), patterns);
    }
    for name in ["a", "b"] {
        if let Some(child) = schema.pointer(&format!("/properties/{name}")) {
            new["properties"][name] = mutated(dice, child, depth.saturating_sub(1), patterns);
        }
    }
    new
}

/// The schema as the validator reads it: `nullable` is a type.
fn for_validator(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if schema.get("nullable") == Some(&json!(true)) {
        schema["type"] = json!([schema["type"], "null"]);
        if let Some(values) = schema.get_mut("enum") {
            values.as_array_mut().unwrap().push(Value::Null);
        }
    }
    if let Some(items) = schema.get("items") {
        schema["items"] = for_validator(items);
    }
    for name in ["a", "b"] {
        if let Some(child) = schema.pointer(&format!("/properties/{name}")) {
            schema["properties"][name] = for_validator(child);
        }
    }
    schema
}

/// The value after a server dropped the nulls that a schema has no place for.
pub(super) fn pruned(schema: &Value, value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.iter().filter_map(|(name, value)| {
                let child = &schema["properties"][name];
                let dropped = value.is_null() && child.get("nullable").is_none();
                (!dropped).then(|| (name.clone(), pruned(child, value)))
            });
            Value::Object(kept.collect())
        }
        Value::Array(items) => items
            .iter()
            .map(|item| pruned(&schema["items"], item))
            .collect(),
        other => other.clone(),
    }
}

/// Every short word, and a few longer ones that patterns tell apart.
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

/// Values on and beside every boundary, some of each kind that a schema admits.
pub(super) fn values(schema: &Value, depth: u64, dice: &mut Dice) -> Vec<Value> {
    const MOST: usize = 150;
    let mut all = vec![Value::Null];
    match schema["type"].as_str().unwrap() {
        "boolean" => all.extend([json!(true), json!(false)]),
        "string" => {
            all.extend(WORDS.iter().map(|word| json!(word)));
            all.extend(words().into_iter().map(Value::from));
        }
        "integer" => all.extend((-7..14).map(|number| json!(number))),
        "number" => all.extend((-4..28).map(|half| {
            if half % 2 == 0 {
                json!(half / 2)
            } else {
                json!(f64::from(half) / 2.0)
            }
        })),
        "array" => {
            let items = values(&schema["items"], depth + 1, dice);
            let items = valid_ones(&schema["items"], items);
            all.push(json!([]));
            for item in &items {
                all.extend((1..5).map(|many| Value::Array(vec![item.clone(); many])));
            }
        }
        _ => {
            let of = |name: &str, dice: &mut Dice| {
                let child = &schema["properties"][name];
                let values = values(child, depth + 1, dice);
                valid_ones(child, values)
            };
            let (first, second) = (of("a", dice), of("b", dice));
            let object = |a: Option<&Value>, b: Option<&Value>| {
                let mut members = Map::new();
                members.extend(a.map(|value| ("a".to_owned(), value.clone())));
                members.extend(b.map(|value| ("b".to_owned(), value.clone())));
                Value::Object(members)
            };
            all.push(object(None, None));
            all.extend(first.iter().map(|value| object(Some(value), None)));
            all.extend(second.iter().map(|value| object(None, Some(value))));
            // Every value of each side occurs with some of the other.
            for value in &first {
                all.extend(
                    second
                        .iter()
                        .take(2)
                        .map(|other| object(Some(value), Some(other))),
                );
            }
            for value in &second {
                all.extend(
                    first
                        .iter()
                        .take(2)
                        .map(|other| object(Some(other), Some(value))),
                );
            }
        }
    }
    if depth > 0 {
        while all.len() > MOST * 4 {
            let at = usize::try_from(dice.below(all.len() as u64)).unwrap();
            all.swap_remove(at);
        }
    }
    all
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft4)
        .build(&for_validator(schema))
        .unwrap()
}

fn valid_ones(schema: &Value, values: Vec<Value>) -> Vec<Value> {
    let validator = validator(schema);
    values
        .into_iter()
        .filter(|value| validator.is_valid(value))
        .collect()
}

struct Tally {
    pairs: u64,
    values: u64,
    ok: u64,
    no: u64,
    unknown: u64,
}

/// Judges that number of pairs and holds every verdict against the validator.
fn judge(seed: u64, pairs: u64, patterns: bool) -> Tally {
    let mut dice = Dice(seed);
    let mut tally = Tally {
        pairs: 0,
        values: 0,
        ok: 0,
        no: 0,
        unknown: 0,
    };
    for _ in 0..pairs {
        let old = random(&mut dice, 2, patterns);
        let new = mutated(&mut dice, &old, 2, patterns);
        let read = |schema: &Value| Schema::from_json(schema).unwrap();
        let (old_schema, new_schema) = (read(&old), read(&new));
        let found = changes(&SchemaPair::alone(&old_schema, &new_schema));
        let verdict = found
            .iter()
            .map(|(_, change)| change.stored)
            .max()
            .unwrap_or_default();
        let stored = valid_ones(&old, values(&old, 0, &mut dice));
        let after = validator(&new);
        let refused = stored
            .iter()
            .find(|value| !after.is_valid(&pruned(&new, value)));
        tally.pairs += 1;
        tally.values += stored.len() as u64;
        match verdict {
            Verdict::Ok => {
                tally.ok += 1;
                assert_eq!(refused, None, "{old}\n{new}\n{found:#?}");
            }
            Verdict::No => {
                tally.no += 1;
                assert!(
                    refused.is_some(),
                    "no counterexample\n{old}\n{new}\n{found:#?}"
                );
            }
            Verdict::Unknown => tally.unknown += 1,
        }
    }
    println!(
        "{} pairs, {} values: ok {}, no {}, unknown {} ({:.1} %)",
        tally.pairs,
        tally.values,
        tally.ok,
        tally.no,
        tally.unknown,
        tally.unknown as f64 * 100.0 / tally.pairs as f64
    );
    tally
}

#[test]
fn verdicts_on_plain_keywords_are_exact() {
    let tally = judge(0x1e37_79b9_7f4a_7c15, 8000, false);
    assert!(tally.values > 100_000, "{} values", tally.values);
    assert!(
        tally.ok > 400 && tally.no > 400,
        "{} ok, {} no",
        tally.ok,
        tally.no
    );
    assert_eq!(tally.unknown, 0);
}

#[test]
fn verdicts_on_patterns_are_seldom_missing() {
    let tally = judge(0x3545_f491_4f6c_dd1d, 3000, true);
    assert!(
        tally.unknown * 20 <= tally.pairs,
        "{} of {}",
        tally.unknown,
        tally.pairs
    );
}
