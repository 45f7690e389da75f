//! Compares the `kube` convention with kube and schemars: enums and flattened fields.
#![allow(dead_code, missing_docs, reason = "types that are only derived for")]

use super::oracle::*;
use super::*;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[test]
fn unit_enums() {
    #[derive(JsonSchema)]
    struct InFields {
        plain: Plain,
        /// Mine
        plain_option: Option<Plain>,
        /// Mine
        told: DocumentedEnum,
        /// Mine
        told_option: Option<DocumentedEnum>,
        bare: Option<DocumentedEnum>,
        many: Vec<Option<DocumentedEnum>>,
    }
    check::<InFields>(structure([
        field("plain", plain()),
        documented("plain_option", option(plain()), "Mine"),
        documented("told", documented_enum(), "Mine"),
        documented("told_option", option(documented_enum()), "Mine"),
        field("bare", option(documented_enum())),
        field("many", list(option(documented_enum()))),
    ]));
    #[derive(JsonSchema)]
    enum Empty {}
    check::<Empty>(choice(Tagging::External, []));
}

#[test]
fn external_enums() {
    check::<Rich>(rich());
    check::<Option<Rich>>(option(rich()));
    check::<Vec<Rich>>(list(rich()));
    #[derive(JsonSchema)]
    struct Doc {
        /// Mine
        rich: Option<Rich>,
        /// Own
        own: Rich,
    }
    check::<Doc>(structure([
        documented("rich", option(rich()), "Mine"),
        documented("own", rich(), "Own"),
    ]));
    #[derive(JsonSchema)]
    enum Mixed {
        A,
        B(u8),
    }
    check::<Mixed>(choice(
        Tagging::External,
        [unit("A"), carrying("B", int(8, false))],
    ));
    #[derive(JsonSchema)]
    enum OneUntagged {
        A(u8),
        #[serde(untagged)]
        B {
            c: String,
        },
    }
    check::<OneUntagged>(choice(
        Tagging::External,
        [
            carrying("A", int(8, false)),
            Variant {
                untagged: true,
                ..holding("B", [field("c", string())])
            },
        ],
    ));
    #[derive(JsonSchema)]
    enum TupleVariant {
        A(u8, u8),
    }
    check::<TupleVariant>(choice(
        Tagging::External,
        [variant(
            "A",
            Content::Tuple(vec![field("0", int(8, false)), field("1", int(8, false))]),
        )],
    ));
}

#[test]
fn tagged_enums() {
    #[derive(JsonSchema)]
    #[serde(tag = "type")]
    enum Two {
        A(Inner),
        B { c: u8 },
    }
    let internal = || Tagging::Internal { tag: "type".into() };
    check::<Two>(choice(
        internal(),
        [
            carrying("A", inner()),
            holding("B", [field("c", int(8, false))]),
        ],
    ));
    #[derive(JsonSchema)]
    #[serde(tag = "type")]
    enum One {
        /// Only
        A(Inner),
    }
    check::<One>(choice(
        internal(),
        [documented_variant(carrying("A", inner()), "Only")],
    ));
    #[derive(JsonSchema)]
    #[serde(tag = "type")]
    enum OneUnit {
        /// Only
        A,
    }
    check::<OneUnit>(choice(internal(), [documented_variant(unit("A"), "Only")]));
    #[derive(JsonSchema)]
    #[serde(tag = "type", content = "with")]
    enum Adjacent {
        A(Inner),
    }
    let adjacent = || Tagging::Adjacent {
        tag: "type".into(),
        content: "with".into(),
    };
    check::<Adjacent>(choice(adjacent(), [carrying("A", inner())]));
    #[derive(JsonSchema)]
    #[serde(tag = "type", content = "with")]
    enum AdjacentTwo {
        A(Inner),
        B,
    }
    check::<AdjacentTwo>(choice(adjacent(), [carrying("A", inner()), unit("B")]));
}

