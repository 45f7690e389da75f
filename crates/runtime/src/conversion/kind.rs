//! The versions of a kind, and the conversion between them.

use super::kept::annotation::{self, Annotations};
use super::kept::{Fault, KnownShape, Lost, Shape, restore, waiting, with_restored};
use super::plan::{Plan, Way};
use super::{Convert, Unconvertible};
use crd_channels_validation::path::PathElement;
use crd_channels_validation::{Validator, Violation};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Resource;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// The versions of a kind, each with the conversion to the hub and back.
#[derive(Clone, Debug)]
pub struct Kind {
    pub(super) group: String,
    pub(super) kind: String,
    hub: Version,
    spokes: Vec<Spoke>,
    keeps_status: bool,
}

#[derive(Clone, Debug)]
struct Version {
    name: String,
    shape: Shape,
    validator: Option<Validator>,
}

#[derive(Clone, Debug)]
struct Spoke {
    version: Version,
    plan: Plan,
}

/// A converted object.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Converted {
    /// The object in the other version.
    pub object: Value,
    /// What it lacks because this program does not know it, or its schema refuses it. Annotations keep it for a program that does.
    pub unrestored: Vec<Unrestored>,
}

/// A part that a converted object lacks.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Unrestored {
    /// The path to it, `/spec/mode`.
    pub path: String,
    /// Why it is left out, such as why the schema refuses it.
    pub reason: String,
}

impl fmt::Display for Unrestored {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is left out: {}", self.path, self.reason)
    }
}

/// A builder for the versions of a kind with the hub `H`.
#[derive(Clone, Debug)]
pub struct Versions<H> {
    kind: Kind,
    crd: CustomResourceDefinition,
    hub: PhantomData<fn() -> H>,
}

/// The converted versions are not those of the CRD.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum VersionMismatch {
    /// The types are of another kind than the CRD.
    OtherKind(String),
    /// The CRD lacks a version that is converted.
    Unknown(String),
    /// A version is converted twice.
    Twice(String),
    /// The CRD serves or stores a version that is not converted.
    Missing(String),
    /// The schema of a version cannot be read.
    Schema(String),
}

impl fmt::Display for VersionMismatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherKind(of) => write!(out, "the type is of `{of}`, and the CRD is not"),
            Self::Unknown(version) => write!(out, "the CRD does not have version `{version}`"),
            Self::Twice(version) => write!(out, "version `{version}` is converted twice"),
            Self::Missing(version) => {
                write!(out, "version `{version}` of the CRD is not converted")
            }
            Self::Schema(why) => write!(out, "a schema of the CRD cannot be read: {why}"),
        }
    }
}

impl std::error::Error for VersionMismatch {}

impl Kind {
    /// The kind of a CRD, whose versions are converted through the version of type `H`, the hub. The hub should be the most
    /// expressive version.
    ///
    /// The schemas of the CRD tell which lists are maps, where unions are, which defaults an API server adds, and what it
    /// refuses. Embed the CRD in the program: a newer one in the cluster may have versions that the program does not convert.
    #[must_use]
    pub fn with_hub<H: Resource<DynamicType = ()>>(crd: &CustomResourceDefinition) -> Versions<H> {
        Versions {
            kind: Self {
                group: crd.spec.group.clone(),
                kind: crd.spec.names.kind.clone(),
                hub: Version::of::<H>(),
                spokes: Vec::new(),
                keeps_status: true,
            },
            crd: crd.clone(),
            hub: PhantomData,
        }
    }

    /// The names of its versions, hub first.
    pub fn versions(&self) -> impl Iterator<Item = &str> {
        let spokes = self.spokes.iter().map(|spoke| &spoke.version);
        let all = std::iter::once(&self.hub).chain(spokes);
        all.map(|version| &*version.name)
    }

    /// The name of the annotations that keep what a version cannot represent, `<group>/conversion-kept`. It is a prefix: the
    /// annotation of a field is `<group>/conversion-kept.v1.spec.retries`.
    #[must_use]
    pub fn annotation(&self) -> String {
        annotation::name(&self.group)
    }

