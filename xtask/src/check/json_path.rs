//! JSON paths as printer columns, selectable fields and the scale subresource have them: which removed part they use.

use super::removed::{Place, Removed, Step};
use crate::schema::Schema;
use serde_json::Value;
use std::ops::Range;

/// How many filters may stand inside each other before a path is not followed.
const MAX_NESTING: usize = 16;

/// The first part that a JSON path runs through and that the projected schema no longer has: a field, or in a filter
/// such as `[?(@.type=="Ready")]` also the member of an enum.
///
/// Paths may start with a dot or not. What cannot be followed (`..`, which may lead anywhere, a malformed rest) is where
/// the search ends; API servers accept any such text in a printer column.
#[must_use]
pub fn removed_json_path(path: &str, full: &Schema, projected: &Schema) -> Option<Removed> {
    let mut walk = Walk {
        text: path,
        at: 0,
        removed: None,
    };
    walk.path(vec![Place::root(full, projected, "")], 0);
    walk.removed
}

struct Walk<'t> {
    text: &'t str,
    at: usize,
    removed: Option<Removed>,
}

/// What brackets hold.
enum Bracket {
    Names(Vec<(String, Range<usize>)>),
    /// `0`, `-1`, `1:3`, `*`
    Indexes,
    Filter,
}

