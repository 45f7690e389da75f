//! Channels: what they are, which gates hold in them, and what a kind becomes in one.

mod config;
mod priority;
mod kinds;
mod nodes;
mod gates;
mod project;
mod closure;
mod words;
mod deprecation;

pub use config::*;
pub use gates::check;
pub use kinds::{Kind, kinds};
pub use priority::{Priority, Stability, preferred_first, priority};
pub use project::{Projector, Stamp};
