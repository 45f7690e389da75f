//! Random objects of random kinds: what the CRD accepts, the compiled type reads, and what the type writes, the CRD accepts
//! and keeps. The kinds follow the convention `kubernetes`, for which no other program writes CRDs to compare with.
//!
//! `ORACLE_OBJECTS` says how many kinds there are, `ORACLE_SEED` the first seed. A module of the crates under
//! `target/objects` is named after its seed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

#[path = "../crates/mod.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod crates;
#[path = "../random/definitions.rs"]
mod definitions;
#[path = "../random/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;
mod drawn;
#[path = "../random/enums.rs"]
mod enums;
mod explained;
#[path = "../random/fields.rs"]
mod fields;
#[path = "../random/kind.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod kind;
#[path = "../random/module.rs"]
mod module;
#[path = "../random/types.rs"]
mod types;
#[path = "../random/words.rs"]
mod words;

use crates::Crate;
use crd_channels_check as check;
use crd_channels_validation::schema::Schema;
use crd_channels_validation::{Validator, Verdict};
use dice::Dice;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// How many kinds one crate has.
const BATCH: u64 = 250;
/// How many objects of a kind are drawn.
const OBJECTS: usize = 24;

/// Where authors say something of a type's JSON that is not so, or that no schema can say (`docs/conventions.md`).
const LEFT_OUT: [&str; 20] = [
    // Schemas by hand, beside types that they do not describe.
    "schemars(with)",
    "schema_with",
    "extend",
    "hand-written schema",
    "enum of numbers",
    "keyword that does not fit",
    // The JSON that is written differs from the JSON that is read.
    "from and into",
    "two names",
    "name by schemars",
    "names by schemars and serde",
    "skip",
    "skip_serializing",
    "skip_serializing_if on a required field",
    "skipped variant",
    // Servers know no schema for keys, prune unknown fields before anybody reads them, and know no format of addresses.
    "enum as key",
    "integers as keys",
    "deny_unknown_fields",
    "IpAddr",
    "Ipv6Addr",
    "SocketAddr",
];

/// Reads the objects of a file and writes what the types make of them.
const MAIN: &str = r#"
fn read<T: serde::Serialize + serde::de::DeserializeOwned>(object: serde_json::Value) -> serde_json::Value {
    match serde_json::from_value::<T>(object).and_then(serde_json::to_value) {
        Ok(written) => serde_json::json!({ "written": written }),
        Err(error) => serde_json::json!({ "error": error.to_string() }),
    }
}

fn main() {
    let objects = std::fs::read_to_string("objects.jsonl").unwrap();
    for line in objects.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let object = case["object"].clone();
        let read = match case["kind"].as_str().unwrap() {
CALLS            other => panic!("{other}"),
        };
        println!("{read}");
    }
}
"#;

#[test]
fn random_objects() {
    let number = |name: &str, default: u64| {
        let given = std::env::var(name).ok();
        given.map_or(default, |given| given.parse().unwrap())
    };
    let (first, count) = (number("ORACLE_SEED", 1), number("ORACLE_OBJECTS", 40));
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../objects");
    let mut tally = Tally::default();
    let mut start = first;
    while start < first + count {
        let end = (start + BATCH).min(first + count);
        batch(
            &root.join(format!("objects-{start}")),
            start..end,
            &mut tally,
        );
        start = end;
    }
    tally.print();
    assert!(
        tally.failures.is_empty(),
        "{} failures:\n{}",
        tally.failures.len(),
        tally.failures.join("\n")
    );
    let read = tally.counts.get(READ).copied().unwrap_or_default();
    assert!(
        u64::try_from(read).unwrap() > 8 * count,
        "most kinds have objects that are read"
    );
}

const READ: &str = "objects read";

#[derive(Default)]
struct Tally {
    counts: BTreeMap<&'static str, usize>,
    explained: BTreeMap<&'static str, usize>,
    failures: Vec<String>,
}

impl Tally {
    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn explain(&mut self, reason: &'static str) {
        *self.explained.entry(reason).or_default() += 1;
    }

    fn print(&self) {
        for (what, times) in &self.explained {
            println!("{times:7} explained: {what}");
        }
        for (what, times) in &self.counts {
            println!("{times:7} {what}");
        }
    }

    fn fail(&mut self, why: String) {
        match explained::written(&why) {
            Some(reason) => self.explain(reason),
            None => self.failures.push(why),
        }
    }
}

