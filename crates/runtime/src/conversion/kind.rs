//! The versions of a kind, and the way from one to another.

use super::kept::{Kept, observed};
use super::lists::ListMaps;
use super::{Convert, Unconvertible};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// How many bytes all annotations of an object may have. An API server refuses more.
const LARGEST: usize = 256 * 1024;

/// What is done to the JSON of an object.
type Step = fn(Value) -> Result<Value, Unconvertible>;

/// The versions of a kind, each with the way to the hub and back.
///
/// Their types should leave out of JSON what is not there (`skip_serializing_if`). What a type writes for a missing field,
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
    rewrite: Step,
    lists: ListMaps,
}

#[derive(Clone, Debug)]
struct Spoke {
    version: Version,
    to_hub: Step,
    from_hub: Step,
}

/// The versions of a kind with the hub `H`, while they are named.
#[derive(Clone, Debug)]
pub struct Versions<H> {
    kind: Kind,
    hub: PhantomData<fn() -> H>,
}

impl Kind {
    /// A kind whose versions are converted by way of the version `version` of type `H`. The hub should be the version that
    /// can express most.
    pub fn with_hub<H: DeserializeOwned + Serialize>(
        group: impl Into<String>,
        kind: impl Into<String>,
        version: impl Into<String>,
    ) -> Versions<H> {
        Versions {
            kind: Self {
                group: group.into(),
                kind: kind.into(),
                hub: Version::new::<H>(version.into()),
                spokes: Vec::new(),
            },
            hub: PhantomData,
        }
    }

    /// The names of its versions, the hub first.
    pub fn versions(&self) -> impl Iterator<Item = &str> {
        let spokes = self.spokes.iter().map(|spoke| &spoke.version);
        std::iter::once(&self.hub)
            .chain(spokes)
            .map(|version| &*version.name)
    }

    /// The annotation that holds what a version cannot carry: a JSON object, by the name of the version that it was lost
    /// from.
    #[must_use]
    pub fn annotation(&self) -> String {
        format!("{}/conversion-kept", self.group)
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
            Some(spoke) => self.step(
                object,
                &spoke.version,
                &self.hub,
                spoke.to_hub,
                spoke.from_hub,
            )?,
            None => object,
        };
        match to {
            Some(spoke) => self.step(
                object,
                &self.hub,
                &spoke.version,
                spoke.from_hub,
                spoke.to_hub,
            ),
            None => Ok(object),
        }
    }

    /// The object to compare a round trip with: as the type of its version writes it, with all that the type does not know.
    #[cfg(feature = "round-trip")]
    pub(super) fn observed(&self, object: &Value, version: &str) -> Result<Value, Unconvertible> {
        let version = self
            .spoke(version)?
            .map_or(&self.hub, |spoke| &spoke.version);
        Ok(observed(object, (version.rewrite)(object.clone())?))
    }

    /// The spoke of a version; `None` for the hub.
    fn spoke(&self, version: &str) -> Result<Option<&Spoke>, Unconvertible> {
        if version == self.hub.name {
            return Ok(None);
        }
        let spoke = self
            .spokes
            .iter()
            .find(|spoke| spoke.version.name == version);
        let known = || self.versions().collect::<Vec<_>>().join("`, `");
        spoke.map(Some).ok_or_else(|| {
            Unconvertible::new(format!(
                "version `{version}` of `{}` is unknown to the webhook, which converts `{}`",
                self.kind,
                known()
            ))
        })
    }

    /// One step of the way. What was lost on an earlier way back from `to` is put back, and what `to` cannot carry is kept.
    fn step(
        &self,
        mut object: Value,
        from: &Version,
        to: &Version,
        there: Step,
        back: Step,
    ) -> Result<Value, Unconvertible> {
        let mut kept = self.take_kept(&mut object);
        let mut converted = there(object.clone())?;
        if let Some(lost) = kept.remove(&to.name) {
            converted = with_lost(&lost, converted, to);
        }
        let returned = back(converted.clone())?;
        let written = observed(&object, (from.rewrite)(object.clone())?);
        kept.remove(&from.name);
        if let Some(lost) = Kept::of(&contents(written), &contents(returned), &from.lists) {
            kept.insert(from.name.clone(), lost);
        }
        restore_metadata(&object, &mut converted);
        if let Value::Object(converted) = &mut converted {
            converted.insert(
                "apiVersion".into(),
                format!("{}/{}", self.group, to.name).into(),
            );
            converted.insert("kind".into(), self.kind.as_str().into());
        }
        self.keep(&kept, &mut converted)?;
        Ok(converted)
    }

    /// Takes what was kept out of an object's annotations. What somebody else wrote there is dropped: an object stays
    /// readable whatever its annotations say.
    fn take_kept(&self, object: &mut Value) -> BTreeMap<String, Kept> {
        let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else {
            return BTreeMap::new();
        };
        let annotations = metadata
            .get_mut("annotations")
            .and_then(Value::as_object_mut);
        let Some(annotations) = annotations else {
            return BTreeMap::new();
        };
        let written = annotations.remove(&self.annotation());
        if written.is_some() && annotations.is_empty() {
            metadata.remove("annotations");
        }
        let text = written.as_ref().and_then(Value::as_str);
        text.and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default()
    }

    fn keep(&self, kept: &BTreeMap<String, Kept>, object: &mut Value) -> Result<(), Unconvertible> {
        if kept.is_empty() {
            return Ok(());
        }
        let failed = |reason: String| Unconvertible::new(reason).at("metadata");
        let text = serde_json::to_string(kept).map_err(|error| failed(error.to_string()))?;
        let metadata = object.get_mut("metadata").and_then(Value::as_object_mut);
        let metadata = metadata.ok_or_else(|| failed("the object has no metadata".to_owned()))?;
        let annotations = metadata
            .entry("annotations")
            .or_insert_with(|| Map::new().into());
        if annotations.is_null() {
            *annotations = Map::new().into();
        }
        let annotations = annotations.as_object_mut();
        let annotations =
            annotations.ok_or_else(|| failed("its annotations are not a map".to_owned()))?;
        annotations.insert(self.annotation(), text.into());
        let size: usize = annotations
            .iter()
            .map(|(name, value)| name.len() + value.as_str().map_or(0, str::len))
            .sum();
        if size > LARGEST {
            return Err(failed(format!(
                "with what the version cannot carry the annotations have {size} bytes, and an API server takes {LARGEST}"
            )));
        }
        Ok(())
    }
}

