//! Proves in a test that a conversion loses nothing: random objects from the schemas of a CRD are converted to every other
//! version and back.
//!
//! A stable channel only has to convert stable fields ("API Authors" of the versioning rules): pass the CRD of that channel, so
//! that no experimental fields are generated.
//!
//! ```no_run
//! # use crd_channels_runtime::conversion::{Converter, round_trip};
//! # fn converter() -> Converter { Converter::new([]) }
//! # fn crd() -> k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition { Default::default() }
//! #[test]
//! fn routes_survive_conversion() {
//!     round_trip::check(&converter(), &crd(), 1000).unwrap_or_else(|lost| panic!("{lost}"));
//! }
//! ```

mod draw;

use super::{Converter, Kind};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceDefinition, JSONSchemaProps, JSONSchemaPropsOrArray, JSONSchemaPropsOrBool,
};
use proptest::strategy::BoxedStrategy;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use serde_json::Value;
use std::fmt;

/// An object that a round trip changes, minimized.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LossyObject {
    /// The version in which it was written.
    pub from: String,
    /// The version to which it was converted.
    pub to: String,
    /// The object.
    pub object: Value,
    /// The change.
    pub why: String,
}

/// Why a conversion is not proven.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// A round trip changes an object.
    Lost(Box<LossyObject>),
    /// The converter does not convert a version of the CRD, or its kind.
    NotConverted(String),
    /// No object can be generated from the schema of a version.
    Undrawable(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(lost) => write!(
                out,
                "an object does not survive the conversion from `{}` to `{}` and back: {}\n{:#}",
                lost.from, lost.to, lost.why, lost.object
            ),
            Self::NotConverted(what) => write!(out, "the converter does not convert {what}"),
            Self::Undrawable(why) => write!(out, "no object can be generated: {why}"),
        }
    }
}

impl std::error::Error for Failure {}

/// Generates objects of a version from its schema, for your own property tests. Rules, `not` and `allOf` are ignored.
///
/// # Errors
/// The CRD lacks the version, or objects cannot be generated from the version's schema.
pub fn objects(
    crd: &CustomResourceDefinition,
    version: &str,
) -> Result<BoxedStrategy<Value>, Failure> {
    let schema = schema(crd, version).ok_or_else(|| {
        Failure::Undrawable(format!("version `{version}` does not have a schema"))
    })?;
    let api_version = format!("{}/{version}", crd.spec.group);
    draw::object(schema, &api_version, &crd.spec.names.kind).map_err(Failure::Undrawable)
}

/// Converts the given number of objects of each version of a CRD to each other version and back.
///
/// Each must be convertible, have only fields of the other version's schema, and come back unchanged.
///
/// # Errors
/// A round trip changes an object, a version is not converted, or no object can be generated.
pub fn check(
    converter: &Converter,
    crd: &CustomResourceDefinition,
    objects_of_each: u32,
) -> Result<(), Failure> {
    let (group, name) = (&crd.spec.group, &crd.spec.names.kind);
    let kind = converter.kind(group, name);
    let kind = kind.ok_or_else(|| Failure::NotConverted(format!("kind `{name}`")))?;
    let versions: Vec<&str> = crd
        .spec
        .versions
        .iter()
        .map(|version| &*version.name)
        .collect();
    let unknown = versions
        .iter()
        .find(|version| !kind.versions().any(|known| known == **version));
    if let Some(unknown) = unknown {
        return Err(Failure::NotConverted(format!(
            "version `{unknown}` of kind `{name}`"
        )));
    }
    for from in &versions {
        let drawn = objects(crd, from)?;
        for to in versions.iter().filter(|to| *to != from) {
            let pair = Pair {
                kind,
                crd,
                from,
                to,
            };
            pair.check(&drawn, objects_of_each)?;
        }
    }
    Ok(())
}

struct Pair<'a> {
    kind: &'a Kind,
    crd: &'a CustomResourceDefinition,
    from: &'a str,
    to: &'a str,
}

