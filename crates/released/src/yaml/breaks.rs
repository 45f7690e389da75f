//! U+0085, U+2028 and U+2029: ends of lines for kubectl's YAML 1.1, text for YAML 1.2.

use super::Wrong;
use super::edited::Edited;
use super::unescaped;

const NEXT_LINE: char = '\u{85}';

/// Those that stay in the text when lines are joined.
const SEPARATORS: [char; 2] = ['\u{2028}', '\u{2029}'];

/// The text with the ends of lines that YAML 1.2 has, behind each separator. `None` if it is already so.
pub(super) fn replaced(text: &str) -> Result<Option<Edited<'_>>, Wrong> {
    let is_break = |c: &char| *c == NEXT_LINE || SEPARATORS.contains(c);
    if text.is_ascii() {
        return Ok(None);
    }
    let mut edited = None;
    for (at, found) in text.char_indices().filter(|(_, c)| is_break(c)) {
        let end = at + found.len_utf8();
        let behind = text.get(end..).unwrap_or_default();
        if behind.starts_with("---") || behind.starts_with("...") {
            return Err(unescaped(at, found));
        }
        let edited = edited.get_or_insert_with(|| Edited::new(text));
        if found == NEXT_LINE {
            edited.replace(at..end, "\n");
        } else {
            // Blanks at the end of a line are no part of the text.
            let before = text.get(..at).unwrap_or_default();
            edited.replace(before.trim_end_matches([' ', '\t']).len()..at, "");
            edited.replace(end..end, "\n");
        }
    }
    Ok(edited.map(Edited::end))
}

/// The content of a scalar that is written with separators: kubectl joins lines without a space there. Refused where it joins
/// more than two lines, or joins none (`is_apart`: keys and block scalars).
pub(super) fn joined(
    content: &str,
    written: &str,
    is_apart: bool,
    at: usize,
) -> Result<Option<String>, Wrong> {
    if written.is_ascii() {
        return Ok(None);
    }
    let Some(found) = written.chars().find(|c| SEPARATORS.contains(c)) else {
        return Ok(None);
    };
    let number = |text: &str| text.matches(SEPARATORS).count();
    // Behind an empty line, or another separator, more than the end of a line is left out.
    let mut characters = content.chars();
    let mut before = ' ';
    let apart = characters.any(|c| {
        let before = std::mem::replace(&mut before, c);
        SEPARATORS.contains(&c) && (before.is_whitespace() || SEPARATORS.contains(&before))
    });
    if is_apart || apart || content.ends_with(SEPARATORS) || number(content) != number(written) {
        return Err(unescaped(at, found));
    }
    let join = |text: String, separator: char| {
        text.replace(&format!("{separator} "), separator.encode_utf8(&mut [0; 4]))
    };
    Ok(Some(SEPARATORS.into_iter().fold(content.to_owned(), join)))
}
