//! What `check` makes of texts.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use super::{check_text, report};
use crate::channel::config::Lints;
use serde_json::{Value, json};

fn crd(plural: &str) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.example.com")},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": plural, "kind": "Widget"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object"}},
            }],
        },
    })
}

fn json_of(text: &str) -> Value {
    let checked = check_text("f.yaml".to_owned(), text).unwrap();
    let written = report::json(&[checked], &Lints::default());
    assert_eq!(written.lines().count(), 1);
    serde_json::from_str(&written).unwrap()
}

#[test]
fn a_file_is_one_object() {
    let clean = json_of(&crd("widgets").to_string());
    assert_eq!(
        clean,
        json!({"file": "f.yaml", "accept": true, "findings": []})
    );
    let mut bad = crd("widgets");
    bad["spec"]["scope"] = json!("Everywhere");
    let bad = json_of(&bad.to_string());
    assert_eq!(bad["accept"], json!(false));
    let finding = &bad["findings"][0];
    assert_eq!(finding["code"], json!("scope"));
    assert_eq!(finding["level"], json!("deny"));
    assert_eq!(finding["reason"], json!("FieldValueNotSupported"));
    assert_eq!(finding["field"], json!("spec.scope"));
    assert_eq!(finding["message"], json!("`Everywhere` is no scope"));
}

#[test]
fn unknown_fields_leave_a_crd_accepted_and_wrong_kinds_have_no_field() {
    let mut unknown = crd("widgets");
    unknown["spec"]["colour"] = json!("blue");
    let unknown = json_of(&unknown.to_string());
    assert_eq!(unknown["accept"], json!(true));
    assert_eq!(unknown["findings"][0]["level"], json!("warn"));
    assert_eq!(unknown["findings"][0]["field"], json!("spec.colour"));
    assert_eq!(unknown["findings"][0]["reason"], Value::Null);
    let mut wrong = crd("widgets");
    wrong["spec"]["scope"] = json!(1);
    let wrong = json_of(&wrong.to_string());
    assert_eq!(wrong["accept"], json!(false));
    assert_eq!(wrong["findings"][0]["reason"], Value::Null);
    assert_eq!(wrong["findings"][0]["field"], Value::Null);
}

#[test]
fn several_crds_of_a_file_are_told_apart() {
    let (one, mut two) = (crd("widgets"), crd("gadgets"));
    two["spec"]["scope"] = json!("");
    let text = format!("---\n{one}\n---\n{two}\n---\nkind: Service\n");
    let checked = check_text("f.yaml".to_owned(), &text).unwrap();
    assert_eq!(checked.others, 1);
    let notes = report::notes(&[checked]);
    assert_eq!(notes[0], "f.yaml: 1 document skipped that are no CRDs");
    assert_eq!(notes[1], "2 CRDs checked, 1 refused");
    let found = json_of(&text);
    assert_eq!(found["accept"], json!(false));
    let message = found["findings"][0]["message"].as_str().unwrap();
    assert_eq!(message, "`gadgets.example.com`: the scope is missing");
}

#[test]
fn people_see_the_place_and_what_to_write() {
    let mut bad = crd("widgets");
    bad["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["type"] = json!("string");
    let checked = check_text("f.yaml".to_owned(), &bad.to_string()).unwrap();
    let written = report::human(&[checked], &Lints::default());
    assert!(written.starts_with("error[schema-type]: the root is an object, not `string`"));
    assert!(
        written.contains("f.yaml: spec.versions[0].schema.openAPIV3Schema.type"),
        "{written}"
    );
    assert!(written.contains("help: write `type: "), "{written}");
}

#[test]
fn what_is_no_yaml_is_said() {
    let error = check_text("f.yaml".to_owned(), "a: [").err().unwrap();
    assert!(error.starts_with("f.yaml: "), "{error}");
}
