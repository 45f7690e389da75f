//! Reads what was written: YAML documents, and bundles with their manifests and digests.
//!
#![doc = include_str!("../README.md")]

pub mod bundles;
pub mod digest;
pub mod documents;
#[cfg(any(test, feature = "fixtures"))]
pub mod fixture;
pub mod folder;
pub mod history;
pub mod install;
pub mod manifest;
pub mod places;
mod yaml;
