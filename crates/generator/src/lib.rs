//! From the source of Kubernetes API types to the CRDs of each channel: read, not compiled.
//!
#![doc = include_str!("../README.md")]

mod eval;
mod generator;
mod lower;
pub mod pipeline;

pub use generator::{Generated, GeneratedCrd, Generator, Refused};
