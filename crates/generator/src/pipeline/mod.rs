//! From the workspace to its CRDs, in the order in which every command runs the steps.

pub mod build;
pub mod memory;
pub mod proof;
pub mod accepted;
pub mod packages;
pub mod publish;
mod crds;
mod kinds;
mod refused;
mod setup;
pub mod constants;
mod cut;
mod reasons;
pub mod recorded;
mod cached_diagnostics;
mod stated;
mod verdicts;

pub use crate::lower::{Overrides, drafts_of, is_found_by_compiling, is_recordable};
pub use crds::{Projected, Projection, project};
pub use kinds::{cfgs, graph, groups, kinds, kinds_with_holes, read_kinds, read_kinds_and_files};
pub(crate) use setup::configured;
pub use setup::{Setup, setup, setup_as, setup_of_crds, stamp, version};
