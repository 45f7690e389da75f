//! The `kubernetes` convention: the schema of each shape, or the error about it.

use super::super::{Cache, Convention, Renderer, Selection};
use super::json::{faults, to_json};
use super::*;
use crd_channels_diagnostics::Code;
use crd_channels_schema::draft::{Edit, KnownList, Literal, WellKnown};
use crd_channels_schema::{ListType, Rule};
use serde_json::{Value, json};

/// Asserts a type's schema, without findings.
#[track_caller]
pub(super) fn check(ty: &Arc<Type>, expected: Value) {
    let (schema, findings) = render(Convention::Kubernetes, ty);
    let schema = to_json(&schema);
    assert_eq!(findings, []);
    assert_eq!(schema, expected, "{schema:#}");
    assert_eq!(faults(&schema), [""; 0]);
}

/// Asserts a finding.
#[track_caller]
pub(super) fn refuse(ty: &Arc<Type>, code: Code, message: &str) {
    let (_, findings) = render(Convention::Kubernetes, ty);
    let found: Vec<_> = findings
        .iter()
        .map(|finding| (finding.code, finding.message.as_str()))
        .collect();
    assert_eq!(found, [(code, message)]);
    assert!(findings.iter().all(|finding| finding.help.is_some()));
}

#[test]
fn scalars_have_formats_and_bounds_that_a_server_knows() {
    check(
        &int(8, true),
        json!({"type": "integer", "format": "int32", "minimum": -128, "maximum": 127}),
    );
    check(
        &int(16, false),
        json!({"type": "integer", "format": "int32", "minimum": 0, "maximum": 65535}),
    );
    check(
        &int(32, true),
        json!({"type": "integer", "format": "int32"}),
    );
    check(
        &int(32, false),
        json!({"type": "integer", "format": "int64", "minimum": 0, "maximum": 4_294_967_295_u32}),
    );
    check(
        &int(64, false),
        json!({"type": "integer", "format": "int64", "minimum": 0}),
    );
    check(&int(0, true), json!({"type": "integer", "format": "int64"}));
    check(&int(128, true), json!({"type": "integer"}));
    check(&int(128, false), json!({"type": "integer", "minimum": 0}));
    check(
        &non_zero(32, false),
        json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": 4_294_967_295_u32}),
    );
    check(
        &non_zero(64, true),
        json!({"type": "integer", "format": "int64", "not": {"enum": [0]}}),
    );
    let formatted = |format| scalar(Scalar::Formatted(format));
    check(&formatted("ip"), json!({"type": "string"}));
    check(&formatted("partial-date-time"), json!({"type": "string"}));
    check(
        &formatted("date-time"),
        json!({"type": "string", "format": "date-time"}),
    );
    check(
        &any(),
        json!({"x-kubernetes-preserve-unknown-fields": true}),
    );
}

#[test]
fn optional_is_not_nullable_unless_its_place_asks_for_null() {
    let text = json!({"type": "string"});
    let nullable = json!({"type": "string", "nullable": true});
    check(&option(string()), text.clone());
    check(
        &list(option(string())),
        json!({"type": "array", "items": nullable}),
    );
    check(
        &map(string(), option(string())),
        json!({"type": "object", "additionalProperties": nullable}),
    );
    check(
        &structure([
            field("a", option(string())),
            Field {
                nullable: true,
                ..field("b", option(string()))
            },
            field("c", string()),
            Field {
                optional: true,
                default: Some(json!("x")),
                ..field("d", string())
            },
            Field {
                optional: true,
                default: Some(Value::Null),
                ..field("e", option(string()))
            },
        ]),
        json!({"type": "object", "required": ["c"], "properties": {
            "a": text, "b": nullable, "c": text, "d": {"type": "string", "default": "x"}, "e": text,
        }}),
    );
}

