//! Places as byte offsets. proc-macro2 counts characters and turns them into bytes through a map that costs more than all
//! of lowering does; lines are found by binary search, and most lines are ASCII.

use crate::Text;
use crate::diag::{FileId, Span};
use proc_macro2::LineColumn;
use std::cell::RefCell;

thread_local! {
    /// The text whose spans this thread reads.
    static CURRENT: RefCell<Option<Lines>> = const { RefCell::new(None) };
}

struct Lines {
    text: Text,
    /// Where each line starts, in bytes.
    starts: Vec<usize>,
    ascii: bool,
}

/// Does something with the spans of a text that this thread parses. Right for that text's spans only.
pub(in crate::source) fn with_text<T>(text: &Text, read: impl FnOnce() -> T) -> T {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
    let lines = Lines {
        starts: starts.collect(),
        ascii: text.is_ascii(),
        text: Text::clone(text),
    };
    CURRENT.set(Some(lines));
    let result = read();
    CURRENT.set(None);
    result
}

/// The place of a proc-macro2 span. Right only in the thread that parsed the text, and only until its spans are
/// invalidated.
pub(in crate::source) fn span(file: FileId, span: proc_macro2::Span) -> Span {
    let known = CURRENT.with_borrow(|lines| {
        let lines = lines.as_ref()?;
        Some((lines.offset(span.start())?, lines.offset(span.end())?))
    });
    let (start, end) = known.unwrap_or_else(|| {
        let range = span.byte_range();
        (range.start, range.end)
    });
    Span {
        file,
        start: short(start),
        end: short(end),
    }
}

/// From the start of one place to the end of another.
pub(super) fn join(from: Span, to: Span) -> Span {
    Span {
        file: from.file,
        start: from.start,
        end: to.end.max(from.start),
    }
}

impl Lines {
    fn offset(&self, place: LineColumn) -> Option<usize> {
        let start = *self.starts.get(place.line.checked_sub(1)?)?;
        if self.ascii {
            return Some(start + place.column);
        }
        let line = self.text.get(start..)?;
        let mut characters = line.char_indices();
        let column = characters.nth(place.column);
        Some(start + column.map_or(line.len(), |(column, _)| column))
    }
}

fn short(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
