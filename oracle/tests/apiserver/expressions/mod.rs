//! Compares the values of random expressions with those that the server's code computes.
//!
//! `VALIDATION_EXPRESSIONS` is the number of objects, each with a hundred expressions.

mod generate;
mod macros;
mod texts;
mod ways;

use super::{Dice, go, skipped_without_go};
use crd_channels_cel::ast::{Expression, Kind};
use crd_channels_cel::cost::{CALL_LIMIT, ceiling};
use crd_channels_cel::evaluate::{CostedValue, Stop, Val, evaluate, evaluate_with_cost};
use crd_channels_cel::functions::all;
use crd_channels_cel::types::{Declarations, NodeId};
use crd_channels_cel::version::NEWEST;
use crd_channels_cel::{Environment, Outcome, check, parse};
use crd_channels_validation::path::Path;
use crd_channels_validation::rules::cel_value;
use crd_channels_validation::schema::{Faults, JsonNode, decode_schema, described};
use generate::{Generator, one_of};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use ways::Declared;

/// The number of expressions per object.
const EACH: usize = 100;
/// Values that are compared, searched and passed as a whole.
const WHOLES: [&str; 31] = [
    "(true ? [[self.b]] : [].filter(v, v[0] < v[0])).flatten()",
    "self.sd.distinct() + [1.5, 1.5]",
    "self.sd.sort() + [1.5, 1.5]",
    "[] + self.sd + [1.5, 1.5]",
    "[optional.of(optional.of(self.i))].filter(v, true).unwrapOpt()",
    "self.lo[0].k",
    "self.e.metadata.name",
    "self.lo.filter(v, has(v.k)).size()",
    "optional.of(optional.of(self.i)).value().value()",
    "self.keyed == self.keyed",
    "self.lo[0] == self.lo[1]",
    "self.lo[1] in self.lo",
    "self.lo == self.lo.map(v, v)",
    "self.lo.all(v, has(v.t) || v == self.lo[0])",
    "self.keyed == self.keyed.filter(v, true)",
    "self.e == self.e",
    "self.e.spec == self.e.spec",
    "self.sd == self.sd",
    "self.sd == [2.5, 1.5]",
    "[1.5, 2.5] == self.sd",
    "self.set == ['a', 'b']",
    "self.m.all(k, v, v > 1 || k == 'a')",
    "self.m.exists(k, self.m[k] == 2)",
    "self.m.transformMap(k, v, v > 1, v + 1) == {'b': 3}",
    "self.m.transformMapEntry(k, v, {v: k}) == {1: 'a', 2: 'b'}",
    "[optional.of([optional.of(1)])][0][0].hasValue()",
    "self.?o.?x.optMap(v, v > 0).orValue(false)",
    "self.lo[?0].?t.hasValue()",
    "self.lo[?5].?k.orValue('') == ''",
    "self.m.map(k, k).sort()",
    "self.m.transformList(k, v, k).sort()",
];
/// The maximum number of differences that are shown.
const SHOWN: usize = 20;

#[test]
fn expressions_give_what_the_server_makes_of_them() {
    let Some(server) = skipped_without_go("expressions are not evaluated") else {
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
        let schema = decode_schema(
            &mut Faults::default(),
            JsonNode::new(&input["schema"], &path),
        );
        let mut declarations = Declarations::default();
        let node = declarations.declare(&described(&schema, false)).unwrap();
        let world = World {
            declarations: &declarations,
            node,
            itself: cel_value(&input["self"], &schema, false),
        };
        let expressions = input["expressions"].as_array().unwrap();
        for (expression, theirs) in expressions.iter().zip(theirs.as_array().unwrap()) {
            let expression = expression.as_str().unwrap();
            tally.compare(expression, &world, theirs);
        }
    }
    tally.print(first);
    let shown = tally.wrong.iter().take(SHOWN).map(String::as_str);
    assert!(
        tally.wrong.is_empty(),
        "{}",
        shown.collect::<Vec<_>>().join("\n")
    );
    // A test without any evaluation proves nothing.
    assert!(tally.values > 0 && tally.errors > 0);
    assert!(
        tally.unknown * 80 < tally.values + tally.errors,
        "too few are evaluated"
    );
    assert!(tally.priced * 100 > tally.values * 99, "too few are priced");
}

/// The values that expressions read.
struct World<'d> {
    declarations: &'d Declarations,
    node: NodeId,
    itself: Val,
}

