//! The versions of a kind, and the conversion between them.

use super::annotation;
use super::preserved::{Preserved, observed};
use super::shapes::{KnownShape, Shape};
use super::{Convert, Unconvertible};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// The maximum number of preserved parts to try one by one.
const PARTS: usize = 32;

/// Converts the JSON of an object.
type ConvertFn = fn(Value) -> Result<Value, Unconvertible>;

/// The versions of a kind, each with the conversion to the hub and back.
///
/// Their types should omit absent values from JSON (`skip_serializing_if`). A value that a type writes for a missing field,
/// such as an empty list, is in the object from then on.
#[derive(Clone, Debug)]
pub struct Kind {
    pub(super) group: String,
    pub(super) kind: String,
    hub: Version,
    spokes: Vec<Spoke>,
}

#[derive(Clone, Debug)]
struct Version {
    name: String,
    /// Reads an object into the version's type and writes it again.
    rewrite: ConvertFn,
    shape: Shape,
}

#[derive(Clone, Debug)]
struct Spoke {
    version: Version,
    to_hub: ConvertFn,
    from_hub: ConvertFn,
}

/// One step of a conversion, and the step back.
#[derive(Clone, Copy)]
struct ConversionStep<'k> {
    from: &'k Version,
    to: &'k Version,
    there: ConvertFn,
    back: ConvertFn,
}

/// A builder for the versions of a kind with the hub `H`.
#[derive(Clone, Debug)]
pub struct Versions<H> {
    kind: Kind,
    shapes: BTreeMap<String, Shape>,
    /// The versions that an API server may request.
    asked: Vec<String>,
    hub: PhantomData<fn() -> H>,
}

/// The converted versions are not those of the CRD.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum VersionMismatch {
    /// The CRD lacks a version that is converted.
    Unknown(String),
    /// A version is converted twice.
    Twice(String),
    /// The CRD serves or stores a version that is not converted.
    Missing(String),
}

impl fmt::Display for VersionMismatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(version) => write!(out, "the CRD does not have version `{version}`"),
            Self::Twice(version) => write!(out, "version `{version}` is converted twice"),
            Self::Missing(version) => {
                write!(out, "version `{version}` of the CRD is not converted")
            }
        }
    }
}

impl std::error::Error for VersionMismatch {}

impl Kind {
    /// The kind of a CRD, whose versions are converted through the version `hub` of type `H`. The hub should be the most
    /// expressive version.
    ///
    /// The schemas of the CRD tell which lists are maps, where unions are, and which defaults an API server adds. Embed the CRD
    /// in the program: a newer one in the cluster may have versions that the program does not convert.
    pub fn with_hub<H: DeserializeOwned + Serialize>(
        crd: &CustomResourceDefinition,
        hub: impl Into<String>,
    ) -> Versions<H> {
        let versions = crd.spec.versions.iter();
        let asked = versions.filter(|version| version.served || version.storage);
        Versions {
            kind: Self {
                group: crd.spec.group.clone(),
                kind: crd.spec.names.kind.clone(),
                hub: Version::new::<H>(hub.into()),
                spokes: Vec::new(),
            },
            shapes: Shape::of(crd),
            asked: asked.map(|version| version.name.clone()).collect(),
            hub: PhantomData,
        }
    }

    /// The names of its versions, hub first.
    pub fn versions(&self) -> impl Iterator<Item = &str> {
        let spokes = self.spokes.iter().map(|spoke| &spoke.version);
        let all = std::iter::once(&self.hub).chain(spokes);
        all.map(|version| &*version.name)
    }

    /// The annotation that preserves what a version cannot represent, `<group>/conversion-kept`.
    #[must_use]
    pub fn annotation(&self) -> String {
        annotation::name(&self.group)
    }

