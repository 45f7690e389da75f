//! Validates custom resources against their CRDs as a Kubernetes API server does.
//!
#![doc = include_str!("../README.md")]

pub mod metadata;
pub mod path;
#[cfg(feature = "proof")]
pub mod proof;
pub mod rules;
mod scale;
pub mod schema;
mod validator;
pub mod value;
pub mod violation;

pub use validator::{NotServed, Validator, Verdict};
pub use violation::{Reason, Violation};
