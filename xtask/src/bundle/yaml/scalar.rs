//! How a string is written so that every reader, of YAML 1.1 and of 1.2, gives back the same string.

/// Appends a string as the value of a key or an item. `indent` is the column that the lines of a block stand in.
pub(super) fn value(out: &mut String, text: &str, indent: usize) {
    match block_header(text) {
        Some(header) => block(out, text, header, indent),
        None => flow(out, text),
    }
}

/// Appends a string on one line: plain, in single or in double quotes.
pub(super) fn flow(out: &mut String, text: &str) {
    if text.chars().any(needs_escape) {
        double_quoted(out, text);
    } else if is_plain(text) {
        out.push_str(text);
    } else {
        out.push('\'');
        for part in text.split_inclusive('\'') {
            out.push_str(part);
            if part.ends_with('\'') {
                out.push('\'');
            }
        }
        out.push('\'');
    }
}

/// The header of the literal block that holds the text, where one does: several lines, none of which a reader could
/// mistake for indentation or for the end of the block.
fn block_header(text: &str) -> Option<&'static str> {
    let (body, header) = match text.strip_suffix('\n') {
        Some(body) => (body, "|"),
        None => (text, "|-"),
    };
    let fits =
        |line: &str| !line.starts_with('\t') && !(line.starts_with(' ') && line.trim().is_empty());
    let block = text.contains('\n')
        && !body.is_empty()
        && !body.starts_with(['\n', ' ', '\t'])
        && !body.ends_with('\n')
        && !text
            .chars()
            .any(|c| c != '\n' && c != '\t' && needs_escape(c))
        && body.split('\n').all(fits);
    block.then_some(header)
}

fn block(out: &mut String, text: &str, header: &str, indent: usize) {
    out.push_str(header);
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        out.push('\n');
        if !line.is_empty() {
            spaces(out, indent);
            out.push_str(line);
        }
    }
}

/// Appends spaces.
pub(super) fn spaces(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// Characters that stand in double quotes only: controls, line breaks of every kind, what is invisible at the start of a
/// stream, and what is no character at all.
fn needs_escape(c: char) -> bool {
    matches!(c, '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn double_quoted(out: &mut String, text: &str) {
    use std::fmt::Write;
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if needs_escape(c) => {
                let code = u32::from(c);
                let _ = if code <= 0xff {
                    write!(out, "\\x{code:02x}")
                } else {
                    write!(out, "\\u{code:04x}")
                };
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Whether the text, without quotes, is read as itself and as a string.
fn is_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else {
        return false;
    };
    let structural = text.starts_with(|c| "-?:,[]{}#&*!|>'\"%@`=<".contains(c))
        || text.starts_with(' ')
        || text.ends_with([' ', ':'])
        || text.contains(": ")
        || text.contains(" #");
    !structural && !looks_like_number(first, text) && !is_word(text)
}

/// Anything that begins like a number and has nothing in it that a number, a time or a version has not: far more than
/// what is one, because readers disagree about the rest.
fn looks_like_number(first: char, text: &str) -> bool {
    (first.is_ascii_digit() || "+.".contains(first))
        && text
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || b"+-._:xXoOtTzZ nNiIfFaA".contains(&byte))
}

/// The words of YAML 1.1 that are no strings.
fn is_word(text: &str) -> bool {
    const WORDS: [&str; 12] = [
        "y", "n", "yes", "no", "true", "false", "on", "off", "null", "~", "nan", "inf",
    ];
    text.len() <= 5 && WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}
