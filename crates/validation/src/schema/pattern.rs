//! The keyword `pattern`.

use crd_channels_cel::go_regexp;
use regex::Regex;
use std::sync::OnceLock;

/// A regular expression in Go's syntax. It is compiled once, when the first value is matched with it.
#[derive(Clone, Debug, Default)]
pub struct Pattern<'a> {
    text: &'a str,
    compiled: OnceLock<Option<Regex>>,
}

impl<'a> Pattern<'a> {
    /// The pattern as the schema has it. An empty one is as good as none.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            compiled: OnceLock::new(),
        }
    }

    /// The pattern as the schema has it.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    /// Whether a part of a text matches. Every text matches a pattern that servers would not compile.
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
