//! From the workspace to its CRDs, in the order in which every command runs the steps.

pub mod build;
pub mod memory;
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
pub mod reach;
pub mod recorded;
mod cached_diagnostics;
mod stated;
mod verdicts;

pub use crate::lower::{
    Hole, Missing, Overrides, Records, drafts_of, drafts_with_holes, is_found_by_compiling,
    is_recordable, mark, marked,
};
pub use crds::{Projected, Projection, crd_of, project};
pub use kinds::{
    cfgs, exclusions, graph, groups, kinds, kinds_with_holes, kubernetes, no_kinds, read_kinds,
    read_kinds_and_files,
};
pub(crate) use setup::configured;
pub use setup::{Setup, setup, setup_as, setup_of_crds, stamp, version};
pub use verdicts::place_of;