#[test]
fn collections() {
    check(
        &set(string()),
        json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}),
    );
    check(
        &set(structure([])),
        json!({"type": "array", "items": {"type": "object"}}),
    );
    let keyed = |key| map(key, string());
    let map_of_text = json!({"type": "object", "additionalProperties": {"type": "string"}});
    check(&keyed(int(16, false)), map_of_text.clone());
    let ab = choice(
        Tagging::External,
        [unit("A"), documented_variant(unit("B"), "The B")],
    );
    check(&keyed(ab), map_of_text);
    refuse(
        &keyed(structure([])),
        Code::UnsupportedType,
        "`Struct` cannot be the key of a map",
    );
    refuse(
        &made("(u8,)", Shape::Tuple(vec![])),
        Code::NonStructural,
        "a tuple has a schema for each of its items, which a CRD cannot express",
    );
    refuse(
        &made("()", Shape::Unit),
        Code::UnsupportedType,
        "`()` can only be `null`, which a CRD cannot express",
    );
}

#[test]
fn the_field_speaks_before_the_type() {
    let told = with_doc(
        &choice(
            Tagging::External,
            [documented_variant(unit("B"), "b"), unit("A")],
        ),
        "Type",
    );
    let ab = |text| json!({"type": "string", "enum": ["B", "A"], "description": text});
    check(
        &structure([
            documented("mine", option(told.clone()), "Field"),
            field("its", told),
        ]),
        json!({"type": "object", "required": ["its"], "properties": {
            "mine": ab("Field"), "its": ab("Type"),
        }}),
    );
}

#[test]
fn attributes_fit_or_are_refused() {
    let facets = Facets::default;
    check(
        &structure([
            limited(
                "list",
                list(string()),
                Facets {
                    max_length: Some(3),
                    inner: Some(Box::new(Facets {
                        min_length: Some(1),
                        ..facets()
                    })),
                    ..facets()
                },
            ),
            limited(
                "map",
                map(string(), string()),
                Facets {
                    max_length: Some(4),
                    ..facets()
                },
            ),
            limited(
                "number",
                int(16, false),
                Facets {
                    minimum: serde_json::Number::from_f64(1.0),
                    ..facets()
                },
            ),
            limited(
                "set",
                string(),
                Facets {
                    extend: vec![
                        ("not".into(), json!({"enum": ["x"]})),
                        ("x-kubernetes-validations".into(), json!([{"rule": "true"}])),
                    ],
                    rules: vec![Rule {
                        rule: "false".into(),
                        ..Rule::default()
                    }],
                    ..facets()
                },
            ),
        ]),
        json!({"type": "object", "required": ["list", "map", "number", "set"], "properties": {
            "list": {"type": "array", "maxItems": 3, "items": {"type": "string", "minLength": 1}},
            "map": {"type": "object", "maxProperties": 4, "additionalProperties": {"type": "string"}},
            "number": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 65535},
            "set": {"type": "string", "not": {"enum": ["x"]},
                "x-kubernetes-validations": [{"rule": "true"}, {"rule": "false"}]},
        }}),
    );
    let misplaced = |facets| structure([limited("f", scalar(Scalar::Bool), facets)]);
    refuse(
        &misplaced(Facets {
            max_length: Some(1),
            ..facets()
        }),
        Code::InvalidAttribute,
        "`length` does not apply to a boolean",
    );
    let extended = |key: &str, value| {
        misplaced(Facets {
            extend: vec![(key.into(), value)],
            ..facets()
        })
    };
    refuse(
        &extended("maxLenght", json!(1)),
        Code::InvalidAttribute,
        "`maxLenght` is not a keyword of a CRD's schema",
    );
    refuse(
        &extended("maxLength", json!("1")),
        Code::InvalidAttribute,
        "`maxLength` does not take this value",
    );
    refuse(
        &extended("patternProperties", json!({})),
        Code::NonStructural,
        "an API server rejects `patternProperties`",
    );
}

