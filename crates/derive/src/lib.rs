//! The derive.
