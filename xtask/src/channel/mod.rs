//! Features and channels: what each channel has of every kind, and that nothing leans on what it has not.

pub mod config;
mod version;
mod kinds;
mod agree;
mod clashes;
mod walk;
mod gates;
mod tombstones;
mod syntax;
mod serving;
mod storage;
mod conversion;
mod deprecation;
mod stamp;
#[cfg(test)]
mod builders;

pub use kinds::{Kind, group};
pub use version::{ApiVersion, Stability, priority};
