//! What a consumer pins: where bundles come from, which of them it is, and the lock that remembers it.

pub mod lock;
pub mod vendored;
pub mod source;
