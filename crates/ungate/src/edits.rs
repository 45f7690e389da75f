//! Edits of a text by byte ranges, applied together, and the lines of a text.

use crd_channels_markers::Extent;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

/// Replacements. A deletion replaces all edits inside it; insertions at the same position keep their order.
#[derive(Debug, Default)]
pub(super) struct Edits {
    all: Vec<(Range<usize>, String)>,
    /// The starts of deletions that leave a gap to close.
    gaps: BTreeSet<usize>,
}

impl Edits {
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.all.push((range, text.into()));
    }

    pub(super) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    pub(super) fn delete(&mut self, range: Range<usize>) {
        self.replace(range, "");
    }

    /// Deletes lines, together with an adjacent empty line that would be next to another one or to a brace.
    pub(super) fn remove(&mut self, range: Range<usize>) {
        self.gaps.insert(range.start);
        self.delete(range);
    }

    pub(super) fn apply(mut self, text: &str) -> String {
        self.all.sort_by_key(|(range, _)| {
            let inserts = range.is_empty();
            (range.start, Reverse(inserts), Reverse(range.end))
        });
        let mut result = String::with_capacity(text.len());
        let mut at = 0;
        let mut gaps = Vec::new();
        for (range, replacement) in self.all {
            if range.start < at {
                continue;
            }
            result.push_str(text.get(at..range.start).unwrap_or_default());
            if self.gaps.contains(&range.start) {
                gaps.push(result.len());
            }
            result.push_str(&replacement);
            at = range.end;
        }
        result.push_str(text.get(at..).unwrap_or_default());
        for gap in gaps.into_iter().rev() {
            result.replace_range(gap_at(&result, gap), "");
        }
        result
    }
}

/// The superfluous empty line at a position where lines were removed, if there is one.
fn gap_at(text: &str, at: usize) -> Range<usize> {
    let above = at.checked_sub(1).map_or(0, |end| line_start(text, end))..at;
    let below = at..line_end(text, at);
    let trimmed = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default().trim();
    let (before, behind) = (trimmed(&above), trimmed(&below));
    if at != line_start(text, at) {
        at..at
    } else if behind.is_empty() && (before.is_empty() || before.ends_with('{')) {
        below
    } else if before.is_empty() && behind.starts_with('}') {
        above
    } else {
        at..at
    }
}

/// The byte range of some tokens.
pub(super) fn range(tokens: &impl ToTokens) -> Range<usize> {
    let extent = Extent::of(tokens);
    extent.start.byte_range().start..extent.end.byte_range().end
}

/// The start of the line of a byte.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    before.rfind('\n').map_or(0, |end| end + 1)
}

/// The end of the line of a byte, after the line feed.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let behind = text.get(at..).unwrap_or_default();
    behind.find('\n').map_or(text.len(), |end| at + end + 1)
}

/// The indentation of the line of a byte.
pub(super) fn indentation(text: &str, at: usize) -> &str {
    let line = text.get(line_start(text, at)..).unwrap_or_default();
    let spaces = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..spaces).unwrap_or_default()
}

/// A part of a text as it reads at another indentation: further lines move along, except inside literals.
pub(super) fn moved(text: &str, own: Range<usize>, tokens: TokenStream, to: &str) -> String {
    let from = indentation(text, own.start);
    let mut literals = Vec::new();
    collect(tokens, &mut literals);
    let mut result = String::new();
    let mut at = own.start;
    for (nth, line) in text
        .get(own)
        .unwrap_or_default()
        .split_inclusive('\n')
        .enumerate()
    {
        let inside = literals
            .iter()
            .any(|range| range.start < at && at < range.end);
        match line.strip_prefix(from) {
            Some(rest) if nth > 0 && !inside => {
                result.push_str(to);
                result.push_str(rest);
            }
            _ => result.push_str(line),
        }
        at += line.len();
    }
    result
}

fn collect(tokens: TokenStream, literals: &mut Vec<Range<usize>>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect(group.stream(), literals),
            TokenTree::Literal(literal) => literals.push(literal.span().byte_range()),
            _ => {}
        }
    }
}