#[test]
fn types_of_kubernetes_own() {
    let known = |well_known, written: Value| {
        Arc::new(Type {
            well_known: Some(well_known),
            ..Type::clone(&made("Known", Shape::Literal(Literal::Value(written))))
        })
    };
    let both = json!([{"type": "integer"}, {"type": "string"}]);
    check(
        &known(
            WellKnown::IntOrString,
            json!({"description": "D", "x-kubernetes-int-or-string": true}),
        ),
        json!({"description": "D", "x-kubernetes-int-or-string": true, "anyOf": both}),
    );
    let quantity = known(
        WellKnown::Quantity,
        json!({"x-kubernetes-int-or-string": true}),
    );
    let (schema, _) = render(Convention::Kubernetes, &quantity);
    assert_eq!(to_json(&schema)["anyOf"], both);
    assert!(to_json(&schema)["pattern"].is_string());
    check(
        &known(
            WellKnown::ObjectMeta,
            json!({"description": "D", "type": "object", "properties": {"name": {"type": "string"}}}),
        ),
        json!({"type": "object"}),
    );
    check(
        &known(WellKnown::RawExtension, json!({"type": "object"})),
        json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
    );
    let condition = known(
        WellKnown::Condition,
        json!({"type": "object", "properties": {
            "status": {"type": "string", "description": "S"},
        }}),
    );
    let (schema, findings) = render(Convention::Kubernetes, &condition);
    assert_eq!(findings, []);
    let schema = to_json(&schema);
    assert_eq!(
        schema["properties"]["status"],
        json!({"type": "string", "description": "S", "enum": ["True", "False", "Unknown"]})
    );
    assert_eq!(
        schema["required"],
        json!(["lastTransitionTime", "message", "reason", "status", "type"])
    );
    assert_eq!(schema["properties"]["reason"]["minLength"], 1);
    assert_eq!(schema["properties"]["type"]["maxLength"], 316);
}

#[test]
fn hand_written_schemas_are_cleaned() {
    check(
        &made(
            "Hand",
            Shape::Literal(Literal::Object(vec![
                ("type".into(), Literal::Value(json!(["object", "null"]))),
                (
                    "properties".into(),
                    Literal::Object(vec![
                        (
                            "a".into(),
                            Literal::Value(
                                json!({"type": "integer", "format": "uint16", "minimum": 2.0}),
                            ),
                        ),
                        (
                            "b".into(),
                            Literal::Schema(
                                option(string()),
                                vec![("description".into(), Edit::Set(Literal::Value(json!("B"))))],
                            ),
                        ),
                        (
                            "c".into(),
                            Literal::Value(
                                json!({"type": ["string", "null"], "enum": ["x", null]}),
                            ),
                        ),
                    ]),
                ),
                ("$comment".into(), Literal::Value(json!("why"))),
            ])),
        ),
        json!({"type": "object", "properties": {
            "a": {"type": "integer", "format": "int32", "minimum": 2, "maximum": 65535},
            "b": {"type": "string", "description": "B"},
            "c": {"type": "string", "enum": ["x"]},
        }}),
    );
    refuse(
        &made(
            "Hand",
            Shape::Literal(Literal::Value(
                json!({"type": "object", "patternProperties": {}}),
            )),
        ),
        Code::NonStructural,
        "an API server rejects `patternProperties`",
    );
}

