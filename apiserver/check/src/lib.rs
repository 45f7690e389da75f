//! Finds what an API server would reject in a schema, and which expressions and paths use a part of it that a channel does not
//! have.
//!
#![doc = include_str!("../README.md")]

mod as_written;
pub mod base64;
pub mod cel;
mod costs;
mod document;
mod field_path;
mod finding;
mod registry;
mod rust_words;
mod server;
mod json_path;
mod known_minors;
mod lints;
mod near_path;
mod needs;
mod origin;
mod removed;

pub use as_written::as_written;
pub use costs::{ExpressionCost, RefusedExpression, SchemaCosts};
pub use crd_channels_cel::formats::fits as fits_format;
pub use crd_channels_cel::names;
pub use crd_channels_cel::version::{NEWEST, OLDEST};
pub use crd_channels_validation::path::{FieldPath, PathElement};
pub use document::{Document, schema};
pub use field_path::{PathError, field_path, removed_field_path};
pub use finding::{Bound, Finding, Lack, Part, Reason};
pub use json_path::removed_json_path;
pub use known_minors::of_unknown_minor;
pub use lints::{ClaimedNames, name_clashes};
pub use origin::{
    Trail, below_schema, in_version, levels_below_property, trail, version_of, with_bound,
};
pub use registry::{Level, Record, Rule};
pub use removed::{Removed, RemovedKind, spells};
pub use server::{APPROVAL, is_protected, validate};

#[cfg(test)]
mod sample;
#[cfg(test)]
#[path = "../../../oracle/tests/shared/skipped.rs"]
mod skipped;
