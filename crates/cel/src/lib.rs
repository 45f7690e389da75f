//! CEL as the rules of Kubernetes CRDs use it: what an API server makes of an expression when a CRD is created.
//!
//! The parser is our own, because a checker needs a place for every node and macros as they are written, and because
//! no input may overflow the stack.

pub mod go_regexp;
pub mod syntax;

pub use syntax::{Expression, SyntaxError, ast, comments, escaped, parse, unescape};

/// A text that is shared instead of copied.
pub type Text = std::sync::Arc<str>;
