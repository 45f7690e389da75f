//! Traits, identified by their definition.

use super::TraitRef;
use super::path_segments::last_segment;
use crd_channels_diagnostics::Text;
use std::sync::Arc;

/// A trait, identified by its definition.
#[derive(Clone, Debug)]
pub(crate) enum TraitKey {
    /// A trait of the source.
    Source(TraitRef),
    /// A trait known by its full path: `std::fmt::Display`.
    Known(Text),
}

impl TraitKey {
    /// Returns true if both are the same trait.
    pub(crate) fn is(&self, other: &TraitKey) -> bool {
        match (self, other) {
            (Self::Source((_, own)), Self::Source((_, other))) => Arc::ptr_eq(own, other),
            (Self::Known(own), Self::Known(other)) => same_trait(own, other),
            _ => false,
        }
    }

    pub(crate) fn name(&self) -> &Text {
        match self {
            Self::Source((_, def)) => &def.name,
            Self::Known(path) => path,
        }
    }
}

/// Returns true if two paths name one trait, since serde re-exports its own under several.
fn same_trait(own: &str, other: &str) -> bool {
    let is_serde = |path: &str| path.starts_with("serde::") || path.starts_with("serde_core::");
    own == other || (is_serde(own) && is_serde(other) && last_segment(own) == last_segment(other))
}
