//! A set of projected CRDs as it is published: canonical YAML, file layout, and sizes.

pub mod layout;
pub mod yaml;
pub mod descriptions;
pub mod sizes;
pub mod constants;
pub mod version;
