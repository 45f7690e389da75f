//! From drafts to the CRDs of a channel, and to the bytes that are written.

pub mod bundle;
pub mod channel;
pub mod render;
