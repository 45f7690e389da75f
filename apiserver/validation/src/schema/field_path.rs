//! Field paths, such as the `fieldPath` of a rule, and their targets in a schema.

use super::model::Schema;
use crate::path::FieldPath;
use std::ops::Range;

/// The reason for which a path is invalid.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PathError {
    /// The offset, in bytes.
    pub offset: usize,
    /// The message: lowercase, no full stop.
    pub message: String,
}

/// One step of a path.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Segment {
    /// The name, without quotes and escapes.
    pub name: String,
    /// Its span in the path, in bytes.
    pub range: Range<usize>,
}

/// The steps of a field path. Names after a dot are literal; those in brackets are single-quoted.
///
/// # Errors
/// If the path is malformed.
pub fn segments(path: &str) -> Result<Vec<Segment>, PathError> {
    let refuse = |offset: usize, message: &str| PathError {
        offset,
        message: message.to_owned(),
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(left) = path.get(at..).filter(|left| !left.is_empty()) {
        if let Some(name) = left.strip_prefix('.') {
            let end = name.find(['.', '[', ']']).unwrap_or(name.len());
            let name = name.get(..end).unwrap_or_default();
            if name.is_empty() {
                return Err(refuse(at, "a name must follow the dot"));
            }
            found.push(Segment {
                name: name.to_owned(),
                range: at + 1..at + 1 + end,
            });
            at += 1 + end;
        } else if let Some(quoted) = left.strip_prefix("['") {
            let Some((name, length)) = single_quoted(quoted) else {
                return Err(refuse(
                    at,
                    "the quoted name is not closed, or has an unknown escape",
                ));
            };
            if !quoted
                .get(length..)
                .is_some_and(|rest| rest.starts_with(']'))
            {
                return Err(refuse(at + 2 + length, "`]` must follow the quoted name"));
            }
            found.push(Segment {
                name,
                range: at + 1..at + 2 + length,
            });
            at += 3 + length;
        } else if left.starts_with('[') {
            let message = "brackets contain a name in single quotes; a path cannot enter a list";
            return Err(refuse(at, message));
        } else {
            return Err(refuse(at, "a path starts with `.` or `['`"));
        }
    }
    if found.is_empty() {
        return Err(refuse(0, "the path is empty"));
    }
    Ok(found)
}

/// The text before the closing quote, and the length including that quote.
fn single_quoted(text: &str) -> Option<(String, usize)> {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\'' => return Some((name, at + 1)),
            '\\' => name.push(match characters.next()?.1 {
                'a' => '\u{7}',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'v' => '\u{b}',
                same @ ('\'' | '\\') => same,
                _ => return None,
            }),
            _ => name.push(character),
        }
    }
    None
}

/// The target of a path.
#[derive(Debug)]
pub struct Lead<'s, 'a> {
    /// The names in the path.
    pub names: Vec<String>,
    /// The path as the server appends it to that of the node.
    pub field: FieldPath,
    /// `None` if it ends in a map whose values have no schema.
    pub to: Option<&'s Schema<'a>>,
}

/// Follows a path through properties and the values of maps. `None` if it cannot be resolved.
#[must_use]
pub fn lead<'s, 'a>(path: &str, schema: &'s Schema<'a>) -> Option<Lead<'s, 'a>> {
    let mut to = Some(schema);
    let mut names = Vec::new();
    let mut field = FieldPath::default();
    for name in segments(path).ok()?.into_iter().map(|segment| segment.name) {
        let node = to?;
        to = if !node.properties.is_empty() {
            field = field.child(name.as_str());
            Some(node.properties.get(&name)?)
        } else if node.additional_properties.is_some() {
            field = field.key(name.as_str());
            node.values()
        } else {
            return None;
        };
        names.push(name);
    }
    Some(Lead { names, field, to })
}
