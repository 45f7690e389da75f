//! Maps parts of a text to their spans in Rust literals.

use super::Span;
use std::ops::Range;

/// The spans of a text's bytes, as far as known. They locate findings and are not part of a value's meaning: all `Written` are
/// equal.
#[derive(Clone, Debug, Default)]
pub struct Written(Vec<Piece>);

/// A run of bytes with one span.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Piece {
    /// The number of bytes in the text.
    pub len: usize,
    /// Their span. Its length differs from `len` if the source spells them differently, such as an escape or a number.
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
    /// Whether no part has a known span.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.0.is_empty()
    }

    /// The span of a part of the text. `None` if it is unknown, or if its ends are in different files.
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

    /// The span of a byte.
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

    /// The empty span before a byte, or after the last one.
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

/// The span of one byte of a piece.
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