    /// Converts an object, or a part of one, from one version to another.
    ///
    /// # Errors
    /// A version is unknown, or a value cannot be converted.
    pub fn convert(&self, object: Value, from: &str, to: &str) -> Result<Converted, Unconvertible> {
        let (from, to) = (self.spoke(from)?, self.spoke(to)?);
        let mut unrestored = Vec::new();
        let mut object = object;
        if let Some(spoke) = from {
            object = self.step(object, spoke, Way::TO_HUB, &mut unrestored)?;
        }
        if let Some(spoke) = to {
            object = self.step(object, spoke, Way::FROM_HUB, &mut unrestored)?;
        }
        Ok(Converted { object, unrestored })
    }

    /// The spoke of a version; `None` for the hub.
    fn spoke(&self, version: &str) -> Result<Option<&Spoke>, Unconvertible> {
        if version == self.hub.name {
            return Ok(None);
        }
        let mut spokes = self.spokes.iter();
        let spoke = spokes.find(|spoke| spoke.version.name == version);
        spoke.map(Some).ok_or_else(|| {
            let known: Vec<&str> = self.versions().collect();
            Unconvertible::new(format!(
                "version `{version}` of `{}` is unknown to the webhook, which converts `{}`",
                self.kind,
                known.join("`, `")
            ))
        })
    }

    /// Performs one step. Restores what was lost on an earlier way back, and keeps what the other version cannot represent.
    fn step(
        &self,
        object: Value,
        spoke: &Spoke,
        way: Way,
        unrestored: &mut Vec<Unrestored>,
    ) -> Result<Value, Unconvertible> {
        let (from, to) = way.of(&spoke.version, &self.hub);
        let Parts {
            mut meta,
            body,
            mut kept,
        } = Parts::of(object, &self.group)?;
        let mut unknown = Vec::new();
        KnownShape(Some(&from.shape)).unknown_members(&body, "", &mut unknown);
        unrestored.extend(unknown.into_iter().map(|path| Unrestored {
            path,
            reason: format!(
                "the schema of `{}` does not know this member of a union",
                from.name
            ),
        }));
        let plain = run(&spoke.plan, body.clone(), way)?;
        let is_kept = kept.versions.contains_key(&to.name);
        let carried = is_kept.then(|| run(&spoke.plan, body.clone(), way.carrying()));
        let carried = carried.transpose()?;
        let api_version = format!("{}/{}", self.group, to.name);
        meta.insert("apiVersion".to_owned(), api_version.into());
        let mut converted = plain.clone();
        let mut later: Option<Lost> = None;
        let mut is_restored = false;
        for name in [&to.name, &annotation::later(&to.name)] {
            let Some(lost) = kept.versions.remove(name) else {
                continue;
            };
            is_restored = true;
            let faults = |body: &Value| to.faults(&meta, body, &spoke.plan, way);
            // What is kept of a third version may be fields that this one has, and a former program did not know.
            let partial = *name != to.name && !kept.versions.is_empty();
            let shape = KnownShape(Some(&to.shape));
            let restored = restore(&lost, &converted, carried.as_ref(), partial, shape, &faults);
            converted = restored.object;
            later = Lost::both(later, restored.later);
            let missing = restored.unrestored.into_iter();
            unrestored.extend(missing.map(|(path, reason)| Unrestored { path, reason }));
        }
        let later = later.map(|later| (annotation::later(&to.name), later));
        kept.versions.extend(later);
        if !self.keeps_status {
            copy_status(&plain, &mut converted);
        }
        let returned = run(&spoke.plan, converted.clone(), way.back())?;
        let defaulted = to.shape.has_defaults().then(|| {
            let mut with_defaults = converted.clone();
            to.shape.add_defaults(&mut with_defaults);
            run(&spoke.plan, with_defaults, way.back()).ok()
        });
        let defaulted = defaulted.flatten();
        let shape = KnownShape(Some(&from.shape));
        let again = |body| {
            let there = run(&spoke.plan, body, way).ok()?;
            run(&spoke.plan, there, way.back()).ok()
        };
        let mut was = body;
        if is_restored {
            let alone = run(&spoke.plan, plain, way.back())?;
            let survives = again(returned.clone());
            let trips = [Some(&alone), Some(&returned), survives.as_ref()];
            was = with_restored(Some(was), trips, shape).unwrap_or_default();
        }
        if !self.keeps_status {
            copy_status(&returned, &mut was);
        }
        let mut unknown = Vec::new();
        KnownShape(Some(&to.shape)).unknown_members(&converted, "", &mut unknown);
        let carry = || run(&spoke.plan, converted.clone(), way.back().carrying()).ok();
        let carried = (!unknown.is_empty()).then(carry).flatten();
        let others = [defaulted.as_ref(), carried.as_ref()];
        let lost = Lost::of(&was, &returned, others, shape, &again);
        // What an earlier runtime could not restore has the name of the version that the object is in.
        let name = annotation::later(&from.name);
        let earlier = kept.versions.remove(&from.name);
        let later = Lost::both(kept.versions.remove(&name), earlier);
        let later = later.and_then(|later| waiting(&later, &was, shape));
        kept.versions.extend(later.map(|later| (name, later)));
        kept.versions
            .extend(lost.map(|lost| (from.name.clone(), lost)));
        let Value::Object(mut fields) = converted else {
            return Err(Unconvertible::new("the object is not a map"));
        };
        fields.append(&mut meta);
        // An API server refuses an answer without metadata, even of a part that has none.
        fields
            .entry("metadata")
            .or_insert_with(|| Map::new().into());
        let mut converted = Value::Object(fields);
        annotation::store(kept, &mut converted, &self.group)?;
        Ok(converted)
    }
}

