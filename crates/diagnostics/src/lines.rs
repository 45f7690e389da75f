//! Lines and columns in a text, each found without reading the text again.

use std::ops::Range;

/// The number of bytes between two counts of characters.
const BLOCK: usize = 512;

/// The length of lines that are shown with a finding, in bytes. Of a longer one, such as a whole object in JSON, only the place is.
pub const LONGEST_SHOWN: usize = 1000;

/// Lines of a text with the end of the last one: of Windows' ends, a renderer would show the first half.
#[must_use]
pub fn to_render<'t>(text: &'t str, lines: &Range<usize>) -> &'t str {
    let ended = text.get(lines.start..lines.end + 1);
    ended
        .or_else(|| text.get(lines.clone()))
        .unwrap_or_default()
}

/// The lines of a text, which is given again with each question about characters.
#[derive(Clone, Debug)]
pub struct Lines {
    length: usize,
    /// The offset of each line.
    starts: Vec<usize>,
    /// The number of characters that begin before each block.
    characters: Vec<usize>,
}

impl Lines {
    /// Reads a text once.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let mut before = 0;
        let blocks = text.as_bytes().chunks(BLOCK).map(|block| {
            let characters = before;
            before += begun(block);
            characters
        });
        Self {
            length: text.len(),
            characters: blocks.collect(),
            starts: std::iter::once(0).chain(breaks).collect(),
        }
    }

    /// The line of a byte, from 1, and its range without the end of the line.
    #[must_use]
    pub fn line(&self, at: usize) -> (usize, Range<usize>) {
        let number = self.starts.partition_point(|start| *start <= at);
        let start = number.checked_sub(1).and_then(|line| self.starts.get(line));
        let end = self.starts.get(number).map(|next| next - 1);
        (
            number,
            start.copied().unwrap_or_default()..end.unwrap_or(self.length),
        )
    }

    /// The line and the column of a byte, both from 1; columns count characters.
    #[must_use]
    pub fn place(&self, text: &str, at: usize) -> (usize, usize) {
        let (line, range) = self.line(at);
        (
            line,
            self.before(text, at) - self.before(text, range.start) + 1,
        )
    }

    /// The number of characters that begin before a byte.
    fn before(&self, text: &str, at: usize) -> usize {
        let at = at.min(text.len());
        let block = at / BLOCK;
        let known = self.characters.get(block);
        let rest = text.as_bytes().get(block * BLOCK..at);
        // The end of a text of whole blocks begins no block.
        let known = known.copied().unwrap_or_else(|| text.chars().count());
        known + begun(rest.unwrap_or_default())
    }
}

/// The number of characters that begin in these bytes.
fn begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0xc0) != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Lines};

    #[test]
    fn places_are_those_of_the_whole_text() {
        for length in [0, 1, BLOCK / 2, BLOCK - 3, 3 * BLOCK] {
            let text = format!("é\n{}\n\nab é😀c\n", "é".repeat(length));
            let lines = Lines::of(&text);
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let before = text.get(..at).unwrap_or_default();
                let line = before.matches('\n').count() + 1;
                let last = before.rsplit('\n').next().unwrap_or_default();
                assert_eq!(
                    lines.place(&text, at),
                    (line, last.chars().count() + 1),
                    "{at}"
                );
                let (number, range) = lines.line(at);
                assert_eq!(
                    text.lines().nth(number - 1).unwrap_or_default(),
                    text.get(range).unwrap_or("?")
                );
            }
        }
    }
}
