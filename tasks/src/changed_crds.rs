//! Tries randomly changed CRDs on a real API server: its verdict, reasons and fields are those of `check`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use super::objects::dice::Dice;
use super::verdicts::{Verdict, verdict};
use crate::tried_server::started_or_skipped;
use crd_channels_check::NEWEST;
use crd_channels_envtest::http::Answer;
use crd_channels_released::documents;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The number of CRDs to try.
const WANTED: u64 = 2_000;

const DRY_RUN: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Warn";

/// The keywords to set in a schema: with valid values, with invalid ones, and keywords that JSON Schema does not have.
fn keywords() -> Vec<(&'static str, Value)> {
    let rule = |text: &str| json!([{"rule": text}]);
    vec![
        ("type", json!("string")),
        ("type", json!("object")),
        ("type", json!("any")),
        ("format", json!("int32")),
        ("format", json!("date-time")),
        ("default", json!({})),
        ("default", json!("a")),
        ("default", json!(1)),
        ("default", json!([{"a": "x"}])),
        ("default", json!({"kind": "Pod", "zz": null})),
        ("enum", json!(["a", 1])),
        ("nullable", json!(true)),
        ("title", json!("t")),
        ("pattern", json!("^a$")),
        ("pattern", json!("(?=a)")),
        ("minimum", json!(1.5)),
        ("maxLength", json!(5)),
        ("maxLength", json!(1.0)),
        ("maxItems", json!(2)),
        ("uniqueItems", json!(true)),
        ("required", json!(["a"])),
        (
            "properties",
            json!({"a": {"type": "string"}, "metadata": {"type": "object"}}),
        ),
        ("properties", json!({"a": {}})),
        (
            "items",
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}),
        ),
        ("items", json!([{"type": "string"}])),
        ("additionalProperties", json!({"type": "string"})),
        ("additionalProperties", json!(false)),
        ("allOf", json!([{"properties": {"b": {"minLength": 1}}}])),
        ("anyOf", json!([{"type": "integer"}, {"type": "string"}])),
        ("oneOf", json!([{"required": ["a"]}, {"description": "d"}])),
        ("not", json!({"items": {"enum": [1]}})),
        ("$ref", json!("#/a")),
        ("id", json!("x")),
        ("definitions", json!({"a": {"type": "string"}})),
        ("dependencies", json!({"a": ["b"]})),
        ("x-kubernetes-preserve-unknown-fields", json!(true)),
        ("x-kubernetes-preserve-unknown-fields", json!(false)),
        ("x-kubernetes-embedded-resource", json!(true)),
        ("x-kubernetes-int-or-string", json!(true)),
        ("x-kubernetes-list-type", json!("set")),
        ("x-kubernetes-list-type", json!("map")),
        ("x-kubernetes-list-map-keys", json!(["a"])),
        ("x-kubernetes-map-type", json!("atomic")),
        ("x-kubernetes-validations", rule("true")),
        ("x-kubernetes-validations", rule("self == oldSelf")),
        ("x-kubernetes-validations", rule("self +")),
        (
            "x-kubernetes-validations",
            json!([{"rule": "true", "fieldPath": ".a", "reason": "FieldValueRequired"}]),
        ),
        (
            "x-kubernetes-validations",
            json!([{"rule": " ", "message": "a\nb", "optionalOldSelf": true}]),
        ),
    ]
}

/// The values to set elsewhere.
fn values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(""),
        json!("a"),
        json!("A b"),
        json!("x".repeat(300)),
        json!([]),
        json!(["a", "a"]),
        json!({}),
        json!({"a": 1}),
        json!(".spec"),
        json!("Webhook"),
    ]
}

/// Collects the pointers to every node except the root, and separately those to schemas.
fn pointers(value: &Value, at: &str, all: &mut Vec<String>, schemas: &mut Vec<String>) {
    let is_schema = [
        "/openAPIV3Schema",
        "/items",
        "/not",
        "/additionalProperties",
    ]
    .iter()
    .any(|end| at.ends_with(end));
    let above = at.rsplit('/').nth(1).unwrap_or_default();
    let is_named = matches!(above, "properties" | "allOf" | "anyOf" | "oneOf");
    if at.contains("/openAPIV3Schema") && (is_schema || is_named) && value.is_object() {
        schemas.push(at.to_owned());
    }
    if !at.is_empty() && !matches!(at, "/kind" | "/apiVersion") {
        all.push(at.to_owned());
    }
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                pointers(value, &format!("{at}/{name}"), all, schemas);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                pointers(value, &format!("{at}/{index}"), all, schemas);
            }
        }
        _ => {}
    }
}

/// Makes one change.
fn change(crd: &mut Value, dice: &mut Dice) {
    let (mut all, mut schemas) = (Vec::new(), Vec::new());
    pointers(crd, "", &mut all, &mut schemas);
    if !schemas.is_empty() && dice.roll(3) > 0 {
        let schema = &schemas[dice.roll(schemas.len())];
        let mut keywords = keywords();
        let (keyword, value) = keywords.swap_remove(dice.roll(keywords.len()));
        crd.pointer_mut(schema).unwrap()[keyword] = value;
        return;
    }
    if all.is_empty() {
        return;
    }
    let pointer = &all[dice.roll(all.len())];
    if dice.roll(3) > 0 {
        let mut values = values();
        *crd.pointer_mut(pointer).unwrap() = values.swap_remove(dice.roll(values.len()));
        return;
    }
    let (above, key) = pointer.rsplit_once('/').unwrap();
    match crd.pointer_mut(above).unwrap() {
        Value::Object(fields) => {
            fields.remove(&key.replace("~1", "/").replace("~0", "~"));
        }
        Value::Array(items) => {
            items.remove(key.parse().unwrap());
        }
        _ => {}
    }
}

/// Returns how the two verdicts differ, if they do.
fn difference(crd: &Value, answer: &Answer) -> Option<String> {
    let ours = Verdict::of_check(crd, NEWEST);
    let theirs = verdict(answer);
    let status = answer.status;
    (!ours.is_that_of(&theirs))
        .then(|| format!("{status}\nours {ours:?}\ntheirs {theirs:?}\n{crd}"))
}

#[test]
fn a_server_says_of_changed_crds_what_check_says() {
    let Some(server) = started_or_skipped() else {
        return;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated/experimental");
    let mut crds = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let documents = documents::parse(&text).unwrap().into_iter();
        crds.extend(documents.filter(|document| document["kind"] == "CustomResourceDefinition"));
    }
    crds.sort_by_key(|crd| crd["metadata"]["name"].to_string());
    assert!(!crds.is_empty());
    let mut answers: BTreeMap<u16, usize> = BTreeMap::new();
    let mut differences = Vec::new();
    for seed in 0..WANTED {
        let mut dice = Dice::new(&format!("changed {seed}"));
        let mut crd = crds[dice.roll(crds.len())].clone();
        for _ in 0..=dice.roll(2) {
            change(&mut crd, &mut dice);
        }
        let answer = server.api.post(DRY_RUN, &crd);
        let answer = answer.unwrap_or_else(|failure| panic!("{failure}"));
        *answers.entry(answer.status).or_default() += 1;
        differences.extend(difference(&crd, &answer));
    }
    println!("{WANTED} changed CRDs by the server's answer: {answers:?}");
    differences.sort_by_key(String::len);
    assert!(
        differences.is_empty(),
        "{} differ, such as\n{}",
        differences.len(),
        differences[0]
    );
}
