//! Random expressions give what the server's code says that they give.
//!
//! `VALIDATION_EXPRESSIONS` is how many objects there are, each with a hundred expressions.

mod generate;
mod macros;
mod ways;

use super::{Dice, go};
use crd_channels_cel::evaluate::{Stop, Val, evaluate};
use crd_channels_cel::functions::all;
use crd_channels_cel::parse;
use crd_channels_validation::path::Path;
use crd_channels_validation::rules::seen;
use crd_channels_validation::schema::{Faults, Node, read};
use generate::{Generator, one_of};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use ways::Declared;

/// How many expressions read an object.
const EACH: usize = 100;
/// How many differences are shown.
const SHOWN: usize = 20;

#[test]
fn expressions_give_what_the_server_makes_of_them() {
    let Some(server) = go::built("tests/apiserver/go", None, "expressions are not evaluated")
    else {
        return;
    };
    let number = |name: &str, default: u64| {
        let given = std::env::var(name).ok();
        given.map_or(default, |given| given.parse().unwrap())
    };
    let first = number("VALIDATION_SEED", 1);
    let count = number("VALIDATION_EXPRESSIONS", 60);
    let inputs: Vec<Value> = (first..first + count).map(input).collect();
    let lines: Vec<String> = inputs.iter().map(Value::to_string).collect();
    let theirs = go::answers(&mut Command::new(server), &lines);
    let mut tally = Tally::default();
    for (input, theirs) in inputs.iter().zip(&theirs) {
        let path = Path::root("self");
        let schema = read(&mut Faults::default(), Node::new(&input["schema"], &path));
        let itself = seen(&input["self"], &schema, false);
        let expressions = input["expressions"].as_array().unwrap();
        for (expression, theirs) in expressions.iter().zip(theirs.as_array().unwrap()) {
            let expression = expression.as_str().unwrap();
            tally.compare(expression, &itself, theirs.as_str().unwrap());
        }
    }
    tally.print(first);
    let shown = tally.wrong.iter().take(SHOWN).map(String::as_str);
    assert!(
        tally.wrong.is_empty(),
        "{}",
        shown.collect::<Vec<_>>().join("\n")
    );
    // A test in which nothing is evaluated shows nothing.
    assert!(tally.values > 0 && tally.errors > 0);
    assert!(tally.unknown * 20 < tally.values, "too few are evaluated");
}

#[derive(Default)]
struct Tally {
    refused: usize,
    values: usize,
    errors: usize,
    unknown: usize,
    why_refused: BTreeMap<String, usize>,
    unknown_of: BTreeMap<String, usize>,
    met: BTreeSet<&'static str>,
    wrong: Vec<String>,
}

impl Tally {
    fn compare(&mut self, text: &str, itself: &Val, theirs: &str) {
        if let Some(why) = theirs.strip_prefix("refused: ") {
            self.refused += 1;
            let line = why.lines().next().unwrap_or_default();
            let line = line.split(':').next_back().unwrap_or_default();
            *self.why_refused.entry(line.to_owned()).or_default() += 1;
            return;
        }
        for row in all().filter(|row| text.contains(&format!("{}(", row.name))) {
            self.met.insert(row.name);
        }
        let ours = match evaluate(&parse(text).unwrap(), itself.clone(), None) {
            Ok(value) => told(&value),
            Err(Stop::Error) => Some("error".to_owned()),
            Err(Stop::Unknown) => None,
        };
        match ours {
            None => {
                self.unknown += 1;
                *self.unknown_of.entry(shortened(text)).or_default() += 1;
            }
            Some(ours) if is_same(&ours, theirs) => match theirs {
                "error" => self.errors += 1,
                _ => self.values += 1,
            },
            Some(ours) => {
                let differs = format!("{text}\n  ours:   {ours}\n  theirs: {theirs}");
                self.wrong.push(differs);
            }
        }
    }

    fn print(&self, first: u64) {
        println!(
            "from seed {first}: {} expressions give the same value, {} the same error, {} are not evaluated here; the server compiles {} not; {} differ",
            self.values,
            self.errors,
            self.unknown,
            self.refused,
            self.wrong.len()
        );
        let unmet: BTreeSet<&str> = all()
            .map(|row| row.name)
            .filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '.'))
            .filter(|name| !self.met.contains(name))
            .collect();
        println!("{} functions; not called: {unmet:?}", self.met.len());
        let mut refused: Vec<_> = self.why_refused.iter().collect();
        refused.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
        for (why, times) in refused.into_iter().take(4) {
            println!("  refused {times:5} {why}");
        }
        for text in self.unknown_of.keys().take(12) {
            println!("  not evaluated: {text}");
        }
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(160).collect()
}

