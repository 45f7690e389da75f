//! An object as servers store it, and as it is read from there.
//!
//! Servers drop the fields that a version lacks whenever an object is converted to it. They set the defaults of the stored version
//! when they read an object, and those of the request's version when they write it.

use super::crds::Crd;
use crate::commands::type_meta::TypeMeta;
use crd_channels_validation::Validator;
use crd_channels_validation::path::FieldPath;
use serde_json::Value;

/// The version in which an object is read and written, and the one in which it is stored.
pub(crate) struct Versions<'c> {
    pub(crate) own: Version<'c>,
    pub(crate) storage: Version<'c>,
}

/// A version of a CRD.
#[derive(Clone, Copy)]
pub(crate) struct Version<'c> {
    pub(crate) group: &'c str,
    pub(crate) name: &'c str,
    pub(crate) validator: &'c Validator,
    /// Whether its status is written by requests of its own.
    has_status: bool,
}

/// The field with a subresource of its own.
pub(crate) const STATUS: &str = "status";

/// Whether an object was read from a server, so that it is stored.
pub(crate) fn is_read(object: &Value) -> bool {
    object.pointer("/metadata/uid").is_some()
}

/// Returns an object as it is read after it was created. `None` if the CRD does not serve its version, or cannot validate.
pub(crate) fn created(object: &Value, named: TypeMeta<'_>, crd: &Crd) -> Option<Value> {
    let own = Some(named.version()).filter(|own| crd.serves(own))?;
    let versions = Versions::of(crd, named, own, !crd.document.has_webhook())?;
    Some(versions.read(versions.stored(object)))
}

impl<'c> Versions<'c> {
    /// Returns a written object as it is stored: of a manifest without the status, where that is written elsewhere.
    pub(crate) fn stored(&self, object: &Value) -> Value {
        let mut stored = object.clone();
        if self.own.has_status
            && !is_read(object)
            && let Some(fields) = stored.as_object_mut()
        {
            fields.remove(STATUS);
        }
        self.own.validator.complete(&mut stored);
        self.own.validator.prune(&mut stored);
        self.storage.convert(&mut stored);
        stored
    }

    /// Returns a stored object as it is read.
    pub(crate) fn read(&self, mut stored: Value) -> Value {
        self.storage.validator.complete(&mut stored);
        self.own.convert(&mut stored);
        stored
    }

    pub(crate) fn of(
        crd: &'c Crd,
        named: TypeMeta<'c>,
        own: &'c str,
        converts: bool,
    ) -> Option<Self> {
        let own = Version::of(crd, named, own)?;
        let storage = converts.then(|| crd.document.storage());
        Some(Self {
            own,
            storage: storage
                .and_then(|it| Version::of(crd, named, it))
                .unwrap_or(own),
        })
    }
}

impl<'c> Version<'c> {
    pub(crate) fn of(crd: &'c Crd, named: TypeMeta<'c>, name: &'c str) -> Option<Self> {
        Some(Self {
            group: named.group(),
            name,
            validator: crd.validator(name).ok()?,
            has_status: crd.document.has_status_subresource(name),
        })
    }

    /// Converts an object to the version. Returns the fields that it lacks.
    pub(crate) fn convert(self, object: &mut Value) -> Vec<FieldPath> {
        if let Some(version) = object.get_mut("apiVersion") {
            *version = format!("{}/{}", self.group, self.name).into();
        }
        self.validator.prune(object)
    }
}
