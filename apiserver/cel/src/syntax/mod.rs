//! Parses an expression into a tree.

pub mod ast;
mod escape;
mod lexer;
mod operand;
mod parser;
mod strings;
mod token;

#[cfg(test)]
mod parser_tests;

pub use ast::Expression;
pub use escape::{escaped, unescape};
pub use lexer::comments;
pub(crate) use operand::RESERVED;
pub use operand::qualified;
pub use parser::parse;

use std::ops::Range;

/// The reason for which a text is not an expression.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SyntaxError {
    /// The offset, in bytes.
    pub offset: usize,
    /// The message: lowercase, no full stop.
    pub message: String,
}

impl SyntaxError {
    /// The span of the wrong word or character. Empty and after the last word if the text ends too early.
    #[must_use]
    pub fn part(&self, text: &str) -> Range<usize> {
        let (before, rest) = text.split_at_checked(self.offset).unwrap_or((text, ""));
        let start = before.len() + rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            let end = text.trim_end().len();
            return end..end;
        };
        let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        start..start + word.max(first.len_utf8())
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::SyntaxError;

    #[test]
    fn an_error_is_about_a_word_a_character_or_the_end() {
        for (text, offset, expected) in [
            ("self.a b2 > 1", 7, "b2"),
            ("self.a b2 > 1", 6, "b2"),
            ("self.size( > 0", 11, ">"),
            ("'é", 0, "'"),
            ("self. \n", 7, ""),
            ("", 0, ""),
            ("a", 9, ""),
        ] {
            let message = String::new();
            let part = SyntaxError { offset, message }.part(text);
            assert_eq!(&text[part], expected, "{text}");
        }
        let end = SyntaxError {
            offset: 7,
            message: String::new(),
        };
        assert_eq!(end.part("self. \n"), 5..5);
    }
}
