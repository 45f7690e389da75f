//! Scalars: plain, quoted or as a block, whichever every reader returns unchanged.

use std::fmt::Write;

/// The maximum length, in bytes, of a key written as `key: value`. Readers look at most 1,024 characters ahead for the colon,
/// and escapes lengthen a key.
const LONGEST_SIMPLE_KEY: usize = 128;

/// The form of a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Form {
    /// `text`
    Plain,
    /// `'text'`
    Single,
    /// `"text"`
    Double,
    /// `|` and the lines below it
    Block,
}

/// Writes a text. The lines of a block are indented by `indent` spaces; without an indentation, the text stays on one line.
pub(super) fn write(text: &str, indent: Option<usize>, out: &mut String) {
    match (form(text), indent) {
        (Form::Plain, _) => out.push_str(text),
        (Form::Single, _) => single(text, out),
        (Form::Block, Some(indent)) => block(text, indent, out),
        (Form::Block, None) | (Form::Double, _) => double(text, out),
    }
}

/// Returns true if the key must be introduced by `?`.
pub(super) fn is_long_key(key: &str) -> bool {
    key.len() > LONGEST_SIMPLE_KEY
}

fn form(text: &str) -> Form {
    let found = scan(text);
    if found.escape {
        Form::Double
    } else if found.lines {
        if found.awkward_line || text.starts_with([' ', '\t', '\n']) {
            Form::Double
        } else {
            Form::Block
        }
    } else if found.tab || is_implicit(text) {
        Form::Double
    } else if found.syntax || !is_plain_edge(text) {
        Form::Single
    } else {
        Form::Plain
    }
}

/// Features of a text that decide its form.
#[derive(Clone, Copy, Debug, Default)]
struct Contents {
    /// A character that every reader returns only if it is escaped.
    escape: bool,
    /// A line break.
    lines: bool,
    /// A line that ends in a space or a tab.
    awkward_line: bool,
    /// A tab.
    tab: bool,
    /// `: ` or ` #`, which end a plain scalar.
    syntax: bool,
}

/// The meaning of a byte.
#[derive(Clone, Copy)]
enum Class {
    /// No special meaning.
    Usual,
    /// C0 controls and DEL.
    Control,
    Tab,
    Line,
    Colon,
    Hash,
    /// The first byte of a character that may need an escape.
    Lead,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Usual; 256];
    let mut byte = 0;
    while byte < 0x20 {
        classes[byte] = Class::Control;
        byte += 1;
    }
    classes[0x7F] = Class::Control;
    classes[b'\t' as usize] = Class::Tab;
    classes[b'\n' as usize] = Class::Line;
    classes[b':' as usize] = Class::Colon;
    classes[b'#' as usize] = Class::Hash;
    // U+0080 to U+00BF, U+2000 to U+2FFF, U+F000 to U+FFFF.
    classes[0xC2] = Class::Lead;
    classes[0xE2] = Class::Lead;
    classes[0xEF] = Class::Lead;
    classes
};

fn scan(text: &str) -> Contents {
    let bytes = text.as_bytes();
    let mut found = Contents::default();
    let mut at = 0;
    // By index: this loop sees every byte of every CRD, and the dev profile of this package does not optimise iterators away.
    while at < bytes.len() {
        let before = || at.checked_sub(1).and_then(|at| bytes.get(at));
        match CLASSES[bytes[at] as usize] {
            Class::Usual => {}
            Class::Control => found.escape = true,
            Class::Tab => found.tab = true,
            Class::Line => {
                found.lines = true;
                found.awkward_line |= matches!(before(), Some(b' ' | b'\t'));
            }
            Class::Colon => found.syntax |= matches!(bytes.get(at + 1), None | Some(b' ')),
            Class::Hash => found.syntax |= before() == Some(&b' '),
            Class::Lead => {
                let character = text.get(at..).and_then(|rest| rest.chars().next());
                found.escape |= character.is_some_and(needs_escape);
            }
        }
        at += 1;
    }
    found.awkward_line |= matches!(bytes.last(), Some(b' ' | b'\t'));
    found
}

