//! The `kube` convention where kube panics or a server refuses its output: the structural schema that is meant.

use super::super::Convention;
use super::json::to_json;
use super::*;
use crd_channels_diagnostics::Code;
use crd_channels_schema::draft::SkippedVariant;
use serde_json::{Value, json};

#[track_caller]
fn check(ty: &Arc<Type>, expected: Value) {
    let (schema, findings) = render(Convention::Kube, ty);
    assert_eq!(findings, []);
    let ours = to_json(&schema);
    assert_eq!(ours, expected, "{ours:#}");
}

#[track_caller]
fn refuse(ty: &Arc<Type>, code: Code, message: &str) {
    let (_, findings) = render(Convention::Kube, ty);
    let said: Vec<_> = findings
        .iter()
        .map(|finding| (finding.code, finding.message.as_str()))
        .collect();
    assert_eq!(said, [(code, message)]);
}

fn internal() -> Tagging {
    Tagging::Internal { tag: "type".into() }
}

fn adjacent() -> Tagging {
    Tagging::Adjacent {
        tag: "type".into(),
        content: "with".into(),
    }
}

fn url() -> Arc<Type> {
    structure([field("url", string()), field("port", option(int(32, true)))])
}

#[test]
fn internally_tagged_enums() {
    let action = choice(
        internal(),
        [
            unit("None"),
            carrying("Http", url()),
            holding("Exec", [field("command", list(string()))]),
        ],
    );
    let object = json!({"type": "object", "required": ["type"], "properties": {
        "type": {"type": "string", "enum": ["None", "Http", "Exec"]},
        "url": {"type": "string"},
        "port": {"type": "integer", "format": "int32", "nullable": true},
        "command": {"type": "array", "items": {"type": "string"}},
    }, "oneOf": [
        {"properties": {"type": {"enum": ["None"]}}},
        {"properties": {"type": {"enum": ["Http"]}}, "required": ["url"]},
        {"properties": {"type": {"enum": ["Exec"]}}, "required": ["command"]},
    ]});
    check(&action, object.clone());
    let mut nullable = object.clone();
    nullable["nullable"] = true.into();
    nullable["description"] = "Mine".into();
    check(
        &structure([documented("action", option(action.clone()), "Mine")]),
        json!({"type": "object", "properties": {"action": nullable}}),
    );
    let mut around = object;
    around["properties"]["own"] = json!({"type": "string"});
    around["required"] = json!(["own", "type"]);
    check(&structure([field("own", string()), flat(action)]), around);
    check(
        &choice(internal(), [unit("A"), unit("B")]),
        json!({"type": "object", "required": ["type"], "properties": {
            "type": {"type": "string", "enum": ["A", "B"]},
        }}),
    );
    refuse(
        &choice(
            internal(),
            [
                holding("A", [field("port", int(16, false))]),
                holding("B", [field("port", string())]),
            ],
        ),
        Code::PropertyConflict,
        "the property `port` has a different schema elsewhere in the same object",
    );
}

