//! What the validator says of objects, as API servers say it.

#![allow(clippy::unwrap_used, reason = "tests")]

use crd_channels_validation::{Validator, Verdict};
use serde_json::{Value, json};

fn validator() -> Validator {
    let listed = json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
    "items": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    "x-kubernetes-validations": [
        {"rule": "self.all(one, self.exists_one(other, one.name == other.name))", "message": "names are unique"},
        {"rule": "size(self) == 0 || self[0].name != 'old'", "message": "no old ones"},
    ]});
    let spec = json!({"type": "object", "maxProperties": 3, "properties": {
        "port": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 65535},
        "share": {"type": "number", "exclusiveMinimum": true, "minimum": 0.5, "multipleOf": 0.5},
        "mode": {"type": "string", "enum": ["On", "Off"]},
        "name": {"type": "string", "maxLength": 5},
        "list": listed,
        "tags": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "string"}},
        "either": {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}], "not": {"required": ["c"]},
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}}},
    }});
    let crd = json!({"spec": {
        "group": "example.com", "scope": "Namespaced", "names": {"kind": "Thing"},
        "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}}],
    }});
    Validator::new(&crd, "v1").unwrap()
}

fn thing(metadata: Value, spec: Value) -> Value {
    let mut thing = json!({"apiVersion": "example.com/v1", "kind": "Thing", "metadata": metadata, "spec": spec});
    thing["metadata"]["name"] = "a".into();
    thing
}

fn violations(verdict: &Verdict) -> Vec<String> {
    verdict.violations.iter().map(ToString::to_string).collect()
}

fn warnings(verdict: &Verdict) -> Vec<&str> {
    let warnings = verdict.warnings.iter();
    warnings.map(|warning| warning.message.as_str()).collect()
}

#[test]
fn messages_name_the_value_and_the_limit() {
    let said = |spec| violations(&validator().create(&thing(json!({}), spec)));
    assert_eq!(
        said(json!({"port": 0})),
        ["spec.port: 0 is less than 1, the `minimum`"]
    );
    assert_eq!(
        said(json!({"share": 0.5})),
        ["spec.share: 0.5 is not more than 0.5, the `minimum`"]
    );
    assert_eq!(
        said(json!({"share": 0.75})),
        ["spec.share: 0.75 is not a multiple of 0.5"]
    );
    assert_eq!(
        said(json!({"mode": "on"})),
        ["spec.mode: \"on\" is not a value of the enum: \"On\", \"Off\""]
    );
    assert_eq!(
        said(json!({"tags": ["a"]})),
        ["spec.tags: there are 1 items, at least 2 are required"]
    );
    assert_eq!(
        said(json!({"tags": ["a", "b", "c", "d"]})),
        ["spec.tags: there are 4 items, at most 3 are allowed"]
    );
}

#[test]
fn what_has_no_field_names_it_in_the_message() {
    let said = |spec| violations(&validator().create(&thing(json!({}), spec)));
    assert_eq!(
        said(json!({"port": 3_000_000_000_i64})),
        [
            "`spec.port` is 3000000000, which is not of type `integer` with the format `int32`",
            "spec.port: 3000000000 is more than 65535, the `maximum`",
        ]
    );
    assert_eq!(
        said(json!({"either": {"a": "", "b": "", "c": ""}})),
        [
            "`spec.either` matches 2 branches of `oneOf`",
            "`spec.either` matches the branch of `not`",
        ]
    );
}

#[test]
fn large_values_are_cut_where_servers_do_not_show_them() {
    let said = |spec| violations(&validator().create(&thing(json!({}), spec)));
    let long = "é".repeat(4000);
    let found = said(json!({"name": long}));
    let start = "é".repeat(80);
    assert_eq!(
        found,
        [format!(
            "spec.name: `{start}..` has 4000 characters, at most 5 are allowed"
        )]
    );
    let found = said(json!({"name": {"a": "a".repeat(4000)}}));
    assert!(found.iter().all(|message| message.len() < 200), "{found:?}");
}