#[test]
fn untagged_enums() {
    #[derive(JsonSchema)]
    #[serde(untagged)]
    enum Objects {
        /// One
        A {
            /// The a
            a: u8,
        },
        B {
            b: Option<DocumentedEnum>,
            c: String,
        },
    }
    let objects = || {
        choice(
            Tagging::Untagged,
            [
                documented_variant(
                    holding("A", [documented("a", int(8, false), "The a")]),
                    "One",
                ),
                holding(
                    "B",
                    [field("b", option(documented_enum())), field("c", string())],
                ),
            ],
        )
    };
    check::<Objects>(objects());
    check::<Option<Objects>>(option(objects()));
    #[derive(JsonSchema)]
    #[serde(untagged)]
    enum Scalars {
        A(u8),
        B(String),
    }
    check::<Scalars>(choice(
        Tagging::Untagged,
        [carrying("A", int(8, false)), carrying("B", string())],
    ));
    #[derive(JsonSchema)]
    #[serde(untagged)]
    enum Clash {
        A { a: u8 },
        B { a: String },
    }
    check::<Clash>(choice(
        Tagging::Untagged,
        [
            holding("A", [field("a", int(8, false))]),
            holding("B", [field("a", string())]),
        ],
    ));
    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[schemars(extend("x-kubernetes-int-or-string" = true))]
    enum Marked {
        A(i64),
        B(String),
    }
    check::<Marked>(with_facets(
        &choice(
            Tagging::Untagged,
            [carrying("A", int(64, true)), carrying("B", string())],
        ),
        Facets {
            extend: vec![("x-kubernetes-int-or-string".into(), true.into())],
            ..Facets::default()
        },
    ));
}

#[test]
fn flattened() {
    #[derive(JsonSchema, Serialize)]
    struct Around {
        #[serde(flatten)]
        inner: Inner,
        own: u8,
    }
    check::<Around>(structure([flat(inner()), field("own", int(8, false))]));
    /// Inner's
    #[derive(JsonSchema)]
    struct Commented {
        a: u8,
    }
    let commented = || with_doc(&structure([field("a", int(8, false))]), "Inner's");
    #[derive(JsonSchema)]
    struct Inherits {
        #[serde(flatten)]
        inner: Commented,
        #[serde(flatten)]
        optional: Option<Inner>,
    }
    check::<Inherits>(structure([flat(commented()), flat(option(inner()))]));
    #[derive(JsonSchema)]
    struct WithMap {
        own: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    let values = || map(string(), any());
    check::<WithMap>(structure([field("own", int(8, false)), flat(values())]));
    #[derive(JsonSchema)]
    struct WithTypedMap {
        own: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, String>,
    }
    check::<WithTypedMap>(structure([
        field("own", int(8, false)),
        flat(map(string(), string())),
    ]));
    #[derive(JsonSchema)]
    struct OnlyMap {
        #[serde(flatten)]
        rest: Value,
    }
    check::<OnlyMap>(structure([flat(any())]));
    #[derive(JsonSchema)]
    struct WithEnum {
        own: u8,
        #[serde(flatten)]
        rich: Rich,
    }
    check::<WithEnum>(structure([field("own", int(8, false)), flat(rich())]));
    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct WithOptionalEnum {
        #[serde(flatten)]
        rich: Option<Rich>,
    }
    check::<WithOptionalEnum>(denying([flat(option(rich()))]));
    #[derive(JsonSchema)]
    struct WithUnits {
        #[serde(flatten)]
        plain: Plain,
    }
    check::<WithUnits>(structure([flat(plain())]));
    #[derive(JsonSchema)]
    struct TwoEnums {
        #[serde(flatten)]
        rich: Rich,
        #[serde(flatten)]
        other: Other,
    }
    #[derive(JsonSchema)]
    enum Other {
        X(u8),
        Y(u8),
    }
    let other = || {
        choice(
            Tagging::External,
            [carrying("X", int(8, false)), carrying("Y", int(8, false))],
        )
    };
    check::<TwoEnums>(structure([flat(rich()), flat(other())]));
    #[derive(JsonSchema)]
    struct EnumAndMap {
        #[serde(flatten)]
        other: Other,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    check::<EnumAndMap>(structure([flat(other()), flat(values())]));
    #[derive(JsonSchema)]
    #[serde(untagged)]
    enum Free {
        A { a: u8 },
        B { b: u8 },
    }
    #[derive(JsonSchema)]
    struct WithFree {
        #[serde(flatten)]
        free: Option<Free>,
        own: String,
    }
    let free = choice(
        Tagging::Untagged,
        [
            holding("A", [field("a", int(8, false))]),
            holding("B", [field("b", int(8, false))]),
        ],
    );
    check::<WithFree>(structure([flat(option(free)), field("own", string())]));
}
