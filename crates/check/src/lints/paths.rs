//! Where the JSON path of a column leads in a schema.

use super::flag;
use serde_json::Value;

/// The end of a path.
pub(super) enum Target<'s> {
    /// A node of the schema.
    Node(&'s Value),
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
pub(super) fn follow<'s>(path: &str, schema: &'s Value) -> Target<'s> {
    let Some(steps) = steps(path) else {
        return Target::Unknown;
    };
    let mut node = schema;
    for (depth, step) in steps.iter().enumerate() {
        let is_meta = |name: &str| matches!(name, "metadata" | "kind" | "apiVersion");
        let below_meta = depth == 0 && matches!(step, Step::Name(name) if is_meta(name));
        let open = flag(node, "x-kubernetes-preserve-unknown-fields")
            || flag(node, "x-kubernetes-embedded-resource");
        if below_meta || open {
            return Target::Unknown;
        }
        let values = node.get("additionalProperties");
        let child = match step {
            Step::Name(name) => {
                let properties = node.get("properties");
                properties.and_then(|all| all.get(name)).or(values)
            }
            Step::Item => node.get("items").or(values),
        };
        node = match child {
            Some(child) if child.is_object() => child,
            Some(_) => return Target::Unknown,
            // `.*` of an object with fields is each of them.
            None if matches!(step, Step::Item) && node.get("properties").is_some() => {
                return Target::Unknown;
            }
            None => return Target::Nowhere,
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
