//! Any text as a rule, and rules of the server that are taken apart and put together anew, as the bytes say: parsed, typed,
//! priced and evaluated, each within a time that does not depend on what the rule says. `SHOW=1` prints the rule of an input.

#![no_main]

mod choices;

use choices::Choices;
use crd_channels_cel::ast::Expression;
use crd_channels_cel::cost::{RULE_LIMIT, advise, estimate, parts};
use crd_channels_cel::evaluate::{Val, blame, evaluate};
use crd_channels_cel::types::{Declarations, NodeId};
use crd_channels_cel::version::{NEWEST, OLDEST, newest_need, oldest_minor};
use crd_channels_cel::{Checked, Environment, Outcome, check, comments, parse};
use crd_channels_validation::path::Path;
use crd_channels_validation::rules::cel_value;
use crd_channels_validation::schema::{Faults, JsonNode, decode_schema, described};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use std::ops::Range;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

const SCHEMA: &str = include_str!("../../apiserver/cel/tests/server/schema.json");
const RULES: &str = include_str!("../../apiserver/cel/tests/server/rules.txt");

/// An input takes milliseconds; this is for a busy machine.
const LONGEST: Duration = Duration::from_secs(10);
/// Rules do not grow beyond this length.
const LONGEST_RULE: usize = 8_000;

/// What stands around or behind a part, any number of times.
const AROUND: [(&str, &str); 12] = [
    ("(", ")"),
    ("[", "][0]"),
    ("{'a': ", "}['a']"),
    ("optional.of(", ").value()"),
    ("[", "].map(x, x + x)[0]"),
    ("", ".map(x, [x, x])"),
    ("", ".map(x, y, {x: y})"),
    ("", ".optMap(x, [x, x])"),
    ("", ".filter(x, true)"),
    ("lists.range(", ")"),
    ("", " + 'a'"),
    ("-", ""),
];

static RULES_OF_THE_SERVER: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lines = RULES.lines();
    lines
        .filter_map(|line| Some(line.split_once('\t')?.1))
        .collect()
});
static GROUNDS: LazyLock<Vec<Ground>> = LazyLock::new(grounds);

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let ground = &GROUNDS[choices.below(GROUNDS.len())];
    let is_composed = choices.byte() % 2 == 1;
    let minor = [OLDEST, NEWEST - 1, NEWEST][choices.below(3)];
    let rule = match is_composed {
        true => composed(&mut choices),
        false => String::from_utf8_lossy(choices.0).into_owned(),
    };
    if std::env::var_os("SHOW").is_some() {
        eprintln!("{rule}");
    }
    let start = Instant::now();
    ground.judge(&rule, minor);
    let taken = start.elapsed();
    assert!(taken < LONGEST, "{taken:?}: {rule}");
});

/// What rules stand on.
struct Ground {
    declarations: Declarations,
    itself: NodeId,
    value: Val,
}

impl Ground {
    fn new(schema: &Value) -> Option<Self> {
        let path = Path::root("schema");
        let read = decode_schema(&mut Faults::default(), JsonNode::new(schema, &path));
        let mut declarations = Declarations::default();
        let itself = declarations.declare(&described(&read, read.embedded_resource))?;
        let value = cel_value(&sample(schema), &read, read.embedded_resource);
        Some(Self {
            declarations,
            itself,
            value,
        })
    }

    fn judge(&self, rule: &str, minor: u32) {
        let _ = comments(rule);
        let expression = match parse(rule) {
            Ok(expression) => expression,
            Err(error) => return assert_part(rule, &error.part(rule)),
        };
        for optional_old in [false, true] {
            let environment = Environment {
                declarations: &self.declarations,
                itself: self.itself,
                optional_old,
                minor,
            };
            match check(&expression, environment) {
                Outcome::Sound(checked) => self.price(rule, &expression, &checked, minor),
                Outcome::Unrunnable(checked, fault) => {
                    assert_part(rule, &fault.range);
                    self.price(rule, &expression, &checked, minor);
                }
                Outcome::Faulty(faults) => {
                    assert!(!faults.is_empty());
                    for fault in faults {
                        assert_part(rule, &fault.range);
                    }
                }
            }
            let old = match optional_old {
                true => Val::optional(Some(self.value.clone())),
                false => self.value.clone(),
            };
            let _ = evaluate(&expression, self.value.clone(), Some(old.clone()));
            let blame = blame(&expression, self.value.clone(), Some(old));
            assert_part(rule, &blame.range);
            let _ = blame.describe(rule);
        }
    }

