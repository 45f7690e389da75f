//! Pages show every keyword of a schema: changing one changes the page.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use crd_channels_compat::{Set, read};
use crd_channels_reference::{Api, KindPage, Look, Presence, Release, kind_page, lives, markdown};
use crd_channels_schema::KEYWORDS;
use serde_json::{Value, json};

/// The CRD with this schema for `spec`, in a release.
fn release(name: &str, spec: &Value) -> Release {
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "beds.example.dev"},
        "spec": {
            "group": "example.dev",
            "names": {"plural": "beds", "kind": "Bed"},
            "scope": "Namespaced",
            "versions": [{
                "name": "v1",
                "served": true,
                "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
            }],
        },
    });
    let mut set = Set::default();
    set.insert_flat(read::texts(&crd.to_string()).unwrap())
        .unwrap();
    Release {
        name: name.to_owned(),
        set,
        ..Release::default()
    }
}

fn page_of(api: &Api) -> KindPage {
    let name = "beds.example.dev";
    kind_page(api, name, &lives(api, name)).unwrap()
}

fn page(spec: &Value) -> KindPage {
    let api = Api {
        releases: vec![release("v1", spec)],
        ..Api::default()
    };
    page_of(&api)
}

/// A schema without the keyword, and two different values of it.
fn samples(keyword: &str) -> (Value, Value, Value) {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    let list = json!({"type": "array", "items": {"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}});
    let object =
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}});
    let bounded = json!({"type": "integer", "minimum": 1, "maximum": 5});
    match keyword {
        "additionalProperties" => (
            json!({"type": "object"}),
            json!({"type": "string"}),
            json!(true),
        ),
        "allOf" | "anyOf" | "oneOf" => (
            object,
            json!([{"required": ["a"]}]),
            json!([{"required": ["a"], "properties": {"a": {"minLength": 2}}}]),
        ),
        "not" => (
            object,
            json!({"required": ["a"]}),
            json!({"required": ["a"], "properties": {"a": {"minLength": 2}}}),
        ),
        "default" => (text, json!("a"), json!("b")),
        "description" | "title" => (text, json!("One."), json!("Two.")),
        "enum" => (text, json!(["a"]), json!(["a", "b"])),
        "example" => (text, json!("a"), json!("b")),
        "exclusiveMaximum" | "exclusiveMinimum" => (bounded, json!(false), json!(true)),
        "externalDocs" => (
            text,
            json!({"url": "https://a.example"}),
            json!({"url": "https://a.example", "description": "More."}),
        ),
        "format" => (text, json!("date"), json!("uuid")),
        "items" => (
            json!({"type": "array"}),
            json!({"type": "string"}),
            json!({"type": "string", "minLength": 1}),
        ),
        "maxItems" | "minItems" => (list, json!(1), json!(2)),
        "maxLength" | "minLength" => (text, json!(1), json!(2)),
        "maxProperties" | "minProperties" => (object, json!(1), json!(2)),
        "maximum" | "minimum" | "multipleOf" => (number, json!(1), json!(2)),
        "nullable" => (text, json!(false), json!(true)),
        "pattern" => (text, json!("a"), json!("b")),
        "properties" => (
            json!({"type": "object"}),
            json!({"a": {}}),
            json!({"a": {}, "b": {}}),
        ),
        "required" => (object, json!(["a"]), json!(["a", "c"])),
        "type" => (json!({}), json!("string"), json!("object")),
        "x-kubernetes-embedded-resource" | "x-kubernetes-preserve-unknown-fields" => {
            (object, json!(false), json!(true))
        }
        "x-kubernetes-int-or-string" => (json!({}), json!(false), json!(true)),
        "x-kubernetes-list-map-keys" => (
            json!({"type": "array", "x-kubernetes-list-type": "map", "items": {"type": "object"}}),
            json!(["a"]),
            json!(["a", "b"]),
        ),
        "x-kubernetes-list-type" => (list, json!("atomic"), json!("set")),
        "x-kubernetes-map-type" => (object, json!("granular"), json!("atomic")),
        "x-kubernetes-validations" => (
            object,
            json!([{"rule": "has(self.a)"}]),
            json!([{"rule": "has(self.a)", "reason": "FieldValueRequired"}]),
        ),
        other => panic!("`{other}` has no sample"),
    }
}

/// Two values differ, and each differs from none, unless it says what servers take for granted.
#[test]
fn every_keyword_says_something() {
    let said = |schema: &Value| {
        let page = page(schema);
        format!("{:?}", page.versions[0].fields)
    };
    for keyword in KEYWORDS {
        let (without, one, other) = samples(keyword);
        let with = |value: Value| {
            let mut schema = without.clone();
            schema[*keyword] = value;
            said(&schema)
        };
        let without = said(&without);
        let is_implied = one == json!(false) || one == json!("atomic");
        assert_eq!(without == with(one.clone()), is_implied, "{keyword}: {one}");
        assert_ne!(with(one), with(other), "{keyword}");
    }
}

