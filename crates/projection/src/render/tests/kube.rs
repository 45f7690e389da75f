//! Compares the `kube` convention with kube and schemars: the same type, derived and built by hand.
#![allow(dead_code, missing_docs, reason = "types that are only derived for")]

use super::super::Convention;
use super::json::to_json;
use super::oracle::*;
use super::*;
use crd_channels_schema::draft::{Edit, IntegerVariant, Literal, WellKnown};
use crd_channels_schema::{ListType, MapType, Rule};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[test]
fn scalars() {
    check::<bool>(scalar(Scalar::Bool));
    check::<char>(scalar(Scalar::Char));
    check::<String>(string());
    check::<f32>(scalar(Scalar::Float));
    check::<f64>(scalar(Scalar::Double));
    check::<std::net::IpAddr>(scalar(Scalar::Formatted("ip")));
    check::<i8>(int(8, true));
    check::<i16>(int(16, true));
    check::<i32>(int(32, true));
    check::<i64>(int(64, true));
    check::<i128>(int(128, true));
    check::<isize>(int(0, true));
    check::<u8>(int(8, false));
    check::<u16>(int(16, false));
    check::<u32>(int(32, false));
    check::<u64>(int(64, false));
    check::<u128>(int(128, false));
    check::<usize>(int(0, false));
    check::<std::num::NonZeroU16>(non_zero(16, false));
    check::<std::num::NonZeroI64>(non_zero(64, true));
    check::<Option<std::num::NonZeroI8>>(option(non_zero(8, true)));
    check::<Option<String>>(option(string()));
    check::<Option<Option<u8>>>(option(option(int(8, false))));
}

#[test]
fn collections() {
    check::<Vec<String>>(list(string()));
    check::<Vec<Option<String>>>(list(option(string())));
    check::<BTreeSet<String>>(set(string()));
    check::<[u8; 4]>(made(
        "[u8; 4]",
        Shape::List {
            items: int(8, false),
            unique: false,
            length: Some(4),
        },
    ));
    check::<[String; 0]>(made(
        "[String; 0]",
        Shape::List {
            items: string(),
            unique: false,
            length: Some(0),
        },
    ));
    check::<BTreeMap<String, i32>>(map(string(), int(32, true)));
    check::<Option<HashMap<String, Option<i32>>>>(option(map(string(), option(int(32, true)))));
    check::<BTreeMap<u8, i32>>(map(int(8, false), int(32, true)));
    check::<BTreeMap<String, Value>>(map(string(), any()));
    check::<BTreeMap<String, Option<Value>>>(map(string(), option(any())));
    check::<BTreeMap<String, BTreeMap<String, Value>>>(map(string(), map(string(), any())));
    check::<BTreeMap<Plain, i32>>(map(plain(), int(32, true)));
    check::<BTreeMap<DocumentedEnum, i32>>(map(documented_enum(), int(32, true)));
    check::<Vec<Value>>(list(any()));
    check::<Value>(any());
    check::<Option<Value>>(option(any()));
    check::<()>(made("()", Shape::Unit));
    check::<(u8, String)>(made(
        "(u8, String)",
        Shape::Tuple(vec![field("0", int(8, false)), field("1", string())]),
    ));
}

#[test]
fn structs() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Denying {
        b: u8,
        a: String,
    }
    check::<Denying>(denying([field("b", int(8, false)), field("a", string())]));
    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}
    check::<Nothing>(denying([]));
    #[derive(JsonSchema)]
    struct Defaults {
        #[serde(default)]
        a: u8,
        #[serde(default)]
        b: Option<String>,
        #[schemars(required)]
        c: Option<Option<u8>>,
        #[serde(default)]
        d: Option<DocumentedEnum>,
    }
    let defaulted = |name: &str, ty, default| Field {
        optional: true,
        default: Some(default),
        ..field(name, ty)
    };
    check::<Defaults>(structure([
        defaulted("a", int(8, false), json!(0)),
        defaulted("b", option(string()), Value::Null),
        Field {
            optional: false,
            force_required: true,
            ..field("c", option(option(int(8, false))))
        },
        defaulted("d", option(documented_enum()), Value::Null),
    ]));
    /// Wrapped
    #[derive(JsonSchema)]
    struct Wrapped(#[schemars(length(max = 3))] Vec<String>);
    check::<Option<Wrapped>>(option(with_doc(
        &made(
            "Wrapped",
            Shape::Newtype(Box::new(limited(
                "0",
                list(string()),
                Facets {
                    max_length: Some(3),
                    ..Facets::default()
                },
            ))),
        ),
        "Wrapped",
    )));
    /// # Title
    ///
    /// Text
    #[derive(JsonSchema)]
    #[schemars(example = 5, extend("minimum" = 7, "unknown" = 1))]
    struct Titled(u8);
    check::<Titled>(with_facets(
        &made(
            "Titled",
            Shape::Newtype(Box::new(field("0", int(8, false)))),
        ),
        Facets {
            doc: Some("# Title\n\nText".into()),
            example: Some(json!(5)),
            extend: vec![("minimum".into(), json!(7)), ("unknown".into(), json!(1))],
            ..Facets::default()
        },
    ));
}