impl<H: DeserializeOwned + Serialize> Versions<H> {
    /// A version of type `S` that is converted to the hub and back.
    #[must_use]
    pub fn spoke<S>(mut self, version: impl Into<String>) -> Self
    where
        S: Convert<H> + DeserializeOwned + Serialize,
        H: Convert<S>,
    {
        self.kind.spokes.push(Spoke {
            version: Version::new::<S>(version.into()),
            to_hub: step::<S, H>,
            from_hub: step::<H, S>,
        });
        self
    }

    /// Takes the keys of its list maps from the kind's CRD. With them an element of such a list gets back what a version
    /// could not carry of it even if something else in the element has changed; without them only while the element is as it
    /// was.
    #[must_use]
    pub fn with_list_maps(mut self, crd: &CustomResourceDefinition) -> Self {
        let mut lists = ListMaps::of(crd);
        let spokes = self.kind.spokes.iter_mut().map(|spoke| &mut spoke.version);
        for version in std::iter::once(&mut self.kind.hub).chain(spokes) {
            version.lists = lists.remove(&version.name).unwrap_or_default();
        }
        self
    }

    /// The kind with the versions that were named.
    #[must_use]
    pub fn build(self) -> Kind {
        self.kind
    }
}

impl Version {
    fn new<T: DeserializeOwned + Serialize>(name: String) -> Self {
        Self {
            name,
            rewrite: rewrite::<T>,
            lists: ListMaps::default(),
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

fn step<A: Convert<B> + DeserializeOwned, B: Serialize>(
    object: Value,
) -> Result<Value, Unconvertible> {
    write(&read::<A>(object)?.convert()?)
}

/// An object with what was kept of it, if the type of its version can read that.
fn with_lost(lost: &Kept, converted: Value, version: &Version) -> Value {
    let mut whole = contents(converted.clone());
    lost.put_back(&mut whole, &version.lists);
    let mut candidate = converted.clone();
    if let (Value::Object(candidate), Value::Object(mut whole)) = (&mut candidate, whole) {
        candidate.retain(|name, _| is_meta(name));
        candidate.append(&mut whole);
    }
    match (version.rewrite)(candidate.clone()) {
        Ok(_) => candidate,
        Err(_) => converted,
    }
}

fn is_meta(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind" | "metadata")
}

/// An object without what all versions share.
fn contents(mut object: Value) -> Value {
    if let Value::Object(fields) = &mut object {
        fields.retain(|name, _| !is_meta(name));
    }
    object
}

/// Only labels and annotations may be converted: an API server refuses other changes to the metadata.
fn restore_metadata(object: &Value, converted: &mut Value) {
    let (Some(original), Some(converted)) = (object.get("metadata"), converted.as_object_mut())
    else {
        return;
    };
    let mut metadata = original.clone();
    if let Value::Object(metadata) = &mut metadata {
        for name in ["labels", "annotations"] {
            let found = converted
                .get("metadata")
                .and_then(|metadata| metadata.get(name));
            match found {
                Some(found) if !found.is_null() => {
                    metadata.insert(name.to_owned(), found.clone());
                }
                _ => {
                    metadata.remove(name);
                }
            }
        }
    }
    converted.insert("metadata".to_owned(), metadata);
}
