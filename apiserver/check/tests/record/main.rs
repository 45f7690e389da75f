//! Compares the verdicts of `check` on CRDs with those of a real API server.
//!
//! They are in `crds.jsonl`: `cargo xtask record` writes it, `cargo xtask record --add FILE` adds CRDs, and `--check` compares
//! the file with a server. Differences of older servers are in the fixtures of `minors`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

#[path = "../shared/cases.rs"]
#[allow(dead_code, reason = "the task that records uses it")]
mod cases;
#[path = "../shared/factor.rs"]
mod factor;
#[path = "../shared/verdict.rs"]
mod verdict;

use cases::Cases;
use crd_channels_check::{self as check, Document, NEWEST, Rule};
use crd_channels_schema::Crd;
use serde_json::Value;
use std::collections::BTreeSet;
use verdict::Verdict;

const RECORD: &str = include_str!("crds.jsonl");

/// The minimum numbers of CRDs: all, those that the server accepts, those that can be typed, and those with an exceeded budget.
const CRDS: usize = 800;
const ACCEPTED: usize = 150;
const TYPED: usize = 600;
const FACTORS: usize = 40;

/// Rules that the recorded server cannot decide, since it is the newest and knows everything that a rule may use.
const OF_OLDER_SERVERS: [Rule; 1] = [Rule::RuleVersion];

/// A CRD with the server's verdict, and the reason, the field and the message of each cause.
struct Recorded {
    line: &'static str,
    crd: Value,
    verdict: Verdict,
    causes: Vec<[String; 3]>,
}

fn recorded() -> Vec<Recorded> {
    let mut cases = Cases::default();
    let lines = RECORD.lines().skip(1);
    lines
        .map(|line| {
            let case: Value = serde_json::from_str(line).unwrap();
            let causes = case
                .get("causes")
                .cloned()
                .unwrap_or(Value::Array(Vec::new()));
            let causes: Vec<[String; 3]> = serde_json::from_value(causes).unwrap();
            let mut verdict: Verdict = serde_json::from_value(case["verdict"].clone()).unwrap();
            let refusals = causes
                .iter()
                .map(|[reason, field, _]| (reason.clone(), field.clone()));
            verdict.refused = refusals.collect();
            Recorded {
                line,
                crd: cases.crd(&case).unwrap(),
                verdict,
                causes,
            }
        })
        .collect()
}

#[test]
fn the_recorded_server_is_of_the_newest_minor() {
    let first: Value = serde_json::from_str(RECORD.lines().next().unwrap()).unwrap();
    let server = first["server"].as_str().unwrap();
    assert!(server.starts_with(&format!("v1.{NEWEST}.")), "{server}");
}

#[test]
fn verdicts_reasons_and_fields_are_the_servers() {
    let recorded = recorded();
    let accepted = recorded.iter().filter(|one| one.verdict.accepts()).count();
    println!("{} CRDs, {accepted} accepted", recorded.len());
    assert!(recorded.len() >= CRDS, "only {} CRDs", recorded.len());
    assert!(accepted >= ACCEPTED, "only {accepted} accepted");
    let differences = recorded.iter().filter_map(|one| {
        let ours = Verdict::of_check(&one.crd, NEWEST);
        let line = one.line;
        (!ours.is_that_of(&one.verdict)).then(|| format!("{line}\n  ours {ours:?}"))
    });
    let differences: Vec<String> = differences.collect();
    assert!(
        differences.is_empty(),
        "{}\n{} differ",
        differences.join("\n"),
        differences.len()
    );
}

#[test]
fn budgets_are_exceeded_as_much_as_servers_say() {
    let mut compared = 0;
    for one in recorded() {
        let findings = check::validate(&one.crd, NEWEST);
        for [_, field, message] in &one.causes {
            let Some(theirs) = factor::of_server(message) else {
                continue;
            };
            compared += 1;
            let mut ours = findings
                .iter()
                .filter(|finding| {
                    finding
                        .field
                        .as_ref()
                        .is_some_and(|found| *found == **field)
                })
                .filter_map(|finding| factor::of_check(&finding.message));
            assert!(
                ours.any(|ours| factor::are_same(ours, theirs)),
                "{field}: {message}\n{}",
                one.line
            );
        }
    }
    println!("{compared} factors compared");
    assert!(compared >= FACTORS, "only {compared} factors");
}

#[test]
fn every_rule_that_a_server_decides_refuses_a_recorded_crd() {
    let recorded = recorded();
    let refused = recorded.iter().filter(|one| !one.verdict.accepts());
    let findings = refused.flat_map(|one| check::validate(&one.crd, NEWEST));
    let rules: BTreeSet<Rule> = findings.map(|finding| finding.rule).collect();
    let decided = Rule::ALL
        .iter()
        .filter(|rule| rule.is_refusal() && !OF_OLDER_SERVERS.contains(rule));
    let missing: Vec<&Rule> = decided.filter(|rule| !rules.contains(rule)).collect();
    assert_eq!(missing, Vec::<&Rule>::new());
    let kinds = [
        recorded.iter().any(|one| !one.verdict.unknown.is_empty()),
        recorded.iter().any(|one| one.verdict.warned),
        recorded.iter().any(|one| one.verdict.too_large),
    ];
    assert_eq!(kinds, [true; 3], "unknown fields, formats and sizes");
}

/// Typed CRDs are decoded without intermediate JSON, which must not change any finding.
#[test]
fn typed_crds_have_the_findings_of_their_json() {
    let mut compared = 0;
    for one in recorded() {
        let Ok(typed) = Crd::from_json(&one.crd) else {
            continue;
        };
        let (written, name) = (serde_json::to_value(&typed).unwrap(), typed.name());
        let both = [
            Document::decode(&written),
            Document::of_typed_crd(&typed, &name),
        ];
        let [decoded, direct] =
            both.map(|document| (document.validate(NEWEST), document.lint(NEWEST)));
        assert_eq!(direct, decoded, "{}", one.line);
        compared += 1;
    }
    assert!(compared >= TYPED, "{compared}");
}
