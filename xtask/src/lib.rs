//! CRDs of a stable and an experimental channel from Rust source that is read, not compiled.
//!
//! The layers, top to bottom; each imports only what stands below it. Those from the pipeline downwards are a package of their
//! own, `crd-channels-generator`.

#[macro_use]
mod print;

pub mod cli;
pub mod commands;
pub mod cluster;
pub mod release;
pub mod consumer;
pub mod compat;
pub mod released;
pub mod git;

pub use crd_channels_generator::{
    STACK, Text, bundle, channel, check, diag, files, lower, pipeline, render, schema, source,
    workspace,
};
