//! JSON paths of printer columns, selectable fields and the scale subresource, and the removed parts that they use.

mod parse;

pub(crate) use parse::{JsonPath, Segment};

use super::removed::{Child, NodePair, Removed};
use crd_channels_schema::Schema;
use parse::{Filter, Name, Operand};
use serde_json::Value;
use std::collections::HashSet;
use std::ops::Range;

/// The fields that every object has at its root and, although no schema lists them, below `metadata`.
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

/// The first part that a JSON path uses and that the projected schema no longer has: a field, the key of a map, or, in a filter
/// such as `[?(@.type=="Ready")]`, the member of an enum.
///
/// The leading dot is optional. A step that leads to many places (`*`, `..name`) uses a removed part only if none of the places
/// is left. API servers accept any text in a printer column; if a path cannot be followed, it uses the removed fields whose
/// names occur in it and that no other field has.
#[must_use]
pub fn removed_json_path(path: &str, full: &Schema, projected: &Schema) -> Option<Removed> {
    let root = NodePair::root(full, projected, "");
    let mut walk = Walk::default();
    let start = Reach {
        pairs: vec![root.clone()],
        removed_nodes: Vec::new(),
    };
    let followed = walk.path(&JsonPath::parse(path), start, 0);
    if walk.removed.is_none() && !walk.nowhere && followed.is_none() {
        return named_in(path, &root);
    }
    walk.removed
}

/// The first removed field whose name occurs in a text as a word, unless a remaining field has that name.
fn named_in(text: &str, root: &NodePair<'_>) -> Option<Removed> {
    let root = Reach {
        pairs: vec![root.clone()],
        removed_nodes: Vec::new(),
    };
    let reach = root.descendants();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
    let mut at = 0;
    for word in text.split(|c| !is_word(c)) {
        let range = at..at + word.len();
        // Skips the word and its separator, which may have several bytes.
        at = range.end
            + text
                .get(range.end..)?
                .chars()
                .next()
                .map_or(0, char::len_utf8);
        if word.is_empty() || reach.pairs.iter().any(|pair| pair.keeps(word)) {
            continue;
        }
        let named = |removed: &&(Removed, &Schema)| {
            *removed.0.name == *word || removed.1.properties.contains_key(word)
        };
        if let Some((removed, _)) = reach.removed_nodes.iter().find(named) {
            return Some(Removed {
                offset: range.start,
                len: range.len(),
                ..removed.clone()
            });
        }
    }
    None
}

#[derive(Default)]
struct Walk {
    /// Whether the step searches the whole object, and so may lead into its metadata.
    anywhere: bool,
    removed: Option<Removed>,
    /// Whether a step left the schema, so that the rest cannot name a part of it.
    nowhere: bool,
}

