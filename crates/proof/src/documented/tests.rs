//! Documented differences and mistakes are distinguished.

use super::{Pair, ROWS, Versions, of_panic};
use crate::facts::{by_version, compare};
use semver::Version;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The page has exactly these rows.
#[test]
fn the_page_is_the_list() {
    let page = include_str!("../../../../docs/differences.md");
    let rows: Vec<(&str, &str)> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|line| {
            let (id, rest) = line.split_once("` | ")?;
            Some((id, rest.split(" | ").next().unwrap_or_default()))
        })
        .collect();
    let known: Vec<(&str, &str)> = ROWS.iter().map(|row| (row.id, row.what)).collect();
    assert_eq!(rows, known);
    let ids: BTreeSet<&str> = ROWS.iter().map(|row| row.id).collect();
    assert_eq!(ids.len(), ROWS.len());
}

fn found(read: Value, compiled: Value, kube: &str, schemars: &str) -> Vec<Option<&'static str>> {
    found_in("x", read, compiled, kube, schemars)
}

/// The same for a property of that name.
fn found_in(
    name: &str,
    read: Value,
    compiled: Value,
    kube: &str,
    schemars: &str,
) -> Vec<Option<&'static str>> {
    let crd = |schema: Value| {
        let crd = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "as.b.c"},
            "spec": {
                "group": "b.c", "scope": "Namespaced",
                "names": {"kind": "A", "plural": "as", "singular": "a"},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                    "type": "object", "properties": {"spec": {"type": "object", "properties": {name: schema}}}
                }}}]
            }
        });
        by_version(&crd)[0].1.clone()
    };
    let (read, compiled) = (crd(read), crd(compiled));
    let versions = Versions {
        kube: Version::parse(kube).ok(),
        schemars: Version::parse(schemars).ok(),
    };
    let pair = Pair::new(&read, &compiled, &versions);
    let differences = compare(Some(&read), Some(&compiled)).differences;
    assert!(!differences.is_empty());
    let rows = differences.iter().map(|found| pair.row(found));
    rows.map(|row| row.map(|row| row.id)).collect()
}

#[test]
fn panics_are_told_by_their_words() {
    let row = |one: &str, other: &str| {
        let words = format!(
            "Property \"type\" has the schema {one} but was already defined as {other} in another subschema. The schemas"
        );
        of_panic(&words).map(|row| row.id)
    };
    let schema = |docs: &str, values: &str| {
        format!(
            "Object(SchemaObject {{ metadata: {docs}, instance_type: Some(Single(String)), enum_values: {values}, .. }})"
        )
    };
    let (a, b) = ("Some([String(\"A\")])", "Some([String(\"B\")])");
    assert_eq!(
        row(&schema("None", a), &schema("None", b)),
        Some("tagged-enum")
    );
    assert_eq!(
        row(&schema("Some(1)", "None"), &schema("None", "None")),
        Some("variant-docs")
    );
    assert_eq!(
        row(&schema("None", a), &schema("None", "None")),
        Some("adjacent-enum")
    );
    let json =
        "Error(\"invalid type: boolean `true`, expected JSONSchemaProps\", line: 0, column: 0)";
    assert_eq!(of_panic(json).map(|row| row.id), Some("any-json"));
    assert_eq!(of_panic("index out of bounds"), None);
}

