//! Edits of a text by byte ranges, applied together.

use std::ops::Range;

/// Replacements that do not overlap; a deletion that contains others swallows them.
#[derive(Default)]
pub struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    pub fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.0.push((range, text.into()));
    }

    pub fn delete(&mut self, range: Range<usize>) {
        self.replace(range, "");
    }

    pub fn apply(mut self, text: &str) -> String {
        self.0
            .sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut result = String::with_capacity(text.len());
        let mut at = 0;
        for (range, replacement) in self.0 {
            if range.start < at {
                continue;
            }
            result.push_str(&text[at..range.start]);
            result.push_str(&replacement);
            at = range.end;
        }
        result.push_str(&text[at..]);
        result
    }
}
