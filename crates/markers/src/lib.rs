//! The attribute grammar.