impl<'t> Walk<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, prefix: &str) -> bool {
        let taken = self.rest().starts_with(prefix);
        if taken {
            self.at += prefix.len();
        }
        taken
    }

    fn blank(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Follows steps from some nodes for as long as there are any. Returns where they lead, `None` if that is nowhere.
    fn path<'a>(&mut self, mut places: Vec<Place<'a>>, nesting: usize) -> Option<Vec<Place<'a>>> {
        loop {
            places = if self.take("[") {
                self.brackets(places, nesting)?
            } else {
                let start = self.at;
                let dot = self.take(".");
                if self.rest().starts_with(['[', '.']) {
                    // `.[` is one step; `..` may lead anywhere.
                    if self.rest().starts_with('.') {
                        return None;
                    }
                    continue;
                }
                let (name, range) = self.name();
                if name.is_empty() {
                    self.at = start;
                    return Some(places);
                }
                if !dot && start != 0 {
                    return None;
                }
                if name == "*" {
                    children(&places)
                } else {
                    self.fields(&places, &name, &range)
                }
            };
            if places.is_empty() {
                return None;
            }
        }
    }

    /// A name as it stands after a dot; a backslash takes the next character as it is.
    fn name(&mut self) -> (String, Range<usize>) {
        let start = self.at;
        let mut name = String::new();
        let mut characters = self.rest().chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => {
                    let Some(next) = characters.next() else { break };
                    name.push(next);
                    self.at += 1 + next.len_utf8();
                }
                '.' | '[' | ']' | '(' | ')' | '=' | '!' | '<' | '>' | '|' | '&' | '{' | '}' => {
                    break;
                }
                _ if character.is_whitespace() => break,
                _ => {
                    name.push(character);
                    self.at += character.len_utf8();
                }
            }
        }
        (name, start..self.at)
    }

    fn fields<'a>(
        &mut self,
        places: &[Place<'a>],
        name: &str,
        at: &Range<usize>,
    ) -> Vec<Place<'a>> {
        let mut found = Vec::new();
        for place in places {
            match place.property(name, at.clone()) {
                Step::To(place) => found.push(place),
                Step::Removed(removed) => {
                    self.removed.get_or_insert(removed);
                }
                Step::Nowhere => found.extend(place.values()),
            }
        }
        found
    }

    /// What follows an opening bracket, up to the closing one.
    fn brackets<'a>(&mut self, places: Vec<Place<'a>>, nesting: usize) -> Option<Vec<Place<'a>>> {
        match self.bracket()? {
            Bracket::Names(names) => {
                let mut found = Vec::new();
                for (name, range) in names {
                    found.extend(self.fields(&places, &name, &range));
                }
                Some(found)
            }
            Bracket::Indexes => Some(children(&places)),
            Bracket::Filter => {
                let elements = children(&places);
                if nesting >= MAX_NESTING {
                    return None;
                }
                self.filter(&elements, nesting + 1)?;
                Some(elements)
            }
        }
    }

    fn bracket(&mut self) -> Option<Bracket> {
        if self.take("?(") {
            return Some(Bracket::Filter);
        }
        let mut names = Vec::new();
        loop {
            self.blank();
            let Some(name) = self.quoted()? else { break };
            names.push(name);
            self.blank();
            if self.take("]") {
                return Some(Bracket::Names(names));
            }
            if !self.take(",") {
                return None;
            }
        }
        let length = self.rest().find(']')?;
        let inside = self.rest().get(..length)?;
        let indexes = names.is_empty()
            && inside
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, '-' | ':' | ',' | '*' | ' '));
        self.at += length + 1;
        indexes.then_some(Bracket::Indexes)
    }

    /// A string in either quotes, with the place that it takes: `Some(None)` if none starts here, `None` if it has no end.
    #[allow(clippy::option_option, reason = "no string, and half a string")]
    fn quoted(&mut self) -> Option<Option<(String, Range<usize>)>> {
        let start = self.at;
        let Some(quote) = self
            .rest()
            .chars()
            .next()
            .filter(|c| matches!(c, '\'' | '"'))
        else {
            return Some(None);
        };
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            if character == quote {
                self.at = start + at + 1;
                return Some(Some((text, start..self.at)));
            }
            let taken = if character == '\\' {
                characters.next()?.1
            } else {
                character
            };
            text.push(taken);
        }
        None
    }

    /// `@.type=="Ready")]`: one operand, or two with an operator between them.
    fn filter(&mut self, elements: &[Place<'_>], nesting: usize) -> Option<()> {
        let left = self.operand(elements, nesting)?;
        self.blank();
        let equality = self.rest().starts_with("==") || self.rest().starts_with("!=");
        let operator = ["==", "!=", "<=", ">=", "<", ">"]
            .into_iter()
            .any(|operator| self.take(operator));
        if operator {
            let right = self.operand(elements, nesting)?;
            if equality {
                self.compare(&left, &right);
                self.compare(&right, &left);
            }
        }
        self.blank();
        self.take(")]").then_some(())
    }

    fn operand<'a>(&mut self, elements: &[Place<'a>], nesting: usize) -> Option<Operand<'a>> {
        self.blank();
        if let Some((text, range)) = self.quoted()? {
            return Some(Operand::Constant(Value::String(text), range));
        }
        if self.take("@") {
            let places = self.path(elements.to_vec(), nesting)?;
            return Some(Operand::Places(places));
        }
        let start = self.at;
        let length = self
            .rest()
            .find(|c: char| c.is_whitespace() || matches!(c, '=' | '!' | '<' | '>' | ')'))?;
        let word = self.rest().get(..length).filter(|word| !word.is_empty())?;
        self.at += length;
        let value = serde_json::from_str(word).ok()?;
        Some(Operand::Constant(value, start..self.at))
    }

    fn compare(&mut self, one: &Operand<'_>, other: &Operand<'_>) {
        let (Operand::Places(places), Operand::Constant(constant, at)) = (one, other) else {
            return;
        };
        for place in places {
            if let Some(removed) = place.compared(|member| member == constant, at.clone()) {
                self.removed.get_or_insert(removed);
            }
        }
    }
}

/// One side of a filter.
enum Operand<'a> {
    Places(Vec<Place<'a>>),
    Constant(Value, Range<usize>),
}

/// The items of lists and the values of maps.
fn children<'a>(places: &[Place<'a>]) -> Vec<Place<'a>> {
    places
        .iter()
        .flat_map(|place| [place.items(), place.values()])
        .flatten()
        .collect()
}