impl Pair<'_> {
    fn check(&self, drawn: &BoxedStrategy<Value>, objects: u32) -> Result<(), Failure> {
        let config = Config {
            cases: objects,
            failure_persistence: None,
            ..Config::default()
        };
        let survives = |object: Value| self.survives(object).map_err(TestCaseError::fail);
        match TestRunner::new(config).run(drawn, survives) {
            Ok(()) => Ok(()),
            Err(TestError::Abort(why)) => Err(Failure::Undrawable(why.to_string())),
            Err(TestError::Fail(why, object)) => Err(Failure::Lost(Box::new(LossyObject {
                from: self.from.to_owned(),
                to: self.to.to_owned(),
                object,
                why: why.to_string(),
            }))),
        }
    }

    fn survives(&self, object: Value) -> Result<(), String> {
        let whole = self
            .kind
            .observed(&object, self.from)
            .map_err(|error| format!("its own type cannot read it: {error}"))?;
        let there = self.kind.convert(object, self.from, self.to);
        let there = there.map_err(|error| error.to_string())?;
        if let Some(schema) = schema(self.crd, self.to)
            && let Some(path) = pruned(&there, schema, "")
        {
            return Err(format!(
                "`{}` has no field `{path}`, and prunes it",
                self.to
            ));
        }
        let mut with_defaults = there.clone();
        let added = self.kind.add_defaults(&mut with_defaults, self.to);
        added.map_err(|error| error.to_string())?;
        let back = self.way_back(there)?;
        if let Some(path) = difference(&whole, &back, "") {
            return Err(format!("`{path}` comes back with a different value"));
        }
        let back = self.way_back(with_defaults)?;
        match difference(&whole, &without_more(&back, &whole), "") {
            Some(path) => Err(format!(
                "`{path}` comes back with a different value once a server has added its defaults"
            )),
            None => Ok(()),
        }
    }

    fn way_back(&self, object: Value) -> Result<Value, String> {
        let back = self.kind.convert(object, self.to, self.from);
        back.map_err(|error| format!("on the way back: {error}"))
    }
}

fn schema<'a>(crd: &'a CustomResourceDefinition, version: &str) -> Option<&'a JSONSchemaProps> {
    let mut versions = crd.spec.versions.iter();
    let version = versions.find(|found| found.name == version)?;
    version.schema.as_ref()?.open_api_v3_schema.as_ref()
}

/// Returns the path of a field that a schema lacks.
fn pruned(value: &Value, schema: &JSONSchemaProps, path: &str) -> Option<String> {
    match value {
        Value::Object(fields) => fields.iter().find_map(|(name, value)| {
            let is_meta = matches!(&**name, "apiVersion" | "kind" | "metadata");
            let is_root = path.is_empty() || schema.x_kubernetes_embedded_resource == Some(true);
            if is_meta && is_root {
                return None;
            }
            let path = format!("{path}.{name}");
            let known = schema
                .properties
                .as_ref()
                .and_then(|fields| fields.get(name));
            let of_all = match &schema.additional_properties {
                Some(JSONSchemaPropsOrBool::Schema(schema)) => Some(&**schema),
                _ => None,
            };
            match known.or(of_all) {
                Some(schema) => pruned(value, schema, &path),
                None if schema.x_kubernetes_preserve_unknown_fields == Some(true) => None,
                None => Some(path),
            }
        }),
        Value::Array(items) => match &schema.items {
            Some(JSONSchemaPropsOrArray::Schema(schema)) => items
                .iter()
                .enumerate()
                .find_map(|(index, item)| pruned(item, schema, &format!("{path}[{index}]"))),
            _ => None,
        },
        _ => None,
    }
}

/// Returns a value without the fields that another lacks: a round trip may add defaults of the other version.
fn without_more(value: &Value, other: &Value) -> Value {
    match (value, other) {
        (Value::Object(value), Value::Object(other)) => {
            let common = other.iter().filter_map(|(name, other)| {
                Some((name.clone(), without_more(value.get(name)?, other)))
            });
            Value::Object(common.collect())
        }
        (Value::Array(value), Value::Array(other)) if value.len() == other.len() => {
            let pairs = value.iter().zip(other);
            Value::Array(
                pairs
                    .map(|(value, other)| without_more(value, other))
                    .collect(),
            )
        }
        (value, _) => value.clone(),
    }
}

/// Returns the path of the first difference between two values.
fn difference(one: &Value, other: &Value, path: &str) -> Option<String> {
    match (one, other) {
        _ if one == other => None,
        (Value::Object(one), Value::Object(other)) => {
            one.keys().chain(other.keys()).find_map(|name| {
                let path = format!("{path}.{name}");
                match (one.get(name), other.get(name)) {
                    (Some(one), Some(other)) => difference(one, other, &path),
                    _ => Some(path),
                }
            })
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let pairs = one.iter().zip(other).enumerate();
            pairs.into_iter().find_map(|(index, (one, other))| {
                difference(one, other, &format!("{path}[{index}]"))
            })
        }
        _ => Some(path.to_owned()),
    }
}
