//! Where the parts of a text are written, for texts that stand in literals of Rust.

use super::Span;
use std::ops::Range;

/// Where the bytes of a text are written, if that can be told. It says where a finding points and is not part of what has
/// the text: two that differ in it alone are equal.
#[derive(Clone, Debug, Default)]
pub struct Written(Vec<Piece>);

/// Bytes of a text that are written in one place.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Piece {
    /// How many bytes of the text.
    pub len: usize,
    /// Where they are. Of another length where they are not written as they are: an escape, a number.
    pub span: Span,
}

impl PartialEq for Written {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl FromIterator<Piece> for Written {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Self {
        Self(pieces.into_iter().collect())
    }
}

impl Written {
    /// Whether nothing is known of any part.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.0.is_empty()
    }

    /// Where a part of the text is written. None where that cannot be told, or where its ends lie in different files.
    #[must_use]
    pub fn part(&self, part: Range<usize>) -> Option<Span> {
        if part.is_empty() {
            return self.before(part.start);
        }
        let first = self.byte(part.start)?;
        let last = self.byte(part.end.checked_sub(1)?)?;
        (first.file == last.file && first.start <= last.end).then_some(Span {
            end: last.end,
            ..first
        })
    }

    /// Where a byte is written.
    fn byte(&self, byte: usize) -> Option<Span> {
        let mut nth = byte;
        for Piece { len, span } in &self.0 {
            if nth < *len {
                return Some(within(*span, *len, nth));
            }
            nth -= len;
        }
        None
    }

    /// The place before a byte, or behind the last one.
    fn before(&self, byte: usize) -> Option<Span> {
        let (at, near) = match self.byte(byte) {
            Some(next) => (next.start, next),
            None => {
                let last = self.byte(byte.checked_sub(1)?)?;
                (last.end, last)
            }
        };
        Some(Span {
            file: near.file,
            start: at,
            end: at,
        })
    }
}

/// Where one of the bytes of a piece is written.
fn within(span: Span, len: usize, nth: usize) -> Span {
    let written = span.end.saturating_sub(span.start) as usize;
    match u32::try_from(nth) {
        Ok(nth) if written == len => {
            let start = span.start.saturating_add(nth);
            Span {
                start,
                end: start.saturating_add(1),
                ..span
            }
        }
        _ => span,
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, Written};
    use crate::{FileId, Span};

    fn span(file: u32, start: u32, end: u32) -> Span {
        Span {
            file: FileId(file),
            start,
            end,
        }
    }

    #[test]
    fn parts_are_found_where_their_ends_are_written() {
        let pieces = [
            (4, span(0, 10, 14)),
            (1, span(0, 14, 16)),
            (3, span(0, 30, 33)),
        ];
        let written: Written = pieces
            .map(|(len, span)| Piece { len, span })
            .into_iter()
            .collect();
        for (part, expected) in [
            (0..4, Some(span(0, 10, 14))),
            (1..2, Some(span(0, 11, 12))),
            (4..5, Some(span(0, 14, 16))),
            (3..6, Some(span(0, 13, 31))),
            (0..0, Some(span(0, 10, 10))),
            (5..5, Some(span(0, 30, 30))),
            (8..8, Some(span(0, 33, 33))),
            (7..9, None),
            (9..9, None),
        ] {
            assert_eq!(written.part(part.clone()), expected, "{part:?}");
        }
        assert_eq!(Written::default().part(0..0), None);
    }

    #[test]
    fn what_lies_in_two_files_has_no_place() {
        let pieces = [(1, span(0, 10, 11)), (1, span(1, 20, 21))];
        let written: Written = pieces
            .map(|(len, span)| Piece { len, span })
            .into_iter()
            .collect();
        assert_eq!(written.part(0..1), Some(span(0, 10, 11)));
        assert_eq!(written.part(0..2), None);
    }
}
