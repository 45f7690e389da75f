//! What an API server would refuse in a schema, and what reads a part of it that a channel does not have.

pub mod cel;
mod field_path;
mod json_path;
mod removed;

pub use field_path::{PathError, field_path, removed_field_path};
pub use json_path::removed_json_path;
pub use removed::{Removed, RemovedKind};

#[cfg(test)]
mod sample;
