//! Which writes of annotations the policy refuses.

#![allow(clippy::indexing_slicing, reason = "tests")]

use super::policy_tests::{crd, messages, policy};
use serde_json::{Value, json};

const FILE: &str = "conversion-kept.yaml";
const WHOLE: &str = "example.com/conversion-kept";
const PART: &str = "example.com/conversion-kept.v1.spec.retries";

fn object(annotations: &Value, managers: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1beta1", "kind": "Route",
        "metadata": {"name": "a", "annotations": annotations, "managedFields": managers},
    })
}

/// A manager that owns annotations.
fn owner(version: &str, annotations: &[&str]) -> Value {
    let owned = annotations
        .iter()
        .map(|name| (format!("f:{name}"), json!({})));
    let owned: serde_json::Map<String, Value> = owned.collect();
    json!({
        "manager": "kubectl", "operation": "Update", "apiVersion": format!("example.com/{version}"),
        "fieldsV1": {"f:metadata": {"f:annotations": owned}},
    })
}

fn refusals(old: &Value, new: &Value, managers: &Value) -> Vec<String> {
    let schema = json!({"type": "object"});
    let written = policy(
        FILE,
        "stable",
        &[crd("Route", &["v1beta1", "v1"], "Webhook", &schema)],
    );
    messages(
        &written[0],
        &object(new, managers),
        &object(old, &json!([])),
    )
}

#[test]
fn what_a_client_writes_is_refused() {
    for (old, new) in [
        (json!({}), json!({WHOLE: "a"})),
        (json!({PART: "a"}), json!({PART: "b"})),
        (json!({PART: "a"}), json!({WHOLE: "a"})),
    ] {
        let added = if new[WHOLE].is_null() { PART } else { WHOLE };
        for managers in [json!([owner("v1beta1", &[PART, WHOLE])]), json!([])] {
            let found = refusals(&old, &new, &managers);
            assert_eq!(found.len(), 1, "{old} {new} {managers}");
            let start = format!("the annotation {added} may not be added or changed, ");
            assert!(found[0].starts_with(&start), "{found:?}");
        }
    }
    let both = json!({PART: "b", WHOLE: "b"});
    let found = refusals(
        &json!({}),
        &both,
        &json!([owner("v1beta1", &[PART, WHOLE])]),
    );
    assert!(
        found[0].contains(&format!("annotation {WHOLE} may")),
        "{found:?}"
    );
}

#[test]
fn what_was_read_may_be_sent_back_or_removed() {
    let managers = json!([owner("v1beta1", &[PART, WHOLE])]);
    let kept = json!({PART: "a", WHOLE: "b"});
    for (old, new) in [
        (&kept, kept.clone()),
        (&kept, json!({PART: "a"})),
        (&kept, json!({})),
        (&kept, json!({PART: "a", WHOLE: "b", "team": "c"})),
        (
            &json!({}),
            json!({"example.com/conversion-kept-safe": "a", "example.org/conversion-kept": "a"}),
        ),
    ] {
        assert_eq!(refusals(old, &new, &managers), [""; 0], "{new}");
    }
    let schema = json!({"type": "object"});
    let written = policy(
        FILE,
        "stable",
        &[crd("Route", &["v1beta1", "v1"], "Webhook", &schema)],
    );
    let mut bare = object(&kept, &managers);
    bare["metadata"] = json!({"name": "a"});
    assert_eq!(
        messages(&written[0], &bare, &object(&kept, &managers)),
        [""; 0]
    );
}

/// A server that applies an object removes fields in another version, and the webhook then writes the annotations anew.
#[test]
fn what_the_server_changes_in_an_apply_is_not_refused() {
    let (old, new) = (json!({PART: "a"}), json!({PART: "b"}));
    for managers in [
        json!([owner("v1beta1", &["team"])]),
        json!([owner("v1", &[PART])]),
        json!([{"manager": "a", "operation": "Apply", "apiVersion": "example.com/v1beta1", "fieldsV1": {"f:spec": {}}}]),
        json!([{"manager": "a", "operation": "Apply", "apiVersion": "example.com/v1beta1"}]),
    ] {
        assert_eq!(refusals(&old, &new, &managers), [""; 0], "{managers}");
    }
}

#[test]
fn only_updates_of_kinds_with_a_webhook_and_other_versions_are_watched() {
    let schema = json!({"type": "object"});
    let crds = [
        crd("Route", &["v1beta1", "v1"], "Webhook", &schema),
        crd("Gate", &["v1beta1", "v1"], "Webhook", &schema),
        crd("Plain", &["v1beta1", "v1"], "None", &schema),
        crd("Single", &["v1"], "Webhook", &schema),
    ];
    for channel in ["stable", "preview", "experimental"] {
        let written = policy(FILE, channel, &crds);
        assert_eq!(
            written[0]["metadata"]["name"],
            "conversion-kept.example.com"
        );
        assert_eq!(
            written[0]["spec"]["matchConstraints"],
            json!({"matchPolicy": "Exact", "resourceRules": [{
                "apiGroups": ["example.com"], "apiVersions": ["*"], "operations": ["UPDATE"],
                "resources": ["gates", "routes"],
            }]})
        );
        assert_eq!(written[1]["spec"]["validationActions"], json!(["Deny"]));
        assert!(policy(FILE, channel, &crds[2..]).is_empty(), "{channel}");
    }
}
