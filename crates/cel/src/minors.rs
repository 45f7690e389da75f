//! The Kubernetes minors that the tables of macros and functions name.

/// The minor whose servers evaluate rules unless they are told not to: 1.25.
pub const BASE: u32 = 25;

/// The newest minor whose servers were asked what they know.
pub const NEWEST: u32 = 36;
