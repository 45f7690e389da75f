//! Rows of the server's rules that no case of the corpus covers, each with a near miss.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::validate;
use crate::NEWEST;
use crate::finding::Reason;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) fn crd(schema: Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
}

/// The errors of a CRD: reasons and fields.
fn refusals(crd: &Value) -> BTreeSet<String> {
    let refused = validate(crd, NEWEST)
        .into_iter()
        .filter(|finding| finding.refuses());
    refused
        .map(|finding| {
            let reason = finding.reason.map_or("decode", Reason::name);
            let reason = reason.trim_start_matches("FieldValue");
            format!("{reason} {}", finding.field.unwrap_or_default())
        })
        .collect()
}

fn set(pointer: &str, value: Value) -> Value {
    let mut crd = crd(
        json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "color": {"type": "string"}}}}}),
    );
    let (above, key) = pointer.rsplit_once('/').unwrap();
    let above = crd.pointer_mut(above).unwrap().as_object_mut().unwrap();
    above.insert(key.to_owned(), value);
    crd
}

pub(super) fn expect(crd: &Value, expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|text| (*text).to_owned()).collect();
    assert_eq!(refusals(crd), expected, "{crd}");
}

#[test]
fn fields_of_the_crd() {
    let one = |pointer: &str, bad: Value, refusal: &str, good: Value| {
        expect(&set(pointer, bad), &[refusal]);
        expect(&set(pointer, good), &[]);
    };
    let v = "/spec/versions/0";
    one(
        "/metadata/labels",
        json!({"a b": ""}),
        "Invalid metadata.labels",
        json!({"a/b": ""}),
    );
    one(
        "/metadata/labels",
        json!({"a": "b c"}),
        "Invalid metadata.labels",
        json!({"a": "B.c"}),
    );
    one(
        "/metadata/annotations",
        json!({"a/": ""}),
        "Invalid metadata.annotations",
        json!({"A/b": ""}),
    );
    one(
        "/metadata/annotations",
        json!({"a": "x".repeat(262_144)}),
        "TooLong metadata.annotations",
        json!({"a": "x".repeat(262_143)}),
    );
    one(
        "/metadata/finalizers",
        json!(["a b"]),
        "Invalid metadata.finalizers",
        json!(["a.b/c"]),
    );
    one(
        "/metadata/generateName",
        json!("w"),
        "Invalid metadata.generateName",
        json!(""),
    );
    one(
        "/metadata/creationTimestamp",
        json!("now"),
        "decode ",
        json!("2024-01-01T00:00:00Z"),
    );
    one(
        "/metadata/ownerReferences",
        json!([{"apiVersion": "v1", "kind": "K", "name": "n"}]),
        "Required metadata.ownerReferences[0].uid",
        json!([{"apiVersion": "v1", "kind": "K", "name": "n", "uid": "u"}]),
    );
    one(
        "/spec/preserveUnknownFields",
        json!(true),
        "Invalid spec.preserveUnknownFields",
        json!(false),
    );
    one(
        "/spec/names/categories",
        json!(["All"]),
        "Invalid spec.names.categories[0]",
        json!(["all", "all"]),
    );
    one(
        "/spec/names/singular",
        json!("Widget"),
        "Invalid spec.names.singular",
        json!("widgets"),
    );
    one(
        "/spec/names/listKind",
        json!("1Widgets"),
        "Invalid spec.names.listKind",
        json!("Widgets"),
    );
    one(
        &format!("{v}/additionalPrinterColumns"),
        json!([{"name": "", "type": "string", "jsonPath": "."}]),
        "Required spec.additionalPrinterColumns[0].name",
        json!([{"name": "Name", "type": "string", "jsonPath": ".spec.a["}]),
    );
    one(
        &format!("{v}/additionalPrinterColumns"),
        json!([{"name": "a", "type": "string", "jsonPath": ".", "format": "name"}]),
        "Invalid spec.additionalPrinterColumns[0].format",
        json!([{"name": "a", "type": "string", "jsonPath": ".", "format": "byte"}]),
    );
    one(
        &format!("{v}/additionalPrinterColumns"),
        json!([{"name": "a", "type": "string", "jsonPath": ""}]),
        "Required spec.additionalPrinterColumns[0].JSONPath",
        json!([]),
    );
    one(
        &format!("{v}/additionalPrinterColumns"),
        json!([{"name": "a", "type": "string", "jsonPath": ".", "priority": 2_147_483_648_u64}]),
        "decode ",
        json!([{"name": "a", "type": "string", "jsonPath": ".", "priority": -1}]),
    );
    let scale = |label: &str| json!({"scale": {"specReplicasPath": ".spec.", "statusReplicasPath": ".status.r", "labelSelectorPath": label}});
    one(
        &format!("{v}/subresources"),
        scale(".metadata.x"),
        "Invalid spec.subresources.scale.labelSelectorPath",
        scale(".status.s"),
    );
    one(
        &format!("{v}/selectableFields"),
        json!([{"jsonPath": ""}]),
        "Required spec.selectableFields[0].jsonPath",
        json!([{"jsonPath": ".spec.color"}]),
    );
    one(
        &format!("{v}/selectableFields"),
        json!([{"jsonPath": "spec.color"}]),
        "Invalid spec.selectableFields[0].jsonPath",
        json!([]),
    );
    one(
        &format!("{v}/selectableFields"),
        json!([{"jsonPath": ".spec['color']"}]),
        "Invalid spec.selectableFields[0].jsonPath",
        json!(null),
    );
    one(
        &format!("{v}/deprecationWarning"),
        json!("x"),
        "Invalid spec.versions[0].deprecationWarning",
        json!(null),
    );
    one("/spec/names/plural", json!(1), "decode ", json!("widgets"));
}

