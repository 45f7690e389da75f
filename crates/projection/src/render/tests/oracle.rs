//! kube and schemars as the oracle: derived types next to the same types built by hand.
#![allow(dead_code, missing_docs, reason = "types that are only derived for")]

use super::super::Convention;
use super::json::{faults, to_json};
use super::*;
use ::kube::core::schema::{OptionalEnum, OptionalIntOrString, StructuralSchemaRewriter};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSONSchemaProps;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(JsonSchema)]
pub(super) struct Holder<T> {
    value: T,
}

/// Returns what kube makes of a type in a field, or `None` if it panics.
pub(super) fn by_kube<T: JsonSchema>() -> Option<Value> {
    unless_it_panics(|| {
        let generator = SchemaSettings::openapi3()
            .with(|settings| {
                settings.inline_subschemas = true;
                settings.meta_schema = None;
            })
            .with_transform(schemars::transform::AddNullable::default())
            .with_transform(StructuralSchemaRewriter)
            .with_transform(OptionalEnum)
            .with_transform(OptionalIntOrString)
            .into_generator();
        let schema = generator.into_root_schema_for::<Holder<T>>().to_value();
        let props: JSONSchemaProps = serde_json::from_value(schema).unwrap();
        let mut value = serde_json::to_value(props).unwrap();
        value.as_object_mut().unwrap().remove("title");
        value
    })
}

/// Compares with kube; where kube panics or an API server would refuse its output, ours must be structural or have a finding.
#[track_caller]
pub(super) fn check<T: JsonSchema>(ty: Arc<Type>) {
    check_field::<T>(field("value", ty));
}

#[track_caller]
pub(super) fn check_field<T: JsonSchema>(value: Field) {
    let (schema, findings) = render(Convention::Kube, &structure([value]));
    let ours = to_json(&schema);
    match by_kube::<T>() {
        Some(theirs) if faults(&theirs).is_empty() => {
            assert_eq!(findings, [], "kube writes {theirs:#}");
            assert_eq!(ours, theirs, "{ours:#}\nkube: {theirs:#}");
        }
        theirs => assert!(
            !findings.is_empty() || faults(&ours).is_empty(),
            "kube fails: {theirs:#?}, nothing is found in {ours:#}"
        ),
    }
}

#[derive(JsonSchema, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Clone)]
pub(super) enum Plain {
    A,
    B,
}

pub(super) fn plain() -> Arc<Type> {
    choice(Tagging::External, [unit("A"), unit("B")])
}

/// Told
#[derive(JsonSchema, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Clone)]
pub(super) enum DocumentedEnum {
    /// First
    A,
    B,
    /// Third
    C,
}

pub(super) fn documented_enum() -> Arc<Type> {
    with_doc(
        &choice(
            Tagging::External,
            [
                documented_variant(unit("A"), "First"),
                unit("B"),
                documented_variant(unit("C"), "Third"),
            ],
        ),
        "Told",
    )
}

#[derive(JsonSchema, Serialize, Clone)]
pub(super) struct Inner {
    /// How many
    count: u8,
    name: Option<String>,
}

pub(super) fn inner() -> Arc<Type> {
    structure([
        documented("count", int(8, false), "How many"),
        field("name", option(string())),
    ])
}

/// Rich
#[derive(JsonSchema, Serialize)]
pub(super) enum Rich {
    /// By name
    ByName(String),
    Direct(Inner),
    /// With fields
    Fields {
        a: Option<Plain>,
        b: Vec<DocumentedEnum>,
    },
    /// Maybe
    Maybe(Option<DocumentedEnum>),
}

pub(super) fn rich() -> Arc<Type> {
    with_doc(
        &choice(
            Tagging::External,
            [
                documented_variant(carrying("ByName", string()), "By name"),
                carrying("Direct", inner()),
                documented_variant(
                    holding(
                        "Fields",
                        [
                            field("a", option(plain())),
                            field("b", list(documented_enum())),
                        ],
                    ),
                    "With fields",
                ),
                documented_variant(carrying("Maybe", option(documented_enum())), "Maybe"),
            ],
        ),
        "Rich",
    )
}
