//! From drafts to the CRDs of a channel, and to the bytes that are written.
//!
#![doc = include_str!("../README.md")]

pub mod bundle;
pub mod channel;
pub mod render;
