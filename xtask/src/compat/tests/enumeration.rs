//! Enumeration.
