//! Channels: what they are, which gates hold in them, and what a kind becomes in one.

mod config;

pub use config::*;
