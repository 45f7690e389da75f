//! Which traits a type derives, by where the paths of its derives lead.

use super::Reader;
use super::ty::Instance;
use crd_channels_source::{Derive, Derived};

/// Whether a type has a derive.
pub(crate) fn derives(reader: &Reader<'_>, instance: &Instance, wanted: Derive) -> bool {
    matches!(reader.graph.derive_of(&instance.ty, wanted), Derived::Yes)
}