/// Draws kinds and objects of them, and compares what the types and the CRDs make of the objects.
fn batch(root: &Path, seeds: std::ops::Range<u64>, tally: &mut Tally) {
    let mut modules = Vec::new();
    let mut calls = String::new();
    for seed in seeds {
        let (text, _) = kind::module_from_dice(seed, Dice::without(seed, &LEFT_OUT));
        modules.push((format!("k{seed}"), text));
        writeln!(
            calls,
            "            \"K{seed}\" => read::<k{seed}::K{seed}>(object),"
        )
        .unwrap();
    }
    let main = MAIN.replace("CALLS", &calls);
    let batch = Crate::write(root, &modules, &main, "");
    std::fs::write(
        root.join("channels/bundle.toml"),
        "conventions = \"kubernetes\"\n",
    )
    .unwrap();
    let mut drawn = Vec::new();
    let mut lines = String::new();
    let read = batch.ours();
    for ours in read.values() {
        let accepted = |crd: &&Value| {
            let found = check::Document::decode(crd).validate_and_lint(crd, check::NEWEST);
            let rejected = |finding: &check::Finding| {
                finding.refuses() || finding.rule == check::Rule::RejectedDefault
            };
            ours.errors.is_empty() && !found.iter().any(rejected)
        };
        let Some(crd) = ours.crd.as_ref().filter(accepted) else {
            tally.count("kinds refused");
            continue;
        };
        tally.count("kinds");
        let version = crd["spec"]["versions"][0]["name"].as_str().unwrap();
        let validator = match Validator::new(crd, version) {
            Ok(validator) => validator,
            Err(error) => {
                tally.fail(format!("{}: {error}", crd["metadata"]["name"]));
                continue;
            }
        };
        for object in drawn::objects(crd, version, OBJECTS) {
            let verdict = validator.create(&object);
            if refused(&verdict).is_some() {
                tally.count("objects that the CRD refuses");
                continue;
            }
            let kind = &crd["spec"]["names"]["kind"];
            writeln!(
                lines,
                "{}",
                json!({ "kind": kind, "object": verdict.object })
            )
            .unwrap();
            drawn.push((crd, version, verdict.object));
        }
    }
    std::fs::write(root.join("objects.jsonl"), lines).unwrap();
    let answers = batch.run();
    assert_eq!(answers.len(), drawn.len());
    for ((crd, version, object), answer) in drawn.into_iter().zip(answers) {
        compare(crd, version, &object, &answer, tally);
    }
}

/// Requires that the CRD accepts and keeps the object that the type wrote.
fn compare(crd: &Value, version: &str, object: &Value, answer: &Value, tally: &mut Tally) {
    let kind = crd["spec"]["names"]["kind"].as_str().unwrap();
    let Some(written) = answer.get("written") else {
        let accepted = |schema: &Schema<'_>| explained::accepted(object, schema);
        if let Some(reason) = drawn::with_schema(crd, accepted) {
            tally.explain(reason);
            return;
        }
        tally.fail(format!(
            "{kind}: accepted, and the type does not read it: {}\n  {object}",
            answer["error"].as_str().unwrap()
        ));
        return;
    };
    tally.count(READ);
    let mut written = written.clone();
    drawn::with_schema(crd, |schema| without_null(&mut written, schema));
    whole(&mut written);
    let verdict = Validator::new(crd, version).unwrap().create(&written);
    if let Some(why) = refused(&verdict) {
        tally.fail(format!(
            "{kind}: the type writes what the CRD refuses: {why}\n  {object}\n  {written}"
        ));
    }
    if !verdict.unknown.is_empty() {
        let fields: Vec<String> = verdict.unknown.iter().map(ToString::to_string).collect();
        tally.fail(format!(
            "{kind}: the type writes what the CRD prunes: {}\n  {object}\n  {written}",
            fields.join(", ")
        ));
    }
}

fn refused(verdict: &Verdict) -> Option<String> {
    verdict.violations.first().map(ToString::to_string)
}

/// Leaves out null where the schema does not allow it: serde writes it for `None`, and appliers do not.
fn without_null(value: &mut Value, schema: &Schema<'_>) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, value| {
                let declared = schema.properties.get(name).or(schema.values());
                !value.is_null() || declared.is_none_or(|declared| declared.nullable)
            });
            for (name, value) in fields {
                if let Some(declared) = schema.properties.get(name).or(schema.values()) {
                    without_null(value, declared);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                if let Some(declared) = schema.item() {
                    without_null(item, declared);
                }
            }
        }
        _ => {}
    }
}

/// Writes `0.0` as `0` again, as it was read: servers compare an integer with the integral part of a bound.
fn whole(value: &mut Value) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(whole),
        Value::Array(items) => items.iter_mut().for_each(whole),
        Value::Number(number) => {
            let text = number.to_string();
            if let Some(Ok(integer)) = text.strip_suffix(".0").map(str::parse::<i64>) {
                *value = integer.into();
            }
        }
        _ => {}
    }
}
