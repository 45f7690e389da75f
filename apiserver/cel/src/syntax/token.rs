//! A word of an expression.

use crate::Text;
use std::ops::Range;

/// A word and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) word: Word,
    pub(super) range: Range<usize>,
}

/// The kind of a word. Numbers are kept as text, since the range depends on a preceding sign.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    Identifier(Text),
    /// The name of a field in backticks.
    Quoted(Text),
    Int(Text),
    Uint(Text),
    Double(Text),
    String(Text),
    Bytes(Vec<u8>),
    /// Punctuation, and the keywords: `in`, `true`, `false`, `null`.
    Symbol(&'static str),
    End,
}
