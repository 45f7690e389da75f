//! Quoted text over several lines: kubectl takes any indentation, YAML 1.2 more than that of the node around it.
//!
//! Where a text fails for this reason, the lines of all quoted text are indented more, and it is read again. Where quoted text
//! begins is guessed here, and known once the text has been read: a guess that was wrong is not repeated.

use super::edited::Edited;
use super::nodes::{Deliver, Nodes};
use super::{Wrong, breaks};
use std::collections::HashSet;
use std::ops::Range;

/// How often a text is read again. A guess is rarely wrong, except in texts made for that.
const MOST_ATTEMPTS: usize = 16;

/// Parses a text, and hands over the nodes of each document.
pub(crate) fn each(text: &str, deliver: Deliver<'_>) -> Result<(), Wrong> {
    match breaks::replaced(text)? {
        None => parse_quoted(text, deliver).map_err(|wrong| at_quote(text, wrong)),
        Some(edited) => {
            let mut moved = |nodes: Nodes<'_>| deliver(nodes.moved(&edited));
            let read = parse_quoted(&edited.text, &mut moved);
            read.map_err(|wrong| at_quote(&edited.text, wrong).moved(&edited))
        }
    }
}

/// Moves an error in quoted text to the quote that opens the text, if that quote is not closed, or if the next one closes it.
fn at_quote(text: &str, wrong: Wrong) -> Wrong {
    let (before, behind) = match text.split_at_checked(wrong.at) {
        Some(parts) if wrong.of_quotes => parts,
        _ => return wrong,
    };
    let Guesses { several, unclosed } = guesses(before, &HashSet::new());
    let is_last = |guess: &&Range<usize>| {
        before
            .get(guess.end..)
            .is_some_and(|it| it.trim().is_empty())
    };
    let (at, reason) = if let Some((at, _)) = unclosed.first() {
        (*at, "not closed")
    } else if behind.starts_with(['"', '\'']) {
        (wrong.at, "not closed")
    } else if let Some(guess) = several.last().filter(is_last) {
        (
            guess.start,
            "closed by the next one, behind which more text follows",
        )
    } else {
        return wrong;
    };
    let quote = text.get(at..=at).unwrap_or_default();
    let message = format!("this quote is {reason}; write `{quote}` at the end of its text");
    Wrong::new(at, message)
}

/// Parses a text whose lines end as YAML 1.2 wants it.
fn parse_quoted(text: &str, deliver: Deliver<'_>) -> Result<(), Wrong> {
    let first = Nodes::attempt(text, deliver);
    let Some(failed) = first.failed else {
        return Ok(());
    };
    if !failed.of_indentation {
        return Err(failed);
    }
    let mut wrong_guesses = HashSet::new();
    for _ in 0..MOST_ATTEMPTS {
        let guesses = guesses(text, &wrong_guesses).several;
        let Some(edited) = indented(text, &guesses) else {
            break;
        };
        let attempt = Nodes::attempt(&edited.text, &mut |_| Ok(()));
        let quoted: HashSet<usize> = attempt.quoted.iter().map(|at| edited.before(*at)).collect();
        let failed = attempt.failed.map(|wrong| wrong.moved(&edited));
        let read = failed.as_ref().map_or(text.len(), |wrong| wrong.at);
        let wrong: Vec<usize> = guesses
            .iter()
            .filter(|guess| guess.end <= read && !quoted.contains(&guess.start))
            .map(|guess| guess.start)
            .collect();
        match failed {
            Some(failed) if wrong.is_empty() => return Err(failed),
            None if wrong.is_empty() => return rest(&edited, first.documents, deliver),
            _ => wrong_guesses.extend(wrong),
        }
    }
    Err(failed)
}

/// Hands over the documents that were not handed over before the text was edited.
fn rest(edited: &Edited<'_>, before: usize, deliver: Deliver<'_>) -> Result<(), Wrong> {
    let mut nth = 0;
    let mut moved = |nodes: Nodes<'_>| {
        nth += 1;
        if nth > before {
            deliver(nodes.moved(edited))
        } else {
            Ok(())
        }
    };
    let attempt = Nodes::attempt(&edited.text, &mut moved);
    match attempt.failed {
        // The rest was read without an error before, so it is one of a document, with its place in the text before.
        Some(wrong) => Err(wrong),
        None => Ok(()),
    }
}

/// The text with the lines of quoted text indented as far as its first quote. `None` if that takes too much space.
fn indented<'t>(text: &'t str, guesses: &[Range<usize>]) -> Option<Edited<'t>> {
    let mut edited = Edited::new(text);
    let mut space = text.len().max(1 << 20);
    for guess in guesses {
        let before = text.get(..guess.start)?;
        let line = before.rfind(BREAKS).map_or(0, |end| end + 1);
        let column = before.get(line..)?.chars().count();
        let mut at = guess.start;
        while let Some(end) = text.get(at..guess.end)?.find(BREAKS) {
            at += end + 1;
            let line = text.get(at..)?;
            let content = line.trim_start_matches(BLANKS);
            let blanks = line.len() - content.len();
            let has_tab = line.get(..blanks)?.contains('\t');
            let wanted = if content.starts_with(BREAKS) {
                0
            } else {
                column
            };
            if (has_tab || blanks < wanted) && !is_marker(line) {
                space = space.checked_sub(wanted)?;
                edited.replace(at..at + blanks, &" ".repeat(wanted));
            }
        }
    }
    Some(edited.end())
}

