//! Walks a full schema and its projection in parallel, to find the removed parts.

use crd_channels_cel::Text;
use crd_channels_schema::{Origin, Schema};
use serde_json::Value;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

/// The kind of a removed part.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum RemovedKind {
    /// A property.
    Field,
    /// A member of an enum.
    EnumValue,
    /// A member of the enum of a map's keys.
    Key,
}

/// A part of the full schema that an expression or a path reads and that the projected schema does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Removed {
    /// Its kind.
    pub kind: RemovedKind,
    /// The field, or the field with the enum. In expressions and field paths it starts with `self`, even for `oldSelf`, in JSON
    /// paths with a dot; `[]` are the items of a list, `{}` the values of a map.
    pub path: String,
    /// The name of the field, or the enum member.
    pub name: Text,
    /// The origin of the removed field, or of the field with the enum.
    pub origin: Origin,
    /// The offset of the name in the text that was searched, in bytes.
    pub offset: usize,
    /// The length of the name in the text, in bytes.
    pub len: usize,
}

/// A node of the full schema and its projection.
#[derive(Clone, Debug)]
pub(super) struct NodePair<'a> {
    full: &'a Schema,
    projected: &'a Schema,
    path: Rc<str>,
    /// Whether it is the key of the map at the path.
    key: bool,
}

/// The result of a step down.
pub(super) enum Child<'a> {
    /// A node that both schemas have.
    To(NodePair<'a>),
    /// A node that only the full schema has.
    Removed(Removed),
    /// No node of the full schema.
    Nowhere,
}

impl<'a> NodePair<'a> {
    pub(super) fn root(full: &'a Schema, projected: &'a Schema, path: &str) -> Self {
        Self {
            full,
            projected,
            path: path.into(),
            key: false,
        }
    }

    /// Whether it is the same node, however it was reached.
    pub(super) fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self.full, other.full) && std::ptr::eq(self.projected, other.projected)
    }

    /// The property of that name; `at` is the span of the name.
    pub(super) fn property(&self, name: &str, at: Range<usize>) -> Child<'a> {
        if self.full.int_or_string {
            return Child::Nowhere;
        }
        let Some((name, full)) = self.full.properties.get_key_value(name) else {
            return Child::Nowhere;
        };
        let path = if is_plain(name) {
            format!("{}.{name}", self.path)
        } else {
            format!("{}['{name}']", self.path)
        };
        match self.projected.properties.get(name) {
            Some(projected) => Child::To(Self::root(full, projected, &path)),
            None => Child::Removed(Removed {
                kind: RemovedKind::Field,
                path,
                name: name.clone(),
                origin: full.origin,
                offset: at.start,
                len: at.len(),
            }),
        }
    }

    /// The items, if it is a list.
    pub(super) fn items(&self) -> Option<Self> {
        let full = self.full.items.as_deref()?;
        let projected = self.projected.items.as_deref()?;
        Some(Self::root(full, projected, &format!("{}[]", self.path)))
    }

    /// The values, if it is a map.
    pub(super) fn values(&self) -> Option<Self> {
        let full = self.full.values()?;
        let projected = self.projected.values()?;
        Some(Self::root(full, projected, &format!("{}{{}}", self.path)))
    }

    /// The keys, if it is a map whose keys have gates.
    pub(super) fn keys(&self) -> Option<Self> {
        let full = self.full.keys.0.as_deref()?;
        let projected = self.projected.keys.0.as_deref()?;
        Some(Self {
            key: true,
            ..Self::root(full, projected, &self.path)
        })
    }

    /// The removed key of that name; `at` is the span of the name.
    pub(super) fn named_key(&self, name: &str, at: Range<usize>) -> Option<Removed> {
        let is_name = |member: &Value| member.as_str() == Some(name);
        self.keys()?.compared(is_name, at)
    }

    /// The identity of the node, however it was reached.
    pub(super) fn node(&self) -> (*const Schema, *const Schema) {
        (self.full, self.projected)
    }

    /// Whether the projection has a property of that name.
    pub(super) fn keeps(&self, name: &str) -> bool {
        self.projected.properties.contains_key(name)
    }

    /// The node and all nodes below it, each once.
    pub(super) fn descendants(&self) -> Vec<Self> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let mut open = vec![self.clone()];
        while let Some(pair) = open.pop() {
            if seen.insert(pair.node()) {
                let mut below = pair.children();
                below.reverse();
                open.append(&mut below);
                found.push(pair);
            }
        }
        found
    }

    /// The nodes directly below: properties, items, values.
    pub(super) fn children(&self) -> Vec<Self> {
        let named = self.full.properties.keys();
        let named = named.filter_map(|name| match self.property(name, 0..0) {
            Child::To(pair) => Some(pair),
            Child::Removed(_) | Child::Nowhere => None,
        });
        named.chain(self.items()).chain(self.values()).collect()
    }

    /// The removed properties, with their nodes.
    pub(super) fn removed_nodes(&self) -> Vec<(Removed, &'a Schema)> {
        let all = self.full.properties.iter();
        let removed = all.filter_map(|(name, node)| match self.property(name, 0..0) {
            Child::Removed(removed) => Some((removed, &**node)),
            Child::To(_) | Child::Nowhere => None,
        });
        removed.collect()
    }

    /// The removed enum member that equals a constant that is compared with the value; `at` is the span of the constant.
    pub(super) fn compared(
        &self,
        equals: impl Fn(&Value) -> bool,
        at: Range<usize>,
    ) -> Option<Removed> {
        let projected = &self.projected.enum_values;
        if projected.iter().any(&equals) {
            return None;
        }
        self.removed_member(equals, at)
    }

    /// The first removed enum member among the values in a text; `at` is the span of the text.
    pub(super) fn removed_member(
        &self,
        says: impl Fn(&Value) -> bool,
        at: Range<usize>,
    ) -> Option<Removed> {
        let projected = &self.projected.enum_values;
        let is_removed = |member: &&Value| says(member) && !projected.contains(member);
        let mut members = self.full.enum_values.iter();
        let member = members.find(is_removed).filter(|_| !projected.is_empty())?;
        let name = member
            .as_str()
            .map_or_else(|| member.to_string().into(), Text::from);
        Some(Removed {
            kind: if self.key {
                RemovedKind::Key
            } else {
                RemovedKind::EnumValue
            },
            path: self.path.to_string(),
            name,
            origin: self.full.origin,
            offset: at.start,
            len: at.len(),
        })
    }
}

/// Whether a text is one of the pieces of a pattern, between its groups, alternatives and anchors.
pub fn spells(pattern: &str, text: &str) -> bool {
    let plain = pattern.replace('\\', "");
    let mut pieces = plain.split(['^', '$', '(', ')', '|', '?', ':', '*', '+']);
    !text.is_empty() && pieces.any(|piece| piece == text)
}

/// Whether a name needs no quotes in a path.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'))
}
