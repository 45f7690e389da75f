//! Converts the typed CRD to JSON and back: one keyword table for both directions, keys in alphabetical order.

mod read;
mod node;
mod write;

#[cfg(test)]
mod tests;

pub use node::Misread;

use super::{JsonType, ListType, MapType, Scope, Subresources};
use serde::ser::{Serialize, Serializer};

/// The values of an enumerated keyword.
type Words<T> = &'static [(&'static str, T)];

const TYPES: Words<JsonType> = &[
    ("array", JsonType::Array),
    ("boolean", JsonType::Boolean),
    ("integer", JsonType::Integer),
    ("number", JsonType::Number),
    ("object", JsonType::Object),
    ("string", JsonType::String),
];

impl JsonType {
    /// The type with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let found = TYPES.iter().find(|(known, _)| *known == name);
        found.map(|(_, ty)| *ty)
    }
}

macro_rules! written {
    ($($ty:ty: $words:ident),*) => {
        $(
            impl $ty {
                /// The keyword's value.
                #[must_use]
                pub fn name(self) -> &'static str {
                    word($words, self)
                }
            }

            impl Serialize for $ty {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.name())
                }
            }
        )*
    };
}

written!(JsonType: TYPES, ListType: LIST_TYPES, MapType: MAP_TYPES, Scope: SCOPES);

fn word<T: Copy + PartialEq>(words: Words<T>, value: T) -> &'static str {
    let found = words.iter().find(|(_, known)| *known == value);
    found.map_or("", |(word, _)| word)
}

const LIST_TYPES: Words<ListType> = &[
    ("atomic", ListType::Atomic),
    ("map", ListType::Map),
    ("set", ListType::Set),
];

const MAP_TYPES: Words<MapType> = &[("atomic", MapType::Atomic), ("granular", MapType::Granular)];

const SCOPES: Words<Scope> = &[
    ("Cluster", Scope::Cluster),
    ("Namespaced", Scope::Namespaced),
];

const API_VERSION: &str = "apiextensions.k8s.io/v1";
const KIND: &str = "CustomResourceDefinition";

impl Subresources {
    /// Equivalent to no subresources.
    const NONE: Self = Self {
        status: false,
        scale: None,
    };
}
