//! From the text of an expression to its tree.

pub mod ast;
mod escape;
mod lexer;
mod operand;
mod parser;
mod strings;

#[cfg(test)]
mod parser_tests;

pub use ast::Expression;
pub use escape::{escaped, unescape};
pub use lexer::comments;
pub(crate) use operand::RESERVED;
pub use operand::qualified;
pub use parser::parse;

/// Why a text is not an expression.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SyntaxError {
    /// Where, in bytes.
    pub offset: usize,
    /// What is wrong: lowercase, no full stop.
    pub message: String,
}
