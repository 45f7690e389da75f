//! The `kubernetes` convention: enums by tagging, and flattened fields.

use super::kubernetes::{check, refuse};
use super::*;
use crd_channels_diagnostics::Code;
use crd_channels_schema::draft::{Edit, ItemFilter, Literal};
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

/// schemars writes an alternative for each variant, and hand-written code removes some; here they are one list of values.
#[test]
fn choices_that_are_taken_out_are_no_values() {
    let policy = choice(
        Tagging::External,
        ["keep", "log", "delete"].map(|name| documented_variant(unit(name), "Words.")),
    );
    let filter = ItemFilter {
        key: Some("const".into()),
        value: json!("delete"),
        is: true,
        first: true,
    };
    let edits = vec![("oneOf".into(), Edit::Drop(filter.clone()))];
    check(
        &made(
            "Less",
            Shape::Literal(Literal::Schema(policy.clone(), edits.clone())),
        ),
        json!({"type": "string", "enum": ["keep", "log"]}),
    );
    let facets = Facets {
        edits,
        ..Facets::default()
    };
    check(
        &with_facets(&policy, facets),
        json!({"type": "string", "enum": ["keep", "log"]}),
    );
    let others = ItemFilter {
        key: None,
        is: false,
        first: false,
        ..filter
    };
    let edits = vec![("enum".into(), Edit::Drop(others))];
    let plain = choice(Tagging::External, ["keep", "delete"].map(unit));
    check(
        &made("Only", Shape::Literal(Literal::Schema(plain, edits))),
        json!({"type": "string", "enum": ["delete"]}),
    );
}

/// The condition on the items cannot be resolved in either convention, so nothing is removed and an error is reported.
#[test]
fn what_is_taken_out_by_unread_words_is_refused() {
    let policy = choice(
        Tagging::External,
        ["keep", "delete"].map(|name| documented_variant(unit(name), "Words.")),
    );
    for (keyword, key) in [
        ("oneOf", Some("type")),
        ("anyOf", None),
        ("type", None),
        ("enum", Some("const")),
    ] {
        let filter = ItemFilter {
            key: key.map(Into::into),
            value: json!("null"),
            is: true,
            first: false,
        };
        let edits = vec![(keyword.into(), Edit::Drop(filter))];
        let message = format!("the change to `{keyword}` of this schema cannot be read");
        let whole = Literal::Schema(policy.clone(), edits.clone());
        refuse(
            &made("Less", Shape::Literal(whole)),
            Code::UnreadableSchema,
            &message,
        );
        let facets = Facets {
            edits,
            ..Facets::default()
        };
        refuse(
            &with_facets(&policy, facets),
            Code::UnreadableSchema,
            &message,
        );
    }
}
