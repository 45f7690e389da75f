//! No part of a CRD can change unnoticed.

use crate::schemas::differences::differences;
use crate::schemas::rules::NODE_RULES;
use crate::schemas::rules::fields::Field;
use crate::{Channel, Published, Set, compare};
use crd_channels_cel::Text;
use crd_channels_schema::{
    Column, Conversion, Crd, Names, Scale, Scope, ServiceReference, Subresources, Version,
    WebhookClient, WebhookConversion,
};
use serde_json::{Value, json};

#[test]
fn every_keyword_has_a_rule() {
    for field in Field::ALL {
        let claimed = NODE_RULES
            .iter()
            .copied()
            .flatten()
            .any(|rule| rule.claims.contains(field));
        assert!(claimed, "no rule claims {field:?}");
    }
}

fn text(text: &str) -> Text {
    text.into()
}

/// A CRD with every field outside its schema set. All fields are listed, so a new one fails to compile here.
fn full() -> Crd {
    Crd {
        annotations: [(text("a"), text("b"))].into(),
        labels: [(text("c"), text("d"))].into(),
        group: text("example.com"),
        names: Names {
            plural: text("widgets"),
            singular: text("one"),
            kind: text("Widget"),
            list_kind: Some(text("Widgets")),
            short_names: vec![text("w")],
            categories: vec![text("all")],
        },
        scope: Scope::Namespaced,
        conversion: Conversion::Webhook(WebhookConversion {
            review_versions: vec![text("v1")],
            client: WebhookClient {
                url: Some(text("https://a")),
                service: Some(ServiceReference {
                    namespace: text("n"),
                    name: text("s"),
                    path: Some(text("/")),
                    port: Some(443),
                }),
                ca_bundle: Some(text("YQ==")),
            },
        }),
        versions: vec![Version {
            name: text("v1"),
            served: true,
            storage: true,
            deprecated: true,
            deprecation_warning: Some(text("gone soon")),
            columns: vec![Column {
                name: text("A"),
                ty: text("string"),
                json_path: text(".spec.a"),
                description: Some(text("about")),
                format: Some(text("name")),
                priority: Some(1),
            }],
            selectable_fields: vec![text(".spec.a")],
            subresources: Some(Subresources {
                status: true,
                scale: Some(Scale {
                    spec_replicas_path: text(".spec.b"),
                    status_replicas_path: text(".status.b"),
                    label_selector_path: Some(text(".status.c")),
                }),
            }),
            schema: None,
        }],
    }
}

/// Every way to change one leaf of a document, with its path.
fn mutations(value: &Value, path: &str, all: &mut Vec<(String, Value)>) {
    let pointers: Vec<(String, Value)> = match value {
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.replace('~', "~0").replace('/', "~1"), value.clone()))
            .collect(),
        Value::Array(list) => list
            .iter()
            .enumerate()
            .map(|(index, value)| (index.to_string(), value.clone()))
            .collect(),
        _ => Vec::new(),
    };
    for (key, child) in pointers {
        let path = format!("{path}/{key}");
        match &child {
            Value::Bool(flag) => all.push((path, json!(!flag))),
            Value::Number(_) => all.push((path, json!(7))),
            Value::String(text) if text == "Namespaced" => all.push((path, json!("Cluster"))),
            Value::String(text) => all.push((path, json!(format!("{text}x")))),
            Value::Null => {}
            Value::Array(_) | Value::Object(_) => mutations(&child, &path, all),
        }
    }
}

fn set(published: Published) -> Set {
    let mut set = Set::default();
    set.insert(Channel::Stable, published).unwrap();
    set
}

#[test]
fn every_leaf_of_a_crd_is_seen() {
    let crd = full();
    let document = serde_json::to_value(&crd).unwrap();
    let mut all = Vec::new();
    mutations(&document, "", &mut all);
    let mut seen = 0;
    for (path, value) in all {
        // The parts that make it a valid CRD, and those that must agree with others.
        let fixed = [
            "/apiVersion",
            "/kind",
            "/metadata/name",
            "/spec/conversion/strategy",
            "/spec/versions/0/storage",
        ];
        if fixed.contains(&path.as_str()) {
            continue;
        }
        let mut changed = document.clone();
        *changed.pointer_mut(&path).unwrap() = value;
        let name = format!(
            "{}.{}",
            changed["spec"]["names"]["plural"].as_str().unwrap(),
            changed["spec"]["group"].as_str().unwrap()
        );
        changed["metadata"]["name"] = json!(name);
        let new = Published::read(&changed).unwrap().unwrap();
        let old = Published::new(crd.clone());
        assert!(
            !differences(&old, &new).is_empty(),
            "`{path}` is not listed"
        );
        let report = compare(&set(old), &set(new));
        assert!(!report.findings.is_empty(), "`{path}` changes unseen");
        seen += 1;
    }
    assert!(seen > 30, "only {seen} leaves");
}
