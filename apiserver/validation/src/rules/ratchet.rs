//! Ratcheting: a rule that fails on an unchanged value is a warning.

use crate::schema::Schema;
use crate::value::{Change, OldItems};
use serde_json::Value;

/// A value with its old value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'v, 's, 'a> {
    change: Change<'v>,
    value: &'v Value,
    schema: &'s Schema<'a>,
}

impl<'v, 's, 'a> Part<'v, 's, 'a> {
    pub(super) fn new(change: Change<'v>, value: &'v Value, schema: &'s Schema<'a>) -> Self {
        Self {
            change,
            value,
            schema,
        }
    }

    fn is_unchanged(self) -> bool {
        self.change.is_none(self.value, self.schema)
    }
}

/// Determines whether a value changed: the value itself, or the one that contains it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ratchet<'v, 's, 'a> {
    current: Option<Part<'v, 's, 'a>>,
    /// The innermost enclosing value whose old value is known.
    nearest: Option<Part<'v, 's, 'a>>,
}

impl<'v, 's, 'a> Ratchet<'v, 's, 'a> {
    /// For a whole object; `None` for one that is created.
    pub(super) fn of_object(current: Option<Part<'v, 's, 'a>>) -> Self {
        Self {
            current,
            nearest: None,
        }
    }

    pub(super) fn is_unchanged(self) -> bool {
        self.current
            .or(self.nearest)
            .is_some_and(Part::is_unchanged)
    }

    /// For a field.
    pub(super) fn field(
        self,
        name: &str,
        of: &Schema<'_>,
        value: &'v Value,
        schema: &'s Schema<'a>,
    ) -> Self {
        let Some(current) = self.current else {
            return self;
        };
        // The old object is converted to the version of the new one, so these never change.
        if self.nearest.is_none() && matches!(name, "apiVersion" | "kind") {
            return Self::default();
        }
        let change = current.change.of_field(name, of);
        Self {
            current: change.map(|change| Part::new(change, value, schema)),
            nearest: Some(current),
        }
    }

    /// The old items of a list.
    pub(super) fn old_items(self, of: &Schema<'_>) -> OldItems<'v> {
        let current = self.current;
        current.map_or_else(OldItems::default, |current| current.change.items(of))
    }

    /// For an item of a list.
    pub(super) fn item(self, old: &OldItems<'v>, value: &'v Value, schema: &'s Schema<'a>) -> Self {
        let Some(current) = self.current else {
            return self;
        };
        let change = old.change(value);
        Self {
            current: change.map(|change| Part::new(change, value, schema)),
            nearest: Some(current),
        }
    }
}