/// Every key of a rule is said.
#[test]
fn every_part_of_a_rule_says_something() {
    let rule = json!({
        "rule": "self == oldSelf",
        "message": "is fixed",
        "messageExpression": "'is ' + string(self)",
        "reason": "FieldValueForbidden",
        "fieldPath": ".a",
        "optionalOldSelf": true,
    });
    let said = |rule: &Value| {
        let page = page(&json!({"type": "integer", "x-kubernetes-validations": [rule]}));
        format!("{:?}", page.versions[0].fields)
    };
    for key in rule
        .as_object()
        .unwrap()
        .keys()
        .filter(|key| *key != "rule")
    {
        let mut less = rule.clone();
        less.as_object_mut().unwrap().remove(key);
        assert_ne!(said(&rule), said(&less), "{key}");
    }
}

/// What is written is shown, even if the comparison of CRDs takes it for nothing.
#[test]
fn facts_are_those_that_are_written() {
    let page = page(&json!({"type": "string", "minLength": 0, "enum": ["b", "a"]}));
    let spec = &page.versions[0].fields[1];
    assert_eq!(spec.facts[0].fact.words, "at least 0 characters");
    let values: Vec<&str> = spec.values.iter().map(|value| &*value.value).collect();
    assert_eq!(values, ["\"b\"", "\"a\""]);
}

#[test]
fn a_field_that_comes_back_has_its_whole_life() {
    let with = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let without = json!({"type": "object"});
    let deprecated = json!({"type": "object", "properties": {"a": {"type": "string", "description": "A.\n\nDeprecated: use b"}}});
    let specs = [&with, &with, &without, &with, &deprecated];
    let releases = specs.iter().enumerate();
    let api = Api {
        releases: releases
            .map(|(number, spec)| release(&format!("v{number}"), spec))
            .collect(),
        ..Api::default()
    };
    let page = page_of(&api);
    let field = page.versions[0]
        .fields
        .iter()
        .find(|row| row.path == "spec.a")
        .unwrap();
    let life: Vec<(&str, Presence)> = field
        .life
        .iter()
        .map(|step| (&*step.release, step.presence))
        .collect();
    assert_eq!(
        life,
        [
            ("v0", Presence::Stable),
            ("v2", Presence::Removed),
            ("v3", Presence::Stable),
            ("v4", Presence::Deprecated),
        ]
    );
}

/// Without an enum every value is allowed: neither is a value new that a field's first enum lists, nor gone with its last one.
#[test]
fn a_field_that_gets_an_enum_has_no_new_values() {
    let of = |values: Value| json!({"type": "object", "properties": {"a": {"type": "string", "enum": values}}});
    let specs = [
        of(json!([])),
        of(json!(["x"])),
        of(json!(["x", "y"])),
        of(json!([])),
    ];
    let releases = specs.iter().enumerate();
    let api = Api {
        releases: releases
            .map(|(number, spec)| release(&format!("v{number}"), spec))
            .collect(),
        ..Api::default()
    };
    let pages = markdown(&api, &Look::default());
    let changes: Vec<&str> = pages["changes.md"]
        .lines()
        .filter(|line| line.starts_with("## ") || line.starts_with("- "))
        .collect();
    assert_eq!(
        changes,
        [
            "## v3",
            "- Bed v1 `spec.a`: no longer restricted to `x`, `y`. Breaks clients that read",
            "- [`v1.spec.a`](beds.example.dev.md#v1.spec.a) is no longer limited to values",
            "## v2",
            "- Bed v1 `spec.a`: `y` added to the enum. Breaks clients that read",
            "- [`v1.spec.a`](beds.example.dev.md#v1.spec.a): value `\"y\"` came back as stable",
            "## v1",
            "- Bed v1 `spec.a`: only `x` accepted from now on. Breaks stored objects, manifests and clients that write",
            "- [`v1.spec.a`](beds.example.dev.md#v1.spec.a) became limited to values",
            "## v0",
            "- [`v1`](beds.example.dev.md#v1) appeared as stable",
        ]
    );
}

#[test]
fn a_rule_that_costs_much_says_how_much() {
    let rule = "self.all(a, self.all(b, a == b || a != b))";
    let words = |list: u64, map: u64| {
        let strings = json!({
            "type": "array",
            "maxItems": list,
            "items": {"type": "string", "maxLength": 10},
            "x-kubernetes-validations": [{"rule": "true"}, {"rule": rule}],
        });
        let page = page(&json!({
            "type": "object",
            "properties": {"many": {
                "type": "object",
                "maxProperties": map,
                "additionalProperties": strings,
            }},
        }));
        let rows = &page.versions[0].fields;
        let row = rows.iter().find(|row| row.path == "spec.many{}").unwrap();
        let rules = row.facts.iter().filter(|said| said.fact.name == "rule");
        rules
            .map(|said| said.fact.words.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(words(2, 1), ["has to satisfy"; 2]);
    // Twice as many of them cost twice as much.
    let percent = |words: &[String]| -> u64 {
        let (_, cost) = words[1].split_once("has to satisfy (may cost ").unwrap();
        cost.strip_suffix(" % of what servers allow)")
            .unwrap()
            .parse()
            .unwrap()
    };
    let (few, many) = (words(200, 2), words(200, 4));
    assert_eq!([&few[0], &many[0]], ["has to satisfy"; 2]);
    assert!(percent(&few) > 3, "{few:?}");
    let twice = percent(&few) * 2;
    assert!(
        (twice..=twice + 1).contains(&percent(&many)),
        "{few:?} {many:?}"
    );
}
