//! The Kubernetes minors in the tables of macros and functions.

/// The first minor whose servers evaluate rules by default: 1.25.
pub const BASE: u32 = 25;

/// The newest minor whose servers the tables were compared with.
pub const NEWEST: u32 = 36;
