//! Bytes as choices.

/// The bytes that are left. Once there are none, every choice is the first one.
pub struct Choices<'b>(pub &'b [u8]);

impl Choices<'_> {
    pub fn is_done(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    pub fn below(&mut self, sides: usize) -> usize {
        let two = usize::from(self.byte()) << 8 | usize::from(self.byte());
        two % sides.max(1)
    }

    /// Some of the bytes, as text.
    pub fn text(&mut self) -> String {
        let length = self.below(64).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}