#[test]
fn integer_enums() {
    #[derive(JsonSchema)]
    struct Repr {
        #[schemars(extend("enum" = [1, -2]), with = "i64")]
        #[schemars(extend("type" = "integer"))]
        value: u8,
    }
    let (schema, findings) = render(
        Convention::Kube,
        &made(
            "Repr",
            Shape::IntegerEnum(
                [1, -2]
                    .map(|value| IntegerVariant {
                        value,
                        span: span_at(0),
                        gate: None,
                    })
                    .to_vec(),
            ),
        ),
    );
    assert_eq!(findings, []);
    let theirs = &by_kube::<Repr>().unwrap()["properties"]["value"]["properties"]["value"];
    assert_eq!(to_json(&schema)["enum"], theirs["enum"]);
}

#[test]
fn validation() {
    #[derive(JsonSchema)]
    struct Limits {
        #[schemars(length(min = 1, max = 2), regex(pattern = "^a$"))]
        text: Option<String>,
        #[schemars(length(max = 2), inner(length(min = 1), pattern("x")))]
        list: Vec<String>,
        #[schemars(range(min = 1, max = 2))]
        number: u32,
        #[schemars(range(max = 2.5), length(max = 1))]
        float: f64,
        #[schemars(length(max = 1), range(min = 1))]
        neither: Inner,
        #[schemars(url)]
        url: String,
        #[schemars(email)]
        odd: DocumentedEnum,
        #[schemars(inner(length(max = 9)))]
        told: Vec<Option<DocumentedEnum>>,
        #[schemars(extend("maxLength" = 4), length(max = 2))]
        extended: String,
        #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
        free: Value,
        #[schemars(title = "T", description = "D", example = "e".to_owned())]
        /// # No
        said: Option<DocumentedEnum>,
    }
    let facets = Facets::default;
    let number = |value: f64| serde_json::Number::from_f64(value);
    check::<Limits>(structure([
        limited(
            "text",
            option(string()),
            Facets {
                min_length: Some(1),
                max_length: Some(2),
                pattern: Some("^a$".into()),
                ..facets()
            },
        ),
        limited(
            "list",
            list(string()),
            Facets {
                max_length: Some(2),
                inner: Some(Box::new(Facets {
                    min_length: Some(1),
                    pattern: Some("x".into()),
                    ..facets()
                })),
                ..facets()
            },
        ),
        limited(
            "number",
            int(32, false),
            Facets {
                minimum: Some(1.into()),
                maximum: Some(2.into()),
                ..facets()
            },
        ),
        limited(
            "float",
            scalar(Scalar::Double),
            Facets {
                maximum: number(2.5),
                max_length: Some(1),
                ..facets()
            },
        ),
        limited(
            "neither",
            inner(),
            Facets {
                minimum: Some(1.into()),
                max_length: Some(1),
                ..facets()
            },
        ),
        limited(
            "url",
            string(),
            Facets {
                format: Some("uri".into()),
                ..facets()
            },
        ),
        limited(
            "odd",
            documented_enum(),
            Facets {
                format: Some("email".into()),
                ..facets()
            },
        ),
        limited(
            "told",
            list(option(documented_enum())),
            Facets {
                inner: Some(Box::new(Facets {
                    max_length: Some(9),
                    ..facets()
                })),
                ..facets()
            },
        ),
        limited(
            "extended",
            string(),
            Facets {
                max_length: Some(2),
                extend: vec![("maxLength".into(), json!(4))],
                ..facets()
            },
        ),
        limited(
            "free",
            any(),
            Facets {
                extend: vec![("x-kubernetes-preserve-unknown-fields".into(), json!(true))],
                ..facets()
            },
        ),
        limited(
            "said",
            option(documented_enum()),
            Facets {
                doc: Some("# No".into()),
                title: Some("T".into()),
                description: Some("D".into()),
                example: Some(json!("e")),
                ..facets()
            },
        ),
    ]));
}