const BREAKS: [char; 2] = ['\n', '\r'];
const BLANKS: [char; 2] = [' ', '\t'];

/// Whether a line ends a document.
fn is_marker(line: &str) -> bool {
    let behind = line.strip_prefix("---").or(line.strip_prefix("..."));
    behind.is_some_and(|behind| behind.is_empty() || behind.starts_with([' ', '\t', '\n', '\r']))
}

/// What looks like quoted text.
#[derive(Default)]
struct Guesses {
    /// The ranges of those over several lines.
    several: Vec<Range<usize>>,
    /// The first quote of each kind that is not closed, with its kind.
    unclosed: Vec<(usize, u8)>,
}

fn guesses(text: &str, wrong: &HashSet<usize>) -> Guesses {
    let bytes = text.as_bytes();
    let mut found = Guesses::default();
    let (mut at, mut line, mut flow) = (0, 0, 0_usize);
    while let Some(byte) = bytes.get(at) {
        let before = text.get(line..at).unwrap_or_default();
        let behind = text.get(at + 1..).unwrap_or_default();
        match byte {
            b'\n' | b'\r' => line = at + 1,
            b'#' if before.is_empty() || before.ends_with(BLANKS) => {
                at += behind.find(BREAKS).unwrap_or(behind.len());
            }
            b'|' | b'>' if flow == 0 && begins_node(before, flow) => {
                at += behind.find(BREAKS).unwrap_or(behind.len());
                at = end_of_block(text, at + 1, column_of_node(before)) - 1;
                line = at + 1;
            }
            b'[' | b'{' if begins_node(before, flow) => flow += 1,
            b']' | b'}' => flow = flow.saturating_sub(1),
            quote @ (b'"' | b'\'')
                if begins_node(before, flow)
                    && !wrong.contains(&at)
                    && !found.unclosed.iter().any(|(_, kind)| kind == quote) =>
            {
                match end_of_quoted(bytes, at + 1, *quote) {
                    None => found.unclosed.push((at, *quote)),
                    Some(end) => {
                        let inside = text.get(at..end).unwrap_or_default();
                        if let Some(last) = inside.rfind(BREAKS) {
                            found.several.push(at..end);
                            line = at + last + 1;
                        }
                        at = end - 1;
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Whether a node may begin behind the given part of a line.
fn begins_node(line: &str, flow: usize) -> bool {
    let mut before = line.trim_end_matches(BLANKS);
    loop {
        let word = before.rfind(BLANKS).map_or(0, |end| end + 1);
        let (rest, word) = before.split_at(word);
        if !word.starts_with(['!', '&']) {
            break;
        }
        before = rest.trim_end_matches(BLANKS);
    }
    match before.chars().next_back() {
        None => true,
        Some('[' | '{' | ',') => flow > 0,
        Some(':') => flow > 0 || before.len() < line.len(),
        Some('-' | '?') => {
            let rest = before.get(..before.len() - 1).unwrap_or_default();
            before.len() < line.len() && (rest.is_empty() || rest.ends_with(BLANKS))
        }
        Some(_) => false,
    }
}

/// The column of the key or of the dash before a node.
fn column_of_node(line: &str) -> usize {
    let mut column = 0;
    let mut rest = line;
    loop {
        let trimmed = rest.trim_start_matches(' ');
        column += rest.len() - trimmed.len();
        match trimmed.strip_prefix("- ") {
            Some(behind) if !behind.trim().is_empty() => {
                column += 1;
                rest = trimmed.get(1..).unwrap_or_default();
            }
            _ => return column,
        }
    }
}

/// The start of the first line from an offset that is not indented more than a column.
fn end_of_block(text: &str, from: usize, column: usize) -> usize {
    let mut at = from;
    for line in text.get(from..).unwrap_or_default().split_inclusive('\n') {
        let content = line.trim_start_matches(' ');
        if line.len() - content.len() <= column && !content.trim().is_empty() {
            break;
        }
        at += line.len();
    }
    at
}

/// The offset behind the quote that ends a text.
fn end_of_quoted(bytes: &[u8], from: usize, quote: u8) -> Option<usize> {
    let mut at = from;
    loop {
        let byte = *bytes.get(at)?;
        let doubled = quote == b'\'' && bytes.get(at + 1) == Some(&quote);
        match byte {
            b'\\' if quote == b'"' => at += 2,
            _ if byte != quote => at += 1,
            _ if doubled => at += 2,
            _ => return Some(at + 1),
        }
    }
}