#[derive(Default)]
struct Tally {
    refused: usize,
    values: usize,
    errors: usize,
    unknown: usize,
    /// Expressions with an exact cost.
    priced: usize,
    /// Expressions that exceed the server's limit.
    limited: usize,
    why_refused: BTreeMap<String, usize>,
    /// The reasons for which expressions were not evaluated, each with the shortest example.
    unknown_of: BTreeMap<String, (usize, String)>,
    met: BTreeSet<&'static str>,
    wrong: Vec<String>,
}

impl Tally {
    fn compare(&mut self, text: &str, world: &World<'_>, theirs: &Value) {
        let costs = theirs["costs"].as_u64();
        let theirs = theirs["gives"].as_str().unwrap();
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
        let expression = parse(text).unwrap();
        let environment = Environment {
            declarations: world.declarations,
            itself: world.node,
            optional_old: false,
            minor: NEWEST,
        };
        let Outcome::Sound(checked) = check(&expression, environment) else {
            self.wrong.push(format!("{text}\n  does not compile here"));
            return;
        };
        let CostedValue { answer, cost } = evaluate_with_cost(
            &expression,
            world.itself.clone(),
            None,
            checked.is_resolved(),
        );
        let ceiling = ceiling(&checked, world.declarations, world.node).unwrap_or(u64::MAX);
        let costs = costs.unwrap();
        // The server stops during the evaluation.
        let is_within = theirs == "limit" || (cost.min..=cost.max).contains(&costs);
        if !is_within || ceiling < costs {
            let differs = format!(
                "{text}\n  ours:   {cost:?}, at most {ceiling}, {answer:?}\n  theirs: {costs}, {theirs}"
            );
            self.wrong.push(differs);
        }
        self.priced += usize::from(cost.min == cost.max);
        if theirs == "limit" {
            self.limited += 1;
            if cost.max <= CALL_LIMIT {
                self.wrong.push(format!("{text}\n  costs {cost:?} here"));
            }
            return;
        }
        let ours = match answer {
            Ok(value) => as_server_writes(&value),
            Err(Stop::Error) => Some("error".to_owned()),
            Err(Stop::Unknown) => None,
        };
        match ours {
            None => {
                self.unknown += 1;
                let culprit = culprit(&expression, &world.itself);
                let (times, shortest) = self.unknown_of.entry(culprit).or_default();
                *times += 1;
                if shortest.is_empty() || text.len() < shortest.len() {
                    text.clone_into(shortest);
                }
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
            "from seed {first}: {} expressions give the same value, {} the same error, {} are not evaluated here; {} cost too much; the cost of {} is exact; the server compiles {} not; {} differ",
            self.values,
            self.errors,
            self.unknown,
            self.limited,
            self.priced,
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
        let mut unknown: Vec<_> = self.unknown_of.iter().collect();
        unknown.sort_by_key(|(_, (times, _))| std::cmp::Reverse(*times));
        for (culprit, (times, shortest)) in unknown.into_iter().take(SHOWN) {
            println!("  not evaluated {times:5} {culprit}, as in {shortest}");
        }
    }
}

/// The smallest part of an expression that is not evaluated although all of its own parts are.
fn culprit(expression: &Expression, itself: &Val) -> String {
    let is_unknown =
        |part: &&Expression| evaluate(part, itself.clone(), None) == Err(Stop::Unknown);
    let mut parts = expression.kind.children().into_iter().filter(is_unknown);
    match (&expression.kind, parts.next()) {
        // The variables of macros have no value here.
        (Kind::Identifier { .. }, _) => "a macro".to_owned(),
        (_, Some(part)) if !is_namespace(part) => culprit(part, itself),
        (Kind::Call { function, .. }, _) => function.text.to_string(),
        (Kind::Binary { operator, .. }, _) => format!("{operator:?}"),
        (Kind::Select { field, .. }, _) => format!(".{}", field.text),
        (Kind::Index { .. }, _) => "[..]".to_owned(),
        (Kind::Map(_), _) => "{..}".to_owned(),
        (kind, _) => format!("{kind:?}").chars().take(20).collect(),
    }
}

/// Whether it is a namespace before a function, as in `optional.of(..)`.
fn is_namespace(expression: &Expression) -> bool {
    matches!(&expression.kind, Kind::Identifier { name, .. } if &*name.text != "self")
}

/// A value in the notation of the server's program. `None` if that is unknown here.
fn as_server_writes(value: &Val) -> Option<String> {
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let all = |values: &[Val]| {
        values
            .iter()
            .map(as_server_writes)
            .collect::<Option<Vec<String>>>()
    };
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
        // A value is known to exist, but not its content, such as messages of the server.
        Val::Optional(Some(inner)) if **inner == Val::Opaque => "some(?)".to_owned(),
        Val::Optional(Some(inner)) => format!("some({})", as_server_writes(inner)?),
        Val::List(items) | Val::Unordered(items) => format!("[{}]", all(items)?.join(",")),
        Val::Object(object) if object.hidden.is_empty() => {
            as_server_writes(&Val::Map(object.seen.clone()))?
        }
        Val::Map(entries) => {
            let mut entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| {
                    Some(format!(
                        "{}:{}",
                        as_server_writes(key)?,
                        as_server_writes(value)?
                    ))
                })
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
        Val::Shuffled(_) | Val::Object(_) | Val::Opaque | Val::Broken => {
            return None;
        }
    })
}

