//! What a set of projected CRDs is on disk: canonical YAML, one file for each.

mod layout;
pub mod yaml;

pub use layout::files;
