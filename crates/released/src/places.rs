//! Locates fields in a YAML or JSON text.

use super::documents::{is_json, is_list, json};
use super::yaml;
use crd_channels_validation::path::{FieldPath, PathElement};
use serde::de::IgnoredAny;
use std::ops::Range;

/// The ranges in a document, or in a part of one.
#[derive(Clone, Debug)]
pub struct Places {
    /// The range that represents the node: a field's name, or an item's first word.
    at: Range<usize>,
    inside: Inside,
}

/// The content of a node.
#[derive(Clone, Debug)]
enum Inside {
    Text(String),
    Other,
    Items(Vec<Places>),
    /// Sorted by name.
    Fields(Vec<(String, Places)>),
}

/// Returns the places in the documents of a text, one for each document that [`super::documents::parse`] returns, in the same
/// order. `None` if the text cannot be read this way, for example JSON with escapes that YAML lacks.
#[must_use]
pub fn find_places(text: &str) -> Option<Vec<Places>> {
    let mut all = Vec::new();
    each(text, |_, places| all.push(places))?;
    Some(all)
}

/// Hands over the places in one document after the other, with the number of the document, so that not all of them need memory.
pub fn each(text: &str, mut deliver: impl FnMut(usize, Places)) -> Option<()> {
    let mut nth = 0;
    for part in values_of_json(text) {
        let start = part.start;
        let read = yaml::nodes_of_each(text.get(part)?, &mut |nodes| {
            let root = nodes.root();
            let places = root.map(|root| Places::of_node(&nodes, root, start));
            for places in places.into_iter().flat_map(Places::without_lists) {
                deliver(nth, places);
                nth += 1;
            }
            Ok(())
        });
        read.ok()?;
    }
    Some(())
}

/// The values of a JSON text, which YAML reads one at a time; one part for other texts.
fn values_of_json(text: &str) -> Vec<Range<usize>> {
    if !is_json(text) {
        return std::iter::once(0..text.len()).collect();
    }
    let mut values = json::<IgnoredAny>(text);
    let mut parts = Vec::new();
    let mut start = 0;
    while let Some(Ok(_)) = values.next() {
        parts.push(start..values.byte_offset());
        start = values.byte_offset();
    }
    parts
}

impl Places {
    /// Returns the range of a field such as `spec.versions[0].schema`, or of its nearest existing ancestor.
    #[must_use]
    pub fn of_field(&self, field: &FieldPath) -> Range<usize> {
        let mut places = self;
        for element in field.elements() {
            match places.below(element) {
                Some(below) => places = below,
                None => break,
            }
        }
        places.at.clone()
    }

    /// The range that represents it: a field's name, or an item's first word.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.at.clone()
    }

    /// The places of a field or an item.
    #[must_use]
    pub fn below(&self, element: &PathElement) -> Option<&Self> {
        match (&self.inside, element) {
            (Inside::Items(items), PathElement::Index(index)) => items.get(*index),
            (Inside::Fields(fields), PathElement::Child(name) | PathElement::Key(name)) => {
                let at = fields.binary_search_by(|(field, _)| field.as_str().cmp(name));
                fields.get(at.ok()?).map(|(_, below)| below)
            }
            _ => None,
        }
    }

    /// The target of an alias has no places here; the alias itself has.
    fn of_node(nodes: &yaml::Nodes<'_>, node: usize, start: usize) -> Self {
        let Some(node) = nodes.get(node) else {
            return Self {
                at: 0..0,
                inside: Inside::Other,
            };
        };
        let inside = match &node.inside {
            yaml::NodeContent::Scalar(text, _) if text.is_empty() => Inside::Other,
            yaml::NodeContent::Scalar(text, _) => Inside::Text(text.to_string()),
            yaml::NodeContent::Alias(_) => Inside::Other,
            yaml::NodeContent::Items(items) => {
                let items = items.iter().map(|item| Self::of_node(nodes, *item, start));
                Inside::Items(items.collect())
            }
            yaml::NodeContent::Fields(fields) => {
                let fields = fields
                    .iter()
                    .map(|(key, value)| Self::of_field_node(nodes, *key, *value, start));
                Inside::Fields(fields.collect())
            }
        };
        let mut inside = inside;
        let mut at = None;
        if let Inside::Fields(fields) = &mut inside {
            // A mapping begins with its first key.
            at = fields.first().map(|(_, first)| first.at.clone());
            fields.sort_by(|(one, _), (other, _)| one.cmp(other));
        }
        Self {
            at: at.unwrap_or_else(|| start + node.at.start..start + node.at.end),
            inside,
        }
    }

    /// The place of a field is that of its name.
    fn of_field_node(
        nodes: &yaml::Nodes<'_>,
        key: usize,
        value: usize,
        start: usize,
    ) -> (String, Self) {
        let key = Self::of_node(nodes, key, start);
        let name = match key.inside {
            Inside::Text(name) => name,
            _ => String::new(),
        };
        let inside = Self::of_node(nodes, value, start).inside;
        (name, Self { at: key.at, inside })
    }

    /// Splits lists in the same way as for documents.
    fn without_lists(self) -> Vec<Self> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(mut places) = open.pop() {
            let items = match &mut places.inside {
                Inside::Items(items) => Some(std::mem::take(items)),
                Inside::Fields(fields) if is_list(kind(fields)) => {
                    let mut fields = fields.iter_mut();
                    fields.find_map(|(name, below)| match &mut below.inside {
                        Inside::Items(items) if name == "items" => Some(std::mem::take(items)),
                        _ => None,
                    })
                }
                _ => None,
            };
            match items {
                Some(items) => open.extend(items.into_iter().rev()),
                None => found.push(places),
            }
        }
        found
    }
}

