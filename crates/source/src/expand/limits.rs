//! How far an expansion may go.

/// How deep repetitions and groups may nest.
pub(super) const MAX_DEPTH: usize = 64;
/// How long an expansion may be.
pub(super) const MAX_TEXT: usize = 1 << 20;
