//! The ids that schemars tells types apart by.

use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::Type;
use crd_channels_source::TypeRef;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// A definition: its place, which the root of a kind and its spec share, and its name.
pub(super) type Defined = (Span, Text);

pub(super) fn defined(ty: &TypeRef) -> Defined {
    (ty.def.span, ty.def.name.clone())
}

/// The definition of a type, whatever its arguments are.
pub(super) fn definition(ty: &Type) -> Option<Defined> {
    let name = ty.name.split('<').next()?;
    Some((ty.span?, name.into()))
}

/// The definitions of types by the id that schemars tells types apart by, where it is not made of the type's own name.
#[derive(Default)]
pub(super) struct SchemaIds(Mutex<BTreeMap<String, BTreeSet<Defined>>>);

impl SchemaIds {
    pub(super) fn add(&self, id: String, definitions: impl IntoIterator<Item = Defined>) {
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ids.entry(id).or_default().extend(definitions);
    }

    /// The definitions of each identity that several types have.
    pub(super) fn shared(&self, root: &str) -> Vec<(bool, BTreeSet<Defined>)> {
        let ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = ids
            .iter()
            .filter(|(id, definitions)| *id == root || definitions.len() > 1);
        shared
            .map(|(id, definitions)| (id == root, definitions.clone()))
            .collect()
    }
}
