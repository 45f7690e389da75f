//! Expressions: each kind of expression, the statements and patterns in them, and coercions to an expected type.

mod expression;
mod operators;
mod control;
mod statements;
mod assumed_checks;
mod patterns;
mod pattern_paths;
pub(in crate::eval) mod paths;
pub(in crate::eval) mod construct;
pub(in crate::eval) mod coerce;
mod macros;
mod format;
