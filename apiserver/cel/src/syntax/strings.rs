//! String and bytes literals: one or three quotes, raw or with escapes.

use super::SyntaxError;
use super::token::Word;

/// The notation of a literal.
#[derive(Clone, Copy)]
struct Form {
    bytes: bool,
    raw: bool,
    /// One or three quotes of one sort.
    quotes: &'static str,
    /// The length of the prefix letters and the quotes.
    opening: usize,
}

/// The string or bytes literal at the start of a text, and its length; `None` if there is none.
pub(super) fn literal(text: &str, offset: usize) -> Result<Option<(Word, usize)>, SyntaxError> {
    let Some(form) = form(text) else {
        return Ok(None);
    };
    let body = text.get(form.opening..).unwrap_or_default();
    let error = |at: usize, message: &str| SyntaxError {
        offset: offset + at,
        message: message.to_owned(),
    };
    let mut content = Content {
        bytes: form.bytes,
        found: Vec::with_capacity(body.len().min(64)),
    };
    let mut at = 0;
    loop {
        let left = body.get(at..).unwrap_or_default();
        if left.starts_with(form.quotes) {
            let length = form.opening + at + form.quotes.len();
            return Ok(Some((content.word(), length)));
        }
        let Some(first) = left.chars().next() else {
            return Err(error(0, "the string is not closed"));
        };
        match first {
            '\n' | '\r' if form.quotes.len() == 1 => {
                return Err(error(
                    0,
                    "the string is not closed on its line; strings of several lines take three quotes",
                ));
            }
            '\r' => {
                content.push('\n');
                at += if left.starts_with("\r\n") { 2 } else { 1 };
            }
            '\\' if !form.raw => {
                let Some(length) = content.escape(left) else {
                    return Err(error(
                        form.opening + at,
                        "unknown or invalid escape; write a backslash as `\\\\`, or use a raw string `r'..'`",
                    ));
                };
                at += length;
            }
            _ => {
                content.push(first);
                at += first.len_utf8();
            }
        }
    }
}

fn form(text: &str) -> Option<Form> {
    let unprefixed = text.strip_prefix(['b', 'B']);
    let bytes = unprefixed.is_some();
    let rest = unprefixed.unwrap_or(text);
    let unraw = rest.strip_prefix(['r', 'R']);
    let raw = unraw.is_some();
    let rest = unraw.unwrap_or(rest);
    let quotes = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .find(|quotes| rest.starts_with(quotes))?;
    Some(Form {
        bytes,
        raw,
        quotes,
        opening: usize::from(bytes) + usize::from(raw) + quotes.len(),
    })
}

/// The content of a literal so far.
struct Content {
    bytes: bool,
    found: Vec<u8>,
}

impl Content {
    fn push(&mut self, character: char) {
        let mut buffer = [0; 4];
        self.found
            .extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
    }

    /// Decodes the escape at the start of a text. Returns its length; `None` if it is not an escape.
    fn escape(&mut self, text: &str) -> Option<usize> {
        let kind = text.chars().nth(1)?;
        let simple = match kind {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '"' | '\'' | '\\' | '?' | '`' => kind,
            'x' | 'X' => return self.coded(text, 2, 2, 16),
            'u' if !self.bytes => return self.coded(text, 2, 4, 16),
            'U' if !self.bytes => return self.coded(text, 2, 8, 16),
            '0'..='3' => return self.coded(text, 1, 3, 8),
            _ => return None,
        };
        self.push(simple);
        Some(2)
    }

    /// An escape with a number: a byte in bytes, a code point in a string.
    fn coded(&mut self, text: &str, start: usize, count: usize, radix: u32) -> Option<usize> {
        let digits = text.get(start..start + count)?;
        if !digits.chars().all(|digit| digit.is_digit(radix)) {
            return None;
        }
        let code = u32::from_str_radix(digits, radix).ok()?;
        if self.bytes {
            self.found.push(u8::try_from(code).ok()?);
        } else {
            self.push(char::from_u32(code)?);
        }
        Some(start + count)
    }

    fn word(self) -> Word {
        if self.bytes {
            Word::Bytes(self.found)
        } else {
            // Only whole characters were pushed.
            Word::String(String::from_utf8_lossy(&self.found).into())
        }
    }
}
