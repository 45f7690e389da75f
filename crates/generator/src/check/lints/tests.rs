//! Every lint with what triggers it and a near miss that does not.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::lint;
use serde_json::{Value, json};

/// The lints that a version calls forth.
fn lints(version: Value) -> Vec<&'static str> {
    let mut whole =
        json!({"name": "v1", "served": true, "storage": true, "subresources": {"status": {}}});
    let fields = whole.as_object_mut().unwrap();
    fields.extend(version.as_object().unwrap().clone());
    let found = lint(&json!({"spec": {"versions": [whole]}}));
    found
        .iter()
        .map(|finding| finding.rule.record().id)
        .collect()
}

fn of_field(field: Value) -> Vec<&'static str> {
    lints(json!({"schema": {"openAPIV3Schema": {"type": "object", "properties": {"f": field}}}}))
}

#[test]
fn versions() {
    let column = |path: &str| {
        json!({"additionalPrinterColumns": [{"name": "a", "type": "string", "jsonPath": path}],
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": {"type": "string"}}}}}}})
    };
    for (trigger, near, id) in [
        (
            json!({"name": "first"}),
            json!({"name": "v2beta1"}),
            "unordered-version",
        ),
        (
            json!({"deprecated": true, "served": false}),
            json!({"deprecated": true}),
            "unseen-deprecation",
        ),
        (
            json!({"subresources": {}, "schema": {"openAPIV3Schema": {"properties": {"status": {"type": "object"}}}}}),
            json!({"schema": {"openAPIV3Schema": {"properties": {"status": {"type": "object"}}}}}),
            "status-without-subresource",
        ),
        (column(".spec.b"), column(".spec.a"), "empty-column"),
        (
            column(".status.a"),
            column(".metadata.labels.a"),
            "empty-column",
        ),
    ] {
        assert_eq!(lints(trigger.clone()), [id], "{trigger}");
        assert_eq!(lints(near.clone()), Vec::<&str>::new(), "{near}");
    }
}

#[test]
fn schemas() {
    for (trigger, near, id) in [
        (
            json!({"type": "integer", "format": "uint32"}),
            json!({"type": "integer", "format": "int32"}),
            "unknown-format",
        ),
        (
            json!({"type": "integer", "format": "date"}),
            json!({"type": "string", "format": "date-time"}),
            "unknown-format",
        ),
        (
            json!({"type": "integer", "minimum": 2, "maximum": 1}),
            json!({"type": "integer", "minimum": 1, "maximum": 1}),
            "impossible-bound",
        ),
        (
            json!({"type": "number", "multipleOf": 0}),
            json!({"type": "number", "multipleOf": 0.5}),
            "impossible-bound",
        ),
        (
            json!({"type": "string", "enum": ["a", 1]}),
            json!({"type": "integer", "enum": [1, 2.0]}),
            "enum-value-type",
        ),
        (
            json!({"type": "string", "nullable": true, "enum": ["a", null]}),
            json!({"type": "string", "nullable": true, "enum": ["a"]}),
            "enum-value-type",
        ),
        (
            json!({"type": "array", "items": {"type": "object"}}),
            json!({"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "atomic"}),
            "untyped-list",
        ),
    ] {
        assert_eq!(of_field(trigger.clone()), [id], "{trigger}");
        assert_eq!(of_field(near.clone()), Vec::<&str>::new(), "{near}");
    }
}
