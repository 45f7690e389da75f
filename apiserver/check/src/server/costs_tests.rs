//! Compares `costs` of whole CRDs with the costs that the server's code computed for their rules.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use super::rows_tests;
use crate::{Document, Rule, SchemaCosts};
use crd_channels_cel::cost::SCHEMA_LIMIT;
use serde_json::{Value, json};

const SCHEMA: &str = include_str!("../../../cel/tests/server/schema.json");
const RULES: &str = include_str!("../../../cel/tests/server/rules.txt");

/// The rules that the server's code compiles, with their costs. New rules cannot use what the newest minor adds.
fn compiled_rules() -> Vec<(u64, &'static str)> {
    let lines = RULES.lines().filter_map(|line| line.split_once('\t'));
    let lines = lines.filter(|(_, rule)| !rule.contains(".includes("));
    lines
        .filter_map(|(verdict, rule)| Some((verdict.parse().ok()?, rule)))
        .collect()
}

fn costs(crd: &Value) -> Vec<SchemaCosts> {
    Document::decode(crd).costs()
}

/// A CRD with these rules on the items of `spec.parts`, a list of at most seven.
fn crd(rules: &[&str]) -> Value {
    let mut items: Value = serde_json::from_str(SCHEMA).unwrap();
    items["x-kubernetes-validations"] = rules.iter().map(|rule| json!({"rule": rule})).collect();
    let parts = json!({"type": "array", "maxItems": 7, "items": items});
    let spec = json!({"type": "object", "properties": {"parts": parts}});
    rows_tests::crd(json!({"type": "object", "properties": {"spec": spec}}))
}

#[test]
fn each_rule_costs_what_the_server_says_times_how_often_its_node_occurs() {
    let compiled = compiled_rules();
    let rules: Vec<&str> = compiled.iter().map(|(_, rule)| *rule).collect();
    let all = costs(&crd(&rules));
    let [version] = all.as_slice() else {
        panic!("{all:?}");
    };
    assert_eq!(version.version, "v1");
    assert_eq!(version.expressions.len(), compiled.len());
    let mut total = 0_u64;
    for (number, (cost, rule)) in compiled.iter().enumerate() {
        let found = &version.expressions[number];
        assert_eq!(
            (found.field.as_str(), found.number, found.text.as_str()),
            ("spec.parts[]", number, *rule)
        );
        assert_eq!((found.once, found.times), (*cost, 7), "{rule}");
        assert_eq!(found.cost, cost.saturating_mul(7), "{rule}");
        total = total.saturating_add(found.cost);
    }
    assert_eq!(version.total, total);
    let sorted = version.dearest_first();
    assert!(sorted.is_sorted_by_key(|one| std::cmp::Reverse(one.cost)));
    assert_eq!(sorted.len(), compiled.len());
}

#[test]
fn findings_are_those_of_the_costs() {
    let compiled = compiled_rules();
    let is_cheap = |(cost, _): &&(u64, &str)| *cost < SCHEMA_LIMIT / 7_000;
    let cheap: Vec<_> = compiled
        .iter()
        .filter(is_cheap)
        .map(|(_, rule)| *rule)
        .collect();
    assert!(cheap.len() > 500, "{}", cheap.len());
    let [version] = costs(&crd(&cheap)).try_into().unwrap();
    assert!(version.findings.is_empty(), "{:?}", version.findings);
    assert!(version.total <= SCHEMA_LIMIT, "{}", version.total);
    let dear = compiled
        .iter()
        .find(|(cost, _)| *cost > SCHEMA_LIMIT)
        .unwrap()
        .1;
    let [version] = costs(&crd(&[cheap[0], dear])).try_into().unwrap();
    let cost = version.dearest_first()[0].cost;
    let refused: Vec<&str> = version
        .findings
        .iter()
        .filter(|finding| finding.rule == Rule::RuleCost)
        .map(|finding| finding.message.as_str())
        .collect();
    assert_eq!(refused.len(), 3, "{refused:?}");
    assert!(
        refused[0].contains(&format!("costs up to {cost},")),
        "{refused:?}"
    );
    assert!(
        refused[2].contains(&format!("cost up to {},", version.total)),
        "{refused:?}"
    );
}
