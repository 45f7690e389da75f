//! Resolves the modules, names and macros of Rust source as rustc does, across the packages of a workspace.
#![doc = include_str!("../README.md")]

mod answers;
mod crates;
#[cfg(any(test, feature = "fixtures"))]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]
pub mod fixture;
mod graph;
mod ids;
mod kinds;
mod literal;
mod macros;
mod modules;
mod names;
mod probes;
mod refused;
#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]
mod tests;

pub use crd_channels_syntax::cfg::{Cfgs, unknown as unknown_cfg};
pub use crd_channels_syntax::includes::depends_on_disk;
pub use crd_channels_syntax::known::derives;
pub use crd_channels_syntax::mentions;
pub use crd_channels_syntax::{attrs, tree};
pub use graph::{Crate, FileRead, Graph};
pub use ids::{CrateId, Def, ModuleId, Resolved, TypeRef};
pub use macros::meanings::{Derive, Derived};
pub use modules::outline::{Outline, TypeName};
pub use modules::undeclared::UndeclaredFile;
pub use probes::{Probed, Probes};
pub use refused::{HIDING, Refusal, Refused};
