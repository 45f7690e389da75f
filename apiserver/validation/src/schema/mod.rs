//! The schemas of CRDs: `openAPIV3Schema`.

mod decode;
mod field_path;
mod model;
mod pattern;
mod reader;
mod typed;

pub use decode::decode_schema;
pub use field_path::{Lead, PathError, Segment, lead, segments};
pub use model::{Additional, Items, Many, Named, Schema, ValidationRule};
pub use pattern::Pattern;
pub use reader::{Fault, Faults, JsonNode};
pub use typed::{described, has_type};

/// Whether a name is one of the fields that every object has.
#[must_use]
pub fn is_meta(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind" | "metadata")
}