/// A transform sees the whole schema of its place, however that came about.
#[test]
fn what_a_transform_removes_is_gone() {
    let hand = json!({
        "type": "object", "title": "T", "description": "D", "default": {"x": "a"}, "nullable": true,
        "properties": {"x": {"type": "string"}, "y": {"type": "string"}}, "required": ["x"],
        "minProperties": 1, "maxProperties": 2, "example": {"x": "b"}, "externalDocs": {"url": "u"},
        "allOf": [{"required": ["x"]}], "anyOf": [{"required": ["x"]}, {"required": ["y"]}],
        "oneOf": [{"required": ["x"]}, {"required": ["y"]}], "not": {"required": ["x", "y"]},
        "x-kubernetes-map-type": "atomic", "x-kubernetes-preserve-unknown-fields": true,
        "x-kubernetes-validations": [{"rule": "true"}],
    });
    let hand = made("Hand", Shape::Literal(Literal::Value(hand)));
    for convention in [Convention::Kube, Convention::Kubernetes] {
        let whole = to_json(&render(convention, &hand).0);
        let whole = whole.as_object().unwrap();
        for key in whole.keys() {
            let mut changed = Type::clone(&hand);
            changed.facets.always.edits = vec![(key.as_str().into(), Edit::Remove)];
            let (schema, findings) = render(convention, &Arc::new(changed));
            let schema = to_json(&schema);
            let mut rest = whole.clone();
            rest.remove(key);
            match key.as_str() {
                "type" | "properties" => assert_eq!(schema.get(key), None),
                _ => assert_eq!((schema, findings), (Value::Object(rest), Vec::new())),
            }
        }
    }
}

#[test]
fn the_root_has_what_every_object_has() {
    let draft = shared::draft(structure([field("spec", structure([]))]));
    let cache = Cache::default();
    let renderer = Renderer::new(Convention::Kubernetes, Selection::Everything, &cache);
    let mut sink = Sink::default();
    let root = to_json(&renderer.root(&draft, &mut sink).unwrap());
    assert_eq!(sink.diagnostics(), []);
    assert_eq!(root.get("title"), None);
    assert_eq!(root.get("description"), None);
    assert_eq!(root["required"], json!(["spec"]));
    assert_eq!(root["properties"]["metadata"], json!({"type": "object"}));
    for name in ["apiVersion", "kind"] {
        assert_eq!(root["properties"][name]["type"], "string");
        assert!(root["properties"][name]["description"].is_string());
    }
    assert_eq!(faults(&root), [""; 0]);
}

#[test]
fn lists_of_kubernetes_own_types_are_merged_as_there() {
    let known = |lists: &'static [KnownList], written: Value| {
        Arc::new(Type {
            well_known: Some(WellKnown::Lists(lists)),
            ..Type::clone(&made("Known", Shape::Literal(Literal::Value(written))))
        })
    };
    const LISTS: &[KnownList] = &[
        KnownList {
            field: "a",
            list_type: ListType::Atomic,
            keys: &[],
        },
        KnownList {
            field: "m",
            list_type: ListType::Map,
            keys: &["k"],
        },
    ];
    let map = |item: Value| json!({"type": "array", "items": item});
    let item =
        json!({"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}}});
    let loose = json!({"type": "object", "properties": {"k": {"type": "string"}}});
    let texts = json!({"type": "array", "items": {"type": "string"}});
    check(
        &known(
            LISTS,
            json!({"type": "object", "properties": {"a": texts, "b": texts, "m": map(item.clone())}}),
        ),
        json!({"type": "object", "properties": {
            "a": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "atomic"},
            "b": texts,
            "m": {"type": "array", "items": item, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]},
        }}),
    );
    // Items may lack the key, and a server would refuse such a list.
    let plain = json!({"type": "object", "properties": {"m": map(loose)}});
    check(&known(LISTS, plain.clone()), plain);
    // The same type inside a hand-written schema.
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let inner = known(LISTS, json!({"type": "object", "properties": {"a": texts}}));
    let object = |entries: Vec<(&str, Literal)>| {
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value));
        Literal::Object(entries.collect())
    };
    let outer = object(vec![
        ("type", Literal::Value(json!("object"))),
        (
            "properties",
            object(vec![("in", Literal::Schema(inner, Vec::new()))]),
        ),
    ]);
    check(
        &made("Outer", Shape::Literal(outer)),
        json!({"type": "object", "properties": {"in": {"type": "object", "properties": {
            "a": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "atomic"}}}}}),
    );
}
