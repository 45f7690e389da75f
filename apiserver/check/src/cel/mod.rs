//! The parts of a schema that CEL expressions read.

mod flow;
mod guards;
mod reads;
mod shape;
mod value;

#[cfg(test)]
mod corpus_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod reads_tests;

pub use crd_channels_cel::{Expression, SyntaxError, ast, comments, parse};
pub use guards::{Unguarded, unguarded};
pub use reads::removed_reads;
pub use shape::{Property, Shape};