/// The digits without trailing zeros, and the exponent.
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
    // The sum of an empty list has the type that the server inferred.
    let zeros = ["i0", "u0", "f:0", "d:0"];
    ours == theirs
        || ours
            .split_once('?')
            .is_some_and(|(before, after)| theirs.starts_with(before) && theirs.ends_with(after))
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
            "lts": { "type": "array", "items": text("date-time") },
            "m": { "type": "object", "additionalProperties": { "type": "integer" } },
            "o": { "type": "object", "properties": { "x": { "type": "integer" } } },
            "ios": { "x-kubernetes-int-or-string": true },
            "set": { "type": "array", "x-kubernetes-list-type": "set", "items": { "type": "string" } },
            "keyed": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["k"],
                "items": { "type": "object", "required": ["k"], "properties": { "k": { "type": "string" } } },
            },
            "dt": text("date"),
            "n": { "type": "string", "nullable": true },
            "x-y": { "type": "integer" },
            "sd": { "type": "array", "x-kubernetes-list-type": "set", "items": { "type": "number" } },
            "lo": { "type": "array", "items": {
                "type": "object",
                "properties": {
                    "k": { "type": "string", "nullable": true },
                    "p": { "x-kubernetes-preserve-unknown-fields": true },
                    "t": text("date-time"),
                },
                "x-kubernetes-preserve-unknown-fields": true,
            } },
            "e": {
                "type": "object",
                "x-kubernetes-embedded-resource": true,
                "properties": { "spec": { "type": "object", "properties": { "x": { "type": "integer" } } } },
            },
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
        "lts": ["2024-02-29T00:00:00Z", "1999-12-31T00:00:00Z"],
        "ld": one_of(&mut dice, &[vec![], vec![1.5, -1.0]]),
        "m": one_of(&mut dice, &[json!({}), json!({ "a": 1, "b": 2 })]),
        "o": one_of(&mut dice, &[json!({}), json!({ "x": 1 })]),
        "ios": one_of(&mut dice, &[json!(1), json!("50%")]),
        "set": one_of(&mut dice, &[vec![], vec!["a"], vec!["b", "a"]]),
        "keyed": one_of(&mut dice, &[json!([]), json!([{ "k": "b" }, { "k": "a" }])]),
        "dt": dice.pick(&["2024-02-29", "1999-12-31"]),
        "n": one_of(&mut dice, &[json!(null), json!("a")]),
        "x-y": dice.roll(3),
        "sd": one_of(&mut dice, &[json!([]), json!([1.5, 2.5]), json!([2.5]), json!([1.5]), json!([1, 2])]),
        "lo": one_of(&mut dice, &[
            json!([{ "k": "a" }, { "k": "b" }]),
            json!([{ "k": null, "p": [1, null] }, { "k": null, "p": [1, null] }]),
            json!([{ "k": "a", "u": 1 }, { "k": "a", "v": 1 }]),
            json!([{ "k": "a", "u": {} }, { "k": "a", "u": { "b": 1.0 } }]),
            json!([{ "k": "a", "p": 1 }, { "k": "a" }]),
            json!([{ "t": "2024-02-29T00:00:00Z" }, { "t": "2024-02-29T01:00:00+01:00" }]),
        ]),
        "e": {
            "apiVersion": "v1",
            "kind": dice.pick(&["Pod", "Job"]),
            "metadata": { "name": "inner", "labels": { "a": "b" } },
            "spec": one_of(&mut dice, &[json!({}), json!({ "x": 1 })]),
        },
    });
    let schema = schema();
    let declared = Declared::of_schema(&schema, false).unwrap();
    let wholes = WHOLES.into_iter().filter(|_| dice.one_in(3));
    let wholes: Vec<String> = wholes.map(str::to_owned).collect();
    let mut generator = Generator::new(&mut dice, &declared);
    let drawn = (0..EACH).map(|_| generator.expression());
    let expressions: Vec<String> = drawn.chain(wholes).collect();
    json!({ "schema": schema, "self": itself, "expressions": expressions })
}
