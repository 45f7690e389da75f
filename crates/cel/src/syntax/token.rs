//! A word of an expression.

use crate::Text;
use std::ops::Range;

/// A word and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) word: Word,
    pub(super) range: Range<usize>,
}

/// What a word is. Numbers are kept as text: a sign before them decides which ones fit.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    Identifier(Text),
    Int(Text),
    Uint(Text),
    Double(Text),
    String(Text),
    Bytes(Vec<u8>),
    /// Punctuation, and the words that can be nothing else: `in`, `true`, `false`, `null`.
    Symbol(&'static str),
    End,
}
