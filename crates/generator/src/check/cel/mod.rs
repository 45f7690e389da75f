//! CEL expressions: their tree, and what of a schema they read.
//!
//! The parser is our own, because a checker needs a place for every node and macros as they are written, and because
//! no input may overflow the stack.

pub mod ast;
pub mod eval;
mod escape;
mod functions;
mod guards;
mod lexer;
mod names;
mod operand;
mod parser;
mod reads;
mod shape;
mod strings;
mod value;

#[cfg(test)]
mod corpus_tests;
#[cfg(test)]
mod parser_tests;
#[cfg(test)]
mod reads_tests;

pub use ast::Expression;
pub use guards::{Unguarded, unguarded};
pub use lexer::comments;
pub use names::{Selects, Typed, Undeclared, declared};
pub use parser::parse;
pub use reads::removed_reads;
pub use shape::{Property, Shape};

/// Why a text is not an expression.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SyntaxError {
    /// Where, in bytes.
    pub offset: usize,
    /// What is wrong: lowercase, no full stop.
    pub message: String,
}
