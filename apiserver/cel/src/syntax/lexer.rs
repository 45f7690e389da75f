//! Splits a CEL expression into words.

use super::SyntaxError;
use super::strings;
use super::token::{Token, Word};
use crate::Text;

/// Punctuation; longer symbols come first.
const PUNCTUATION: [&str; 24] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!",
    "?", ":", "+", "*", "/", "%",
];

/// Words that are never names.
pub(super) const KEYWORDS: [&str; 4] = ["in", "true", "false", "null"];

/// Splits a text into words; the last one is [`Word::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut found = Vec::new();
    let mut offset = 0;
    loop {
        offset += blank(rest(text, offset));
        let (word, length) = word(text, offset)?;
        let end = word == Word::End;
        found.push(Token {
            word,
            range: offset..offset + length,
        });
        if end {
            return Ok(found);
        }
        offset += length;
    }
}

/// The comments of a text; empty if it is not an expression.
#[must_use]
pub fn comments(text: &str) -> Vec<&str> {
    // Most rules have none, and otherwise only quoted text contains slashes.
    if !text.contains("//") {
        return Vec::new();
    }
    let Ok(tokens) = tokens(text) else {
        return Vec::new();
    };
    let mut from = 0;
    let mut found = Vec::new();
    for token in tokens {
        let gap = text.get(from..token.range.start).unwrap_or_default();
        found.extend(gap.split_once("//").map(|(_, comment)| comment));
        from = token.range.end;
    }
    found
}

fn rest(text: &str, offset: usize) -> &str {
    text.get(offset..).unwrap_or_default()
}

/// The length of the leading whitespace and comments, in bytes.
fn blank(text: &str) -> usize {
    let mut left = text;
    loop {
        left = left.trim_start_matches([' ', '\t', '\r', '\n', '\u{c}']);
        if !left.starts_with("//") {
            return text.len() - left.len();
        }
        left = left.find('\n').map_or("", |end| rest(left, end));
    }
}

/// The word that starts at an offset, and its length.
fn word(text: &str, offset: usize) -> Result<(Word, usize), SyntaxError> {
    let left = rest(text, offset);
    let Some(first) = left.chars().next() else {
        return Ok((Word::End, 0));
    };
    // The characters with which a string can start.
    let may_be_string = matches!(first, '"' | '\'' | 'b' | 'B' | 'r' | 'R');
    if may_be_string && let Some(found) = strings::literal(left, offset)? {
        return Ok(found);
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let name = prefix(left, |c| c.is_ascii_alphanumeric() || c == '_');
        let word = KEYWORDS
            .into_iter()
            .find(|keyword| *keyword == name)
            .map_or_else(|| Word::Identifier(name.into()), Word::Symbol);
        return Ok((word, name.len()));
    }
    if first == '`'
        && let Some(quoted) = quoted(left)
    {
        return Ok((Word::Quoted(quoted.into()), quoted.len() + 2));
    }
    let may_be_number = first.is_ascii_digit() || first == '.';
    if may_be_number && let Some(found) = number(left) {
        return Ok(found);
    }
    if let Some(symbol) = PUNCTUATION
        .into_iter()
        .find(|symbol| left.starts_with(symbol))
    {
        return Ok((Word::Symbol(symbol), symbol.len()));
    }
    let message = match first {
        '=' => "`=` is not an operator; equality is `==`".to_owned(),
        '&' | '|' => format!("`{first}` is not an operator; write `{first}{first}`"),
        '`' => {
            "between backticks are letters, digits, spaces and the characters `_`, `.`, `-` and `/`"
                .to_owned()
        }
        _ => format!("`{}` is not allowed in an expression", first.escape_debug()),
    };
    Err(SyntaxError { offset, message })
}

/// The name in backticks at the start of a text.
fn quoted(text: &str) -> Option<&str> {
    let (name, _) = text.strip_prefix('`')?.split_once('`')?;
    let belongs = |c: char| c.is_ascii_alphanumeric() || "_.-/ ".contains(c);
    (!name.is_empty() && name.chars().all(belongs)).then_some(name)
}

fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c| !belongs(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

fn digits(text: &str) -> usize {
    prefix(text, |c| c.is_ascii_digit()).len()
}

/// The number at the start of a text, without its sign. The longest form wins.
fn number(text: &str) -> Option<(Word, usize)> {
    if let Some(hex) = text.strip_prefix("0x") {
        let length = prefix(hex, |c| c.is_ascii_hexdigit()).len();
        if length > 0 {
            return Some(unsigned(text, 2 + length));
        }
    }
    let whole = digits(text);
    let mut length = whole;
    if rest(text, whole).starts_with('.') {
        let fraction = digits(rest(text, whole + 1));
        if fraction > 0 {
            length = whole + 1 + fraction;
        }
    }
    if length == 0 {
        return None;
    }
    length += exponent(rest(text, length));
    if length > whole {
        return Some((Word::Double(leading_text(text, length)), length));
    }
    Some(unsigned(text, whole))
}

/// The first bytes of a text.
fn leading_text(text: &str, length: usize) -> Text {
    text.get(..length).unwrap_or_default().into()
}

fn unsigned(text: &str, length: usize) -> (Word, usize) {
    let number = leading_text(text, length);
    if rest(text, length).starts_with(['u', 'U']) {
        (Word::Uint(number), length + 1)
    } else {
        (Word::Int(number), length)
    }
}

/// The length of `e10`, `E-3`.
fn exponent(text: &str) -> usize {
    let Some(left) = text.strip_prefix(['e', 'E']) else {
        return 0;
    };
    let sign = usize::from(left.starts_with(['+', '-']));
    match digits(rest(left, sign)) {
        0 => 0,
        count => 1 + sign + count,
    }
}
