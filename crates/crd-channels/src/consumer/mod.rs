//! Pinned bundles of consumers: where they come from, how they are chosen, and the lock that records them.

pub mod origin;
mod location;
mod download;
pub mod pinned;
pub mod contradictions;
pub mod parts;
pub mod lock;
pub mod lock_merge;
pub mod folders;
pub mod cache;
pub mod access;
pub mod vendored;
mod archive;
pub mod artifact;
pub mod source;
mod open_pinned;

use crd_channels_diagnostics::Diagnostic;

/// Wraps a single finding, for functions that return several.
#[must_use]
#[expect(clippy::boxed_local, reason = "errors come in boxes")]
pub fn one(finding: Box<Diagnostic>) -> Vec<Diagnostic> {
    vec![*finding]
}
