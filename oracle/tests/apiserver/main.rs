//! Compares the handling of random objects of random CRDs with the code of kube-apiserver: the decoded objects, and the reasons
//! for rejections.
//!
//! `VALIDATION_SEED` is the first seed, `VALIDATION_CRDS` the number of CRDs. The Go code is built from its published modules.
//! Without Go, the test prints to stderr that it compares nothing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

#[path = "../random/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;
#[path = "../shared/go.rs"]
mod go;
mod budget;
mod depth;
mod expressions;
mod objects;
mod prices;
mod rules;
mod schemas;

use crd_channels_validation::rules::Outcome;
use crd_channels_validation::{Validator, Verdict, Violation};
use dice::Dice;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

/// The number of objects per CRD.
const OBJECTS: usize = 12;
/// The maximum number of differences that are shown.
const SHOWN: usize = 8;

#[test]
fn objects_become_what_the_server_makes_of_them() {
    let Some(server) = skipped_without_go("objects are not compared") else {
        return;
    };
    let number = |name: &str, default: u64| {
        let given = std::env::var(name).ok();
        given.map_or(default, |given| given.parse().unwrap())
    };
    let (first, count) = (number("VALIDATION_SEED", 1), number("VALIDATION_CRDS", 400));
    let inputs: Vec<Value> = (first..first + count).map(input).collect();
    let lines: Vec<String> = inputs.iter().map(Value::to_string).collect();
    let theirs = go::answers(&mut Command::new(server), &lines);
    let mut tally = Tally::default();
    for (input, theirs) in inputs.iter().zip(&theirs) {
        if let Some(why) = theirs.get("refused") {
            tally.refused.push(format!("{}\n  {why}", input["crd"]));
            continue;
        }
        let validator = Validator::new(&input["crd"], "v1").unwrap();
        let cases = input["cases"].as_array().unwrap();
        for (case, theirs) in cases.iter().zip(theirs.as_array().unwrap()) {
            tally.compare(&validator, case, theirs, &input["crd"]);
        }
    }
    tally.print(first);
    let shown = tally.wrong.iter().take(SHOWN).map(String::as_str);
    assert!(
        tally.wrong.is_empty(),
        "{}",
        shown.collect::<Vec<_>>().join("\n\n")
    );
    // A test whose objects are all alike proves nothing.
    let compared = tally.accepted + tally.faulty;
    assert!(tally.accepted * 5 > compared && tally.faulty * 5 > compared);
    let refused = tally.refused.len();
    assert!(refused * 10 < inputs.len(), "{}", tally.refused.join("\n"));
}

/// The program that runs the server's code.
fn skipped_without_go(left_out: &str) -> Option<PathBuf> {
    go::built_or_skipped("tests/apiserver/go", None, left_out)
}

/// The counts of compared objects and outcomes.
#[derive(Default)]
struct Tally {
    accepted: usize,
    faulty: usize,
    undecodable: usize,
    reasons: BTreeMap<String, usize>,
    outcomes: BTreeMap<&'static str, usize>,
    unknown: BTreeMap<String, usize>,
    refused: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn compare(&mut self, validator: &Validator, case: &Value, theirs: &Value, crd: &Value) {
        let verdict = match &case["old"] {
            Value::Null => validator.create(&case["object"]),
            old if case["status"] == true => validator.update_status(&case["object"], old),
            old => validator.update(&case["object"], old),
        };
        if let Some(why) = theirs["undecodable"].as_str() {
            self.undecodable += 1;
            // Stored objects are decoded less strictly.
            if !why.starts_with("old: ") && verdict.violations.is_empty() {
                self.differ(case, crd, &format!("{verdict:?}"), &theirs.to_string());
            }
            return;
        }
        let faults = theirs["faults"].as_array().unwrap();
        for fault in faults {
            let reason = fault["reason"].as_str().unwrap().to_owned();
            *self.reasons.entry(reason).or_default() += 1;
        }
        if faults.is_empty() {
            self.accepted += 1;
        } else {
            self.faulty += 1;
        }
        let unknown = self.count(&verdict);
        let (ours, expected) = (summary(&verdict), told_by_server(theirs));
        if messages(&verdict).any(|message| !faults.iter().any(|fault| is_same(message, fault)))
            || (unknown == 0 && ours != expected)
        {
            self.differ(case, crd, &ours, &expected);
        }
    }

