//! The answers of a real API server to randomly changed CRDs, each reduced to the relevant part.

#![allow(clippy::indexing_slicing, reason = "tests")]

use super::rows_tests::{crd, expect};
use serde_json::{Value, json};

const SPEC: &str = "spec.validation.openAPIV3Schema.properties[spec]";

/// A CRD whose `spec` has that schema.
fn spec(schema: Value) -> Value {
    crd(json!({"type": "object", "properties": {"spec": schema}}))
}

/// The reason and the path below `spec` of each refusal.
fn answer(schema: Value, refusals: &[(&str, &str)]) {
    let refusals: Vec<String> = refusals
        .iter()
        .map(|(reason, below)| format!("{reason} {SPEC}{below}"))
        .collect();
    let refusals: Vec<&str> = refusals.iter().map(String::as_str).collect();
    expect(&spec(schema), &refusals);
}

fn with(mut schema: Value, keyword: &str, value: Value) -> Value {
    schema[keyword] = value;
    schema
}

#[test]
fn rules_below_rules_need_types_all_the_way() {
    let rules = json!([{"rule": "true"}]);
    let ruled = json!({"type": "string", "x-kubernetes-validations": rules});
    let lost = |place: &str| format!(".properties[f]{place}.x-kubernetes-validations");
    let untyped = json!({"x-kubernetes-preserve-unknown-fields": true});
    for (above, keyword, place, fault) in [
        (&untyped, "properties", ".properties[c]", true),
        (&untyped, "items", ".items", true),
        (
            &untyped,
            "additionalProperties",
            ".additionalProperties",
            true,
        ),
        (&json!({"type": "number"}), "properties", "", false),
        (&json!({"type": "number"}), "items", ".items", true),
        (&json!({"type": "object"}), "items", ".items", true),
        (&json!({"type": "object"}), "properties", "", false),
        (
            &json!({"x-kubernetes-int-or-string": true}),
            "items",
            ".items",
            true,
        ),
    ] {
        let below = match keyword {
            "properties" => json!({"c": ruled}),
            _ => ruled.clone(),
        };
        let f = with(above.clone(), keyword, below);
        let plain = json!({"type": "object", "properties": {"f": f}});
        answer(plain.clone(), &[]);
        let place = lost(place);
        let refusal = [("InternalError", place.as_str())];
        let refusals = if fault { &refusal[..] } else { &[] };
        answer(
            with(plain, "x-kubernetes-validations", rules.clone()),
            refusals,
        );
    }
}

#[test]
fn defaults_are_validated_by_the_rules_that_can_see_them() {
    let rule = |text: &str| json!([{"rule": text}]);
    // Nodes without a type are left out.
    answer(
        json!({"type": "object", "default": {"f": "12"}, "properties": {
            "f": {"x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-validations": rule("true")}}}),
        &[("InternalError", ".properties[f].x-kubernetes-validations")],
    );
    // A rule that does not compile is reported at the default only.
    let wrong = |default: Value| {
        let schema = json!({"type": "string", "x-kubernetes-validations": rule("cel.bind(x, self, x == 'a')")});
        let schema = if default.is_null() {
            schema
        } else {
            with(schema, "default", default)
        };
        json!({"type": "object", "properties": {"f": schema}})
    };
    answer(wrong(json!("a")), &[("Invalid", ".properties[f].default")]);
    answer(
        wrong(Value::Null),
        &[("Invalid", ".properties[f].x-kubernetes-validations[0].rule")],
    );
    let either = |default: Value, text: &str| {
        json!({"type": "object", "properties": {"f": {
            "x-kubernetes-int-or-string": true, "default": default, "x-kubernetes-validations": rule(text)}}})
    };
    let faults = [("Invalid", ".properties[f].default")];
    answer(either(json!(["a"]), "type(self) == int"), &faults);
    answer(either(json!(true), "self == 1"), &faults);
    answer(either(json!(1.5), "self == 1"), &faults);
    answer(either(json!(true), "true"), &[]);
    answer(either(json!(1), "self == 1"), &[]);
}

