//! Keywords set over those of types, and keys of maps: the parts they name must be in every channel.

use super::tests::{case, colours, gated};
use crate::channel::builders::*;
use crd_channels_schema::draft::{Facets, Shape, Type};
use serde_json::{Value, json};
use std::sync::Arc;

/// Asserts the schemas and errors of the channels if the field `t` has a keyword set with `extend`.
fn extended(ty: Arc<Type>, keyword: &str, value: Value, expected: &[&str]) {
    let on_field = field("t", option(ty.clone()))
        .with(|facets| facets.extend.push((keyword.into(), value.clone())));
    let on_type = field(
        "t",
        option(ty.with(|facets| facets.extend.push((keyword.into(), value.clone())))),
    );
    case(vec![on_field], expected);
    case(vec![on_type], expected);
}

#[test]
fn what_is_written_over_a_type_names_what_every_channel_has() {
    let object = || {
        object(
            "T",
            vec![text("a"), gated("x"), field("c", option(colours()))],
        )
    };
    let field_of =
        |word: &str| format!("gated-read: {word} of `spec.t` of `Gateway` v1 names the field `x`");
    let value_of = |word: &str, place: &str| {
        format!("gated-value: {word} of `spec.t{place}` of `Gateway` v1 has the value `Green`")
    };
    let string = json!({"type": "string"});
    extended(colours(), "enum", json!(["Red"]), &[]);
    extended(
        colours(),
        "enum",
        json!(["Red", "Green"]),
        &[&value_of("`enum`", "")],
    );
    extended(
        colours(),
        "pattern",
        json!("^(Red|Green)$"),
        &[&value_of("`pattern`", "")],
    );
    extended(colours(), "pattern", json!("^(Red|Greener)$"), &[]);
    extended(
        object(),
        "properties",
        json!({"a": string, "c": string}),
        &[],
    );
    extended(
        object(),
        "properties",
        json!({"a": string, "x": string}),
        &[&field_of("`properties`")],
    );
    extended(
        object(),
        "properties",
        json!({"c": {"type": "string", "enum": ["Red", "Green"]}}),
        &[&value_of("`enum`", ".c")],
    );
    for junctor in ["allOf", "anyOf", "oneOf"] {
        let of = |branch: Value| json!([branch]);
        extended(
            object(),
            junctor,
            of(json!({"required": ["x"]})),
            &[&field_of("an alternative")],
        );
        extended(
            colours(),
            junctor,
            of(json!({"not": {"enum": ["Green"]}})),
            &[&value_of("an alternative", "")],
        );
        extended(object(), junctor, of(json!({"required": ["a"]})), &[]);
    }
    extended(
        object(),
        "not",
        json!({"required": ["x"]}),
        &[&field_of("an alternative")],
    );
    extended(
        object(),
        "x-kubernetes-validations",
        json!([{"rule": "!has(self.x)"}]),
        &["gated-read: the rule on `spec.t` of `Gateway` v1 reads `spec.t.x`"],
    );
    let defaulted_by = |facets: &mut Facets| {
        facets
            .extend
            .push(("default".into(), json!({"c": "Green"})));
    };
    case(
        vec![field("t", option(object())).with(defaulted_by)],
        &["gated-value: the default of `spec.t` of `Gateway` v1 has the value `Green`"],
    );
    let many = || list(object());
    extended(
        many(),
        "items",
        json!({"type": "object", "properties": {"x": string}}),
        &["gated-read: `properties` of `spec.t[]` of `Gateway` v1 names the field `x`"],
    );
    extended(
        map(object()),
        "additionalProperties",
        json!({"type": "object", "properties": {"x": string}}),
        &["gated-read: `properties` of `spec.t{}` of `Gateway` v1 names the field `x`"],
    );
    extended(many(), "x-kubernetes-list-map-keys", json!(["a", "x"]), &[]);
}

#[test]
fn keys_of_maps_are_what_every_channel_has() {
    let keyed = || {
        let shape = Shape::Map {
            key: colours(),
            value: string(),
        };
        named_type("Map", shape)
    };
    let of = |text: &str| vec![field("m", keyed()).with(|facets| facets.rules.push(rule(text)))];
    let expected =
        "gated-value: the rule on `spec.m` of `Gateway` v1 names the key `Green` of `spec.m`";
    case(of("'Green' in self"), &[expected]);
    case(of("self.all(k, k != 'Green')"), &[expected]);
    case(of("'Red' in self"), &[]);
    case(
        vec![defaulted(
            field("m", keyed()),
            json!({"Red": "1", "Green": "2"}),
        )],
        &["gated-value: the default of `spec.m` of `Gateway` v1 has the value `Green`"],
    );
    case(
        vec![defaulted(field("m", keyed()), json!({"Red": "1"}))],
        &[],
    );
}
