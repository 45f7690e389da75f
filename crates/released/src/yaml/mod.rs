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
//! | `"\/"`, `"\ud83d\ude00"`, `%YAML`, `--- text` | refused |
//!
//! `crates/crd-channels/tests/yaml` compares this with kubectl's code and lists where the two differ.

mod nodes;
mod numbers;
mod scalars;
mod values;

pub(super) use nodes::{NodeContent, Nodes};

use serde_json::Value;
use std::fmt::Write;

/// An error in a text, with its offset.
#[derive(Debug)]
pub(super) struct Wrong {
    at: usize,
    message: String,
}

impl Wrong {
    fn new(at: usize, message: impl Into<String>) -> Self {
        Self {
            at,
            message: message.into(),
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

/// Parses the documents of a text; empty ones are null.
///
/// # Errors
/// Returns the first thing that kubectl refuses, or that it would read differently than its author.
pub(super) fn documents(text: &str) -> Result<Vec<Value>, String> {
    let read = || {
        characters(text)?;
        separators(text)?;
        values::of(&Nodes::read(text)?, text)
    };
    read().map_err(|wrong: Wrong| wrong.located(text))
}

/// Refuses characters that YAML 1.1 does not allow, or takes for the end of a line.
fn characters(text: &str) -> Result<(), Wrong> {
    let wrong = |c: &(usize, char)| match c.1 {
        '\t' | '\n' | '\r' | ' '..='\u{7e}' => false,
        '\u{2028}' | '\u{2029}' => true,
        '\u{feff}' => c.0 > 0,
        other => !matches!(other, '\u{a0}'..='\u{fffd}' | '\u{10000}'..),
    };
    if text.bytes().all(|byte| matches!(byte, b'\n' | b' '..=b'~')) {
        return Ok(());
    }
    let Some((at, found)) = text.char_indices().find(wrong) else {
        return Ok(());
    };
    let mut message = format!(
        "the character U+{:04X} is not allowed unescaped in YAML",
        u32::from(found)
    );
    let _ = write!(
        message,
        "; write \"\\u{:04x}\" in double quotes",
        u32::from(found)
    );
    Err(Wrong::new(at, message))
}

/// Refuses documents that begin on the line of their separator, as kubectl does.
fn separators(text: &str) -> Result<(), Wrong> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(behind) = line.strip_prefix("---") {
            let content = behind.trim();
            let apart = content.is_empty() || behind.starts_with([' ', '\t']);
            if !apart || !(content.is_empty() || content.starts_with('#')) {
                let message = "kubectl rejects anything except a comment after `---`; write it on the next line";
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
