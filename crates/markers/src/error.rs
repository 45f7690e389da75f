//! What is wrong with an attribute, and where.

use proc_macro2::{Span, TokenTree};
use quote::ToTokens;

/// Which rule speaks. The generator has a diagnostic code for each.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ErrorKind {
    /// An attribute or a key that nobody defines.
    Unknown,
    /// A wrong form, a wrong value, a wrong place.
    Invalid,
    /// Something inside a conditional attribute that cannot differ between channels.
    GateContent,
    /// A second gate on one node.
    TwoGates,
}

/// The first and the last token of what an error is about. Compilers cannot join spans on stable Rust, so both are kept.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The first token.
    pub start: Span,
    /// The last token.
    pub end: Span,
}

impl Extent {
    /// From the first to the last token.
    #[must_use]
    pub fn of(tokens: &impl ToTokens) -> Self {
        let mut extent: Option<Self> = None;
        for token in tokens.to_token_stream() {
            let (start, end) = match &token {
                TokenTree::Group(group) => (group.span_open(), group.span_close()),
                other => (other.span(), other.span()),
            };
            extent.get_or_insert(Self { start, end }).end = end;
        }
        extent.unwrap_or_else(|| Self::at(Span::call_site()))
    }

    /// One token.
    #[must_use]
    pub fn at(span: Span) -> Self {
        Self {
            start: span,
            end: span,
        }
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug)]
pub struct Error {
    /// Which rule speaks.
    pub kind: ErrorKind,
    /// Where.
    pub extent: Extent,
    /// What is wrong: lowercase, no full stop, literals in backticks.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl Error {
    /// An error at some tokens.
    #[must_use]
    pub fn new(kind: ErrorKind, at: Extent, message: impl Into<String>) -> Self {
        Self {
            kind,
            extent: at,
            message: message.into(),
            help: None,
        }
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
