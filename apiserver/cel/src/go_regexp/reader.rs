//! A position in a pattern.

/// The rest of the pattern.
pub(super) struct Reader<'p> {
    rest: &'p str,
}

impl<'p> Reader<'p> {
    pub(super) fn new(rest: &'p str) -> Self {
        Self { rest }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
        Some(c)
    }

    pub(super) fn remaining(&self) -> &'p str {
        self.rest
    }

    /// Consumes a text, if it comes next.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let taken = self.rest.strip_prefix(text);
        self.rest = taken.unwrap_or(self.rest);
        taken.is_some()
    }

    /// The text before the next `end`, which is consumed too.
    pub(super) fn until(&mut self, end: char) -> Option<&'p str> {
        let (text, rest) = self.rest.split_once(end)?;
        self.rest = rest;
        Some(text)
    }

    /// `{2}`, `{2,}`, `{2,3}` with its text; anything else is not a repetition and is not consumed.
    pub(super) fn counts(&mut self) -> Option<((u32, Option<u32>), String)> {
        let (inside, rest) = self.rest.strip_prefix('{')?.split_once('}')?;
        let (least, most) = match inside.split_once(',') {
            Some((least, "")) => (count(least)?, None),
            Some((least, most)) => (count(least)?, Some(count(most)?)),
            None => (count(inside)?, Some(count(inside)?)),
        };
        self.rest = rest;
        Some(((least, most), format!("{{{inside}}}")))
    }
}

/// Digits without a leading zero. A number that does not fit saturates.
fn count(digits: &str) -> Option<u32> {
    let plain = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
    let padded = digits.len() > 1 && digits.starts_with('0');
    (plain && !padded).then(|| digits.parse().unwrap_or(u32::MAX))
}
