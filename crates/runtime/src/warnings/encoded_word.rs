//! Encoded words of RFC 2047, `=?utf-8?q?caf=C3=A9?=`, which RFC 2616 uses in warnings.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Base 64 as real encoders write it: unused trailing bits may be set.
const BASE_64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Decodes the encoded words of a text; returns the unchanged text if one of them has an unknown character set.
pub(super) fn decoded(text: Vec<u8>) -> Vec<u8> {
    decode(&text).unwrap_or(text)
}

fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut made = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut after_word = false;
    while let Some(word) = Word::first(rest) {
        let (before, behind) = (rest.get(..word.start)?, rest.get(word.end..)?);
        match word.content() {
            Some(content) => {
                // White space between two encoded words is not part of the text.
                let separates = after_word && before.iter().all(|byte| b" \t\n\r".contains(byte));
                if !separates {
                    made.extend(before);
                }
                word.convert(&content, &mut made)?;
                after_word = true;
            }
            None => {
                made.extend(rest.get(..word.end)?);
                after_word = false;
            }
        }
        rest = behind;
    }
    made.extend(rest);
    Some(made)
}

/// An encoded word, `=?charset?encoding?text?=`.
struct Word<'t> {
    start: usize,
    end: usize,
    charset: &'t [u8],
    encoding: u8,
    text: &'t [u8],
}

impl<'t> Word<'t> {
    /// Returns the first part of a text that has the form of an encoded word.
    fn first(text: &'t [u8]) -> Option<Self> {
        let start = find(text, b"=?")?;
        let behind = text.get(start + 2..)?;
        let charset = behind.get(..find(behind, b"?")?)?;
        let [encoding, b'?', behind @ ..] = behind.get(charset.len() + 1..)? else {
            return None;
        };
        let inside = behind.get(..find(behind, b"?=")?)?;
        Some(Self {
            start,
            end: start + 2 + charset.len() + 3 + inside.len() + 2,
            charset,
            encoding: *encoding,
            text: inside,
        })
    }

    /// Returns the decoded bytes; `None` if they are not well encoded.
    fn content(&self) -> Option<Vec<u8>> {
        match self.encoding {
            b'B' | b'b' => {
                let text = self.text.iter().copied();
                let text: Vec<u8> = text.filter(|byte| !b"\r\n".contains(byte)).collect();
                BASE_64.decode(text).ok()
            }
            b'Q' | b'q' => quoted_printable(self.text),
            _ => None,
        }
    }

    /// Appends the content as UTF-8; `None` if its character set is unknown.
    fn convert(&self, content: &[u8], made: &mut Vec<u8>) -> Option<()> {
        let mut put = |found: char| made.extend(found.encode_utf8(&mut [0; 4]).as_bytes());
        if is_called(self.charset, "utf-8") {
            made.extend(content);
        } else if is_called(self.charset, "iso-8859-1") {
            content.iter().for_each(|byte| put(char::from(*byte)));
        } else if is_called(self.charset, "us-ascii") {
            content.iter().for_each(|byte| match byte.is_ascii() {
                true => put(char::from(*byte)),
                false => put(char::REPLACEMENT_CHARACTER),
            });
        } else {
            return None;
        }
        Some(())
    }
}

/// Compares the name of a character set, ignoring case. Unicode's simple case folding maps `ſ` to `s`.
fn is_called(charset: &[u8], name: &str) -> bool {
    let folded = |found: char| match found {
        'ſ' => 's',
        found => found.to_ascii_lowercase(),
    };
    std::str::from_utf8(charset).is_ok_and(|charset| charset.chars().map(folded).eq(name.chars()))
}

/// Decodes the Q encoding, in which `_` is a space and `=C3` a byte.
fn quoted_printable(text: &[u8]) -> Option<Vec<u8>> {
    let mut made = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((byte, mut behind)) = rest.split_first() {
        match byte {
            b'_' => made.push(b' '),
            b'=' => {
                let [high, low, left @ ..] = behind else {
                    return None;
                };
                made.push(digit(*high)? << 4 | digit(*low)?);
                behind = left;
            }
            b' '..=b'~' | b'\t' | b'\n' | b'\r' => made.push(*byte),
            _ => return None,
        }
        rest = behind;
    }
    Some(made)
}

fn digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut windows = text.windows(wanted.len());
    windows.position(|part| part == wanted)
}
