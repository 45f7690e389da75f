//! The grammar of `Warning` headers, RFC 7234 section 5.5, as tolerant as Kubernetes' own clients.

use super::encoded_word;
use std::fmt;

/// A warning of a response.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub struct Warning {
    /// Its kind, three digits. 299, a persistent warning without further meaning, is what API servers send and what clients
    /// show.
    pub code: u16,
    /// The server that added it, `-` if unknown.
    pub agent: String,
    /// The message for people.
    pub text: String,
}

/// The code of warnings for the author of the request.
const FOR_PEOPLE: u16 = 299;

impl Warning {
    /// A warning, for tests of handlers.
    pub fn new(code: u16, agent: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            code,
            agent: agent.into(),
            text: text.into(),
        }
    }

    /// Whether clients show it: the code is 299, and there is a text. What other codes mean is left to caches and proxies.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.code == FOR_PEOPLE && !self.text.is_empty()
    }
}

/// Why the rest of a header value was not read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Malformed {
    /// There are not three parts with spaces between them.
    Parts,
    /// The code is not three digits.
    Code,
    /// The agent is empty, is not UTF-8 or contains a control character.
    Agent,
    /// The text has no quotes around it, or none at its end.
    Quotes,
    /// The text is not UTF-8 or contains a control character.
    Text,
    /// The date has no quote at its end.
    Date,
    /// Something that is not a comma follows the warning.
    End,
}

impl fmt::Display for Malformed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Parts => "a warning has a code, an agent and a text",
            Self::Code => "the code is not three digits",
            Self::Agent => "the agent is empty, not UTF-8 or contains a control character",
            Self::Quotes => "the text is not a quoted string",
            Self::Text => "the text is not UTF-8 or contains a control character",
            Self::Date => "the date is not a quoted string",
            Self::End => "there is no comma before the next warning",
        })
    }
}

impl std::error::Error for Malformed {}

/// Parses the `Warning` headers of a response. Malformed ones are skipped: no response fails because of them.
pub fn parse<'v>(values: impl IntoIterator<Item = &'v [u8]>) -> Vec<Warning> {
    let values = values.into_iter();
    values.flat_map(|value| parse_value(value).0).collect()
}

/// Parses the comma-separated warnings of one header value. Also returns why the rest of it was not read, if so.
///
/// The text may be encoded by RFC 2047, as in RFC 2616; a date is skipped. `ParseWarningHeaders` of `k8s.io/apimachinery` reads
/// the same.
#[must_use]
pub fn parse_value(value: &[u8]) -> (Vec<Warning>, Option<Malformed>) {
    let mut found = Vec::new();
    let mut rest = value;
    while !rest.is_empty() {
        match first(rest) {
            Ok((warning, behind)) => {
                found.push(warning);
                rest = behind;
            }
            Err(malformed) => return (found, Some(malformed)),
        }
    }
    (found, None)
}

/// Parses the first warning. Also returns the rest after the comma.
fn first(value: &[u8]) -> Result<(Warning, &[u8]), Malformed> {
    let mut parts = trim(value).splitn(3, |byte| *byte == b' ');
    let (Some(code), Some(agent), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(Malformed::Parts);
    };
    let code = match code {
        [_, _, _] if code.iter().all(u8::is_ascii_digit) => code
            .iter()
            .fold(0, |code, digit| code * 10 + u16::from(digit - b'0')),
        _ => return Err(Malformed::Code),
    };
    let agent = printable(agent.to_vec()).filter(|agent| !agent.is_empty());
    let agent = agent.ok_or(Malformed::Agent)?;
    let (text, rest) = quoted(rest).ok_or(Malformed::Quotes)?;
    let text = printable(encoded_word::decoded(text)).ok_or(Malformed::Text)?;
    let rest = match rest {
        [b'"', date @ ..] => {
            let end = date.iter().position(|byte| *byte == b'"');
            trim(
                date.get(end.ok_or(Malformed::Date)? + 1..)
                    .unwrap_or_default(),
            )
        }
        rest => rest,
    };
    let rest = match rest {
        [] => rest,
        [b',', rest @ ..] => trim(rest),
        _ => return Err(Malformed::End),
    };
    Ok((Warning { code, agent, text }, rest))
}

/// Parses a quoted string. Returns it without quotes and backslashes, and the rest.
fn quoted(value: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = value.strip_prefix(b"\"")?;
    let mut text = Vec::new();
    loop {
        let (byte, behind) = rest.split_first()?;
        match (byte, behind.split_first()) {
            (b'"', _) => return Some((text, trim(behind))),
            (b'\\', escaped) => {
                let (byte, behind) = escaped?;
                text.push(*byte);
                rest = behind;
            }
            _ => {
                text.push(*byte);
                rest = behind;
            }
        }
    }
}

/// Returns the text if it has no control characters.
fn printable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains(char::is_control)).then_some(text)
}

/// Trims Unicode white space at both ends. Bytes that are not UTF-8 are not white space.
fn trim(mut bytes: &[u8]) -> &[u8] {
    let first = |bytes: &[u8]| (1..=4).find_map(|length| only_char(bytes.get(..length)?));
    let last = |bytes: &[u8]| {
        (1..=4).find_map(|length| only_char(bytes.get(bytes.len().checked_sub(length)?..)?))
    };
    while let Some(space) = first(bytes).filter(|first| first.is_whitespace()) {
        bytes = bytes.get(space.len_utf8()..).unwrap_or_default();
    }
    while let Some(space) = last(bytes).filter(|last| last.is_whitespace()) {
        let end = bytes.len().saturating_sub(space.len_utf8());
        bytes = bytes.get(..end).unwrap_or_default();
    }
    bytes
}

/// Returns the character if the bytes are exactly one.
fn only_char(bytes: &[u8]) -> Option<char> {
    let mut found = std::str::from_utf8(bytes).ok()?.chars();
    found.next().filter(|_| found.next().is_none())
}
