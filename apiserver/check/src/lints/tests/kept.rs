//! Which conversions can keep more than annotations hold.

use super::*;

/// The findings about a kind whose versions have these specs.
fn said(strategy: &str, specs: [Value; 2]) -> Vec<String> {
    let versions: Vec<Value> = ["v1", "v1beta1"]
        .into_iter()
        .zip(specs)
        .map(|(name, spec)| {
            json!({"name": name, "served": true, "storage": name == "v1", "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"metadata": {"type": "object"}, "spec": {"type": "object", "properties": spec}},
            }}})
        })
        .collect();
    let crd = json!({"spec": {
        "group": "example.com", "conversion": {"strategy": strategy}, "versions": versions,
    }});
    let found = Document::decode(&crd).lint(NEWEST);
    let found = found.iter().filter(|it| it.rule == Rule::KeptAnnotations);
    found
        .map(|it| format!("{}: {}", it.message, it.help()))
        .collect()
}

fn alone(field: Value) -> Vec<String> {
    said(
        "Webhook",
        [
            json!({"a": {"type": "string"}, "b": field}),
            json!({"a": {"type": "string"}}),
        ],
    )
}

#[test]
fn what_nothing_bounds_is_named_with_what_bounds_it() {
    let text = json!({"type": "string", "maxLength": 100});
    for (field, place, help) in [
        (json!({"type": "string"}), "spec.b", "maxLength"),
        (
            json!({"type": "array", "items": text}),
            "spec.b",
            "maxItems",
        ),
        (
            json!({"type": "array", "maxItems": 3, "items": {"type": "string"}}),
            "spec.b[]",
            "maxLength",
        ),
        (
            json!({"type": "object", "properties": {"c": text, "d": {"type": "string"}}}),
            "spec.b.d",
            "maxLength",
        ),
        (
            json!({"type": "object", "maxProperties": 3, "additionalProperties": text}),
            "spec.b",
            "make it a list map",
        ),
        (
            json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
            "spec.b",
            "declare its fields",
        ),
        (
            json!({"x-kubernetes-int-or-string": true}),
            "spec.b",
            "declare what it can be",
        ),
    ] {
        let found = alone(field.clone());
        assert_eq!(found.len(), 1, "{field}: {found:#?}");
        let expected =
            format!("`{place}` of `v1` has no bound, and an annotation keeps it in `v1beta1`");
        assert!(found[0].starts_with(&expected), "{}", found[0]);
        assert!(found[0].contains(help), "{}", found[0]);
        let specs = [json!({"b": field}), json!({"b": field})];
        assert_eq!(said("Webhook", specs), [""; 0], "both have it");
        let specs = [json!({"b": field}), json!({})];
        assert_eq!(said("None", specs), [""; 0], "nothing is converted");
    }
    for field in [
        text,
        json!({"type": "integer"}),
        json!({"type": "boolean"}),
        json!({"type": "string", "enum": ["x", "y"]}),
        json!({"type": "string", "format": "date-time"}),
        json!({"x-kubernetes-int-or-string": true, "maxLength": 5}),
        json!({"type": "array", "maxItems": 3, "items": {"type": "integer"}}),
        json!({"type": "object"}),
    ] {
        assert_eq!(alone(field.clone()), [""; 0], "{field}");
    }
}

#[test]
fn both_ways_count_and_so_does_what_is_inside() {
    let (free, text) = (
        json!({"type": "string"}),
        json!({"type": "string", "maxLength": 9}),
    );
    let found = said(
        "Webhook",
        [json!({"a": free, "c": text}), json!({"b": free, "c": free})],
    );
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[1].starts_with("`spec.b` of `v1beta1`"), "{found:#?}");

    let list = |item: Value| {
        json!({"r": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
        "items": {"type": "object", "properties": item}}})
    };
    let found = said(
        "Webhook",
        [
            list(json!({"name": text, "b": text})),
            list(json!({"name": text})),
        ],
    );
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("`spec.r` of `v1`"), "{found:#?}");
    let map = |values: Value| json!({"m": {"type": "object", "additionalProperties": values}});
    assert_eq!(
        said("Webhook", [map(free.clone()), map(free.clone())]),
        [""; 0]
    );
    let found = said("Webhook", [map(free), map(json!({"type": "integer"}))]);
    assert!(found[0].starts_with("`spec.m[]` of `v1`"), "{found:#?}");

    // Another value of an enum is kept, and so are the members of a union that it decides about.
    let tagged = |values: Value, rest: Value| {
        json!({"u": {"type": "object", "properties": {
        "type": {"type": "string", "enum": values}, "x": rest,
    }, "oneOf": [{"required": ["x"], "properties": {"type": {"enum": ["A"]}}}]}})
    };
    let free = json!({"type": "string"});
    assert_eq!(
        said(
            "Webhook",
            [
                tagged(json!(["A"]), free.clone()),
                tagged(json!(["A", "B"]), free.clone())
            ]
        )
        .len(),
        1
    );
    assert_eq!(
        said(
            "Webhook",
            [
                tagged(json!(["A"]), free.clone()),
                tagged(json!(["A"]), free)
            ]
        ),
        [""; 0]
    );
}

#[test]
fn all_of_it_has_to_fit() {
    let list = |most: i64| json!({"type": "array", "maxItems": most, "items": {"type": "string", "maxLength": 100}});
    assert_eq!(alone(list(400)), [""; 0]);
    let found = alone(list(500));
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("the annotations that keep what another version lacks can have 301654 bytes, and a server accepts 262144; `spec.b` takes 301654"),
        "{}",
        found[0]
    );
}
