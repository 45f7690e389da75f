//! The rules on schemas: each node that both bundles have is compared by every rule.

pub(crate) mod cache;
pub(crate) mod differences;
pub(crate) mod graduation;
pub(crate) mod inclusion;
pub(crate) mod normalize;
pub(crate) mod pair;
pub(crate) mod renames;
pub(crate) mod rules;
pub(crate) mod walk;
