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
use proc_macro2::LineColumn;
use std::cell::RefCell;

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

thread_local! {
    /// Where the lines begin of the text that this thread parses. None if they are not known, or characters have several bytes.
    static LINES: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Looks at a parsed text while it is known where its lines begin. proc-macro2 has lines at hand; of bytes it keeps a map of all
/// that it was ever asked for, which costs five times as much.
pub(super) fn with_lines<T>(text: &str, look: impl FnOnce() -> T) -> T {
    let lines = if text.is_ascii() {
        let ends = text.match_indices('\n').map(|(at, _)| offset(at + 1));
        std::iter::once(0).chain(ends).collect()
    } else {
        Vec::new()
    };
    let around = LINES.replace(lines);
    let seen = look();
    LINES.set(around);
    seen
}

/// The place of a proc-macro2 span. Right only in the thread that parsed the text, and only until its spans are
/// invalidated.
pub(super) fn span(base: impl Into<Base>, span: proc_macro2::Span) -> Span {
    let base = base.into();
    let (start, end) = LINES
        .with_borrow(|lines| by_lines(lines, span))
        .unwrap_or_else(|| {
            let range = span.byte_range();
            (offset(range.start), offset(range.end))
        });
    Span {
        file: base.file,
        start: base.start.saturating_add(start),
        end: base.start.saturating_add(end),
    }
}

/// The bytes of a span in a text of one byte for each character.
fn by_lines(lines: &[u32], span: proc_macro2::Span) -> Option<(u32, u32)> {
    if lines.is_empty() {
        return None;
    }
    let byte = |place: LineColumn| {
        let line = lines.get(place.line.checked_sub(1)?)?;
        Some(line.saturating_add(offset(place.column)))
    };
    Some((byte(span.start())?, byte(span.end())?))
}

/// An identifier without `r#`.
pub(super) fn name(ident: &syn::Ident) -> Text {
    let written = ident.to_string();
    Text::from(written.strip_prefix("r#").unwrap_or(&written))
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
