//! The traits that a type derives, by the resolved paths of its derives.

use super::Instance;
use crate::reader::Reader;
use crd_channels_source::{Derive, Derived};

/// Returns true if a type has a derive.
pub(crate) fn derives(reader: &Reader<'_>, instance: &Instance, wanted: Derive) -> bool {
    matches!(reader.graph.derive_of(&instance.ty, wanted), Derived::Yes)
}