/// Returns true for characters that are not printable in YAML, or that a reader takes for a line break or a byte order mark.
fn needs_escape(character: char) -> bool {
    matches!(
        character,
        '\0'..='\x1F' | '\x7F'..='\u{9F}' | '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}'
    )
}

/// Returns true if both ends of a text allow it to be plain.
fn is_plain_edge(text: &str) -> bool {
    let first = text.chars().next();
    let last = text.chars().next_back();
    let (Some(first), Some(last)) = (first, last) else {
        return false;
    };
    let indicator = matches!(
        first,
        '-' | '?'
            | ':'
            | ','
            | '['
            | ']'
            | '{'
            | '}'
            | '#'
            | '&'
            | '*'
            | '!'
            | '|'
            | '>'
            | '\''
            | '"'
            | '%'
            | '@'
            | '`'
    );
    !indicator && !first.is_whitespace() && !last.is_whitespace() && !text.starts_with("...")
}

/// Returns true if some reader may take the plain text for another type, such as a number, a time or a boolean.
///
/// False positives are fine: they only cost a needless quote.
fn is_implicit(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "", "~", "=", "<<", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "inf",
        "infinity", "nan",
    ];
    let numeric = |byte: u8| {
        byte.is_ascii_hexdigit()
            || matches!(
                byte,
                b'+' | b'-'
                    | b'.'
                    | b','
                    | b':'
                    | b'_'
                    | b' '
                    | b'x'
                    | b'X'
                    | b'o'
                    | b'O'
                    | b'T'
                    | b't'
                    | b'Z'
                    | b'z'
            )
    };
    match text.as_bytes() {
        [b'0'..=b'9' | b'+' | b'-' | b'.', rest @ ..] if rest.iter().all(|byte| numeric(*byte)) => {
            true
        }
        bytes if bytes.len() > "-.infinity".len() => false,
        _ => {
            let bare = text.trim_start_matches(['+', '-', '.']);
            WORDS.iter().any(|word| bare.eq_ignore_ascii_case(word))
        }
    }
}

fn single(text: &str, out: &mut String) {
    out.push('\'');
    for (index, part) in text.split('\'').enumerate() {
        if index > 0 {
            out.push_str("''");
        }
        out.push_str(part);
    }
    out.push('\'');
}

fn double(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    let special = |character: char| matches!(character, '"' | '\\') || needs_escape(character);
    while let Some(at) = rest.find(special) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let mut characters = from.chars();
        if let Some(character) = characters.next() {
            escape(character, out);
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

fn escape(character: char, out: &mut String) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\0'..='\u{FF}' => hex("\\x", 2, character, out),
        '\u{100}'..='\u{FFFF}' => hex("\\u", 4, character, out),
        _ => hex("\\U", 8, character, out),
    }
}

fn hex(prefix: &str, width: usize, character: char, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{prefix}{:0width$X}", u32::from(character));
}

/// Writes a text as a block, the form that [`form`] chose for it.
fn block(text: &str, indent: usize, out: &mut String) {
    let (header, lines) = match text.strip_suffix('\n') {
        None => ("|-", text),
        Some(lines) if lines.ends_with('\n') => ("|+", lines),
        Some(lines) => ("|", lines),
    };
    out.push_str(header);
    for line in lines.split('\n') {
        out.push('\n');
        if !line.is_empty() {
            spaces(indent, out);
            out.push_str(line);
        }
    }
}

/// Writes the indentation of a line.
pub(super) fn spaces(count: usize, out: &mut String) {
    const SPACES: &str = "                                                                ";
    let mut left = count;
    while left > 0 {
        let run = left.min(SPACES.len());
        out.push_str(SPACES.get(..run).unwrap_or_default());
        left -= run;
    }
}

/// Writes a float, given as JSON, so that every reader takes it for one: YAML 1.1 requires a point, and a sign in the exponent.
pub(super) fn float(json: &str, out: &mut String) {
    let Some((mantissa, exponent)) = json.split_once('e') else {
        return out.push_str(json);
    };
    out.push_str(mantissa);
    if !mantissa.contains('.') {
        out.push_str(".0");
    }
    out.push('e');
    if !exponent.starts_with(['-', '+']) {
        out.push('+');
    }
    out.push_str(exponent);
}
