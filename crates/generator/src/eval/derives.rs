//! Which traits a type derives.

use super::ty::Instance;

/// Whether a type derives something, by the last segment of its path.
pub(crate) fn derives(instance: &Instance, name: &str) -> bool {
    let mut derives = instance.ty.def.derives.iter();
    derives.any(|path| path.segments.last().is_some_and(|last| &*last.name == name))
}