    fn price(&self, rule: &str, expression: &Expression, checked: &Checked, minor: u32) {
        let cost = estimate(checked, &self.declarations, self.itself, minor).cost;
        assert!(cost.min <= cost.max, "{rule}");
        let whole = parts(checked, &self.declarations, self.itself);
        let newest = estimate(checked, &self.declarations, self.itself, NEWEST).cost;
        assert_eq!(whole.cost, newest.max, "{rule}");
        assert_part(rule, &whole.range);
        // Nobody asks where the cost fits, so it is made not to.
        let limit = RULE_LIMIT.min(cost.max / 2);
        let _ = advise(checked, &self.declarations, self.itself, limit, minor);
        let oldest = oldest_minor(expression, checked);
        if let Some(need) = newest_need(expression, checked) {
            assert_eq!(need.minor, oldest, "{rule}");
            assert_part(rule, &need.range);
        }
    }
}

fn assert_part(rule: &str, part: &Range<usize>) {
    assert!(rule.get(part.clone()).is_some(), "{part:?} of {rule}");
}

/// The schema that the rules of the server stand on, and each of its properties.
fn grounds() -> Vec<Ground> {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let properties = schema["properties"].as_object().expect("an object");
    let schemas = [&schema].into_iter().chain(properties.values());
    schemas.filter_map(Ground::new).collect()
}

/// A small value of a schema.
fn sample(schema: &Value) -> Value {
    let default = match (schema["type"].as_str(), schema["format"].as_str()) {
        (Some("object"), _) => json!({}),
        (Some("array"), _) => json!([sample(&schema["items"]), sample(&schema["items"])]),
        (Some("boolean"), _) => json!(true),
        (Some("number"), _) => json!(1.5),
        (Some("string"), Some("date")) => json!("2024-02-29"),
        (Some("string"), Some("date-time")) => json!("2024-02-29T12:30:00Z"),
        (Some("string"), Some("duration")) => json!("1h30m"),
        (Some("string"), Some("byte")) => json!("YQ=="),
        (Some("string"), _) => json!("a.b-é"),
        _ => json!(7),
    };
    let Value::Object(mut fields) = default else {
        return default;
    };
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        fields.insert(name.clone(), sample(property));
    }
    if schema["additionalProperties"].is_object() {
        fields.insert("k".to_owned(), sample(&schema["additionalProperties"]));
    }
    Value::Object(fields)
}

/// A rule of the server that is changed a few times.
fn composed(choices: &mut Choices<'_>) -> String {
    let mut rule = some_rule(choices).to_owned();
    while !choices.is_done() {
        let place = some_part(&rule, choices);
        let part = &rule[place.clone()];
        let other = some_rule(choices);
        let other = &other[some_part(other, choices)];
        let new = match choices.byte() % 8 {
            0 => choices.text(),
            1 => format!("{part}{}", other.repeat(choices.below(16))),
            2 => format!("{part}.all(x, {other})"),
            3 => format!("{part}.map(s, {other})"),
            4 => {
                let (before, after) = AROUND[choices.below(AROUND.len())];
                let times = choices.below(256);
                format!("{}{part}{}", before.repeat(times), after.repeat(times))
            }
            _ => other.to_owned(),
        };
        let changed = format!("{}{new}{}", &rule[..place.start], &rule[place.end..]);
        if changed.len() > LONGEST_RULE {
            break;
        }
        rule = changed;
    }
    rule
}

fn some_rule(choices: &mut Choices<'_>) -> &'static str {
    RULES_OF_THE_SERVER[choices.below(RULES_OF_THE_SERVER.len())]
}

/// The place of a part of a rule; all of it, where it does not parse.
fn some_part(rule: &str, choices: &mut Choices<'_>) -> Range<usize> {
    let Ok(expression) = parse(rule) else {
        return 0..rule.len();
    };
    let mut part = &expression;
    loop {
        let below = part.kind.children();
        let stops = choices.byte().is_multiple_of(4);
        if stops || below.is_empty() {
            return part.range.clone();
        }
        part = below[choices.below(below.len())];
    }
}