#[test]
fn rules_and_merge_keywords() {
    #[derive(::kube::KubeSchema, Serialize, Deserialize, Clone)]
    #[x_kube(validation = ("self.list.size() > 0", "no"))]
    #[schemars(extend("x-kubernetes-validations" = [{"rule": "true"}]))]
    struct Ruled {
        #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
        list: Vec<BTreeMap<String, String>>,
        #[x_kube(merge_strategy = MapMerge::Atomic, validation = "self.size() < 3")]
        map: Option<BTreeMap<String, String>>,
    }
    let rule = |rule: &str| Rule {
        rule: rule.into(),
        ..Rule::default()
    };
    let ruled = || {
        with_facets(
            &structure([
                limited(
                    "list",
                    list(map(string(), string())),
                    Facets {
                        list_type: Some(ListType::Map),
                        list_map_keys: vec!["name".into()],
                        ..Facets::default()
                    },
                ),
                limited(
                    "map",
                    option(map(string(), string())),
                    Facets {
                        map_type: Some(MapType::Atomic),
                        rules: vec![rule("self.size() < 3")],
                        ..Facets::default()
                    },
                ),
            ]),
            Facets {
                extend: vec![("x-kubernetes-validations".into(), json!([{"rule": "true"}]))],
                rules: vec![Rule {
                    message: Some("no".into()),
                    ..rule("self.list.size() > 0")
                }],
                ..Facets::default()
            },
        )
    };
    check::<Ruled>(ruled());
    check::<Option<Ruled>>(option(ruled()));
    #[derive(JsonSchema)]
    struct Flattens {
        #[serde(flatten)]
        ruled: Ruled,
    }
    check::<Flattens>(structure([flat(ruled())]));
    #[derive(::kube::KubeSchema, Serialize, Deserialize, Clone)]
    struct Misplaces {
        #[serde(flatten)]
        #[x_kube(validation = "true")]
        ruled: Ruled,
    }
    let misplacing = structure([Field {
        flatten: true,
        ..limited(
            "ruled",
            ruled(),
            Facets {
                rules: vec![rule("true")],
                ..Facets::default()
            },
        )
    }]);
    let (schema, findings) = render(Convention::Kube, &misplacing);
    let theirs = by_kube::<Misplaces>().unwrap();
    assert_eq!(to_json(&schema), theirs["properties"]["value"]);
    assert_eq!(findings.len(), 1);
}

#[test]
fn literals_and_int_or_string() {
    let written = json!({
        "description": "IntOrString is a type that can hold an int32 or a string.  When used in JSON or YAML marshalling and unmarshalling, it produces or consumes the inner type.  This allows you to have, for example, a JSON field that can accept a name or number.",
        "x-kubernetes-int-or-string": true,
    });
    let int_or_string = || {
        Arc::new(Type {
            well_known: Some(WellKnown::IntOrString),
            ..Type::clone(&made(
                "IntOrString",
                Shape::Literal(Literal::Value(written.clone())),
            ))
        })
    };
    #[derive(JsonSchema)]
    struct Ports {
        port: IntOrString,
        #[serde(default)]
        defaulted: Option<IntOrString>,
        /// Maybe
        optional: Option<IntOrString>,
        many: Vec<IntOrString>,
    }
    check::<Ports>(structure([
        field("port", int_or_string()),
        field("defaulted", option(int_or_string())),
        documented("optional", option(int_or_string()), "Maybe"),
        field("many", list(int_or_string())),
    ]));
    struct Hand;
    impl JsonSchema for Hand {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Hand".into()
        }
        fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
            let mut told = generator.subschema_for::<Option<DocumentedEnum>>();
            told.insert("description".into(), "Set".into());
            schemars::json_schema!({
                "type": ["object", "null"],
                "properties": {
                    "told": told,
                    "list": {"type": "array", "uniqueItems": true, "items": {"type": "string", "const": "x"}},
                    "map": {"type": "object", "additionalProperties": {"type": "string", "examples": [1, 2]}},
                },
                "required": ["told", "list", "told"],
                "additionalProperties": true,
                "deprecated": true,
            })
        }
    }
    let value = |value: Value| Literal::Value(value);
    check::<Hand>(made(
        "Hand",
        Shape::Literal(Literal::Object(vec![
            ("type".into(), value(json!(["object", "null"]))),
            (
                "properties".into(),
                Literal::Object(vec![
                    (
                        "told".into(),
                        Literal::Schema(
                            option(documented_enum()),
                            vec![("description".into(), Edit::Set(value(json!("Set"))))],
                        ),
                    ),
                    (
                        "list".into(),
                        value(
                            json!({"type": "array", "uniqueItems": true, "items": {"type": "string", "const": "x"}}),
                        ),
                    ),
                    (
                        "map".into(),
                        value(
                            json!({"type": "object", "additionalProperties": {"type": "string", "examples": [1, 2]}}),
                        ),
                    ),
                ]),
            ),
            ("required".into(), value(json!(["told", "list", "told"]))),
            ("additionalProperties".into(), value(json!(true))),
            ("deprecated".into(), value(json!(true))),
        ])),
    ));
}