#[test]
fn adjacently_tagged_enums() {
    check(
        &choice(
            adjacent(),
            [
                carrying("Http", url()),
                holding("Exec", [field("command", string())]),
                unit("None"),
            ],
        ),
        json!({"type": "object", "required": ["type"], "properties": {
            "type": {"type": "string", "enum": ["Http", "Exec", "None"]},
            "with": {"type": "object", "properties": {
                "url": {"type": "string"},
                "port": {"type": "integer", "format": "int32", "nullable": true},
                "command": {"type": "string"},
            }},
        }, "oneOf": [
            {"properties": {"type": {"enum": ["Http"]}, "with": {"required": ["url"]}}, "required": ["with"]},
            {"properties": {"type": {"enum": ["Exec"]}, "with": {"required": ["command"]}}, "required": ["with"]},
            {"properties": {"type": {"enum": ["None"]}}},
        ]}),
    );
    refuse(
        &choice(
            adjacent(),
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
            holding(
                "A",
                [documented("x", string(), "First"), field("a", string())],
            ),
            holding(
                "B",
                [documented("x", string(), "Second"), field("b", string())],
            ),
        ]),
        json!({"type": "object", "required": ["x"], "properties": {
            "x": {"type": "string", "description": "First"},
            "a": {"type": "string"}, "b": {"type": "string"},
        }, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
    );
    check(
        &untagged(vec![
            carrying("A", scalar(Scalar::Formatted("ipv4"))),
            carrying("B", scalar(Scalar::Formatted("ipv6"))),
        ]),
        json!({"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}),
    );
    let either = json!({
        "x-kubernetes-int-or-string": true,
        "anyOf": [{"type": "integer"}, {"type": "string"}],
        "minimum": 1.0,
    });
    let port = untagged(vec![
        carrying("Number", non_zero(32, false)),
        carrying("Name", string()),
    ]);
    check(&port, either.clone());
    let mut nullable = either;
    nullable["nullable"] = true.into();
    check(
        &structure([field("port", option(port))]),
        json!({"type": "object", "properties": {"port": nullable}}),
    );
    // A value without data is `null`, which the object around a flattened one is not.
    let absent = untagged(vec![
        unit("Absent"),
        holding("Named", [field("name", string())]),
    ]);
    let mut named = json!({"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string"},
    }});
    check(
        &structure([field("a", string()), flat(absent.clone())]),
        json!({"type": "object", "required": ["a", "name"], "properties": {
            "a": {"type": "string"}, "name": {"type": "string"},
        }}),
    );
    named["nullable"] = true.into();
    check(&absent, named);
    refuse(
        &untagged(vec![
            carrying("A", string()),
            carrying("B", scalar(Scalar::Bool)),
        ]),
        Code::NonStructural,
        "the variants of this untagged enum have no type in common",
    );
}

#[test]
fn what_a_field_says_itself_is_not_repaired() {
    let port = choice(
        Tagging::Untagged,
        [
            carrying("Number", int(64, true)),
            carrying("Name", string()),
        ],
    );
    let kept = Facets {
        extend: vec![("x-kubernetes-preserve-unknown-fields".into(), true.into())],
        ..Facets::default()
    };
    check(
        &structure([limited("port", port, kept)]),
        json!({"type": "object", "required": ["port"], "properties": {"port": {
            "anyOf": [{"format": "int64"}, {}],
            "x-kubernetes-preserve-unknown-fields": true,
        }}}),
    );
}

fn extended(keyword: &str, value: Value) -> Facets {
    Facets {
        extend: vec![(keyword.into(), value)],
        ..Facets::default()
    }
}

#[test]
fn no_bound_of_several_is_lost() {
    let bounds = json!([{"minLength": 1}, {"maxLength": 3}]);
    let text = with_facets(&string(), extended("allOf", bounds.clone()));
    check(
        &option(text),
        json!({"type": "string", "nullable": true, "allOf": bounds}),
    );
}

#[test]
fn a_default_of_one_variant_is_refused() {
    let mut by_default = carrying("A", string());
    by_default.facets.always = extended("default", json!({}));
    refuse(
        &choice(Tagging::External, [by_default, carrying("B", string())]),
        Code::NonStructural,
        "`default` of one variant would apply to all",
    );
}

#[test]
fn names_of_which_all_are_skipped_are_no_alternative() {
    let source = choice(
        Tagging::External,
        [carrying("path", string()), carrying("url", string())],
    );
    let mut source = Type::clone(&source);
    if let Shape::Enum(def) = &mut source.shape {
        def.skipped = vec![SkippedVariant {
            gate: None,
            is_plain: true,
            untagged: false,
        }];
    }
    let text = json!({"type": "string"});
    check(
        &Arc::new(source),
        json!({
            "type": "object",
            "properties": {"path": text, "url": text},
            "oneOf": [{"required": ["path"]}, {"required": ["url"]}],
        }),
    );
}

#[test]
fn checks_of_a_flattened_struct_stay_beside_those_of_an_enum() {
    let flags = structure([field("a", string()), field("b", string())]);
    let either = json!([{"required": ["a"]}, {"required": ["b"]}]);
    let flags = with_facets(&flags, extended("oneOf", either.clone()));
    let mode = choice(
        Tagging::External,
        [carrying("on", string()), carrying("off", string())],
    );
    let text = json!({"type": "string"});
    let modes = json!([{"required": ["on"]}, {"required": ["off"]}]);
    check(
        &structure([flat(mode), flat(flags)]),
        json!({
            "type": "object",
            "required": ["a", "b"],
            "properties": {"a": text, "b": text, "on": text, "off": text},
            "allOf": [{"oneOf": modes}, {"oneOf": either}],
        }),
    );
}

#[test]
fn several_flattened_enums() {
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
}

#[test]
fn any_json_and_integers_as_keys() {
    let anything = json!({"x-kubernetes-preserve-unknown-fields": true});
    check(
        &structure([
            documented("free", any(), "Mine"),
            field("maybe", option(any())),
        ]),
        json!({"type": "object", "required": ["free"], "properties": {
            "free": {"x-kubernetes-preserve-unknown-fields": true, "description": "Mine"},
            "maybe": anything,
        }}),
    );
    check(
        &map(int(32, true), string()),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
    );
}

#[test]
fn names_beside_data() {
    let network = choice(
        Tagging::External,
        [
            unit("main-net"),
            documented_variant(unit("Test"), "For tests"),
            carrying("Custom", string()),
            carrying("Other", url()),
        ],
    );
    let mixed = json!({
        "x-kubernetes-preserve-unknown-fields": true,
        "pattern": "^(main\\-net|Test)$",
        "properties": {
            "Custom": {"type": "string"},
            "Other": {"type": "object", "required": ["url"], "properties": {
                "url": {"type": "string"},
                "port": {"type": "integer", "format": "int32", "nullable": true},
            }},
        },
        "anyOf": [{"required": ["Custom"]}, {"required": ["Other"]}],
        "maxProperties": 1,
    });
    check(&network, mixed.clone());
    let mut nullable = mixed;
    nullable["nullable"] = true.into();
    check(
        &structure([field("network", option(network))]),
        json!({"type": "object", "properties": {"network": nullable}}),
    );
}
