//! Projects drafts to the CRDs of a channel, and formats the bytes that are written.
#![doc = include_str!("../README.md")]

pub mod bundle;
pub mod channel;
pub mod render;