#[test]
fn rules_see_lists_with_repeated_keys() {
    let spec = json!({"list": [{"name": "old"}, {"name": "old"}]});
    assert_eq!(
        violations(&validator().create(&thing(json!({}), spec))),
        [
            "spec.list[1]: `{\"name\":\"old\"}` occurs twice",
            "spec.list: names are unique",
        ]
    );
}

#[test]
fn metadata_is_validated_in_updates_too() {
    let validator = validator();
    let old = thing(json!({"finalizers": ["example.com/a"]}), json!({}));
    let update = |finalizers: Value| {
        let new = thing(json!({"finalizers": finalizers}), json!({}));
        validator.update(&new, &old)
    };
    assert_eq!(
        violations(&update(json!(["orphan", "foregroundDeletion"]))),
        ["metadata.finalizers: `orphan` and `foregroundDeletion` exclude each other"]
    );
    assert_eq!(violations(&update(json!(["a b"]))).len(), 1);
    assert!(violations(&update(json!(["example.com/b"]))).is_empty());
    let named = thing(json!({"generateName": "a/b"}), json!({}));
    assert_eq!(
        violations(&validator.update(&named, &old)),
        ["metadata.generateName: `a/b` cannot be part of a URL"]
    );
}

#[test]
fn servers_warn_of_finalizers_without_a_domain_and_of_repeated_owners() {
    let validator = validator();
    let with = |finalizers: Value| thing(json!({"finalizers": finalizers}), json!({}));
    let first = with(json!(["b.c", "a", "orphan", "example.com/d"]));
    assert_eq!(
        warnings(&validator.create(&first)),
        [
            "metadata.finalizers: \"a\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers",
            "metadata.finalizers: \"b.c\": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers",
        ]
    );
    // Only of those that the update adds.
    assert_eq!(warnings(&validator.update(&first, &first)), [""; 0]);
    // Not of an object that is refused.
    assert_eq!(
        warnings(&validator.create(&with(json!(["a", "b c"])))),
        [""; 0]
    );
    let owner =
        json!({"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "u", "controller": true});
    let owned = thing(json!({"ownerReferences": [owner, owner]}), json!({}));
    let verdict = validator.create(&owned);
    // So only one is the controller.
    assert_eq!(violations(&verdict), [""; 0]);
    assert_eq!(
        verdict.object["metadata"]["ownerReferences"],
        json!([owner])
    );
    assert!(
        warnings(&verdict)
            .concat()
            .ends_with("duplicate UID(s) observed: u")
    );
}

#[test]
fn servers_clear_the_namespace_of_objects_that_are_in_none() {
    let crd = json!({"spec": {
        "group": "example.com", "scope": "Cluster", "names": {"kind": "Thing"},
        "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {"type": "object"}}}],
    }});
    let validator = Validator::new(&crd, "v1").unwrap();
    let placed = thing(json!({"namespace": "b"}), json!({}));
    let verdict = validator.create(&placed);
    assert_eq!(violations(&verdict), [""; 0]);
    assert_eq!(verdict.object["metadata"], json!({"name": "a"}));
    let verdict = validator.update(&placed, &verdict.object);
    assert_eq!(violations(&verdict), [""; 0]);
}

#[test]
fn metadata_is_kept_as_servers_keep_it() {
    let metadata = json!({
        "labels": {"a": null}, "annotations": {}, "finalizers": [], "generateName": "", "other": 1,
        "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "u", "other": 1}],
    });
    let object = validator()
        .create(&thing(metadata, json!({"share": 1.0})))
        .object;
    let owner = json!({"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "u"});
    assert_eq!(
        object["metadata"],
        json!({"name": "a", "labels": {"a": ""}, "ownerReferences": [owner]})
    );
    assert_eq!(object["spec"].to_string(), "{\"share\":1}");
}