    /// Converts an object of one version to another.
    pub(super) fn convert(
        &self,
        object: Value,
        from: &str,
        to: &str,
    ) -> Result<Value, Unconvertible> {
        let (from, to) = (self.spoke(from)?, self.spoke(to)?);
        let object = match from {
            Some(spoke) => self.step(object, spoke.to(&self.hub))?,
            None => object,
        };
        match to {
            Some(spoke) => self.step(object, spoke.from(&self.hub)),
            None => Ok(object),
        }
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

    /// Performs one step. Restores what was lost on an earlier way back, and preserves what the other version cannot represent.
    fn step(&self, mut object: Value, way: ConversionStep<'_>) -> Result<Value, Unconvertible> {
        let ConversionStep {
            from,
            to,
            there,
            back,
        } = way;
        let mut kept = annotation::take(&mut object, &self.group);
        let plain = there(object.clone())?;
        let lost = kept.versions.remove(&to.name);
        let whole = lost.map(|lost| with_lost(&lost, &plain, to));
        // Any writer of an object can write the annotation: its content must not make the object unreadable.
        let whole = whole.and_then(|whole| Some((back(whole.clone()).ok()?, whole)));
        let (returned, mut converted) = match whole {
            Some(both) => both,
            None => (back(plain.clone())?, plain),
        };
        let defaulted = to.shape.has_defaults().then(|| {
            let mut with_defaults = converted.clone();
            to.shape.add_defaults(&mut with_defaults);
            back(with_defaults).ok().map(contents)
        });
        let defaulted = defaulted.flatten();
        let written = (from.rewrite)(object.clone())?;
        kept.versions.remove(&from.name);
        let was = contents(observed(&object, &written));
        let lost = Preserved::of(
            &was,
            &contents(returned),
            defaulted.as_ref(),
            KnownShape(Some(&from.shape)),
        );
        kept.versions
            .extend(lost.map(|lost| (from.name.clone(), lost)));
        restore_metadata(&object, &written, &mut converted);
        if let Value::Object(converted) = &mut converted {
            let api_version = format!("{}/{}", self.group, to.name);
            converted.insert("apiVersion".into(), api_version.into());
            converted.insert("kind".into(), self.kind.as_str().into());
        }
        annotation::store(kept, &mut converted, &self.group)?;
        Ok(converted)
    }
}

#[cfg(feature = "round-trip")]
impl Kind {
    /// Returns the object to compare a round trip with, including additions of its type.
    pub(super) fn observed(&self, object: &Value, version: &str) -> Result<Value, Unconvertible> {
        let version = self.version(version)?;
        Ok(observed(object, &(version.rewrite)(object.clone())?))
    }

    /// Adds the defaults of a version's schema, as an API server does.
    pub(super) fn add_defaults(
        &self,
        object: &mut Value,
        version: &str,
    ) -> Result<(), Unconvertible> {
        self.version(version)?.shape.add_defaults(object);
        Ok(())
    }

    fn version(&self, name: &str) -> Result<&Version, Unconvertible> {
        let spoke = self.spoke(name)?;
        Ok(spoke.map_or(&self.hub, |spoke| &spoke.version))
    }
}

impl Spoke {
    fn to<'k>(&'k self, hub: &'k Version) -> ConversionStep<'k> {
        ConversionStep {
            from: &self.version,
            to: hub,
            there: self.to_hub,
            back: self.from_hub,
        }
    }

    fn from<'k>(&'k self, hub: &'k Version) -> ConversionStep<'k> {
        ConversionStep {
            from: hub,
            to: &self.version,
            there: self.from_hub,
            back: self.to_hub,
        }
    }
}

impl<H: DeserializeOwned + Serialize> Versions<H> {
    /// Adds a version of type `S` that is converted to the hub and back.
    #[must_use]
    pub fn spoke<S>(mut self, version: impl Into<String>) -> Self
    where
        S: Convert<H> + DeserializeOwned + Serialize,
        H: Convert<S>,
    {
        self.kind.spokes.push(Spoke {
            version: Version::new::<S>(version.into()),
            to_hub: convert::<S, H>,
            from_hub: convert::<H, S>,
        });
        self
    }

