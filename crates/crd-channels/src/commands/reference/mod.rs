//! What CRDs say about every field, in which channel, and since which bundle: `show` prints it.

pub(crate) mod releases;
pub mod show;
