//! From syn's tree to our own: types, expressions, paths and tokens, on the thread that parsed them.

mod exprs;
mod blocks;
mod lits;
mod paths;
mod patterns;
mod tokens;
mod types;
mod uses;

pub(super) use exprs::{JsonInput, attributes_mut, block, expr, json, parameter};
pub(super) use lits::lines;
pub use paths::path;
pub(super) use patterns::pattern;
pub(super) use tokens::tokens;
pub(super) use types::{bounds, const_argument, constants, generics, ty};
pub(super) use uses::uses;

use crd_channels_diagnostics::{FileId, Span, Text};
use proc_macro2::LineColumn;
use std::cell::RefCell;

/// The maximum depth of types and expressions. Anything deeper becomes `Other`, so that later recursion cannot overflow the
/// stack.
const MAX_DEPTH: usize = 128;

/// The position of the text that syn parsed: a file and an offset.
#[derive(Clone, Copy, Debug)]
pub struct Base {
    /// The file.
    pub file: FileId,
    /// The offset of the text in the file, in bytes.
    pub start: u32,
}

impl From<FileId> for Base {
    /// The position of a whole file.
    fn from(file: FileId) -> Self {
        Self { file, start: 0 }
    }
}

thread_local! {
    /// The starts of the lines in the text that this thread parses. Empty if they are unknown or the text is not ASCII.
    static LINES: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Runs `look` with the lines of a parsed text. proc-macro2 has line numbers at hand, but computes byte offsets with a map of
/// all offsets it was ever asked for, which takes five times as long.
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

/// Converts a proc-macro2 span. Only valid on the thread that parsed the text, and only until its spans are invalidated.
pub fn span(base: impl Into<Base>, span: proc_macro2::Span) -> Span {
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

/// The bytes of a span in an ASCII text.
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
pub fn name(ident: &syn::Ident) -> Text {
    let written = ident.to_string();
    Text::from(written.strip_prefix("r#").unwrap_or(&written))
}

/// The span from the start of one span to the end of another.
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
