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

/// What is known of the id of a definition.
#[derive(Clone, Copy, Default)]
pub(super) struct Holder {
    /// Whether schemars never writes a reference to it. It stands in the place of others of its id all the same.
    pub(super) is_inline: bool,
    /// How it tells the instances of a generic type apart.
    pub(super) instances: Instances,
}

/// How an id tells the instances of a generic type apart.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Instances {
    /// By the ids of the arguments.
    #[default]
    ByIds,
    /// By their names, which are those of other types.
    ByNames,
    /// Not at all.
    AsOne,
}

/// The definitions of types by the id that schemars tells types apart by, where it is not made of the type's own name.
#[derive(Default)]
pub(super) struct SchemaIds(Mutex<BTreeMap<String, BTreeMap<Defined, Holder>>>);

impl SchemaIds {
    pub(super) fn add(
        &self,
        id: String,
        holder: Holder,
        definitions: impl IntoIterator<Item = Defined>,
    ) {
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let holders = definitions.into_iter().map(|it| (it, holder));
        ids.entry(id).or_default().extend(holders);
    }

    /// The definitions whose name in schemas may not be their own.
    pub(super) fn renamed(&self) -> BTreeSet<Defined> {
        let ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = ids.values().flatten();
        let renamed = all.filter(|(_, holder)| holder.instances != Instances::ByNames);
        renamed.map(|(defined, _)| defined.clone()).collect()
    }

    /// The definitions of each identity that several types have, or several instances of one.
    pub(super) fn shared(&self, root: &str) -> Vec<(String, BTreeMap<Defined, Holder>)> {
        let ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = ids.iter().filter(|(id, holders)| {
            *id == root
                || holders.len() > 1
                || holders.values().any(|it| it.instances != Instances::ByIds)
        });
        let shared = shared.map(|(id, holders)| (id.clone(), holders.clone()));
        shared.collect()
    }
}
