//! CEL as used in Kubernetes CRDs: the parser, the types, and the API server's cost estimate.
//!
//! The parser is our own, because a checker needs the span of every node and unexpanded macros, and because no input may
//! overflow the stack.
//!
#![doc = include_str!("../README.md")]

pub mod calls;
mod canonical;
pub mod check;
mod clauses;
pub mod core;
pub mod cost;
pub mod diagnostic;
pub mod domain;
pub mod evaluate;
mod expand;
pub mod formats;
pub mod functions;
pub mod go_regexp;
mod library;
pub mod logic;
pub mod macros;
mod minors;
pub mod names;
mod operators;
pub mod syntax;
pub mod time;
pub mod types;
pub mod url;
mod value;
pub mod version;

pub use canonical::canonical;
pub use check::{Checked, Environment, Outcome, check, typed};
pub use diagnostic::{Code, Diagnostic};
pub use expand::expand;
pub use syntax::{Expression, SyntaxError, ast, comments, escaped, parse, unescape};

/// Text that is shared instead of copied.
pub type Text = std::sync::Arc<str>;
