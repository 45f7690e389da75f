//! Where the JSON path of a column leads in a schema.

use super::is_open;
use crate::document::model::{Additional, Schema};
use crd_channels_validation::schema::is_meta;

/// The end of a path.
pub(super) enum Target<'s, 'a> {
    /// A node of the schema.
    Node(&'s Schema<'a>),
    /// What the schema does not have.
    Nowhere,
    /// What cannot be told: metadata, what preserves unknown fields, a path that leads anywhere or does not parse.
    Unknown,
}

/// One step of a path.
enum Step {
    Name(String),
    /// `[0]`, `[*]`, `[?(..)]`, `.*`
    Item,
}

/// Follows a path from the root of a schema.
pub(super) fn follow<'s, 'a>(path: &str, schema: &'s Schema<'a>) -> Target<'s, 'a> {
    let Some(steps) = steps(path) else {
        return Target::Unknown;
    };
    let mut node = schema;
    for (depth, step) in steps.iter().enumerate() {
        let below_meta = depth == 0 && matches!(step, Step::Name(name) if is_meta(name));
        if below_meta || is_open(node) {
            return Target::Unknown;
        }
        let child = match step {
            Step::Name(name) => node.properties.get(name),
            Step::Item => node.item(),
        };
        node = match (child, &node.additional_properties) {
            (Some(child), _) => child,
            (None, Some(Additional::Schema(values))) => values,
            (None, Some(Additional::Allowed(_))) => return Target::Unknown,
            // `.*` of an object with fields is each of them.
            (None, None) if matches!(step, Step::Item) && node.properties.is_present() => {
                return Target::Unknown;
            }
            (None, None) => return Target::Nowhere,
        };
    }
    Target::Node(node)
}

/// The steps of a path; none where it may lead anywhere or does not parse.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let (step, left) = bracket(after)?;
            steps.push(step);
            rest = left;
            continue;
        }
        rest = rest.strip_prefix('.')?;
        if rest.starts_with('[') {
            continue;
        }
        let (name, left) = name(rest)?;
        steps.push(match name.as_str() {
            "*" => Step::Item,
            _ => Step::Name(name),
        });
        rest = left;
    }
    (!steps.is_empty()).then_some(steps)
}

/// A name after a dot; a backslash takes the next character as it is.
fn name(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => name.push(characters.next()?.1),
            '.' | '[' => return (!name.is_empty()).then(|| (name, text.get(at..).unwrap_or(""))),
            _ if character.is_alphanumeric() || "_-*/$@".contains(character) => {
                name.push(character);
            }
            _ => return None,
        }
    }
    (!name.is_empty()).then_some((name, ""))
}

/// What follows an opening bracket.
fn bracket(text: &str) -> Option<(Step, &str)> {
    if text.starts_with('?') {
        // A filter may hold brackets of its own, but none as its last character.
        let end = text.find(")]")?;
        return Some((Step::Item, text.get(end + 2..)?));
    }
    let (inside, rest) = text.split_once(']')?;
    let quoted = |quote| inside.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(name) = quoted('\'').or_else(|| quoted('"')) {
        let plain = !name.contains(['\'', '"', '\\', ',']);
        return plain.then(|| (Step::Name(name.to_owned()), rest));
    }
    let index = |c: char| c.is_ascii_digit() || matches!(c, '*' | '-' | ':' | ' ');
    inside
        .chars()
        .all(index)
        .then_some((Step::Item, rest))
        .filter(|_| !inside.is_empty())
}
