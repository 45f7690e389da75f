//! Random objects, valid and broken, compared with verdicts of servers and with handwritten cases.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::dice::Dice;
use super::faults;
use super::field::Field;
use super::valid;
use super::validate::violations;
use crd_channels_schema::Schema;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn schema(value: &Value) -> Schema {
    Schema::from_json(value).unwrap()
}

/// A schema with every keyword.
fn rich() -> Schema {
    schema(&json!({
        "type": "object",
        "required": ["name", "ports"],
        "properties": {
            "name": {"type": "string", "minLength": 2, "maxLength": 9, "pattern": "^[a-z]([-a-z0-9]*[a-z0-9])?$"},
            "ports": {
                "type": "array", "minItems": 1, "maxItems": 4,
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port"],
                "items": {"type": "object", "required": ["port"], "properties": {
                    "port": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 65535},
                    "weight": {"type": "number", "minimum": 0, "exclusiveMinimum": true},
                }},
            },
            "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
            "mode": {"type": "string", "enum": ["On", "Off"]},
            "even": {"type": "integer", "multipleOf": 2},
            "wide": {"type": "integer", "format": "int32"},
            "since": {"type": "string", "format": "date-time"},
            "share": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]},
            "labels": {"type": "object", "minProperties": 1, "maxProperties": 3, "additionalProperties": {"type": "string"}},
            "either": {
                "type": "object",
                "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
                "properties": {"a": {"type": "boolean"}, "b": {"type": "string", "nullable": true}},
            },
        },
    }))
}

#[test]
fn generated_objects_are_valid_and_use_every_field() {
    let schema = rich();
    let mut dice = Dice::new("generated");
    let mut seen = BTreeSet::new();
    for _ in 0..200 {
        let value = valid::value(&schema, &mut dice).unwrap();
        assert_eq!(violations(&schema, &value), [], "{value}");
        seen.extend(value.as_object().unwrap().keys().cloned());
    }
    let fields: BTreeSet<String> = schema.properties.keys().map(ToString::to_string).collect();
    assert_eq!(seen, fields);
}

#[test]
fn faults_are_single_and_of_every_keyword() {
    let schema = rich();
    let mut dice = Dice::new("faults");
    let mut keywords = BTreeSet::new();
    for _ in 0..50 {
        let value = valid::value(&schema, &mut dice).unwrap();
        for broken in faults::all(&schema, &value) {
            assert_eq!(
                violations(&schema, &broken.object),
                std::slice::from_ref(&broken.violation)
            );
            keywords.insert(broken.keyword);
        }
    }
    // `maxItems` is missing: in a list with distinct items it cannot be violated alone.
    let expected = BTreeSet::from([
        "enum",
        "format",
        "maxLength",
        "maximum",
        "minItems",
        "minLength",
        "minimum",
        "multipleOf",
        "pattern",
        "required",
        "type",
        "x-kubernetes-list-type",
    ]);
    assert_eq!(keywords, expected);
}

#[test]
fn chosen_faults_are_of_as_many_keywords_as_there_are() {
    let schema = schema(&json!({"type": "object", "properties": {
        "list": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "integer", "minimum": 1}},
    }}));
    let all = faults::all(&schema, &json!({"list": [1, 2]}));
    let chosen = faults::choose(all, 4, &mut Dice::new("chosen"));
    let keywords: BTreeSet<&str> = chosen.iter().map(|one| one.keyword).collect();
    assert_eq!(
        keywords,
        BTreeSet::from(["maxItems", "minItems", "minimum", "type"])
    );
}

#[test]
fn patterns_of_all_sorts_are_matched() {
    let mut dice = Dice::new("patterns");
    for pattern in [
        "^a$",
        r"^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
        "^([0-9]{1,5}(h|m|s|ms)){1,4}$",
        r"^[^/]+/\d{2}\w?$",
        "(?:x|y)z",
        "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
        "^é[à-ü ]b?$",
        "",
    ] {
        let schema = schema(&json!({"type": "string", "pattern": pattern, "maxLength": 40}));
        for _ in 0..20 {
            let value = valid::value(&schema, &mut dice).unwrap();
            assert_eq!(violations(&schema, &value), [], "{pattern} {value}");
        }
    }
    // Nothing matches: no value is made, and the search ends.
    let schema = schema(&json!({"type": "string", "pattern": "^a{9}$", "maxLength": 3}));
    assert_eq!(valid::value(&schema, &mut dice), None);
}

#[test]
fn fields_are_read_as_servers_write_them() {
    for text in ["spec", "spec.a[0].b", "spec.list[12]"] {
        assert_eq!(Field::parse(text).to_string(), text);
    }
    let mut value = json!({"spec": {"a": [{"b": 1}]}});
    assert_eq!(Field::parse("spec.a[0].b").get(&value), Some(&json!(1)));
    assert_eq!(
        Field::parse("spec.a[0]").remove(&mut value),
        Some(json!({"b": 1}))
    );
    assert_eq!(Field::parse("spec.a[3]").remove(&mut value), None);
    assert_eq!(value, json!({"spec": {"a": []}}));
}
