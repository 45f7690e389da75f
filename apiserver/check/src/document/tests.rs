//! Both ways to a document have the same result.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use super::Document;
use crd_channels_schema::{Conversion, Crd, Schema};
use serde_json::{Value, json};
use std::sync::Arc;

/// A typed CRD decoded from its JSON, and converted without it.
fn both_ways(crd: &Crd) -> [(Option<String>, Vec<crate::Finding>); 2] {
    let (written, name) = (serde_json::to_value(crd).unwrap(), crd.name());
    [
        Document::decode(&written),
        Document::of_typed_crd(crd, &name),
    ]
    .map(|document| (document.crd.map(|crd| format!("{crd:?}")), document.faults))
}

/// A CRD with every field that typed CRDs have, and these fields in a schema.
fn crd(fields: Value) -> Crd {
    let mut schema = json!({
        "type": "object", "title": "a", "description": "b", "nullable": true, "default": {"n": 1.0},
        "example": {"n": 2}, "externalDocs": {"url": "c"}, "enum": [{"n": 1}, null], "required": ["n"],
        "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
        "x-kubernetes-map-type": "atomic",
        "properties": {
            "list": {"type": "array", "items": {"type": "string", "pattern": "^a$", "format": "byte"},
                "minItems": 1, "maxItems": 2, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"]},
            "map": {"additionalProperties": {"type": "string", "minLength": 1, "maxLength": 2}, "minProperties": 0, "maxProperties": 9},
            "n": {"type": "number", "minimum": 0.5, "exclusiveMinimum": true, "maximum": 7, "exclusiveMaximum": true, "multipleOf": 0.5},
            "open": {"additionalProperties": true},
            "either": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}],
                "allOf": [{"minimum": 1}], "oneOf": [{"required": ["b"]}], "not": {"enum": [1]}},
        },
        "x-kubernetes-validations": [{"rule": "true", "message": "a", "messageExpression": "'b'", "reason": "FieldValueInvalid",
            "fieldPath": ".n", "optionalOldSelf": true}],
    });
    let all = schema.as_object_mut().unwrap();
    all.extend(fields.as_object().unwrap().clone());
    let version = json!({
        "name": "v1", "served": false, "storage": true, "deprecated": true, "deprecationWarning": "d",
        "schema": {"openAPIV3Schema": schema}, "selectableFields": [{"jsonPath": ".a"}],
        "additionalPrinterColumns": [{"name": "a", "type": "string", "jsonPath": ".a", "format": "byte", "description": "e", "priority": 1}],
        "subresources": {"status": {}, "scale": {"specReplicasPath": ".a", "statusReplicasPath": ".b", "labelSelectorPath": ".c"}},
    });
    let client = json!({"caBundle": "aa==", "url": "f", "service": {"name": "a", "namespace": "b", "path": "/c", "port": 80}});
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "as.example.com", "labels": {"a": "b"}, "annotations": {"c": "d"}},
        "spec": {
            "group": "example.com", "scope": "Cluster",
            "names": {"kind": "A", "listKind": "As", "plural": "as", "singular": "a", "shortNames": ["b"], "categories": ["c"]},
            "conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": client}},
            "versions": [version, {"name": "v2", "served": true, "storage": false}],
        },
    });
    Crd::from_json(&crd).unwrap()
}

#[test]
fn a_typed_crd_is_decoded_as_its_json_is() {
    let [decoded, typed] = both_ways(&crd(json!({})));
    assert_eq!(typed, decoded);
    assert!(typed.0.is_some());
}

#[test]
fn what_no_server_decodes_is_found_in_a_typed_crd() {
    let mut too_long = crd(json!({"maxProperties": u64::MAX}));
    let mut deep = Schema::default();
    for _ in 0..252 {
        deep = Schema {
            items: Some(Arc::new(deep)),
            ..Schema::default()
        };
    }
    let mut too_deep = crd(json!({}));
    too_deep.versions[1].schema = Some(Arc::new(deep.clone()));
    assert_eq!(both_ways(&too_deep)[1].1, []);
    too_deep.versions[1].schema = Some(Arc::new(Schema {
        items: Some(Arc::new(deep)),
        ..Schema::default()
    }));
    for crd in [&too_long, &too_deep] {
        let [decoded, typed] = both_ways(crd);
        assert_eq!(typed, decoded);
        assert_eq!(typed.1.len(), 1);
    }
    let Conversion::Webhook(webhook) = &mut too_long.conversion else {
        unreachable!("it has one");
    };
    webhook.client.ca_bundle = Some("?".into());
    let [decoded, typed] = both_ways(&too_long);
    assert_eq!(typed, decoded);
    assert_eq!(typed.1.len(), 2);
}
