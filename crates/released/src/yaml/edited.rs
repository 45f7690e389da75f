//! A text with replaced parts, and the place that each of its bytes had before.

use std::ops::Range;

/// A text in which parts of another one are replaced.
pub(super) struct Edited<'t> {
    before: &'t str,
    /// The text so far.
    pub(super) text: String,
    /// The length of the text before that was taken over.
    taken: usize,
    /// The ends of the replaced parts, in the new text and in the one before.
    ends: Vec<(usize, usize)>,
}

impl<'t> Edited<'t> {
    pub(super) fn new(before: &'t str) -> Self {
        Self {
            before,
            text: String::with_capacity(before.len()),
            taken: 0,
            ends: Vec::new(),
        }
    }

    /// Replaces a part behind all that were replaced before.
    pub(super) fn replace(&mut self, part: Range<usize>, with: &str) {
        self.take_over(part.start);
        self.text.push_str(with);
        self.taken = part.end;
        self.ends.push((self.text.len(), part.end));
    }

    /// Takes over the rest.
    pub(super) fn end(mut self) -> Self {
        self.take_over(self.before.len());
        self
    }

    fn take_over(&mut self, end: usize) {
        let kept = self.before.get(self.taken..end).unwrap_or_default();
        self.text.push_str(kept);
        self.taken = end;
    }

    /// The offset that a byte of the new text had. A byte of a replacement had that of the end of the replaced part.
    pub(super) fn before(&self, at: usize) -> usize {
        let next = self.ends.partition_point(|(new, _)| *new <= at);
        let last = next.checked_sub(1).and_then(|last| self.ends.get(last));
        let (new, old) = last.copied().unwrap_or_default();
        let limit = self
            .ends
            .get(next)
            .map_or(self.before.len(), |(_, old)| *old);
        (old + (at - new)).min(limit)
    }
}

#[cfg(test)]
mod tests {
    use super::Edited;

    #[test]
    fn places_are_those_of_the_text_before() {
        let mut edited = Edited::new("ab\ncd\u{85}e");
        edited.replace(3..3, "   ");
        edited.replace(5..7, "\n");
        let edited = edited.end();
        assert_eq!(edited.text, "ab\n   cd\ne");
        let before: Vec<usize> = (0..=10).map(|at| edited.before(at)).collect();
        assert_eq!(before, [0, 1, 2, 3, 3, 3, 3, 4, 5, 7, 8]);
    }
}