#[test]
fn conversions() {
    let webhook = |client: Value, reviews: Value| json!({"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": reviews}});
    let service = |more: Value| {
        let mut service = json!({"namespace": "n", "name": "s"});
        let fields = service.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        webhook(json!({"service": service}), json!(["v1"]))
    };
    let url = |url: &str| webhook(json!({"url": url}), json!(["v1"]));
    for (conversion, refused) in [
        (json!({"strategy": ""}), "Required spec.conversion.strategy"),
        (
            json!({"strategy": "webhook"}),
            "NotSupported spec.conversion.strategy",
        ),
        (
            json!({"strategy": "None", "webhook": {"conversionReviewVersions": ["v1"]}}),
            "Forbidden spec.conversion.conversionReviewVersions",
        ),
        (
            json!({"strategy": "None", "webhook": {"clientConfig": {}}}),
            "Forbidden spec.conversion.webhookClientConfig",
        ),
        (
            webhook(json!(null), json!(["v1"])),
            "Required spec.conversion.webhookClientConfig",
        ),
        (
            webhook(json!({"url": "https://h"}), json!([])),
            "Required spec.conversion.conversionReviewVersions",
        ),
        (
            webhook(json!({"url": "https://h"}), json!(["v1", "v1"])),
            "Invalid spec.conversion.conversionReviewVersions[1]",
        ),
        (
            webhook(json!({"url": "https://h"}), json!(["v1", "V2"])),
            "Invalid spec.conversion.conversionReviewVersions[1]",
        ),
        (
            webhook(json!({"url": "https://h", "caBundle": "x"}), json!(["v1"])),
            "decode ",
        ),
        (
            url("https:///a"),
            "Invalid spec.conversion.webhookClientConfig.url",
        ),
        (
            url("https://h/?q"),
            "Invalid spec.conversion.webhookClientConfig.url",
        ),
        (
            url("https://h:x"),
            "Required spec.conversion.webhookClientConfig.url",
        ),
        (
            service(json!({"port": 0})),
            "Invalid spec.conversion.webhookClientConfig.service.port",
        ),
        (
            service(json!({"port": 65_536})),
            "Invalid spec.conversion.webhookClientConfig.service.port",
        ),
        (
            service(json!({"path": "a"})),
            "Invalid spec.conversion.webhookClientConfig.service.path",
        ),
        (
            service(json!({"path": "/a//b"})),
            "Invalid spec.conversion.webhookClientConfig.service.path",
        ),
        (
            service(json!({"name": ""})),
            "Required spec.conversion.webhookClientConfig.service.namespace",
        ),
    ] {
        expect(&set("/spec/conversion", conversion), &[refused]);
    }
    for conversion in [
        json!(null),
        json!({"strategy": "None", "webhook": {}}),
        url("https://h:1/a"),
        url("HTTPS://h"),
        service(json!({"path": "/", "port": 65_535})),
        service(json!({"path": "/a-b/c.d/"})),
    ] {
        expect(&set("/spec/conversion", conversion), &[]);
    }
}

