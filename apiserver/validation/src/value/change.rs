//! The old values of parts of an object in an update.

use crate::schema::Schema;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fmt::Write;

/// The old value of a part, if it can be correlated.
#[derive(Clone, Copy, Debug)]
pub struct Change<'v> {
    old: &'v Value,
}

impl<'v> Change<'v> {
    /// The change from an old value of a part.
    #[must_use]
    pub fn from(old: &'v Value) -> Self {
        Self { old }
    }

    /// The change of a field. `None` if the field has no schema.
    #[must_use]
    pub fn of_field(self, name: &str, schema: &Schema<'_>) -> Option<Self> {
        field_schema(name, schema)?;
        Some(Self::from(self.old.as_object()?.get(name)?))
    }

    /// The old items of a list, by their keys.
    #[must_use]
    pub fn items(self, schema: &Schema<'_>) -> OldItems<'v> {
        let items = self.old.as_array().map_or(&[][..], Vec::as_slice);
        OldItems::of_list(items, schema)
    }

    /// Whether the value is unchanged. A field without a schema counts as changed.
    #[must_use]
    pub fn is_none(self, value: &Value, schema: &Schema<'_>) -> bool {
        match (self.old, value) {
            (Value::Array(old), Value::Array(items)) => same_items(old, items, schema),
            (Value::Object(old), Value::Object(fields)) => self.same_fields(old, fields, schema),
            (old, value) => old == value,
        }
    }

    fn same_fields(
        self,
        old: &Map<String, Value>,
        fields: &Map<String, Value>,
        schema: &Schema<'_>,
    ) -> bool {
        let same = |(name, value): (&String, &Value)| {
            let schema_below = field_schema(name, schema);
            let change = self.of_field(name, schema);
            change
                .zip(schema_below)
                .is_some_and(|(change, schema)| change.is_none(value, schema))
        };
        old.len() == fields.len() && fields.iter().all(same)
    }
}

fn same_items(old: &[Value], items: &[Value], schema: &Schema<'_>) -> bool {
    if schema.list_type != Some("map") {
        return old == items;
    }
    let known = OldItems::of_list(old, schema);
    let same = |item| {
        let change = known.change(item);
        change
            .zip(schema.item())
            .is_some_and(|(change, schema)| change.is_none(item, schema))
    };
    old.len() == items.len() && items.iter().all(same)
}

fn field_schema<'s, 'a>(name: &str, schema: &'s Schema<'a>) -> Option<&'s Schema<'a>> {
    schema.properties.get(name).or_else(|| schema.values())
}

/// The items of an old list by key. Empty for lists whose items have no keys.
#[derive(Debug, Default)]
pub struct OldItems<'v> {
    keys: Vec<String>,
    items: HashMap<String, &'v Value>,
}

impl<'v> OldItems<'v> {
    /// The items of a list with that schema. Of items with equal keys the first one counts.
    #[must_use]
    pub fn of_list(items: &'v [Value], schema: &Schema<'_>) -> Self {
        let keys = schema.list_map_keys.as_slice();
        if schema.list_type != Some("map") || keys.is_empty() {
            return Self::default();
        }
        let mut found = Self {
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            items: HashMap::with_capacity(items.len()),
        };
        for item in items {
            if let Some(key) = found.key(item) {
                found.items.entry(key).or_insert(item);
            }
        }
        found
    }

    /// The old item with the keys of a new one.
    #[must_use]
    pub fn get(&self, item: &Value) -> Option<&'v Value> {
        self.items.get(&self.key(item)?).copied()
    }

    /// The change of a new item.
    #[must_use]
    pub fn change(&self, item: &Value) -> Option<Change<'v>> {
        self.get(item).map(Change::from)
    }

    /// All keys as one text. `None` if one is missing or not a scalar.
    fn key(&self, item: &Value) -> Option<String> {
        let mut text = String::new();
        for key in &self.keys {
            let value = item.as_object()?.get(key)?;
            if value.is_null() || value.is_array() || value.is_object() {
                return None;
            }
            write!(text, "{value}\0").ok()?;
        }
        (!self.keys.is_empty()).then_some(text)
    }
}
