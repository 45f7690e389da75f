//! Limits of macro expansion.

/// The maximum nesting of repetitions and groups.
pub(super) const MAX_DEPTH: usize = 64;
/// The maximum length of an expansion.
pub(super) const MAX_TEXT: usize = 1 << 20;
