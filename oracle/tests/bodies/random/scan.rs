//! Reading the text of rows: words, lists in holes, and expressions that need parentheses.

use super::types;

/// The words of a text, and where they begin; not what stands alone in quotes.
pub fn words(text: &str) -> Vec<(usize, &str)> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match (is_part(letter), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let before = text[..from].chars().next_back();
                let member = text[..from].ends_with("::")
                    || before == Some('.') && !text[..from].ends_with("..");
                if member && types::is_variable(&text[from..at]) {
                    // `IpAddr::V4`
                } else if !matches!(before, Some('\'' | '"')) && !matches!(letter, '\'' | '"')
                    || before == Some('#')
                {
                    found.push((from, &text[from..at]));
                }
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Splits what a hole says of its variables.
pub fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The type that a hole needs, and the conditions on its variables. The semicolon of an array is inside its type.
pub fn halves(hole: &str) -> (&str, &str) {
    let mut depth = 0;
    for (at, letter) in hole.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ';' if depth == 0 => return (&hole[..at], &hole[at + 1..]),
            _ => {}
        }
    }
    (hole, "")
}

/// An expression as it can stand anywhere.
pub fn placed(text: String) -> String {
    // A block at the head of an expression would be a statement.
    let block = ["{", "match ", "unsafe "]
        .iter()
        .any(|head| text.starts_with(head));
    // A struct could not stand where a block may follow.
    let literal = text.split_once(" {").is_some_and(|(path, _)| {
        path.starts_with(|first: char| first.is_ascii_uppercase())
            && path
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || letter == ':')
    });
    let cast = text
        .rsplit_once(" as ")
        .is_some_and(|(_, ty)| ty.chars().all(|letter| letter.is_ascii_alphanumeric()));
    if block || literal || cast {
        format!("({text})")
    } else {
        text
    }
}
