//! The Kubernetes minors in the tables of macros and functions.

/// The oldest minor that the tables know: 1.23 has the first servers that know rules.
pub const OLDEST: u32 = 23;

/// The first minor whose servers evaluate rules by default: 1.25.
pub const BASE: u32 = 25;

/// The newest minor whose servers the tables were compared with. `docs/new-kubernetes.md` says how to raise it.
pub const NEWEST: u32 = 37;
