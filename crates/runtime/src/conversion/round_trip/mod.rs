//! Proves in a test that a conversion loses nothing: random objects from the schemas of a CRD are converted to every other
//! version, edited there, and converted back.
//!
//! - What a client did not touch is as it was.
//! - What it touched is as the client wrote it.
//! - An API server accepts the result.
//! - Parts of objects are converted as well, and nothing is added to them.
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
//!     round_trip::prove(&converter(), &crd(), 1000, "../channels/proofs").unwrap_or_else(|lost| panic!("{lost}"));
//! }
//! ```
//!
//! [`prove`] also keeps a record of the proof, which tells a release that the types are those that were tested. [`check`] is the
//! test alone.

mod draw;
mod edits;
mod expected;
mod recorded;

pub use recorded::prove;

use super::kept::annotation;
use super::{Converted, Converter, Kind};
use edits::{Choices, edited, part};
use expected::{Shown, difference, expected, is_part_of, without_more};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceDefinition, JSONSchemaProps, JSONSchemaPropsOrArray, JSONSchemaPropsOrBool,
};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use serde_json::Value;
use std::cell::Cell;
use std::fmt;

/// The number of choices of an edit or a part.
const CHOICES: usize = 48;

/// An object that does not survive conversion, minimized.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LossyObject {
    /// The version in which it was written.
    pub from: String,
    /// The version to which it was converted.
    pub to: String,
    /// The object.
    pub object: Value,
    /// The object in the other version after an edit, if it takes one to lose something.
    pub edited: Option<Value>,
    /// What is wrong.
    pub why: String,
}

/// Why a conversion is not proven.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// An object does not survive.
    Lost(Box<LossyObject>),
    /// The converter does not convert a version of the CRD, or its kind.
    NotConverted(String),
    /// No object can be generated from the schema of a version.
    Undrawable(String),
    /// The conversion loses nothing, but no record says so of these types.
    Unrecorded(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(lost) => {
                let LossyObject {
                    from,
                    to,
                    object,
                    edited,
                    why,
                } = &**lost;
                write!(
                    out,
                    "an object does not survive the conversion from `{from}` to `{to}` and back: {why}\n{}",
                    yaml(object)
                )?;
                match edited {
                    Some(edited) => write!(out, "--- # after an edit in `{to}`\n{}", yaml(edited)),
                    None => Ok(()),
                }
            }
            Self::NotConverted(what) => write!(out, "the converter does not convert {what}"),
            Self::Undrawable(why) => write!(out, "no object can be generated: {why}"),
            Self::Unrecorded(why) => write!(out, "the conversion is not proven on record: {why}"),
        }
    }
}

impl std::error::Error for Failure {}

fn yaml(object: &Value) -> String {
    serde_saphyr::to_string(object).unwrap_or_else(|_| format!("{object:#}\n"))
}

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

/// Converts the given number of objects of each version of a CRD to each other version and back, as they are and after an edit,
/// whole and in parts.
///
/// # Errors
/// An object does not survive, a version is not converted, or no valid object can be generated.
pub fn check(
    converter: &Converter,
    crd: &CustomResourceDefinition,
    objects_of_each: u32,
) -> Result<(), Failure> {
    tried(converter, crd, objects_of_each).map(drop)
}

/// What was tried, at least for each pair of versions.
#[derive(Clone, Copy)]
struct Tried {
    objects: u32,
    edits: u32,
}

fn tried(
    converter: &Converter,
    crd: &CustomResourceDefinition,
    objects_of_each: u32,
) -> Result<Tried, Failure> {
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
    let mut least: Option<Tried> = None;
    for from in &versions {
        for to in versions.iter().filter(|to| *to != from) {
            let pair = Pair {
                kind,
                crd,
                from,
                to,
                versions: &versions,
            };
            let own = pair.check(objects_of_each)?;
            let known = least.unwrap_or(own);
            least = Some(Tried {
                objects: known.objects.min(own.objects),
                edits: known.edits.min(own.edits),
            });
        }
    }
    Ok(least.unwrap_or(Tried {
        objects: 0,
        edits: 0,
    }))
}

struct Pair<'a> {
    kind: &'a Kind,
    crd: &'a CustomResourceDefinition,
    from: &'a str,
    to: &'a str,
    versions: &'a [&'a str],
}

/// An object of one version, an object of the other from which an edit takes its values, and the choices of the edit.
type Drawn = (Value, Value, Vec<u8>);

/// What is wrong with an object, and the edit that it takes.
struct Wrong {
    why: String,
    edited: Option<Value>,
}

impl Wrong {
    fn object(why: impl fmt::Display) -> Self {
        Self {
            why: why.to_string(),
            edited: None,
        }
    }
}

