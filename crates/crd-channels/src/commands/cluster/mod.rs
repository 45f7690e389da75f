//! The commands `cluster-*`: what a cluster has of the bundles that are pinned, and how it gets there. `kubectl` is their client.

mod kubectl;
mod crd;
mod pages;
pub(super) mod objects;
mod wanted;
mod drift;
mod usage;
mod leaving;
pub mod status;
mod state;
pub mod verify;
pub mod migrate;
pub mod install;
mod report;

pub use kubectl::Kubectl;