/// A value as the server's program writes it. None where that is not known here.
fn told(value: &Val) -> Option<String> {
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let all = |values: &[Val]| values.iter().map(told).collect::<Option<Vec<String>>>();
    Some(match value {
        Val::Null => "null".to_owned(),
        Val::Bool(value) => value.to_string(),
        Val::Int(value) => format!("i{value}"),
        Val::Uint(value) => format!("u{value}"),
        Val::Double(value) if value.is_nan() => "f:nan".to_owned(),
        Val::Double(value) => format!("f:{:x}", value.to_bits()),
        Val::Zero => "zero".to_owned(),
        Val::String(text) => format!("s:{}", hex(text.as_bytes())),
        Val::Bytes(bytes) => format!("x:{}", hex(bytes)),
        Val::Timestamp(time) => {
            let seconds = time.nanoseconds.div_euclid(1_000_000_000);
            format!("t:{seconds}.{}", time.nanoseconds.rem_euclid(1_000_000_000))
        }
        Val::Duration(span) => format!("d:{span}"),
        Val::Optional(None) => "none".to_owned(),
        Val::Optional(Some(inner)) => format!("some({})", told(inner)?),
        Val::List(items) => format!("[{}]", all(items)?.join(",")),
        Val::Map(entries) => {
            let mut entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| Some(format!("{}:{}", told(key)?, told(value)?)))
                .collect::<Option<_>>()?;
            entries.sort();
            format!("{{{}}}", entries.join(","))
        }
        Val::Type(name) => format!("type:{name}"),
        Val::Quantity(quantity) => quantity_in_words(&quantity.to_string()),
        Val::Ip(address) => format!("ip:{address}"),
        Val::Cidr(address, bits) => format!("cidr:{address}/{bits}"),
        Val::Url(_) => "url".to_owned(),
        Val::Semver(version) => format!("semver:{version}"),
        Val::Format(name) => format!("format:{}", name.to_lowercase()),
        Val::Unordered(_) | Val::Partial(_) | Val::Opaque | Val::Broken => return None,
    })
}

/// The digits without the zeros behind, and the exponent.
fn quantity_in_words(text: &str) -> String {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let stripped = digits.trim_end_matches('0');
    if stripped.is_empty() {
        return "q:0e0".to_owned();
    }
    let zeros = i64::try_from(digits.len() - stripped.len()).unwrap();
    format!("q:{stripped}e{}", exponent.parse::<i64>().unwrap() + zeros)
}

fn is_same(ours: &str, theirs: &str) -> bool {
    // The sum of nothing has the type that the server's types say.
    let zeros = ["i0", "u0", "f:0", "d:0"];
    ours == theirs
        || zeros
            .iter()
            .any(|zero| ours.replace("zero", zero) == theirs)
}

/// The schema of the object: a field of each kind that rules can read.
fn schema() -> Value {
    let text = |format: &str| json!({ "type": "string", "format": format });
    json!({
        "type": "object",
        "properties": {
            "s": { "type": "string" },
            "i": { "type": "integer" },
            "d": { "type": "number" },
            "b": { "type": "boolean" },
            "ts": text("date-time"),
            "du": text("duration"),
            "by": text("byte"),
            "ls": { "type": "array", "items": { "type": "string" } },
            "li": { "type": "array", "items": { "type": "integer" } },
            "ld": { "type": "array", "items": { "type": "number" } },
            "m": { "type": "object", "additionalProperties": { "type": "integer" } },
            "o": { "type": "object", "properties": { "x": { "type": "integer" } } },
            "ios": { "x-kubernetes-int-or-string": true },
        }
    })
}

fn input(seed: u64) -> Value {
    let mut dice = Dice::new(seed);
    let itself = json!({
        "s": dice.pick(&generate::TEXTS),
        "i": dice.pick(&[0, 1, -1, 3, 40]),
        "d": dice.pick(&[0.0, 1.5, -2.25, 1e21, 1e-7, 3.0]),
        "b": dice.one_in(2),
        "ts": dice.pick(&["2024-02-29T23:59:59.5Z", "1969-12-31T23:59:59Z", "2000-01-01T00:00:00+02:00"]),
        "du": dice.pick(&["1h30m", "90s", "1ns"]),
        "by": dice.pick(&["", "YWI=", "/w=="]),
        "ls": one_of(&mut dice, &[vec![], vec!["a"], vec!["b", "a", "b"]]),
        "li": one_of(&mut dice, &[vec![], vec![3, 1, 2], vec![1, 1]]),
        "ld": one_of(&mut dice, &[vec![], vec![1.5, -1.0]]),
        "m": one_of(&mut dice, &[json!({}), json!({ "a": 1, "b": 2 })]),
        "o": one_of(&mut dice, &[json!({}), json!({ "x": 1 })]),
        "ios": one_of(&mut dice, &[json!(1), json!("50%")]),
    });
    let schema = schema();
    let declared = Declared::of(&schema, false).unwrap();
    let mut generator = Generator::new(&mut dice, &declared);
    let expressions: Vec<String> = (0..EACH).map(|_| generator.expression()).collect();
    json!({ "schema": schema, "self": itself, "expressions": expressions })
}
