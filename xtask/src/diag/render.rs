//! Diagnostics as people and machines read them.