#[test]
fn a_default_that_breaks_a_rule_is_refused_at_the_rules_field() {
    let schema = |path: &str| {
        json!({"type": "object", "default": {"a": "x"}, "properties": {
            "a": {"type": "string"}, "b.c": {"type": "string"},
            "m": {"type": "object", "additionalProperties": {"type": "string"}},
            "o": {"type": "object", "properties": {"p q": {"type": "string"}}}},
            "x-kubernetes-validations": [{"rule": "self.a != 'x'", "fieldPath": path}]})
    };
    for (path, field) in [
        (".a", ".default.a"),
        ("['a']", ".default.a"),
        ("['b.c']", ".default.b.c"),
        (".m.k", ".default.m[k]"),
        (".m['x y']", ".default.m[x y]"),
        (".o['p q']", ".default.o.p q"),
    ] {
        answer(schema(path), &[("Invalid", field)]);
    }
    answer(
        schema(".zz"),
        &[
            ("Invalid", ".default"),
            ("Invalid", ".x-kubernetes-validations[0].fieldPath"),
        ],
    );
}

#[test]
fn selectable_fields_are_read_beside_a_schema_that_cannot_be() {
    for (path, refusal) in [
        ("spec", Some("Invalid")),
        (".", Some("Invalid")),
        ("", Some("Required")),
        (".spec", None),
    ] {
        let mut crd = spec(json!({"type": "string", "id": "x"}));
        crd["spec"]["versions"][0]["selectableFields"] = json!([{"jsonPath": path}]);
        let refusal = refusal.map(|reason| format!("{reason} spec.selectableFields[0].jsonPath"));
        let id = format!("Forbidden {SPEC}.id");
        let expected: Vec<&str> = [id.as_str(), "Invalid spec.schema.openAPIV3Schema"]
            .into_iter()
            .chain(refusal.as_deref())
            .collect();
        expect(&crd, &expected);
    }
}

#[test]
fn integers_or_strings_may_say_what_is_nothing() {
    let branches = |keyword: &str, value: Value| {
        json!({"x-kubernetes-int-or-string": true, "anyOf": [
            {"type": "integer"}, with(json!({"type": "string"}), keyword, value)]})
    };
    for (keyword, value) in [
        ("items", json!(true)),
        ("items", json!([])),
        ("additionalProperties", json!(false)),
        ("uniqueItems", json!(false)),
        ("enum", json!([])),
    ] {
        answer(branches(keyword, value), &[]);
    }
    let types = [
        ("Forbidden", ".anyOf[0].type"),
        ("Forbidden", ".anyOf[1].type"),
    ];
    answer(branches("minLength", json!(1)), &types);
}

#[test]
fn selectable_fields_are_read_without_a_schema() {
    let mut crd = crd(json!(null));
    crd["spec"]["versions"][0]["selectableFields"] = json!([{"jsonPath": ""}]);
    expect(
        &crd,
        &[
            "Required spec.selectableFields[0].jsonPath",
            "Required spec.versions[0].schema.openAPIV3Schema",
        ],
    );
}

#[test]
fn times_in_defaults_are_compared() {
    let schema = |rule: &str| {
        json!({"type": "string", "format": "date-time", "default": "1970-01-01T00:00:00Z",
            "x-kubernetes-validations": [{"rule": rule}]})
    };
    answer(schema("self != oldSelf"), &[("Invalid", ".default")]);
    answer(schema("self == oldSelf"), &[]);
    answer(
        schema("self > timestamp('2020-01-01T00:00:00Z')"),
        &[("Invalid", ".default")],
    );
}

#[test]
fn a_rule_that_ends_in_an_error_at_a_default_has_no_reason_of_its_own() {
    let schema = |rule: &str| {
        let rule = json!({"rule": rule, "reason": "FieldValueRequired", "fieldPath": ".a"});
        json!({
            "type": "object",
            "default": {"a": "x"},
            "properties": {"a": {"type": "string"}},
            "x-kubernetes-validations": [rule],
        })
    };
    answer(schema("self.a == 'y'"), &[("Required", ".default.a")]);
    answer(schema("[self.a][1] == 'y'"), &[("Invalid", ".default")]);
}
