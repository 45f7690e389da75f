//! The `kubernetes` convention: enums by tagging, and flattened fields.

use super::kubernetes::{check, refuse};
use super::*;
use crd_channels_diagnostics::Code;
use serde_json::json;

#[test]
fn external_enums() {
    let rich = choice(
        Tagging::External,
        [
            documented_variant(carrying("text", string()), "By text"),
            holding("fields", [field("a", option(string()))]),
            carrying("maybe", option(string())),
        ],
    );
    check(
        &rich,
        json!({"type": "object", "properties": {
            "text": {"type": "string", "description": "By text"},
            "fields": {"type": "object", "properties": {"a": {"type": "string"}}},
            "maybe": {"type": "string", "nullable": true},
        }, "oneOf": [{"required": ["text"]}, {"required": ["fields"]}, {"required": ["maybe"]}]}),
    );
    refuse(
        &choice(Tagging::External, [unit("A"), carrying("B", string())]),
        Code::NonStructural,
        "`A` is serialized as a string, variants with data as objects",
    );
}

#[test]
fn tagged_enums() {
    let internal = Tagging::Internal { tag: "type".into() };
    let url = structure([field("url", string()), field("port", option(int(32, true)))]);
    check(
        &choice(
            internal.clone(),
            [
                unit("None"),
                carrying("Http", url.clone()),
                holding("Exec", [field("command", list(string()))]),
            ],
        ),
        json!({"type": "object", "required": ["type"], "properties": {
            "type": {"type": "string", "enum": ["None", "Http", "Exec"]},
            "url": {"type": "string"},
            "port": {"type": "integer", "format": "int32"},
            "command": {"type": "array", "items": {"type": "string"}},
        }, "oneOf": [
            {"properties": {"type": {"enum": ["None"]}}},
            {"properties": {"type": {"enum": ["Http"]}}, "required": ["url"]},
            {"properties": {"type": {"enum": ["Exec"]}}, "required": ["command"]},
        ]}),
    );
    check(
        &choice(
            internal.clone(),
            [carrying("A", url.clone()), carrying("B", url.clone())],
        ),
        json!({"type": "object", "required": ["type", "url"], "properties": {
            "type": {"type": "string", "enum": ["A", "B"]},
            "url": {"type": "string"},
            "port": {"type": "integer", "format": "int32"},
        }}),
    );
    refuse(
        &choice(
            internal.clone(),
            [
                holding("A", [field("x", string())]),
                holding("B", [field("x", int(32, true))]),
            ],
        ),
        Code::PropertyConflict,
        "the property `x` has a different schema elsewhere in the same object",
    );
    refuse(
        &choice(internal, [carrying("A", string())]),
        Code::NonStructural,
        "only a value that is serialized as an object can have a tag beside it",
    );
    let adjacent = Tagging::Adjacent {
        tag: "type".into(),
        content: "with".into(),
    };
    check(
        &choice(
            adjacent.clone(),
            [
                carrying("Http", url),
                holding("Exec", [field("command", string())]),
                unit("None"),
            ],
        ),
        json!({"type": "object", "required": ["type"], "properties": {
            "type": {"type": "string", "enum": ["Http", "Exec", "None"]},
            "with": {"type": "object", "properties": {
                "url": {"type": "string"},
                "port": {"type": "integer", "format": "int32"},
                "command": {"type": "string"},
            }},
        }, "oneOf": [
            {"properties": {"type": {"enum": ["Http"]}, "with": {"required": ["url"]}}, "required": ["with"]},
            {"properties": {"type": {"enum": ["Exec"]}, "with": {"required": ["command"]}}, "required": ["with"]},
            {"properties": {"type": {"enum": ["None"]}}, "not": {"required": ["with"]}},
        ]}),
    );
    refuse(
        &choice(
            adjacent,
            [carrying("A", string()), carrying("B", int(32, true))],
        ),
        Code::PropertyConflict,
        "the property `with` has a different schema elsewhere in the same object",
    );
}

#[test]
fn untagged_enums() {
    let untagged = |variants: Vec<Variant>| choice(Tagging::Untagged, variants);
    check(
        &untagged(vec![
            carrying("Number", int(16, false)),
            carrying("Name", string()),
        ]),
        json!({
            "x-kubernetes-int-or-string": true,
            "anyOf": [{"type": "integer"}, {"type": "string"}],
            "minimum": 0, "maximum": 65535,
        }),
    );
    check(
        &untagged(vec![
            holding("A", [field("a", string())]),
            holding("B", [field("b", string()), field("c", option(string()))]),
        ]),
        json!({"type": "object", "properties": {
            "a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"},
        }, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
    );
    check(
        &untagged(vec![
            carrying("A", scalar(Scalar::Formatted("ipv4"))),
            carrying("B", scalar(Scalar::Formatted("ipv6"))),
        ]),
        json!({"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}),
    );
    refuse(
        &untagged(vec![carrying("A", string()), carrying("B", structure([]))]),
        Code::NonStructural,
        "the variants of this untagged enum have no type in common",
    );
}

#[test]
fn flattened_fields() {
    let one_of = |a: &str, b: &str| {
        choice(
            Tagging::External,
            [carrying(a, string()), carrying(b, string())],
        )
    };
    let text = json!({"type": "string"});
    check(
        &structure([
            flat(structure([field("x", string())])),
            flat(one_of("a", "b")),
            flat(one_of("c", "d")),
            flat(option(one_of("e", "f"))),
        ]),
        json!({"type": "object", "required": ["x"], "properties": {
            "x": text, "a": text, "b": text, "c": text, "d": text, "e": text, "f": text,
        }, "allOf": [
            {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {"oneOf": [{"required": ["c"]}, {"required": ["d"]}]},
        ]}),
    );
    check(
        &structure([field("x", string()), flat(map(string(), string()))]),
        json!({"type": "object", "required": ["x"], "properties": {"x": text},
            "x-kubernetes-preserve-unknown-fields": true}),
    );
    refuse(
        &structure([flat(choice(Tagging::External, [unit("A")]))]),
        Code::NonStructural,
        "only a type that is serialized as an object can be flattened",
    );
}
