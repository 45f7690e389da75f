//! JSON paths as printer columns, selectable fields and the scale subresource have them: which removed part they use.

use super::removed::{Place, Removed, Step};
use crd_channels_schema::Schema;
use serde_json::Value;
use std::collections::HashSet;
use std::ops::Range;

/// How many filters may stand inside each other before a path is not followed.
const MAX_NESTING: usize = 16;

/// What every object has below `metadata`, which no schema says, and at its root.
const EVERY_OBJECT: [&str; 18] = [
    "annotations",
    "apiVersion",
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "generation",
    "kind",
    "labels",
    "managedFields",
    "metadata",
    "name",
    "namespace",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// The first part that a JSON path runs through and that the projected schema no longer has: a field, the key of a map,
/// or in a filter such as `[?(@.type=="Ready")]` also the member of an enum.
///
/// Paths may start with a dot or not. Of a step that leads to many places (`*`, `..name`) it is what no place has any
/// more. API servers accept any text in a printer column; where one cannot be followed, what it names is the removed
/// fields whose names stand in it and that no other field has.
#[must_use]
pub fn removed_json_path(path: &str, full: &Schema, projected: &Schema) -> Option<Removed> {
    let root = Place::root(full, projected, "");
    let mut walk = Walk {
        text: path,
        at: 0,
        anywhere: false,
        removed: None,
        nowhere: false,
    };
    if walk.rest().starts_with(['$', '@']) {
        walk.at += 1;
    }
    let start = Reach {
        places: vec![root.clone()],
        lost: Vec::new(),
    };
    let followed = walk.path(start, 0);
    let read = walk.nowhere || followed.is_some() && walk.rest().is_empty();
    if walk.removed.is_none() && !read {
        return named_in(path, &root);
    }
    walk.removed
}

/// The first removed field whose name stands in a text as a word and that no field has that is left.
fn named_in(text: &str, root: &Place<'_>) -> Option<Removed> {
    let root = Reach {
        places: vec![root.clone()],
        lost: Vec::new(),
    };
    let reach = root.descendants();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
    let mut at = 0;
    for word in text.split(|c| !is_word(c)) {
        let range = at..at + word.len();
        // What splits words is as long as it is, so that the next one is looked for from here.
        at = range.end
            + text
                .get(range.end..)?
                .chars()
                .next()
                .map_or(0, char::len_utf8);
        if word.is_empty() || reach.places.iter().any(|place| place.keeps(word)) {
            continue;
        }
        let named = |lost: &&(Removed, &Schema)| {
            *lost.0.name == *word || lost.1.properties.contains_key(word)
        };
        if let Some((removed, _)) = reach.lost.iter().find(named) {
            return Some(Removed {
                offset: range.start,
                len: range.len(),
                ..removed.clone()
            });
        }
    }
    None
}

struct Walk<'t> {
    text: &'t str,
    at: usize,
    /// Whether the step is looked for in all of the object, so that it may lead into its metadata.
    anywhere: bool,
    removed: Option<Removed>,
    /// Whether a step led to nothing that the schema knows, so that the rest names nothing of it.
    nowhere: bool,
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
    fn path<'a>(&mut self, mut reach: Reach<'a>, nesting: usize) -> Option<Reach<'a>> {
        loop {
            let start = self.at;
            let recursive = self.take("..");
            if recursive {
                self.anywhere = start <= 1 && nesting == 0;
                reach = reach.descendants();
            }
            reach = if self.take("[") {
                self.brackets(reach, nesting)?
            } else {
                let dot = recursive || self.take(".");
                if self.rest().starts_with('[') {
                    // `.[` is one step.
                    continue;
                }
                let (name, range) = self.name();
                if name.is_empty() {
                    self.at = start;
                    return Some(reach);
                }
                if !dot && start != 0 {
                    return None;
                }
                if name == "*" {
                    reach.children()
                } else {
                    self.fields(&reach, &name, &range)
                }
            };
            self.anywhere = false;
            if reach.places.is_empty() && reach.lost.is_empty() {
                self.nowhere |= nesting == 0;
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

    fn fields<'a>(&mut self, reach: &Reach<'a>, name: &str, at: &Range<usize>) -> Reach<'a> {
        let mut found = Reach::default();
        let mut gone = None;
        let mut kept = self.anywhere && EVERY_OBJECT.contains(&name);
        for place in &reach.places {
            match place.property(name, at.clone()) {
                Step::To(place) => {
                    kept = true;
                    found.places.push(place);
                }
                Step::Removed(removed) => gone = gone.or(Some(removed)),
                Step::Nowhere => {
                    gone = gone.or_else(|| place.named_key(name, at.clone()));
                    found.places.extend(place.values());
                }
            }
        }
        let named = |lost: &&(Removed, &Schema)| lost.1.properties.contains_key(name);
        if let Some((removed, _)) = reach.lost.iter().find(named) {
            gone = gone.or_else(|| {
                Some(Removed {
                    offset: at.start,
                    len: at.len(),
                    ..removed.clone()
                })
            });
        }
        if let Some(gone) = gone.filter(|_| !kept) {
            self.removed.get_or_insert(gone);
        }
        found
    }

    /// What follows an opening bracket, up to the closing one.
    fn brackets<'a>(&mut self, reach: Reach<'a>, nesting: usize) -> Option<Reach<'a>> {
        match self.bracket()? {
            Bracket::Names(names) => {
                let mut found = Reach::default();
                for (name, range) in names {
                    let Reach { places, lost } = self.fields(&reach, &name, &range);
                    found.places.extend(places);
                    found.lost.extend(lost);
                }
                Some(found)
            }
            Bracket::Indexes => Some(reach.children()),
            Bracket::Filter => {
                // No server filters an object, but its fields are named all the same.
                let mut elements = reach.children();
                elements.places.extend(reach.places);
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
    fn filter(&mut self, elements: &Reach<'_>, nesting: usize) -> Option<()> {
        let left = self.operand(elements, nesting)?;
        self.blank();
        let equality = self.rest().starts_with("==") || self.rest().starts_with("!=");
        let operator = ["==", "!=", "<=", ">=", "<", ">"]
            .into_iter()
            .any(|operator| self.take(operator));
        if operator {
            let right = self.operand(elements, nesting)?;
            // A number is a bound where it does not stand for itself, and names nothing.
            let text = |side: &Operand<'_>| matches!(side, Operand::Constant(Value::String(_), _));
            if equality || text(&left) || text(&right) {
                self.compare(&left, &right);
                self.compare(&right, &left);
            }
        }
        self.blank();
        self.take(")]").then_some(())
    }

    fn operand<'a>(&mut self, elements: &Reach<'a>, nesting: usize) -> Option<Operand<'a>> {
        self.blank();
        if let Some((text, range)) = self.quoted()? {
            return Some(Operand::Constant(Value::String(text), range));
        }
        if self.take("@") {
            let reach = self.path(elements.clone(), nesting)?;
            return Some(Operand::Places(reach.places));
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

/// The nodes that a path has come to.
#[derive(Clone, Debug, Default)]
struct Reach<'a> {
    places: Vec<Place<'a>>,
    /// Nodes that a step to many places has come to and that are gone, each with what took it along. Only a name that
    /// they have says that they are meant.
    lost: Vec<(Removed, &'a Schema)>,
}

impl<'a> Reach<'a> {
    /// The fields of objects, the items of lists and the values of maps.
    fn children(&self) -> Self {
        let below = self.lost.iter().flat_map(|(removed, node)| {
            let children = node.children();
            children.map(|child| (removed.clone(), child))
        });
        Self::of(
            self.places.iter().flat_map(Place::children),
            below.chain(self.places.iter().flat_map(Place::lost_nodes)),
        )
    }

    /// The nodes and all that lies below them.
    fn descendants(&self) -> Self {
        let all = Self::of(
            self.places.iter().flat_map(Place::descendants),
            self.lost.iter().cloned(),
        );
        let mut lost = Vec::new();
        let mut seen = HashSet::new();
        let mut open: Vec<_> = all.places.iter().flat_map(Place::lost_nodes).collect();
        open.extend(all.lost);
        while let Some((removed, node)) = open.pop() {
            if seen.insert(std::ptr::from_ref(node)) {
                open.extend(node.children().map(|child| (removed.clone(), child)));
                lost.push((removed, node));
            }
        }
        Self {
            places: all.places,
            lost,
        }
    }

    fn of(
        places: impl Iterator<Item = Place<'a>>,
        lost: impl Iterator<Item = (Removed, &'a Schema)>,
    ) -> Self {
        let mut seen = HashSet::new();
        let mut lost_too = HashSet::new();
        Self {
            places: places.filter(|place| seen.insert(place.node())).collect(),
            lost: lost
                .filter(|(_, node)| lost_too.insert(std::ptr::from_ref(*node)))
                .collect(),
        }
    }
}
