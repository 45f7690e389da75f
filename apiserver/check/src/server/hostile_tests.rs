//! CRDs with a part removed or replaced: validation always terminates, without a panic and with the same result.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::validate;
use crate::NEWEST;
use crate::skipped::skipped;
use crd_channels_schema::Crd;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Deterministic pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        // A linear congruence; its high bits are good enough.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides.max(1)
    }
}

/// A CRD with nearly all fields.
fn rich() -> Value {
    let field = json!({"type": "string", "default": "a", "pattern": "^a", "format": "hostname", "maxLength": 64,
        "x-kubernetes-validations": [{"rule": "!oldSelf.hasValue() || self == oldSelf.value()", "optionalOldSelf": true, "fieldPath": ""}]});
    let list = json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "maxItems": 16,
        "default": [{"k": "a"}], "items": {"type": "object", "required": ["k"], "properties": {"k": field}}});
    let schema = json!({"type": "object", "properties": {
        "metadata": {"type": "object"},
        "spec": {"type": "object", "default": {"f": "a"}, "properties": {
            "f": field, "l": list,
            "e": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
                "default": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "labels": {"a": "b"}}}},
            "m": {"type": "object", "additionalProperties": {"type": "integer", "maximum": 3}, "default": {"a": 1}},
            "i": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}], "default": 1},
        }, "oneOf": [{"required": ["f"]}, {"not": {"properties": {"f": {"enum": ["a"]}}}}]},
        "status": {"type": "object"}}});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com", "labels": {"a": "b"}, "annotations": {"a/b": "c"},
            "ownerReferences": [{"apiVersion": "v1", "kind": "A", "name": "a", "uid": "u"}]},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"plural": "widgets", "kind": "Widget", "shortNames": ["w"]},
            "conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"],
                "clientConfig": {"url": "https://h/a", "caBundle": "aa=="}}},
            "versions": [{"name": "v1", "served": true, "storage": true, "deprecated": true, "deprecationWarning": "w",
                "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.m", "statusReplicasPath": ".status.r"}},
                "additionalPrinterColumns": [{"name": "a", "type": "string", "jsonPath": ".spec.f"}],
                "selectableFields": [{"jsonPath": ".spec.f"}], "schema": {"openAPIV3Schema": schema}}],
        },
    })
}

/// The replacements for parts.
fn replacements() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(u64::MAX),
        json!(""),
        json!("\u{e9}[.'"),
        json!("((("),
        json!("oldSelf.a[0].?b"),
        json!([]),
        json!({}),
        json!([[]]),
        json!({"": {}}),
        json!({"type": "array"}),
        json!({"$ref": "#"}),
        json!("https://[::1"),
        json!("%"),
        json!("a{1000}{2"),
        json!("\\"),
        json!("[[:"),
    ]
}

/// Every node but the root, as JSON pointers.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    let mut below = |key: &str, value: &Value| {
        let pointer = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        found.push(pointer.clone());
        pointers(value, &pointer, found);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| below(key, value)),
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items
                .by_ref()
                .for_each(|(index, value)| below(&index.to_string(), value));
        }
        _ => {}
    }
}

/// Cuts out or replaces a part.
fn mutate(crd: &mut Value, dice: &mut Dice) {
    let mut all = Vec::new();
    pointers(crd, "", &mut all);
    let Some(pointer) = all.get(dice.roll(all.len())) else {
        return;
    };
    let other = all
        .get(dice.roll(all.len()))
        .and_then(|other| crd.pointer(other))
        .cloned();
    let (above, key) = pointer.rsplit_once('/').unwrap();
    let key = key.replace("~1", "/").replace("~0", "~");
    let new = match dice.roll(4) {
        0 => None,
        1 => other,
        _ => {
            let all = replacements();
            all.get(dice.roll(all.len())).cloned()
        }
    };
    match (crd.pointer_mut(above).unwrap(), new) {
        (Value::Object(fields), None) => drop(fields.remove(&key)),
        (Value::Object(fields), Some(new)) => drop(fields.insert(key, new)),
        (Value::Array(items), None) => drop(items.remove(key.parse().unwrap())),
        (Value::Array(items), Some(new)) => items[key.parse::<usize>().unwrap()] = new,
        _ => panic!("{above} holds nothing"),
    }
}

fn validate_mutants(crds: &[Value], each: usize) -> usize {
    let mut dice = Dice(20_240_229);
    let mut refused = 0;
    for crd in crds {
        for _ in 0..each {
            let mut mutant = crd.clone();
            for _ in 0..=dice.roll(3) {
                mutate(&mut mutant, &mut dice);
            }
            let found = validate(&mutant, NEWEST);
            assert_eq!(found, validate(&mutant, NEWEST));
            refused += usize::from(found.iter().any(|finding| finding.refuses()));
            // Resolving the field of a finding must not panic either.
            if let Ok(typed) = Crd::from_json(&mutant) {
                for finding in &found {
                    let _ = crate::trail(&typed, &finding.field.clone().unwrap_or_default());
                }
            }
        }
    }
    refused
}

#[test]
fn mutants_of_a_rich_crd_are_validated() {
    let rich = rich();
    assert_eq!(validate(&rich, NEWEST), []);
    let count = std::env::var("MUTANTS").map_or(1000, |count| count.parse().unwrap());
    let refused = validate_mutants(&[rich], count);
    println!("{refused} of {count} mutants are refused");
    assert!(refused > count / 5);
}

#[test]
fn mutants_of_the_corpus_are_validated() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/apiserver/crds.jsonl");
    let Ok(text) = std::fs::read_to_string(file) else {
        skipped("the corpus is absent");
        return;
    };
    let crds: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["crd"].take())
        .filter(|crd| crd.to_string().len() < 20_000)
        .collect();
    let refused = validate_mutants(&crds, 30);
    println!("{refused} of {} mutants are refused", crds.len() * 30);
}

#[test]
fn deep_nesting_ends() {
    let mut schema = json!({"type": "object"});
    for _ in 0..200 {
        let inner = Map::from_iter([("a".to_owned(), schema)]);
        schema = Value::Object(Map::from_iter([(
            "properties".to_owned(),
            Value::Object(inner),
        )]));
    }
    let mut crd = rich();
    *crd.pointer_mut("/spec/versions/0/schema/openAPIV3Schema")
        .unwrap() = schema;
    let found = validate(&crd, NEWEST);
    assert!(
        found
            .iter()
            .any(|finding| finding.message.contains("too deep"))
    );
}
