//! The proof: compiles the types once, and compares every fact of their CRDs with what is read from source.
#![doc = include_str!("../README.md")]

pub mod documented;
pub mod facts;
mod compiled;
mod fill;
mod plain;
mod prove;
mod records;

pub use prove::{Options, Proof, is_proven, prove};
