//! JSON in and out.