/// One fault that the server reports at two fields.
#[test]
fn faults_with_two_fields() {
    let kept = "Invalid spec.preserveUnknownFields";
    let strategy = "Invalid spec.conversion.strategy";
    let webhook = json!({"strategy": "Webhook", "webhook": {
        "clientConfig": {"url": "https://h"}, "conversionReviewVersions": ["v1"]}});
    for (conversion, more) in [
        (json!({"strategy": "None"}), &[][..]),
        (webhook, &[strategy]),
        (
            json!({"strategy": "Other"}),
            &[strategy, "NotSupported spec.conversion.strategy"],
        ),
    ] {
        let mut crd = set("/spec/conversion", conversion);
        crd["spec"]["preserveUnknownFields"] = json!(true);
        expect(&crd, &[&[kept], more].concat());
    }
    let missing = "Required spec.versions[0].schema.openAPIV3Schema";
    for schema in [json!(null), json!({})] {
        let mut crd = crd(json!({"type": "object"}));
        let mut other = crd["spec"]["versions"][0].clone();
        other["name"] = json!("v2");
        other["storage"] = json!(false);
        let first = &mut crd["spec"]["versions"][0];
        first["schema"] = schema;
        first["selectableFields"] = json!([{"jsonPath": ".spec"}]);
        crd["spec"]["versions"].as_array_mut().unwrap().push(other);
        expect(
            &crd,
            &[missing, "Invalid spec.versions[0].selectableFields"],
        );
    }
}

/// The refusals of a field's schema.
fn field(schema: &Value) -> BTreeSet<String> {
    let crd = crd(
        json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {"f": schema}}}}),
    );
    let at = "spec.validation.openAPIV3Schema.properties[spec].properties[f]";
    let refused = refusals(&crd).into_iter();
    refused.map(|refusal| refusal.replace(at, "f")).collect()
}

