//! A set of projected CRDs as it is published: canonical YAML, the layout of files, how large it is.

pub mod layout;
pub mod yaml;
pub mod descriptions;
pub mod sizes;
pub mod constants;
pub mod version;
