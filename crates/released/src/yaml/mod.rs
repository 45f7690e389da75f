//! YAML as kubectl reads it: converted to JSON by `sigs.k8s.io/yaml` before anything else.
//!
//! | written | read as |
//! |---|---|
//! | `y`, `yes`, `on`, `true`, and in capitals or with a capital (`Yes`, `YES`); as well `n`, `no`, `off`, `false` | a boolean; `tRue` is text |
//! | nothing, `~`, `null`, `Null`, `NULL` | null; as a key it is refused |
//! | `10`, `010` (8), `0o10`, `0x10`, `0b1`, `+1`, `1_000` | an integer |
//! | `1.0` (1), `1e3` (1000), `08` (8), `-0.0` (0), `.5` | a number, and an integer where its JSON has no point and no exponent |
//! | `1e400` | text |
//! | `.inf`, `.nan` | refused as a value, text as a key |
//! | `2001-01-01`, `1:30` | text |
//! | numbers and booleans as keys | text, as JSON writes them; floats with the precision of 32 bits; integers above 63 bits are refused |
//! | `!!str`, `!!int`, `!!float`, `!!bool`, `!!null` | what they say, also of quoted text (`!!int "1"`), and refused if it is not |
//! | `!!binary` | the text that its base64 stands for |
//! | other tags | text, of collections nothing |
//! | `<<` | the fields of one mapping or of several; they win over fields above and lose against fields below |
//! | a key twice | by kubectl as the last one, also with `--validate=strict`; a server that is sent YAML refuses it. Here it is refused |
//! | quoted text over several lines | the same however its lines are indented |
//! | U+0085, U+2028, U+2029 | ends of lines; the latter two stay in the text |
//! | `"\/"`, `"\ud83d\ude00"`, `%YAML`, `--- text` | refused |
//!
//! `oracle/tests/yaml` compares this with kubectl's code and lists where the two differ.

mod breaks;
mod edited;
mod nodes;
mod numbers;
mod quoted;
mod scalars;
mod values;

pub(super) use nodes::{NodeContent, Nodes};
pub(super) use quoted::each as nodes_of_each;

use serde_json::Value;

/// An error in a text, with its offset.
#[derive(Debug)]
pub(super) struct Wrong {
    at: usize,
    message: String,
    /// Whether a line is indented in a way that only YAML 1.2 refuses.
    of_indentation: bool,
    /// Whether a quote that is not closed may be the reason.
    of_quotes: bool,
    /// Whether it was found in a value, whose place is known already.
    is_of_value: bool,
}

impl Wrong {
    fn new(at: usize, message: impl Into<String>) -> Self {
        Self {
            at,
            message: message.into(),
            of_indentation: false,
            of_quotes: false,
            is_of_value: false,
        }
    }

    /// The error with its place in the text before it was edited.
    fn moved(self, edited: &edited::Edited<'_>) -> Self {
        if self.is_of_value {
            return self;
        }
        Self {
            at: edited.before(self.at),
            ..self
        }
    }

    /// Formats the error in one line, with its place in the text.
    pub(super) fn located(&self, text: &str) -> String {
        format!("{}: {}", place(text, self.at), self.message)
    }
}

/// Formats the line and the column of an offset.
fn place(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or(text);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let column = before.get(start..).unwrap_or_default().chars().count() + 1;
    format!("line {line}, column {column}")
}

/// Parses the documents of a text, and hands over each; empty ones are null.
///
/// # Errors
/// Returns the first thing that kubectl refuses, or that it would read differently than its author.
pub(super) fn each(text: &str, deliver: &mut dyn FnMut(Value)) -> Result<(), String> {
    let mut read = || {
        characters(text)?;
        separators(text)?;
        nodes_of_each(text, &mut |nodes| {
            let value = values::document_value(&nodes, text);
            deliver(value.map_err(|wrong| Wrong {
                is_of_value: true,
                ..wrong
            })?);
            Ok(())
        })
    };
    read().map_err(|wrong: Wrong| wrong.located(text))
}

/// Refuses characters that YAML 1.1 does not allow.
fn characters(text: &str) -> Result<(), Wrong> {
    let wrong = |(at, c): &(usize, char)| match c {
        '\t' | '\n' | '\r' | ' '..='\u{7e}' | '\u{85}' => false,
        // kubectl removes it at the beginning of each document.
        '\u{feff}' => *at > 0 && text.get(..*at).is_some_and(|before| before.ends_with('\n')),
        other => !matches!(other, '\u{a0}'..='\u{fffd}' | '\u{10000}'..),
    };
    if text.bytes().all(|byte| matches!(byte, b'\n' | b' '..=b'~')) {
        return Ok(());
    }
    match text.char_indices().find(wrong) {
        Some((at, found)) => Err(unescaped(at, found)),
        None => Ok(()),
    }
}

fn unescaped(at: usize, found: char) -> Wrong {
    let code = u32::from(found);
    let message = format!(
        "the character U+{code:04X} is not allowed unescaped in YAML; write \"\\u{code:04x}\" in double quotes"
    );
    Wrong::new(at, message)
}

/// Refuses documents that begin on the line of their separator, as kubectl does.
fn separators(text: &str) -> Result<(), Wrong> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(behind) = line.strip_prefix("---") {
            let content = behind.trim();
            let apart = content.is_empty() || behind.starts_with([' ', '\t']);
            let message = match content.is_empty() || content.starts_with('#') {
                true if apart => None,
                true => Some("YAML needs a space before a comment; write `--- #`"),
                false => Some(
                    "kubectl rejects anything except a comment after `---`; write it on the next line",
                ),
            };
            if let Some(message) = message {
                return Err(Wrong::new(at, message));
            }
        }
        at += line.len();
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests;