#[test]
fn schemas() {
    let embedded = |more: Value| {
        let mut schema = json!({"type": "object", "x-kubernetes-embedded-resource": true});
        schema
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        schema
    };
    let rule = |more: Value| {
        let mut rule = json!({"rule": "true"});
        rule.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "x-kubernetes-validations": [rule]})
    };
    let in_rule = "f.x-kubernetes-validations[0]";
    for (schema, refused) in [
        (json!({"type": "any"}), "NotSupported f.type"),
        (
            json!({"type": "array", "items": [{"type": "string"}]}),
            "Forbidden f.items",
        ),
        (
            json!({"type": "string", "definitions": {"a": {}}}),
            "Forbidden f.definitions",
        ),
        (
            json!({"type": "string", "dependencies": {}}),
            "Forbidden f.dependencies",
        ),
        (
            json!({"type": "object", "patternProperties": {"a": {}}}),
            "Forbidden f.patternProperties",
        ),
        (
            json!({"type": "string", "x-kubernetes-preserve-unknown-fields": false}),
            "Invalid f.x-kubernetes-preserve-unknown-fields",
        ),
        (
            json!({"type": "string", "anyOf": [{"title": "t"}]}),
            "Forbidden f.anyOf[0].title",
        ),
        (
            json!({"type": "string", "oneOf": [{"default": "a"}]}),
            "Forbidden f.oneOf[0].default",
        ),
        (
            json!({"type": "object", "not": {"additionalProperties": true}}),
            "Forbidden f.not.additionalProperties",
        ),
        (
            json!({"type": "string", "allOf": [{"x-kubernetes-validations": [{"rule": "true"}]}]}),
            "Forbidden f.allOf[0].x-kubernetes-validations",
        ),
        (
            json!({"x-kubernetes-int-or-string": true, "x-kubernetes-embedded-resource": true, "type": "object", "properties": {"a": {"type": "string"}}}),
            "Invalid f.x-kubernetes-embedded-resource",
        ),
        (embedded(json!({})), "Required f.properties"),
        (
            embedded(json!({"type": "string", "x-kubernetes-preserve-unknown-fields": true})),
            "Invalid f.type",
        ),
        (
            embedded(json!({"properties": {"metadata": {"type": "string"}}})),
            "Invalid f.properties[metadata].type",
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "bag"}),
            "NotSupported f.x-kubernetes-list-type",
        ),
        (
            json!({"type": "array", "items": {"type": "string", "nullable": true}, "x-kubernetes-list-type": "set"}),
            "Forbidden f.items.nullable",
        ),
        (
            json!({"type": "array", "items": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}, "x-kubernetes-list-type": "set"}),
            "Invalid f.items.x-kubernetes-list-type",
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "atomic", "x-kubernetes-list-map-keys": ["a"]}),
            "Invalid f.x-kubernetes-list-type",
        ),
        (
            json!({"type": "array", "items": {"type": "object", "required": ["a"], "properties": {"a": {"type": "object"}}}, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"]}),
            "Invalid f.items.properties[a].type",
        ),
        (
            json!({"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"]}),
            "Required f.items.properties[a].default",
        ),
        (
            json!({"type": "object", "x-kubernetes-map-type": "shallow"}),
            "NotSupported f.x-kubernetes-map-type",
        ),
        (
            json!({"type": "object", "default": {}, "required": ["a"], "properties": {"a": {"type": "string", "default": "x"}}}),
            "Required f.default.a",
        ),
        (
            json!({"type": "object", "default": {"a": null}, "properties": {"a": {"type": "string"}}}),
            "TypeInvalid f.default.a",
        ),
        (
            json!({"type": "integer", "format": "int32", "default": 2_147_483_648_u64}),
            "Invalid f.default",
        ),
        (
            json!({"type": "string", "format": "date-time", "default": "now"}),
            "TypeInvalid f.default",
        ),
        (
            json!({"type": "string", "maxLength": 1, "default": "ab"}),
            "TooLong f.default",
        ),
        (
            json!({"type": "array", "maxItems": 0, "items": {"type": "string"}, "default": ["a"]}),
            "TooMany f.default",
        ),
        (
            json!({"type": "integer", "maximum": 1, "exclusiveMaximum": true, "default": 1}),
            "Invalid f.default",
        ),
        (
            json!({"type": "string", "default": "a", "x-kubernetes-validations": [{"rule": "self != 'a'", "reason": "FieldValueForbidden"}]}),
            "Forbidden f.default",
        ),
        (
            rule(json!({"message": " "})),
            &format!("Invalid {in_rule}.message"),
        ),
        (
            rule(json!({"message": "a\nb"})),
            &format!("Invalid {in_rule}.message"),
        ),
        (
            rule(json!({"messageExpression": " "})),
            &format!("Required {in_rule}.messageExpression"),
        ),
        (
            rule(json!({"fieldPath": "a"})),
            &format!("Invalid {in_rule}.fieldPath"),
        ),
        (
            rule(json!({"optionalOldSelf": false})),
            &format!("Invalid {in_rule}.optionalOldSelf"),
        ),
        (
            rule(json!({"rule": "self.a =="})),
            &format!("Invalid {in_rule}.rule"),
        ),
        (
            rule(json!({"rule": "self.a > 1"})),
            &format!("Invalid {in_rule}.rule"),
        ),
        (
            rule(json!({"rule": "self.a"})),
            &format!("Invalid {in_rule}.rule"),
        ),
        (
            rule(json!({"messageExpression": "'a"})),
            &format!("Invalid {in_rule}.messageExpression"),
        ),
    ] {
        let refused = BTreeSet::from([refused.to_owned()]);
        assert_eq!(field(&schema), refused, "{schema}");
    }
    for schema in [
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": true}),
        json!({"type": "object", "additionalProperties": false}),
        json!({"type": "string", "not": {"additionalProperties": false}}),
        json!({"type": "object", "patternProperties": {}, "definitions": {}}),
        embedded(json!({"x-kubernetes-preserve-unknown-fields": true})),
        json!({"type": "object", "default": {"a": {"b": 1}}, "x-kubernetes-preserve-unknown-fields": true}),
        json!({"type": "object", "properties": {"a": {"type": "string", "default": "x"}}, "default": {}}),
        rule(json!({"message": "a\n", "fieldPath": ".a", "reason": "FieldValueDuplicate"})),
        rule(json!({"rule": "oldSelf.a == self.a"})),
    ] {
        assert_eq!(field(&schema), BTreeSet::new(), "{schema}");
    }
}

