//! The attributes that are drawn: `grammar.txt`, row by row.
//!
//! A row is a weight, what has to be true of the place for the attribute to make sense (`!` negates), and one or several
//! attributes without `#[]`. `$name` stands for one of the rows `name` of `holes`, or for what `draw.rs` makes up.

use std::collections::BTreeMap;

const TEXT: &str = include_str!("grammar.txt");

pub struct Row {
    /// Its line, by which it is counted.
    pub line: usize,
    pub weight: usize,
    pub wants: Vec<&'static str>,
    /// Names of attributes, and what stands in their parentheses or behind the name.
    pub attributes: Vec<(&'static str, &'static str)>,
    pub text: &'static str,
}

pub struct Grammar {
    places: BTreeMap<&'static str, Vec<Row>>,
    holes: BTreeMap<&'static str, Vec<&'static str>>,
}

impl Grammar {
    pub fn read() -> Self {
        let mut places: BTreeMap<&'static str, Vec<Row>> = BTreeMap::new();
        let mut holes: BTreeMap<&'static str, Vec<&'static str>> = BTreeMap::new();
        let mut place = "";
        for (line, text) in TEXT
            .lines()
            .enumerate()
            .filter(|(_, text)| !text.is_empty())
        {
            if let Some(name) = text.strip_prefix("== ") {
                place = name;
            } else if place == "holes" {
                let (name, text) = text.split_once(" | ").unwrap();
                holes.entry(name).or_default().push(text);
            } else {
                let mut parts = text.splitn(3, '|');
                let mut part = || parts.next().unwrap().trim();
                let (weight, wants, text) = (part().parse().unwrap(), part(), part());
                places.entry(place).or_default().push(Row {
                    line: line + 1,
                    weight,
                    wants: wants.split_whitespace().collect(),
                    attributes: pieces(text).into_iter().map(split_attribute).collect(),
                    text,
                });
            }
        }
        Self { places, holes }
    }

    pub fn rows(&self, place: &str) -> &[Row] {
        &self.places[place]
    }

    pub fn all(&self) -> impl Iterator<Item = &Row> {
        self.places.values().flatten()
    }

    /// The texts for a hole; empty for one that `draw.rs` fills.
    pub fn hole(&self, name: &str) -> Option<&[&'static str]> {
        self.holes.get(name).map(Vec::as_slice)
    }
}

/// `serde(default)` is `serde` and `(default)`.
fn split_attribute(attribute: &'static str) -> (&'static str, &'static str) {
    let end = attribute
        .find(|letter: char| !letter.is_alphanumeric() && !"_$".contains(letter))
        .unwrap_or(attribute.len());
    attribute.split_at(end)
}

/// The parts of a text between the commas that stand in no parentheses and in no string.
pub fn pieces(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    let (mut quoted, mut escaped) = (false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found
}
