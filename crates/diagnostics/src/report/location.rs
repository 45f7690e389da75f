//! The locations of diagnostics, in lines and columns and in bytes.

use crate::{Diagnostic, SourceFile, Sources, Span};
use std::ops::Range;
use std::sync::Arc;

/// A diagnostic with its location.
pub(super) struct Finding<'a> {
    pub(super) diagnostic: &'a Diagnostic,
    pub(super) place: Option<Location>,
}

impl Finding<'_> {
    pub(super) fn key(&self) -> (Option<(&str, usize)>, &str, &str) {
        let place = self
            .place
            .as_ref()
            .map(|place| (&*place.file.shown, place.bytes.start));
        (place, self.diagnostic.record().id, &self.diagnostic.message)
    }
}

/// A span in a known file, clamped to the file's text.
pub(super) struct Location {
    pub(super) file: Arc<SourceFile>,
    pub(super) bytes: Range<usize>,
}

impl Location {
    pub(super) fn of_span(span: Span, sources: &Sources) -> Option<Self> {
        let file = sources.get(span.file)?;
        let start = floor(&file.text, span.start as usize);
        let end = floor(&file.text, span.end as usize).max(start);
        Some(Self {
            file,
            bytes: start..end,
        })
    }

    pub(super) fn path(&self) -> &str {
        &self.file.shown
    }

    /// The line and column of a byte, both from 1; columns count characters.
    pub(super) fn line_column(&self, byte: usize) -> (usize, usize) {
        self.file.lines().place(&self.file.text, byte)
    }
}

/// The nearest character boundary at or before `byte`.
fn floor(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}