#[test]
fn versions_that_differ_have_paths_of_their_own() {
    let mut two = set("/spec/scope", json!("Cluster"));
    let versions = two
        .pointer_mut("/spec/versions")
        .unwrap()
        .as_array_mut()
        .unwrap();
    let mut second = versions.first().unwrap().clone();
    second["name"] = json!("v2");
    second["storage"] = json!(false);
    second["schema"]["openAPIV3Schema"]["nullable"] = json!(true);
    second["selectableFields"] = json!([{"jsonPath": ".spec.colour"}]);
    versions.push(second);
    expect(
        &two,
        &[
            "Forbidden spec.versions[1].schema.openAPIV3Schema.nullable",
            "Invalid spec.versions[1].selectableFields[0].jsonPath",
        ],
    );
    // The server looks for the schema at the place to which it moved the fields.
    let versions = two
        .pointer_mut("/spec/versions")
        .unwrap()
        .as_array_mut()
        .unwrap();
    for version in versions {
        version["selectableFields"] = json!([{"jsonPath": ".spec.color"}]);
        version["schema"]["openAPIV3Schema"]
            .as_object_mut()
            .unwrap()
            .remove("nullable");
        let description = version["name"].clone();
        version["schema"]["openAPIV3Schema"]["description"] = description;
    }
    expect(&two, &["Invalid spec.selectableFields"]);
}

#[test]
fn sizes() {
    let text = |bytes: usize| crd(json!({"type": "object", "description": "x".repeat(bytes)}));
    let levels = |crd: &Value| -> Vec<&str> {
        validate(crd, NEWEST)
            .iter()
            .map(|finding| finding.rule.record().id)
            .collect()
    };
    assert_eq!(levels(&text(200_000)), Vec::<&str>::new());
    assert_eq!(levels(&text(260_000)), ["large"]);
    assert_eq!(levels(&text(1_500_000)), ["large"]);
    assert_eq!(levels(&text(1_600_000)), ["too-large"]);
}

#[test]
fn a_rule_that_costs_too_much_names_the_bound_that_fits() {
    let with = |bound: Option<u64>| {
        let mut list = json!({"type": "array", "items": {"type": "string", "maxLength": 64}});
        if let Some(bound) = bound {
            list["maxItems"] = json!(bound);
        }
        crd(
            json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {"list": list},
            "x-kubernetes-validations": [{"rule": "self.list.all(x, x.matches('^[a-z0-9]+$'))"}]}}}),
        )
    };
    let field = "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule";
    expect(&with(None), &[&format!("Forbidden {field}")]);
    let found = validate(&with(None), NEWEST);
    let help = found.iter().find_map(|finding| finding.help.as_deref());
    assert_eq!(
        help,
        Some("add `maxItems` to `self.list`: 121951 is the largest value that fits")
    );
    expect(&with(Some(121_951)), &[]);
    expect(&with(Some(121_952)), &[&format!("Forbidden {field}")]);
}
