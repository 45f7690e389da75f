//! Walking a full schema and its projection in step, to find what the projection no longer has.

use crate::Text;
use crate::schema::{Additional, Origin, Schema};
use serde_json::Value;
use std::ops::Range;
use std::rc::Rc;

/// What is gone.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum RemovedKind {
    /// A property.
    Field,
    /// A member of an enum.
    EnumValue,
}

/// A part of the full schema that an expression or a path reads and the projected schema does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Removed {
    /// What is gone.
    pub kind: RemovedKind,
    /// The field, or the field whose value it is. In expressions and field paths it starts with `self`, for `oldSelf`
    /// too, in JSON paths with a dot; `[]` stands for the items of a list, `{}` for the values of a map.
    pub path: String,
    /// The field's or the value's own name.
    pub name: Text,
    /// Where the removed field, or the field with the enum, comes from.
    pub origin: Origin,
    /// Where it is named: the first byte in the text that was searched.
    pub offset: usize,
    /// How many bytes name it.
    pub len: usize,
}

/// One node of the full schema and what the projection made of it.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    full: &'a Schema,
    projected: &'a Schema,
    path: Rc<str>,
}

/// Where a step down leads.
pub(super) enum Step<'a> {
    /// To a node that both schemas have.
    To(Place<'a>),
    /// To one that only the full schema has.
    Removed(Removed),
    /// To nothing that the full schema knows.
    Nowhere,
}

impl<'a> Place<'a> {
    pub(super) fn root(full: &'a Schema, projected: &'a Schema, path: &str) -> Self {
        Self {
            full,
            projected,
            path: path.into(),
        }
    }

    /// Whether it is the same node, wherever it was reached from.
    pub(super) fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self.full, other.full) && std::ptr::eq(self.projected, other.projected)
    }

    /// The property of that name, which is named at `at`.
    pub(super) fn property(&self, name: &str, at: Range<usize>) -> Step<'a> {
        if self.full.int_or_string {
            return Step::Nowhere;
        }
        let Some((name, full)) = self.full.properties.get_key_value(name) else {
            return Step::Nowhere;
        };
        let path = if is_plain(name) {
            format!("{}.{name}", self.path)
        } else {
            format!("{}['{name}']", self.path)
        };
        match self.projected.properties.get(name) {
            Some(projected) => Step::To(Self::root(full, projected, &path)),
            None => Step::Removed(Removed {
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
        let full = map_values(self.full)?;
        let projected = map_values(self.projected)?;
        Some(Self::root(full, projected, &format!("{}{{}}", self.path)))
    }

    /// What is lost where a value is compared with a constant, which stands at `at`: the enum member that equals it.
    pub(super) fn compared(
        &self,
        equals: impl Fn(&Value) -> bool,
        at: Range<usize>,
    ) -> Option<Removed> {
        let projected = &self.projected.enum_values;
        if projected.is_empty() || projected.iter().any(&equals) {
            return None;
        }
        let member = self.full.enum_values.iter().find(|member| equals(member))?;
        let name = member
            .as_str()
            .map_or_else(|| member.to_string().into(), Text::from);
        Some(Removed {
            kind: RemovedKind::EnumValue,
            path: self.path.to_string(),
            name,
            origin: self.full.origin,
            offset: at.start,
            len: at.len(),
        })
    }
}

/// The schema of a map's values, if it is one.
pub(super) fn map_values(schema: &Schema) -> Option<&Schema> {
    match schema.additional_properties.as_ref()? {
        Additional::Schema(values) => Some(values),
        Additional::Allowed(_) => None,
    }
}

/// Whether a name can stand in a path without quotes.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'))
}
