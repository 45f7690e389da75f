//! The keyword `pattern`.

use crd_channels_cel::go_regexp;
use std::sync::OnceLock;

/// A regular expression in Go's syntax, compiled lazily on the first match.
#[derive(Clone, Debug, Default)]
pub struct Pattern<'a> {
    text: &'a str,
    compiled: OnceLock<Option<go_regexp::Pattern>>,
}

impl<'a> Pattern<'a> {
    /// The pattern of a schema. An empty one counts as absent.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            compiled: OnceLock::new(),
        }
    }

    /// The pattern as written.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    /// Whether a part of a text matches. A pattern that servers cannot compile matches every text.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        if self.text.is_empty() {
            return true;
        }
        let compiled = self.compiled.get_or_init(|| go_regexp::compile(self.text));
        compiled
            .as_ref()
            .is_none_or(|pattern| pattern.is_match(text))
    }
}

impl PartialEq for Pattern<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}
