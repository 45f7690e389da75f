//! What CRDs say about every field, in which channel, and since which bundle: `show` prints it, `reference` writes
//! pages.

pub(crate) mod releases;
pub mod serve;
pub mod show;
pub mod write;