    /// Counts the outcomes of rules, and returns the number of rules that were not evaluated.
    fn count(&mut self, verdict: &Verdict) -> usize {
        let mut unknown = 0;
        for finding in &verdict.rules {
            let outcome = match &finding.outcome {
                Outcome::Holds => "holds",
                Outcome::Broken(_) => "broken",
                Outcome::Warned(_) => "warned",
                Outcome::NoOld => "no old value",
                Outcome::Unknown | Outcome::Uncompiled => {
                    unknown += 1;
                    *self.unknown.entry(finding.rule.clone()).or_default() += 1;
                    "not evaluated"
                }
            };
            *self.outcomes.entry(outcome).or_default() += 1;
        }
        unknown
    }

    fn differ(&mut self, case: &Value, crd: &Value, ours: &str, theirs: &str) {
        let schema = &crd["spec"]["versions"][0];
        self.wrong.push(format!(
            "{schema}\n{case}\n  ours:   {ours}\n  theirs: {theirs}"
        ));
    }

    fn print(&self, first: u64) {
        println!(
            "from seed {first}: {} objects accepted, {} with violations, {} that do not decode; {} CRDs refused; {} differ",
            self.accepted,
            self.faulty,
            self.undecodable,
            self.refused.len(),
            self.wrong.len()
        );
        for why in self.refused.iter().take(SHOWN) {
            println!("{why}");
        }
        println!(
            "rules: {:?}; not evaluated: {:?}",
            self.outcomes, self.unknown
        );
        for (reason, times) in &self.reasons {
            println!("  {times:6} {reason}");
        }
    }
}

/// A verdict as one text: sorted reasons and fields, unknown fields, and the object without metadata, which servers overwrite.
fn summary(verdict: &Verdict) -> String {
    let violations = verdict.violations.iter();
    let faults: BTreeSet<_> = violations
        .map(|violation| {
            (
                violation.reason.name().to_owned(),
                violation.field.to_string(),
            )
        })
        .collect();
    let unknown: BTreeSet<_> = verdict.unknown.iter().map(ToString::to_string).collect();
    format!("{faults:?} {unknown:?} {}", plain(&verdict.object))
}

/// The messages of broken rules, except errors, whose wording is the server's.
fn messages(verdict: &Verdict) -> impl Iterator<Item = &Violation> {
    verdict
        .rules
        .iter()
        .filter_map(|finding| match &finding.outcome {
            Outcome::Broken(violation) if !violation.message.ends_with("ends in an error") => {
                Some(violation)
            }
            _ => None,
        })
}

fn is_same(message: &Violation, fault: &Value) -> bool {
    let field = fault["field"].as_str().unwrap().trim_start_matches("<nil>");
    let detail = fault["detail"].as_str().unwrap();
    message.reason.name() == fault["reason"] && message.field == *field
        // Duplicates are reported without a message.
        && (message.message == detail || message.reason.name() == "FieldValueDuplicate")
}

fn told_by_server(answer: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let faults = answer["faults"].as_array().unwrap().iter();
    // That rules were not evaluated is a separate fault.
    let summary = |fault: &&Value| {
        !text(&fault["detail"]).starts_with("some validation rules were not checked")
    };
    let faults: BTreeSet<_> = faults
        .filter(summary)
        .map(|fault| {
            let field = text(&fault["field"]);
            let field = if field == "<nil>" {
                String::new()
            } else {
                field
            };
            (text(&fault["reason"]), field)
        })
        .collect();
    let unknown: BTreeSet<_> = answer["unknown"]
        .as_array()
        .unwrap()
        .iter()
        .map(text)
        .collect();
    format!("{faults:?} {unknown:?} {}", plain(&answer["object"]))
}

fn plain(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| *name != "metadata")
            .map(|(name, value)| (name.clone(), plain(value)))
            .collect(),
        Value::Array(items) => items.iter().map(plain).collect(),
        // Go writes `1.0` as `1`.
        Value::Number(number) if number.as_f64().is_some_and(|float| float.fract() == 0.0) => {
            number.as_f64().into()
        }
        _ => value.clone(),
    }
}

/// A CRD with objects: some are created, some updated.
fn input(seed: u64) -> Value {
    let mut dice = Dice::new(seed);
    let crd = schemas::crd(&mut dice);
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    let status = &crd["spec"]["versions"][0]["subresources"]["status"];
    let has_status = status.is_object() && schema["properties"]["status"].is_object();
    let cases: Vec<Value> = (0..OBJECTS)
        .map(|_| objects::case(&mut dice, schema, has_status))
        .collect();
    json!({ "crd": crd, "cases": cases })
}
