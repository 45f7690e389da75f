//! Objects whose rules cost exactly as much as the server's budget, and a little more.

use super::{go, schemas};
use crd_channels_validation::Validator;
use crd_channels_validation::rules::{Finding, Outcome};
use serde_json::{Value, json};
use std::process::Command;

/// The length of the texts.
const LENGTH: usize = 4_000;

/// Rules whose cost grows with the number of texts, with the largest number that the server accepts. The texts are long, since
/// many short ones would take servers long.
const RULES: [(&str, usize); 7] = [
    ("self.all(t, t.matches('^[a-z0-9]+$'))", 828),
    ("self.all(t, t.startsWith('a') && !t.contains('ab'))", 2_456),
    (
        "self.map(t, t.upperAscii()).all(t, t.lowerAscii() != 'b')",
        1_222,
    ),
    ("self.filter(t, t.replace('b', 'c') == t).size() > 0", 823),
    ("self.transformList(i, t, i > 0, t + t).size() > 0", 1_226),
    ("self.join(',').size() > 0", 1_249),
    ("self.distinct().size() == 1", 690),
];

fn crd(rules: &[&str]) -> Value {
    let rules: Vec<Value> = rules.iter().map(|rule| json!({ "rule": rule })).collect();
    let version = json!({
        "name": "v1",
        "served": true,
        "storage": true,
        "schema": { "openAPIV3Schema": { "type": "object", "properties": { "spec": {
            "type": "array",
            "items": { "type": "string" },
            "x-kubernetes-validations": rules,
        } } } },
    });
    schemas::of_version("Namespaced", &version)
}

fn object(texts: usize) -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": "Thing",
        "metadata": { "name": "one", "namespace": "default" },
        "spec": vec!["a".repeat(LENGTH); texts],
    })
}

#[test]
fn objects_are_refused_where_their_rules_cost_too_much() {
    let Some(server) = go::built_or_skipped("tests/apiserver/go", None, "budgets are not compared")
    else {
        return;
    };
    let mut inputs = Vec::new();
    for (rule, most) in RULES {
        // Eleven evaluations at nearly their limit exceed the budget of an object.
        for (times, texts) in [(1, most), (1, most + 1), (9, most), (11, most)] {
            let crd = crd(&vec![rule; times]);
            let cases = [json!({ "object": object(texts) })];
            inputs.push(
                json!({ "crd": crd, "cases": cases, "texts": texts, "rule": rule, "times": times }),
            );
        }
    }
    let lines: Vec<String> = inputs.iter().map(Value::to_string).collect();
    let theirs = go::answers(&mut Command::new(server), &lines);
    for (input, theirs) in inputs.iter().zip(&theirs) {
        let faults = theirs[0]["faults"].as_array().unwrap();
        let shown = format!(
            "{} x {} on {} texts: {faults:?}",
            input["times"], input["rule"], input["texts"]
        );
        let validator = Validator::new(&input["crd"], "v1").unwrap();
        let verdict = validator.create(&input["cases"][0]["object"]);
        assert_eq!(verdict.violations.is_empty(), faults.is_empty(), "{shown}");
        let is_unknown = |finding: &Finding| finding.outcome == Outcome::Unknown;
        assert!(
            !faults.is_empty() || !verdict.rules.iter().any(is_unknown),
            "{shown}"
        );
    }
}