/// What all versions share of an object, and the rest.
struct Parts {
    meta: Map<String, Value>,
    body: Value,
    kept: Annotations,
}

impl Parts {
    fn of(mut object: Value, group: &str) -> Result<Self, Unconvertible> {
        let kept = annotation::take(&mut object, group);
        let Value::Object(fields) = object else {
            return Err(Unconvertible::new("the object is not a map"));
        };
        let is_meta = |name: &str| matches!(name, "apiVersion" | "kind" | "metadata");
        let (meta, body): (Map<_, _>, Map<_, _>) =
            fields.into_iter().partition(|(name, _)| is_meta(name));
        Ok(Self {
            meta,
            body: body.into(),
            kept,
        })
    }
}

fn run(plan: &Plan, body: Value, way: Way) -> Result<Value, Unconvertible> {
    Ok(plan.run(body, way)?.unwrap_or_default())
}

/// Gives an object the status of another, or none.
fn copy_status(from: &Value, to: &mut Value) {
    if let Some(to) = to.as_object_mut() {
        to.remove("status");
        let status = from.get("status");
        to.extend(status.map(|status| ("status".to_owned(), status.clone())));
    }
}

impl Version {
    fn of<T: Resource<DynamicType = ()>>() -> Self {
        Self {
            name: T::version(&()).into_owned(),
            shape: Shape::default(),
            validator: None,
        }
    }

    /// Why an API server would not store an object.
    fn faults(&self, meta: &Map<String, Value>, body: &Value, plan: &Plan, way: Way) -> Vec<Fault> {
        // Any writer of an object can write the annotation: its content must not make the object unreadable.
        if let Err(error) = plan.run(body.clone(), way.back()) {
            return vec![Fault {
                at: Vec::new(),
                reason: error.to_string(),
                is_for_later: true,
            }];
        }
        let Some(validator) = &self.validator else {
            return Vec::new();
        };
        let mut object = meta.clone();
        if let Some(body) = body.as_object() {
            object.extend(body.clone());
        }
        let violations = validator.create(&object.into()).violations;
        violations.into_iter().map(fault).collect()
    }
}

fn fault(violation: Violation) -> Fault {
    let elements = violation.value().elements().iter();
    let at = elements.map(|element| match element {
        PathElement::Child(name) | PathElement::Key(name) => name.to_string(),
        PathElement::Index(index) => index.to_string(),
    });
    Fault {
        at: at.collect(),
        reason: violation.message,
        is_for_later: false,
    }
}

#[cfg(feature = "round-trip")]
impl Kind {
    /// Adds the defaults of a version's schema, as an API server does.
    pub(super) fn add_defaults(
        &self,
        object: &mut Value,
        version: &str,
    ) -> Result<(), Unconvertible> {
        self.version(version)?.shape.add_defaults(object);
        Ok(())
    }

