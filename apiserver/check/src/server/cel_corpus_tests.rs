//! Compares the verdicts on CEL rules with those of a real API server: rejected rules, their fields, and their costs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

#[path = "../../tests/shared/factor.rs"]
mod factor;

use super::corpus_tests::corpus;
use super::validate;
use crate::finding::{Finding, Reason};
use crate::skipped::skipped;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The minor of the server that was asked.
const ASKED: u32 = 36;

/// A rejected field, and the reason.
type Refusals = BTreeSet<(String, String)>;

#[derive(Default)]
struct Row {
    cases: usize,
    same: usize,
    false_accepts: usize,
    false_refusals: usize,
    wrong_places: usize,
    factors: usize,
    wrong_factors: usize,
}

#[test]
fn rules_are_validated_as_servers_validate_them() {
    let Ok(text) = std::fs::read_to_string(corpus().join("apiserver/cel.jsonl")) else {
        skipped("the corpus is absent");
        return;
    };
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let group = case["group"].as_str().unwrap().to_owned();
        compare(&case, rows.entry(group).or_default());
    }
    print(&rows);
    let sum = |count: fn(&Row) -> usize| rows.values().map(count).sum::<usize>();
    assert_eq!(sum(|row| row.false_accepts), 0, "false accepts");
    assert_eq!(sum(|row| row.false_refusals), 0, "false refusals");
    assert_eq!(sum(|row| row.wrong_places), 0, "wrong places");
    assert_eq!(sum(|row| row.wrong_factors), 0, "wrong cost factors");
}

fn print(rows: &BTreeMap<String, Row>) {
    println!(
        "{:<14}{:>6}{:>6}{:>14}{:>15}{:>13}{:>9}{:>7}",
        "group",
        "cases",
        "same",
        "false accepts",
        "false refusals",
        "wrong places",
        "factors",
        "wrong"
    );
    for (group, row) in rows {
        println!(
            "{group:<14}{:>6}{:>6}{:>14}{:>15}{:>13}{:>9}{:>7}",
            row.cases,
            row.same,
            row.false_accepts,
            row.false_refusals,
            row.wrong_places,
            row.factors,
            row.wrong_factors
        );
    }
}

fn compare(case: &Value, row: &mut Row) {
    let found = validate(&case["crd"], ASKED);
    let accept = !found.iter().any(Finding::refuses);
    let ours: Refusals = found.iter().filter_map(ours).collect();
    let errors = case["errors"].as_array().unwrap();
    let theirs: Refusals = errors.iter().map(theirs).collect();
    row.cases += 1;
    let accepts = case["accept"].as_bool().unwrap();
    let varies = case.get("varies").is_some();
    let id = case["id"].as_str().unwrap();
    if accepts != accept {
        if accept {
            row.false_accepts += 1;
        } else {
            row.false_refusals += 1;
        }
    } else if ours != theirs && !varies {
        row.wrong_places += 1;
    } else {
        row.same += 1;
        factors(id, &found, errors, row);
        return;
    }
    let details: Vec<_> = errors.iter().map(|error| &error["detail"]).collect();
    println!(
        "{id}: {:?}\n  ours {ours:?} {:?}\n  theirs {theirs:?} {details:?}",
        rules(&case["crd"]),
        messages(&found)
    );
}

fn messages(found: &[Finding]) -> Vec<&str> {
    found.iter().map(|finding| &*finding.message).collect()
}

/// Every rule of a CRD.
pub(super) fn rules(value: &Value) -> Vec<String> {
    match value {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| match value {
                Value::Array(rules) if name == "x-kubernetes-validations" => {
                    rules.iter().map(ToString::to_string).collect()
                }
                value => rules(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(rules).collect(),
        _ => Vec::new(),
    }
}

fn ours(finding: &Finding) -> Option<(String, String)> {
    let reason = finding.reason.map(Reason::name)?;
    Some((reason.to_owned(), finding.field.as_ref()?.to_string()))
}

fn theirs(error: &Value) -> (String, String) {
    let text = |name: &str| error[name].as_str().unwrap().to_owned();
    (text("type"), text("field"))
}

/// Compares the factors by which budgets are exceeded, if both report one.
fn factors(id: &str, found: &[Finding], errors: &[Value], row: &mut Row) {
    for error in errors {
        let (_, field) = theirs(error);
        let detail = error["detail"].as_str().unwrap();
        let Some(their) = factor::of_server(detail) else {
            continue;
        };
        row.factors += 1;
        let finding = found
            .iter()
            .find(|finding| finding.field.as_ref().is_some_and(|found| *found == *field));
        let our = finding.and_then(|finding| factor::of_check(&finding.message));
        let fits = our.is_some_and(|our| factor::are_same(our, their));
        if !fits {
            row.wrong_factors += 1;
            println!("{id}: {field}: factor {our:?}, the server's {their}");
        }
    }
}
