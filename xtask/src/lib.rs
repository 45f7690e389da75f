//! CRDs of a stable and an experimental channel from Rust source that is read, not compiled.
//!
//! The layers, top to bottom; each imports only what stands below it.

pub mod cli;
pub mod commands;
pub mod cluster;
pub mod compat;
pub mod bundle;
pub mod channel;
pub mod check;
pub mod lower;
pub mod render;
pub mod schema;
pub mod source;
pub mod workspace;
pub mod diag;
pub mod files;

/// Text that many places share.
pub type Text = std::sync::Arc<str>;
