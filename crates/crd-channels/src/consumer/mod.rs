//! What a consumer pins: where bundles come from, which of them it is, and the lock that remembers it.

pub mod origin;
mod location;
pub mod pinned;
pub mod lock;
pub mod folders;
pub mod cache;
pub mod access;
pub mod vendored;
pub mod source;
mod reopened;

use crd_channels_diagnostics::Diagnostic;

/// A single finding among those that a bundle may have.
#[must_use]
#[expect(clippy::boxed_local, reason = "errors come in boxes")]
pub fn one(finding: Box<Diagnostic>) -> Vec<Diagnostic> {
    vec![*finding]
}