fn kind(fields: &[(String, Places)]) -> Option<&str> {
    let (_, kind) = fields.iter().find(|(name, _)| name == "kind")?;
    match &kind.inside {
        Inside::Text(kind) => Some(kind),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::find_places;
    use crate::documents;
    use crd_channels_validation::path::FieldPath;

    /// Returns line, column and text of a field.
    fn place(text: &str, document: usize, field: &FieldPath) -> (usize, usize, String) {
        let bytes = find_places(text).unwrap()[document].of_field(field);
        let before = &text[..bytes.start];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
        (line, column, text[bytes].to_owned())
    }

    const TEXT: &str = "# \u{e9}\n---\na:\n  \u{e9}: x\n  b.c:\n    d: 1\n  b:\n  - x: 1\n    y: {z: 1, \"q[0]\": 2}\n  - two\n---\n---\nkind: TList\nitems:\n- a: 1\n- b:\n    c: |\n      text\n";

    fn path(names: &[&str]) -> FieldPath {
        let root = FieldPath::default();
        names.iter().fold(root, |path, name| match name.parse() {
            Ok(index) => path.index(index),
            Err(_) => path.child(*name),
        })
    }

    #[test]
    fn fields_have_places() {
        for (document, field, line, column, text) in [
            (0, path(&["a"]), 3, 1, "a"),
            (0, path(&["a", "b.c", "d"]), 6, 5, "d"),
            (0, path(&["a"]).key("b.c").child("d"), 6, 5, "d"),
            (0, path(&["a", "b", "0", "x"]), 8, 5, "x"),
            (0, path(&["a", "b", "0"]), 8, 5, "x"),
            (0, path(&["a", "b", "0", "y", "z"]), 9, 9, "z"),
            (
                0,
                path(&["a", "b", "0", "y"]).key("q[0]"),
                9,
                15,
                "\"q[0]\"",
            ),
            (0, path(&["a", "b", "1"]), 10, 5, "two"),
            // A missing field has the place of its nearest ancestor.
            (0, path(&["a", "b", "c", "d"]), 7, 3, "b"),
            (0, path(&["a", "b", "2", "x"]), 7, 3, "b"),
            (0, path(&["a", "b"]).key("*").child("x"), 7, 3, "b"),
            (0, path(&["a", "b", "0", "w", "v"]), 8, 5, "x"),
            (0, path(&["ab"]), 3, 1, "a"),
            (0, path(&[]), 3, 1, "a"),
            (1, path(&["a"]), 15, 3, "a"),
            (2, path(&["b", "c"]), 17, 5, "c"),
        ] {
            let found = place(TEXT, document, &field);
            assert_eq!(found, (line, column, text.to_owned()), "{field}");
        }
        assert_eq!(
            find_places(TEXT).unwrap().len(),
            documents::parse(TEXT).unwrap().len()
        );
    }

    #[test]
    fn json_has_places_too() {
        let text = "{\n\t\"a\": {\n\t\t\"b\": [1, null, {\"c\": -1.5e3}]\n\t}\n}\n";
        let list = path(&["a", "b"]);
        assert_eq!(place(text, 0, &list), (3, 3, "\"b\"".to_owned()));
        let field = list.index(2).child("c");
        assert_eq!(place(text, 0, &field), (3, 19, "\"c\"".to_owned()));
        assert_eq!(find_places("[{\"a\": 1}, 2]").unwrap().len(), 2);
        let lines = "{\"a\": 1}\n{\"b\": {\"a\": 1}} {\"c\": 2}\n";
        let nested = path(&["b", "a"]);
        assert_eq!(place(lines, 1, &nested), (2, 8, "\"a\"".to_owned()));
        assert_eq!(place(lines, 2, &path(&["c"])).1, 18);
    }

    #[test]
    fn aliases_stand_where_they_are_used() {
        let text = "one: &it\n  x: 1\ntwo: *it\n";
        assert_eq!(place(text, 0, &path(&["two", "x"])).0, 3);
    }
}
