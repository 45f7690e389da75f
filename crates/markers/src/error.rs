//! Errors in attributes, and their extents.

use proc_macro2::{Span, TokenTree};
use quote::ToTokens;

/// The rule that an error violates. The generator has a diagnostic code for each.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ErrorKind {
    /// An unknown attribute or key.
    Unknown,
    /// An invalid form, value or position.
    Invalid,
    /// A key inside a conditional attribute that cannot differ between channels.
    GateContent,
    /// A second gate on one node.
    TwoGates,
}

/// The first and the last token that an error refers to. Spans cannot be joined on stable Rust, so both are kept.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The first token.
    pub start: Span,
    /// The last token.
    pub end: Span,
}

impl Extent {
    /// The extent from the first to the last token.
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

    /// The extent of one token.
    #[must_use]
    pub fn at(span: Span) -> Self {
        Self {
            start: span,
            end: span,
        }
    }
}

/// An error in an attribute.
#[derive(Clone, Debug)]
pub struct Error {
    /// The violated rule.
    pub kind: ErrorKind,
    /// The tokens that it refers to.
    pub extent: Extent,
    /// The message: lowercase, no full stop, literals in backticks.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl Error {
    /// Creates an error at an extent.
    #[must_use]
    pub fn new(kind: ErrorKind, at: Extent, message: impl Into<String>) -> Self {
        Self {
            kind,
            extent: at,
            message: message.into(),
            help: None,
        }
    }

    /// Adds help: what to write instead.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
