//! Reads the source of Kubernetes API types, without compiling it, and generates the CRDs of each channel.
#![doc = include_str!("../README.md")]

mod eval;
mod generator;
mod lower;
pub mod pipeline;

pub use generator::{Generated, GeneratedCrd, Generator, Refused};