impl Walk {
    /// Follows a path from some nodes. Returns where it leads; `None` if that is nowhere or unknown.
    fn path<'a>(
        &mut self,
        path: &JsonPath,
        mut reach: Reach<'a>,
        nesting: usize,
    ) -> Option<Reach<'a>> {
        for (nth, segment) in path.segments.iter().enumerate() {
            reach = match segment {
                Segment::Descendants => {
                    self.anywhere = nth == 0 && nesting == 0;
                    reach = reach.descendants();
                    continue;
                }
                Segment::Names(names) => self.names(&reach, names),
                Segment::Children | Segment::Child => reach.children(),
                Segment::Filter(filter) => {
                    // Servers do not filter objects, but the fields of one are named all the same.
                    let mut elements = reach.children();
                    elements.pairs.extend(reach.pairs);
                    self.filter(filter, &elements, nesting + 1)?;
                    elements
                }
            };
            self.anywhere = false;
            if reach.pairs.is_empty() && reach.removed_nodes.is_empty() {
                self.nowhere |= nesting == 0;
                return None;
            }
        }
        path.is_whole.then_some(reach)
    }

    fn names<'a>(&mut self, reach: &Reach<'a>, names: &[Name]) -> Reach<'a> {
        let mut found = Reach::default();
        for name in names {
            let pairs = self.fields(reach, name);
            found.pairs.extend(pairs);
        }
        found
    }

    fn fields<'a>(&mut self, reach: &Reach<'a>, name: &Name) -> Vec<NodePair<'a>> {
        let Name { text: name, range } = name;
        let mut found = Vec::new();
        let mut missing = None;
        let mut kept = self.anywhere && EVERY_OBJECT.contains(&&**name);
        for pair in &reach.pairs {
            match pair.property(name, range.clone()) {
                Child::To(pair) => {
                    kept = true;
                    found.push(pair);
                }
                Child::Removed(removed) => missing = missing.or(Some(removed)),
                Child::Nowhere => {
                    missing = missing.or_else(|| pair.named_key(name, range.clone()));
                    found.extend(pair.values());
                }
            }
        }
        let named = |removed: &&(Removed, &Schema)| removed.1.properties.contains_key(&**name);
        if let Some((removed, _)) = reach.removed_nodes.iter().find(named) {
            missing = missing.or_else(|| {
                Some(Removed {
                    offset: range.start,
                    len: range.len(),
                    ..removed.clone()
                })
            });
        }
        if let Some(missing) = missing.filter(|_| !kept) {
            self.removed.get_or_insert(missing);
        }
        found
    }

    /// Compares the elements with a filter. `None` if the filter is not understood.
    fn filter(&mut self, filter: &Filter, elements: &Reach<'_>, nesting: usize) -> Option<()> {
        let left = self.side(filter.left.as_ref()?, elements, nesting)?;
        if let Some(right) = &filter.right {
            let right = self.side(right, elements, nesting)?;
            if filter.names_values {
                self.compare(&left, &right);
                self.compare(&right, &left);
            }
        }
        filter.is_whole.then_some(())
    }

    fn side<'a, 'f>(
        &mut self,
        operand: &'f Operand,
        elements: &Reach<'a>,
        nesting: usize,
    ) -> Option<Side<'a, 'f>> {
        match operand {
            Operand::Path(path) => {
                let reach = self.path(path, elements.clone(), nesting)?;
                Some(Side::Places(reach.pairs))
            }
            Operand::Constant(value, range) => Some(Side::Constant(value, range)),
        }
    }

    fn compare(&mut self, one: &Side<'_, '_>, other: &Side<'_, '_>) {
        let (Side::Places(pairs), Side::Constant(constant, at)) = (one, other) else {
            return;
        };
        for pair in pairs {
            if let Some(removed) = pair.compared(|member| member == *constant, (*at).clone()) {
                self.removed.get_or_insert(removed);
            }
        }
    }
}

/// One side of a filter.
enum Side<'a, 'f> {
    Places(Vec<NodePair<'a>>),
    Constant(&'f Value, &'f Range<usize>),
}

/// The nodes that a path has reached.
#[derive(Clone, Debug, Default)]
struct Reach<'a> {
    pairs: Vec<NodePair<'a>>,
    /// Removed nodes that a step to many places has reached, each with the part that removed it. They count only if a later
    /// step names one of their fields.
    removed_nodes: Vec<(Removed, &'a Schema)>,
}

impl<'a> Reach<'a> {
    /// The fields of objects, the items of lists and the values of maps.
    fn children(&self) -> Self {
        let below = self.removed_nodes.iter().flat_map(|(removed, node)| {
            let children = node.children();
            children.map(|child| (removed.clone(), child))
        });
        Self::of_nodes(
            self.pairs.iter().flat_map(NodePair::children),
            below.chain(self.pairs.iter().flat_map(NodePair::removed_nodes)),
        )
    }

    /// The nodes and all nodes below them.
    fn descendants(&self) -> Self {
        let all = Self::of_nodes(
            self.pairs.iter().flat_map(NodePair::descendants),
            self.removed_nodes.iter().cloned(),
        );
        let mut removed_nodes = Vec::new();
        let mut seen = HashSet::new();
        let mut open: Vec<_> = all.pairs.iter().flat_map(NodePair::removed_nodes).collect();
        open.extend(all.removed_nodes);
        while let Some((removed, node)) = open.pop() {
            if seen.insert(std::ptr::from_ref(node)) {
                open.extend(node.children().map(|child| (removed.clone(), child)));
                removed_nodes.push((removed, node));
            }
        }
        Self {
            pairs: all.pairs,
            removed_nodes,
        }
    }

    fn of_nodes(
        pairs: impl Iterator<Item = NodePair<'a>>,
        removed_nodes: impl Iterator<Item = (Removed, &'a Schema)>,
    ) -> Self {
        let mut seen = HashSet::new();
        let mut seen_removed = HashSet::new();
        Self {
            pairs: pairs.filter(|pair| seen.insert(pair.node())).collect(),
            removed_nodes: removed_nodes
                .filter(|(_, node)| seen_removed.insert(std::ptr::from_ref(*node)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests;
