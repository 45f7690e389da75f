//! Ranges.
