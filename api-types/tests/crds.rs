//! Every kind goes through kube's own pipeline, and what both versions of a kind share is the same.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests"
)]

use api_types::{
    EdgeBackendPolicy, EdgeGateway, EdgeGatewayClass, EdgeGatewayV1Beta1, EdgeRoute,
    ExternalCertificate, GROUP,
};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceDefinition, CustomResourceDefinitionVersion,
};
use kube::CustomResourceExt;
use serde_json::Value;

fn crds() -> [CustomResourceDefinition; 6] {
    [
        EdgeGatewayClass::crd(),
        EdgeGateway::crd(),
        EdgeGatewayV1Beta1::crd(),
        EdgeRoute::crd(),
        EdgeBackendPolicy::crd(),
        ExternalCertificate::crd(),
    ]
}

fn schema(version: &CustomResourceDefinitionVersion) -> Value {
    serde_json::to_value(version.schema.as_ref().unwrap()).unwrap()["openAPIV3Schema"].take()
}

/// Calls `visit` with every schema node below `schema`, itself included, and the path to it.
fn walk(schema: &Value, path: &str, visit: &mut impl FnMut(&Value, &str)) {
    visit(schema, path);
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        walk(property, &format!("{path}.{name}"), visit);
    }
    for (key, mark) in [("items", "[]"), ("additionalProperties", "{}")] {
        if let Some(inner) = schema.get(key).filter(|inner| inner.is_object()) {
            walk(inner, &format!("{path}{mark}"), visit);
        }
    }
}

#[test]
fn kube_accepts_every_kind() {
    for crd in crds() {
        assert_eq!(crd.spec.group, GROUP);
        let [version] = crd.spec.versions.as_slice() else {
            panic!("{} has several versions", crd.spec.names.kind);
        };
        assert!(version.subresources.as_ref().unwrap().status.is_some());
        assert_eq!(
            crd.metadata.name.unwrap(),
            format!("{}.{GROUP}", crd.spec.names.plural)
        );
    }
}

#[test]
fn every_node_has_a_type_and_every_field_a_description() {
    for crd in crds() {
        let kind = &crd.spec.names.kind;
        walk(&schema(&crd.spec.versions[0]), kind, &mut |node, path| {
            let int_or_string = node["x-kubernetes-int-or-string"] == true;
            assert!(
                node["type"].is_string() || int_or_string,
                "{path} has no type"
            );
            // Fields have a doc comment; the root, `spec` and `status` as fields of it, items and map values need none.
            let own =
                path.split('.').count() > 2 && path.ends_with(|last: char| last.is_alphanumeric());
            assert!(
                !own || node["description"].is_string(),
                "{path} has no description"
            );
        });
    }
}

#[test]
fn every_list_and_string_of_ours_is_bounded() {
    // Those of k8s-openapi's types, and enums, which bound themselves.
    let foreign = |path: &str| path.contains(".selector.") || path.contains(".conditions[].");
    for crd in crds() {
        walk(
            &schema(&crd.spec.versions[0]),
            &crd.spec.names.kind,
            &mut |node, path| {
                let unbounded = match node["type"].as_str() {
                    Some("array") => node["maxItems"].is_null(),
                    Some("string") => {
                        node["maxLength"].is_null()
                            && node["enum"].is_null()
                            && node["format"] != "date-time"
                    }
                    _ => false,
                };
                assert!(
                    !unbounded || foreign(path) || path.ends_with("{}"),
                    "{path} is not bounded"
                );
            },
        );
    }
}

#[test]
fn both_versions_of_the_gateway_are_alike() {
    let (v1, v1beta1) = (EdgeGateway::crd().spec, EdgeGatewayV1Beta1::crd().spec);
    assert_eq!(v1.names, v1beta1.names);
    assert_eq!(v1.scope, v1beta1.scope);
    let (new, old) = (&v1.versions[0], &v1beta1.versions[0]);
    assert_eq!(new.subresources, old.subresources);
    // Servers refuse equal selectable fields beside schemas whose words differ.
    assert_ne!(new.selectable_fields, old.selectable_fields);
    assert_eq!(
        new.additional_printer_columns,
        old.additional_printer_columns
    );
    assert_eq!((new.storage, old.storage), (true, false));
    assert_eq!(old.deprecated, Some(true));
    let properties = |version| {
        let mut schema = schema(version);
        // The only text that differs says that the version is old.
        schema["properties"]["spec"]["description"].take();
        schema["properties"].take()
    };
    assert_eq!(properties(new), properties(old));
}
