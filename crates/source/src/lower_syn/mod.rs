//! From syn's tree to ours: types, expressions, paths and tokens, in the thread that parsed them.

mod exprs;
mod blocks;
mod lits;
mod paths;
mod patterns;
mod tokens;
mod types;
mod uses;

pub(super) use exprs::{JsonInput, Matches, attributes_mut, block, expr, json, matches, parameter};
pub(super) use paths::path;
pub(super) use patterns::pattern;
pub(super) use tokens::tokens;
pub(super) use types::{bounds, const_argument, generics, ty};
pub(super) use uses::uses;

use crd_channels_diagnostics::{FileId, Span, Text};
use syn::ext::IdentExt;

/// How deep types and expressions are followed. What is nested deeper becomes `Other`, so that nobody who walks the
/// tree later has to fear for the stack.
const MAX_DEPTH: usize = 128;

/// Where the text stands that syn parsed: in a file, from some byte on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    /// The file.
    pub(super) file: FileId,
    /// Where the text starts in it, in bytes.
    pub(super) start: u32,
}

impl From<FileId> for Base {
    /// The text is the whole file.
    fn from(file: FileId) -> Self {
        Self { file, start: 0 }
    }
}

/// The place of a proc-macro2 span. Right only in the thread that parsed the text, and only until its spans are
/// invalidated.
pub(super) fn span(base: impl Into<Base>, span: proc_macro2::Span) -> Span {
    let base = base.into();
    let range = span.byte_range();
    Span {
        file: base.file,
        start: base.start.saturating_add(offset(range.start)),
        end: base.start.saturating_add(offset(range.end)),
    }
}

/// An identifier without `r#`.
pub(super) fn name(ident: &syn::Ident) -> Text {
    Text::from(ident.unraw().to_string())
}

/// From the start of one place to the end of another.
fn join(from: Span, to: Span) -> Span {
    Span {
        file: from.file,
        start: from.start,
        end: to.end.max(from.start),
    }
}

fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
