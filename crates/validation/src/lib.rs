//! Validates custom resources against their CRDs as a Kubernetes API server does.
//!
#![doc = include_str!("../README.md")]

pub mod metadata;
pub mod names;
pub mod path;
pub mod schema;
pub mod value;
pub mod violation;

pub use violation::{Reason, Violation};