    /// The messages of an API server that does not store an object.
    pub(super) fn violations(
        &self,
        object: &Value,
        version: &str,
    ) -> Result<Vec<String>, Unconvertible> {
        let validator = self.version(version)?.validator.as_ref();
        let violations = validator.map(|validator| validator.create(object).violations);
        let violations = violations.unwrap_or_default().into_iter();
        Ok(violations.map(|violation| violation.to_string()).collect())
    }

    pub(super) fn keeps_status(&self) -> bool {
        self.keeps_status
    }

    /// What the conversion does, as far as it says so, in a text that is the same in every build.
    pub(super) fn outline(&self) -> String {
        let mut outline = super::plan::Outline::default();
        outline.say(format_args!("status {}", self.keeps_status));
        for Spoke { version, plan } in &self.spokes {
            outline.within(&version.name, |outline| outline.plan(plan));
        }
        outline.text
    }

    fn version(&self, name: &str) -> Result<&Version, Unconvertible> {
        let spoke = self.spoke(name)?;
        Ok(spoke.map_or(&self.hub, |spoke| &spoke.version))
    }
}

impl<H: Resource<DynamicType = ()>> Versions<H> {
    /// Adds the version of type `S`, which is converted to the hub and back.
    #[must_use]
    pub fn spoke<S: Resource<DynamicType = ()> + Convert<H>>(mut self) -> Self {
        self.kind.spokes.push(Spoke {
            version: Version::of::<S>(),
            plan: S::plan(),
        });
        self
    }

    /// Does not keep what a version cannot represent of the status. Any writer of an object can write the annotation that keeps
    /// it, and so the status, without permission for the subresource `/status`.
    #[must_use]
    pub fn without_status(mut self) -> Self {
        self.kind.keeps_status = false;
        self
    }

    /// Returns the kind with the added versions.
    ///
    /// # Errors
    /// They are not those of the CRD.
    pub fn build(mut self) -> Result<Kind, VersionMismatch> {
        let (group, name) = (H::group(&()), H::kind(&()));
        if (&*group, &*name) != (&*self.kind.group, &*self.kind.kind) {
            return Err(VersionMismatch::OtherKind(format!("{name}.{group}")));
        }
        let named: Vec<&str> = self.kind.versions().collect();
        let mut asked = self.crd.spec.versions.iter();
        let missing = asked.find(|version| {
            (version.served || version.storage) && !named.contains(&&*version.name)
        });
        if let Some(missing) = missing {
            return Err(VersionMismatch::Missing(missing.name.clone()));
        }
        let mut shapes = Shape::of(&self.crd);
        let mut validators = validators(&self.crd)?;
        let spokes = self.kind.spokes.iter_mut().map(|spoke| &mut spoke.version);
        let mut seen = Vec::new();
        for version in std::iter::once(&mut self.kind.hub).chain(spokes) {
            if seen.contains(&version.name) {
                return Err(VersionMismatch::Twice(version.name.clone()));
            }
            seen.push(version.name.clone());
            let shape = shapes.remove(&version.name);
            version.shape = shape.ok_or_else(|| VersionMismatch::Unknown(version.name.clone()))?;
            version.validator = validators.remove(&version.name);
        }
        Ok(self.kind)
    }
}

/// The validators of all versions that have a schema. They validate the status with the rest, since the webhook writes both.
fn validators(
    crd: &CustomResourceDefinition,
) -> Result<BTreeMap<String, Validator>, VersionMismatch> {
    let mut crd = crd.clone();
    for version in &mut crd.spec.versions {
        version.subresources = None;
    }
    let document = serde_json::to_value(&crd);
    let document = document.map_err(|error| VersionMismatch::Schema(error.to_string()))?;
    let with_schema = crd
        .spec
        .versions
        .iter()
        .filter(|version| version.schema.is_some());
    let validators = with_schema.map(|version| {
        let validator = Validator::new(&document, &version.name);
        let validator = validator.map_err(|error| VersionMismatch::Schema(error.to_string()))?;
        Ok((version.name.clone(), validator))
    });
    validators.collect()
}
