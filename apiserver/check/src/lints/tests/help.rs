//! What a lint says to write instead.

use super::*;

#[test]
fn impossible_bounds_say_both_and_what_to_write() {
    for (schema, message, help) in [
        (
            json!({"type": "integer", "minimum": 10, "maximum": 1}),
            "`minimum` is 10 and `maximum` is 1, so no value is valid",
            "lower `minimum` to 1, or raise `maximum` to 10",
        ),
        (
            json!({"type": "integer", "minimum": 1, "maximum": 1, "exclusiveMaximum": true}),
            "`minimum` is 1 and `maximum` is 1 (excluded), so no value is valid",
            "lower `minimum` to 0, or raise `maximum` to 2",
        ),
        (
            json!({"type": "integer", "minimum": 1, "maximum": 2, "exclusiveMinimum": true, "exclusiveMaximum": true}),
            "`minimum` is 1 (excluded) and `maximum` is 2 (excluded), so no integer is valid",
            "lower `minimum` to 0, or raise `maximum` to 3",
        ),
        (
            json!({"type": "integer", "minimum": 1.2, "maximum": 1.8}),
            "`minimum` is 1.2 and `maximum` is 1.8, so no integer is valid",
            "lower `minimum` to 1, or raise `maximum` to 2",
        ),
        (
            json!({"type": "number", "minimum": 2.5, "maximum": 1.5}),
            "`minimum` is 2.5 and `maximum` is 1.5, so no value is valid",
            "lower `minimum` to 1.5, or raise `maximum` to 2.5",
        ),
        (
            json!({"type": "number", "minimum": 1.5, "maximum": 1.5, "exclusiveMinimum": true}),
            "`minimum` is 1.5 (excluded) and `maximum` is 1.5, so no value is valid",
            "lower `minimum` below 1.5, or raise `maximum` above 1.5",
        ),
        (
            json!({"type": "string", "minLength": 3, "maxLength": 2}),
            "`minLength` is 3 and `maxLength` is 2, so no value is valid",
            "lower `minLength` to 2, or raise `maxLength` to 3",
        ),
        (
            json!({"type": "integer", "multipleOf": 0}),
            "`multipleOf` is 0, and no value is a multiple of it",
            "write a number above zero, or remove `multipleOf`",
        ),
    ] {
        let crd = json!({"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema":
            {"type": "object", "properties": {"f": schema}}}}]}});
        let found = Document::decode(&crd).lint(NEWEST);
        let found = found.iter().filter(|it| it.rule == Rule::ImpossibleBound);
        let found: Vec<_> = found.map(|it| (&*it.message, it.help())).collect();
        assert_eq!(found, [(message, help)]);
    }
}

#[test]
fn paths_that_lead_nowhere_suggest_the_nearest_field() {
    let help = |version: Value, rule| {
        let mut crd = json!({"spec": {"versions": [{"name": "v1"}]}});
        crd["spec"]["versions"][0]
            .as_object_mut()
            .unwrap()
            .extend(version.as_object().unwrap().clone());
        let found = Document::decode(&crd).lint(NEWEST);
        let mut found = found.into_iter().filter(|it| it.rule == rule);
        let help = found.next().map(|it| it.help().to_owned());
        help.filter(|help| help.starts_with("did"))
    };
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {
            "replicas": {"type": "integer"},
            "hosts": {"type": "array", "items": {"type": "object", "properties": {"address": {"type": "string"}}}},
            "labels": {"type": "object", "additionalProperties": {"type": "object", "properties": {"value": {"type": "string"}}}}}},
        "status": {"type": "object", "properties": {"phase": {"type": "string"}}}}});
    for (path, near) in [
        (".spec.replica", Some(".spec.replicas")),
        ("spec.replica", None),
        (".spce.replica", Some(".spec.replicas")),
        (".replicas", Some(".spec.replicas")),
        (".phase", Some(".status.phase")),
        (".spec.hosts[0].adress", Some(".spec.hosts[0].address")),
        (".spec.host[*].address", Some(".spec.hosts[*].address")),
        (".spec.labels.any.valeu", Some(".spec.labels.any.value")),
        (".spec.colour", None),
        (".spec['replica']", None),
        (".spec.replica.more", None),
    ] {
        let column = json!({"additionalPrinterColumns": [{"name": "a", "type": "string", "jsonPath": path}],
            "schema": {"openAPIV3Schema": schema}});
        let near = near.map(|near| format!("did you mean `{near}`?"));
        assert_eq!(help(column, Rule::EmptyColumn), near, "{path}");
    }
    let scale = json!({"subresources": {"scale": {"specReplicasPath": ".spec.replica"}},
        "schema": {"openAPIV3Schema": schema}});
    let near = Some("did you mean `.spec.replicas`?".to_owned());
    assert_eq!(help(scale, Rule::ScaleField), near);
}