    /// Returns the kind with the added versions.
    ///
    /// # Errors
    /// They are not those of the CRD.
    pub fn build(mut self) -> Result<Kind, VersionMismatch> {
        let named: Vec<&str> = self.kind.versions().collect();
        let missing = self.asked.iter().find(|asked| !named.contains(&&***asked));
        if let Some(missing) = missing {
            return Err(VersionMismatch::Missing(missing.clone()));
        }
        let spokes = self.kind.spokes.iter_mut().map(|spoke| &mut spoke.version);
        let mut seen = Vec::new();
        for version in std::iter::once(&mut self.kind.hub).chain(spokes) {
            if seen.contains(&version.name) {
                return Err(VersionMismatch::Twice(version.name.clone()));
            }
            seen.push(version.name.clone());
            let shape = self.shapes.remove(&version.name);
            version.shape = shape.ok_or_else(|| VersionMismatch::Unknown(version.name.clone()))?;
        }
        Ok(self.kind)
    }
}

impl Version {
    fn new<T: DeserializeOwned + Serialize>(name: String) -> Self {
        Self {
            name,
            rewrite: rewrite::<T>,
            shape: Shape::default(),
        }
    }
}

fn read<T: DeserializeOwned>(object: Value) -> Result<T, Unconvertible> {
    serde_json::from_value(object).map_err(|error| Unconvertible::new(error.to_string()))
}

fn write<T: Serialize>(object: &T) -> Result<Value, Unconvertible> {
    serde_json::to_value(object).map_err(|error| Unconvertible::new(error.to_string()))
}

fn rewrite<T: DeserializeOwned + Serialize>(object: Value) -> Result<Value, Unconvertible> {
    write(&read::<T>(object)?)
}

fn convert<A, B>(object: Value) -> Result<Value, Unconvertible>
where
    A: Convert<B> + DeserializeOwned,
    B: Serialize,
{
    write(&read::<A>(object)?.convert()?)
}

/// Returns an object with its preserved parts, or with those of them that the type of its version can read.
fn with_lost(lost: &Preserved, plain: &Value, version: &Version) -> Value {
    let put_back = |lost: &Preserved, into: &Value| {
        let mut own = contents(into.clone());
        lost.put_back(&mut own, KnownShape(Some(&version.shape)));
        let mut whole = into.clone();
        if let (Value::Object(whole), Value::Object(mut own)) = (&mut whole, contents(own)) {
            whole.retain(|name, _| is_meta(name));
            whole.append(&mut own);
        }
        (version.rewrite)(whole.clone()).is_ok().then_some(whole)
    };
    put_back(lost, plain).unwrap_or_else(|| {
        let parts = lost.parts().into_iter().take(PARTS);
        parts.fold(plain.clone(), |whole, part| {
            put_back(&part, &whole).unwrap_or(whole)
        })
    })
}

fn is_meta(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind" | "metadata")
}

/// Returns an object without the fields that all versions share.
fn contents(mut object: Value) -> Value {
    if let Value::Object(fields) = &mut object {
        fields.retain(|name, _| !is_meta(name));
    }
    object
}

/// Restores the metadata except labels and annotations: an API server refuses other changes. A type without these does not
/// convert them.
fn restore_metadata(object: &Value, written: &Value, converted: &mut Value) {
    let of = |object: &Value, name: &str| object.get("metadata")?.get(name).cloned();
    let Some(mut metadata) = object.get("metadata").cloned() else {
        return;
    };
    if let Value::Object(metadata) = &mut metadata {
        for name in ["labels", "annotations"] {
            if of(object, name).is_some() && of(written, name).is_none() {
                continue;
            }
            match of(converted, name) {
                Some(found) if !found.is_null() => drop(metadata.insert(name.to_owned(), found)),
                _ => drop(metadata.remove(name)),
            }
        }
    }
    if let Value::Object(converted) = converted {
        converted.insert("metadata".to_owned(), metadata);
    }
}
