//! Which writes of deprecated fields the policy warns of.

#![allow(clippy::indexing_slicing, reason = "tests")]

use super::policy_tests::{crd, messages, policy};
use serde_json::{Value, json};

const FILE: &str = "deprecated-fields.yaml";

fn deprecated() -> Value {
    let text =
        |instead: &str| json!({"type": "string", "description": format!("Deprecated: {instead}")});
    let rule = json!({"type": "object", "properties": {"host": text("use `hosts`"), "hosts": {"type": "string"}}});
    let mut odd = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    odd["description"] = "Deprecated: use nothing".into();
    json!({"type": "object", "description": "Deprecated: use `Gate`", "properties": {
        "spec": {"type": "object", "properties": {
            "mode": text("use `kind`"),
            "odd-name": odd,
            "rules": {"type": "array", "items": rule},
            "named": {"type": "object", "additionalProperties": rule},
            "kind": {"type": "string"},
        }},
        "status": {"type": "object", "properties": {"mode": text("use `kind`")}},
    }})
}

fn warnings(new: &Value, old: Option<&Value>) -> Vec<String> {
    let route = crd("Route", &["v1beta1", "v1"], "None", &deprecated());
    let written = policy(FILE, "stable", &[route]);
    let object = |spec: &Value| {
        json!({
            "apiVersion": "example.com/v1", "kind": "Route", "metadata": {"name": "a"},
            "spec": spec, "status": {"mode": "a"},
        })
    };
    messages(&written[0], &object(new), &old.map_or(Value::Null, object))
}

#[test]
fn new_uses_are_warned_of() {
    let mode = "spec.mode is deprecated: use `kind`";
    let odd = "spec.odd-name is deprecated: use nothing";
    let (host, named) = (
        "spec.rules[].host is deprecated: use `hosts`",
        "spec.named{}.host is deprecated: use `hosts`",
    );
    for (new, old, expected) in [
        (json!({"mode": "a"}), None, mode),
        (json!({"mode": "a"}), Some(json!({})), mode),
        (json!({"mode": "a"}), Some(json!({"mode": "b"})), mode),
        (json!({"odd-name": {}}), None, odd),
        (
            json!({"odd-name": {"a": "b"}}),
            Some(json!({"odd-name": {}})),
            odd,
        ),
        (
            json!({"rules": [{}, {"host": "a"}]}),
            Some(json!({"rules": [{}]})),
            host,
        ),
        (json!({"named": {"a": {"host": "a"}}}), None, named),
    ] {
        assert_eq!(warnings(&new, old.as_ref()), [expected], "{new} {old:?}");
    }
    let both = json!({"mode": "a", "rules": [{"host": "a"}]});
    assert_eq!(warnings(&both, None).len(), 2);
}

#[test]
fn what_is_absent_or_unchanged_is_not_warned_of() {
    for (new, old) in [
        (json!({}), None),
        (
            json!({"kind": "a", "rules": [{"hosts": "a"}], "named": {"a": {}}}),
            None,
        ),
        (json!({"mode": null}), None),
        (json!({"kind": "a"}), Some(json!({"mode": "a"}))),
        (
            json!({"mode": "a", "kind": "b"}),
            Some(json!({"mode": "a"})),
        ),
        (
            json!({"odd-name": {"a": "b"}}),
            Some(json!({"odd-name": {"a": "b"}})),
        ),
        (
            json!({"rules": [{"host": "b"}]}),
            Some(json!({"rules": [{"host": "a"}]})),
        ),
    ] {
        assert_eq!(warnings(&new, old.as_ref()), [""; 0], "{new} {old:?}");
    }
}

#[test]
fn nothing_is_refused_and_only_kinds_with_deprecated_fields_are_watched() {
    let plain = json!({"type": "object", "properties": {"spec": {"type": "object"}}});
    let crds = [
        crd("Route", &["v1"], "None", &deprecated()),
        crd("Gate", &["v1"], "None", &plain),
    ];
    let found = policy(FILE, "stable", &crds);
    assert_eq!(
        found[0]["metadata"]["name"],
        "deprecated-fields.example.com"
    );
    assert_eq!(found[0]["spec"]["failurePolicy"], "Ignore");
    assert_eq!(
        found[0]["spec"]["matchConstraints"],
        json!({"matchPolicy": "Exact", "resourceRules": [{
            "apiGroups": ["example.com"], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"],
            "resources": ["routes"],
        }]})
    );
    assert_eq!(found[1]["spec"]["validationActions"], json!(["Warn"]));
    assert!(policy(FILE, "stable", &crds[1..]).is_empty());
}