#[test]
fn rows_are_told_from_mistakes() {
    let new = |read, compiled| found(read, compiled, "5.0.0", "1.2.3");
    let old = |read, compiled| found(read, compiled, "0.92.0", "0.8.21");
    let keeps = json!({"x-kubernetes-preserve-unknown-fields": true});
    assert_eq!(new(keeps.clone(), json!({})), [Some("any-json")]);
    assert_eq!(new(keeps, json!({"type": "object"})), [None, None]);
    assert_eq!(
        new(
            json!({"type": "string", "minLength": 1}),
            json!({"type": "string", "minLength": 2})
        ),
        [None]
    );
    let branches = json!([{"type": "integer"}, {"type": "string"}]);
    let rows = new(
        json!({"x-kubernetes-int-or-string": true}),
        json!({"anyOf": branches}),
    );
    assert_eq!(rows, [Some("untagged-scalars"); 2]);
    let lists = json!([{"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "string"}}]);
    let list = json!({"type": "array", "items": {"type": "string"}});
    let rows = new(list.clone(), json!({"anyOf": lists}));
    assert_eq!(rows, [Some("untagged-scalars"); 3]);
    let object = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let rows = new(object, json!({"anyOf": lists}));
    assert!(rows.contains(&None), "{rows:?}");
    let nullable = |values: Value| json!({"type": "object", "nullable": true, "anyOf": values, "properties": {"a": {"type": "string"}}});
    let beside = json!({"type": "object", "anyOf": [{"required": ["a"]}, {"nullable": true}], "properties": {"a": {"type": "string"}}});
    let rows = new(nullable(beside["anyOf"].clone()), beside.clone());
    assert_eq!(rows, [Some("nullable-branches")]);
    let without = json!({"type": "object", "anyOf": [{"required": ["a"]}], "properties": {"a": {"type": "string"}}});
    assert_eq!(new(nullable(without["anyOf"].clone()), without), [None]);
    let checks = json!([{"minLength": 1}, {"maxLength": 3}]);
    let rows = new(
        json!({"type": "string", "nullable": true, "allOf": checks}),
        json!({"nullable": true, "allOf": checks}),
    );
    assert_eq!(rows, [Some("lost-types")]);
    let typed =
        json!([{"type": "object", "required": ["a"]}, {"type": "object", "required": ["b"]}]);
    let rows = new(
        json!({"type": "object", "oneOf": [{"required": ["a"]}], "maxProperties": 1, "required": ["b"]}),
        json!({"type": "object", "oneOf": typed}),
    );
    assert!(rows.contains(&Some("alternatives")), "{rows:?}");
    assert_eq!(
        rows.iter().filter(|row| row.is_none()).count(),
        1,
        "{rows:?}"
    );
    let rows = new(
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "x-kubernetes-preserve-unknown-fields": true}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}}),
    );
    assert_eq!(rows, [Some("flattened-map"); 2]);
    let rows = new(
        list.clone(),
        json!({"type": "array", "items": {"type": "string"}, "anyOf": [], "$schema": "x"}),
    );
    assert_eq!(rows, [Some("false-keywords"); 2]);
    assert_eq!(
        new(
            list.clone(),
            json!({"type": "array", "items": {"type": "string"}, "anyOf": [{"minItems": 1}]})
        ),
        [None]
    );
    let rows = new(
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"type": "object", "additionalProperties": false, "patternProperties": {"^\\d+$": {"type": "string"}}}),
    );
    assert_eq!(rows, [Some("integer-keys"); 2]);
    let titled = |title| json!({"type": "object", "oneOf": [{"required": ["a"], "title": title}]});
    let untitled = json!({"type": "object", "oneOf": [{"required": ["a"]}]});
    assert_eq!(new(untitled, titled("A")), [Some("variant-titles")]);
    assert_eq!(new(titled("B"), titled("A")), [None]);
    let flagged = |nullable| json!({"type": "string", "nullable": nullable});
    let plain = json!({"type": "string"});
    assert_eq!(new(plain.clone(), flagged(false)), [Some("false-keywords")]);
    assert_eq!(new(plain.clone(), flagged(true)), [None]);
    assert_eq!(new(flagged(true), plain), [None]);
    let lines = json!({"type": "string", "description": "One\ntwo."});
    let joined = json!({"type": "string", "description": "One two."});
    assert_eq!(old(lines.clone(), joined.clone()), [Some("joined-lines")]);
    assert_eq!(new(lines, joined), [None]);
    let bounded = json!({"type": "integer", "format": "uint16", "minimum": 0, "maximum": 65535});
    let open = json!({"type": "integer", "format": "uint16", "minimum": 0});
    assert_eq!(old(bounded.clone(), open), [Some("small-integers")]);
    let other = json!({"type": "integer", "format": "uint16", "minimum": 0, "maximum": 9});
    assert_eq!(old(bounded, other), [None]);
    let with_null = json!({"type": "string", "enum": ["a", null], "nullable": true});
    let without = json!({"type": "string", "enum": ["a"], "nullable": true});
    assert_eq!(old(with_null.clone(), without.clone()), [Some("enum-null")]);
    assert_eq!(new(with_null, without), [None]);
    let listed = |values| json!({"type": "string", "enum": values});
    let (few, more) = (listed(json!(["a"])), listed(json!(["a", "null"])));
    let oldest = found(few.clone(), more.clone(), "0.88.0", "0.8.10");
    assert_eq!(oldest, [Some("edited-enum")]);
    assert_eq!(old(few.clone(), more.clone()), [None]);
    assert_eq!(found(more, few, "0.88.0", "0.8.10"), [None]);
    let untagged = |text: Value| {
        let property = json!({"type": "string", "description": text});
        json!({"type": "object", "anyOf": [{"required": ["a"]}], "properties": {"a": property}})
    };
    let undocumented = json!({"type": "object", "anyOf": [{"required": ["a"]}], "properties": {"a": {"type": "string"}}});
    let moved = untagged(json!("Text."));
    assert_eq!(
        old(undocumented.clone(), moved.clone()),
        [Some("untagged-docs")]
    );
    assert_eq!(old(moved.clone(), undocumented.clone()), [None]);
    assert_eq!(new(undocumented, moved), [None]);
    let not_zero = json!({"type": "integer", "not": {"enum": [0]}});
    let nothing = json!({"type": "integer", "not": {}});
    assert_eq!(
        old(not_zero.clone(), nothing.clone()),
        [Some("signed-non-zero")]
    );
    assert_eq!(new(not_zero, nothing), [None]);
    let ruled = |rules| json!({"type": "object", "x-kubernetes-validations": rules});
    let plain = json!({"type": "object"});
    assert_eq!(old(plain.clone(), ruled(json!([]))), [Some("empty-rules")]);
    assert_eq!(new(plain.clone(), ruled(json!([]))), [None]);
    assert_eq!(old(plain, ruled(json!([{"rule": "true"}]))), [None]);
}

#[test]
fn names_with_dots_and_brackets_are_not_taken_apart() {
    let keeps = json!({"x-kubernetes-preserve-unknown-fields": true});
    for name in ["a.b", "a].b", "a.not.b", "a.properties[b", "a].items"] {
        let rows = found_in(name, keeps.clone(), json!({}), "5.0.0", "1.2.3");
        assert_eq!(rows, [Some("any-json")], "{name}");
    }
}