impl Pair<'_> {
    fn check(&self, count: u32) -> Result<Tried, Failure> {
        let config = Config {
            cases: count,
            failure_persistence: None,
            max_shrink_iters: 4096,
            ..Config::default()
        };
        let keeps_status = self.kind.keeps_status();
        let without_what_is_not_kept = move |mut object: Value| {
            if let (false, Some(fields)) = (keeps_status, object.as_object_mut()) {
                fields.remove("status");
            }
            object
        };
        let drawn = (
            objects(self.crd, self.from)?.prop_map(without_what_is_not_kept),
            objects(self.crd, self.to)?.prop_map(without_what_is_not_kept),
            vec(any::<u8>(), CHOICES),
        );
        let (valid, edits) = (Cell::new(0_u32), Cell::new(0_u32));
        let run = TestRunner::new(config).run(&drawn.boxed(), |drawn: Drawn| {
            // Rules cannot be drawn: what breaks one says nothing about the conversion.
            if !self.is_valid(&drawn.0, self.from) {
                return Ok(());
            }
            valid.set(valid.get().saturating_add(1));
            let is_edited = self.survives(&drawn);
            let is_edited = is_edited.map_err(|wrong| TestCaseError::fail(wrong.why))?;
            edits.set(edits.get().saturating_add(u32::from(is_edited)));
            Ok(())
        });
        match run {
            Ok(()) if valid.get() == 0 && count > 0 => Err(Failure::Undrawable(format!(
                "none of {count} objects of `{}` keeps the rules of the schema",
                self.from
            ))),
            Ok(()) => Ok(Tried {
                objects: valid.get(),
                edits: edits.get(),
            }),
            Err(TestError::Abort(why)) => Err(Failure::Undrawable(why.to_string())),
            Err(TestError::Fail(why, drawn)) => {
                let wrong = self.survives(&drawn).err();
                let (why, edited) = match wrong {
                    Some(wrong) => (wrong.why, wrong.edited),
                    None => (why.to_string(), None),
                };
                Err(Failure::Lost(Box::new(LossyObject {
                    from: self.from.to_owned(),
                    to: self.to.to_owned(),
                    object: drawn.0,
                    edited,
                    why,
                })))
            }
        }
    }

    /// Returns whether an edit was tried as well.
    fn survives(&self, (object, other, choices): &Drawn) -> Result<bool, Wrong> {
        let there = self.convert(object.clone(), self.from, self.to)?;
        if let Some(schema) = schema(self.crd, self.to)
            && let Some(path) = pruned(&there, schema, "")
        {
            let why = format!("`{}` has no field `{path}`, and prunes it", self.to);
            return Err(Wrong::object(why));
        }
        self.comes_back(object, &there)?;
        self.ignores_what_others_wrote(object, choices)?;
        self.converts_parts(object, choices)?;
        let mut choices = Choices::of(choices);
        let mut after = edited(&there, other, &mut choices);
        // Clients do not write these.
        for name in ["apiVersion", "kind", "metadata"] {
            if let (Some(after), Some(value)) = (after.as_object_mut(), there.get(name)) {
                after.insert(name.to_owned(), value.clone());
            }
        }
        if after == there || !self.is_valid(&after, self.to) {
            return Ok(false);
        }
        let kept = self.keeps_an_edit(object, &there, &after);
        kept.map(|()| true).map_err(|why| Wrong {
            why: why.why,
            edited: Some(after),
        })
    }

    /// Without an edit, the object is as it was, also once a server has added its defaults.
    fn comes_back(&self, object: &Value, there: &Value) -> Result<(), Wrong> {
        let back = self.convert(there.clone(), self.to, self.from)?;
        if let Some(path) = difference(object, &back) {
            let why = format!("`{path}` comes back with a different value");
            return Err(Wrong::object(why));
        }
        let mut with_defaults = there.clone();
        let added = self.kind.add_defaults(&mut with_defaults, self.to);
        added.map_err(Wrong::object)?;
        let back = self.convert(with_defaults, self.to, self.from)?;
        match difference(object, &without_more(&back, object)) {
            Some(path) => Err(Wrong::object(format!(
                "`{path}` comes back with a different value once a server has added its defaults"
            ))),
            None => Ok(()),
        }
    }

    fn keeps_an_edit(&self, object: &Value, there: &Value, after: &Value) -> Result<(), Wrong> {
        let result = self.convert(after.clone(), self.to, self.from)?;
        let shown = Shown {
            was: object,
            before: &self.plain(there, self.to, self.from)?,
            after: &self.plain(after, self.to, self.from)?,
        };
        // What it touched is there.
        let seen = self.plain(&result, self.from, self.to)?;
        let written = self.plain(shown.after, self.from, self.to)?;
        if let Some(path) = difference(&written, &without_more(&seen, &written))
            && self.is_valid(shown.after, self.from)
        {
            let why =
                format!("the edit is lost: `{path}` is not as it was written in the other version");
            return Err(Wrong::object(why));
        }
        // The schema accepts it.
        if self.is_valid(shown.after, self.from) {
            let violations = self.kind.violations(&result, self.from);
            let violations = violations.map_err(Wrong::object)?;
            if let Some(first) = violations.first() {
                let why = format!("`{}` refuses what comes back: {first}", self.from);
                return Err(Wrong::object(why));
            }
        }
        // What it did not touch is as it was.
        let edited = [there, after, &written];
        if expected::is_edit_hidden(edited, schema(self.crd, self.to)) {
            return self.takes_any_way(after);
        }
        let Some(schema) = schema(self.crd, self.from) else {
            return Ok(());
        };
        let expected = expected(shown, schema).map(|expected| self.stripped(expected));
        let result = self.stripped(result);
        if let Some(expected) = expected
            && self.is_valid(&expected, self.from)
            && let Some(path) = expected::lost(&expected, &result, schema)
        {
            let why = format!("`{path}` was not edited, and does not come back");
            return Err(Wrong::object(why));
        }
        self.takes_any_way(after)
    }

    /// An object that is stored in one version and read in another is the same as if it were converted at once.
    fn takes_any_way(&self, after: &Value) -> Result<(), Wrong> {
        for third in self.versions {
            if *third == self.from || *third == self.to {
                continue;
            }
            let stored = self.convert(after.clone(), self.to, self.from)?;
            let stored = self.convert(stored, self.from, third)?;
            let direct = self.convert(after.clone(), self.to, third)?;
            let (stored, direct) = (self.stripped(stored), self.stripped(direct));
            if let Some(path) = difference(&direct, &stored) {
                let why = format!(
                    "`{path}` of `{third}` depends on whether the object is stored as `{}`",
                    self.from
                );
                return Err(Wrong::object(why));
            }
        }
        Ok(())
    }

    /// A part of an object becomes a part of what the object becomes.
    fn converts_parts(&self, object: &Value, choices: &[u8]) -> Result<(), Wrong> {
        let mut choices = Choices::of(choices);
        let piece = part(object, &mut choices);
        let of_part =
            |why: String| Wrong::object(format!("a part of it {why}\n{}---", yaml(&piece)));
        let whole = self.plain(object, self.from, self.to)?;
        let there = self.convert(piece.clone(), self.from, self.to);
        let there = there.map_err(|error| of_part(format!("is not converted: {}", error.why)))?;
        if let Some(path) = is_part_of(&self.stripped(there.clone()), &whole) {
            return Err(of_part(format!(
                "has `{path}` in the other version, which the whole object does not have there"
            )));
        }
        let back = self.convert(there, self.to, self.from);
        let back = back.map_err(|error| of_part(format!("does not come back: {}", error.why)))?;
        // What a part lacks that the schema requires may keep the rest from being restored.
        match difference(&piece, &without_more(&self.stripped(back), &piece)) {
            Some(path) if self.is_valid(&piece, self.from) => {
                Err(of_part(format!("comes back with a different `{path}`")))
            }
            _ => Ok(()),
        }
    }

    /// Anybody who may write an object may write the annotation.
    fn ignores_what_others_wrote(&self, object: &Value, choices: &[u8]) -> Result<(), Wrong> {
        let mut forged = object.clone();
        let name = annotation::name(&self.crd.spec.group);
        let text = annotation::forged(self.to, object, choices);
        if let Some(annotations) = forged
            .pointer_mut("/metadata/annotations")
            .and_then(Value::as_object_mut)
        {
            annotations.insert(name, text.into());
        }
        let converted = self.convert(forged, self.from, self.to)?;
        let converted = self.stripped(converted);
        match difference(&object["metadata"], &converted["metadata"]) {
            Some(path) => Err(Wrong::object(format!(
                "a forged annotation changes `metadata{path}`"
            ))),
            None => Ok(()),
        }
    }

    fn convert(&self, object: Value, from: &str, to: &str) -> Result<Value, Wrong> {
        let converted = self.kind.convert(object, from, to);
        let Converted { object, .. } = converted.map_err(Wrong::object)?;
        Ok(object)
    }

    /// Converts what is visible of an object, without what was kept.
    fn plain(&self, object: &Value, from: &str, to: &str) -> Result<Value, Wrong> {
        let converted = self.convert(self.stripped(object.clone()), from, to)?;
        Ok(self.stripped(converted))
    }

    fn stripped(&self, mut object: Value) -> Value {
        drop(annotation::take(&mut object, &self.crd.spec.group));
        object
    }

    fn is_valid(&self, object: &Value, version: &str) -> bool {
        let violations = self.kind.violations(object, version);
        violations.is_ok_and(|violations| violations.is_empty())
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
