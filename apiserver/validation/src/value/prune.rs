//! Pruning: a server drops the fields that a schema does not have.

use crate::metadata::keep_embedded;
use crate::path::{FieldPath, Path};
use crate::schema::{Schema, is_meta};
use serde_json::{Map, Value};

/// Drops the fields that a schema does not have, and returns their paths below `at`. The metadata of embedded resources becomes
/// what servers keep of it. `is_resource` marks a whole resource,
/// whose own fields stay.
pub fn prune(
    value: &mut Value,
    schema: &Schema<'_>,
    is_resource: bool,
    at: Option<Path<'_>>,
) -> Vec<FieldPath> {
    let mut dropped = Vec::new();
    let place = Context {
        schema: Some(schema),
        is_resource,
        keeps: false,
    };
    node(value, place, at, &mut dropped);
    dropped
}

#[derive(Clone, Copy)]
struct Context<'s, 'a> {
    schema: Option<&'s Schema<'a>>,
    is_resource: bool,
    /// Whether a list around the value preserves unknown fields.
    keeps: bool,
}

impl<'s, 'a> Context<'s, 'a> {
    fn keeps(&self) -> bool {
        self.keeps || self.schema.is_some_and(Schema::preserves)
    }

    fn of_child(schema: Option<&'s Schema<'a>>) -> Self {
        Self {
            schema,
            is_resource: false,
            keeps: false,
        }
    }

    /// The position of a field. `None` if it is unknown.
    fn field(&self, name: &str) -> Option<Self> {
        let schema = self.schema?;
        match (schema.properties.get(name), &schema.additional_properties) {
            (Some(property), _) => Some(Self::of_child(Some(property))),
            (None, Some(_)) => Some(Self::of_child(schema.values())),
            (None, None) => None,
        }
    }

    fn is_own_field(&self, name: &str) -> bool {
        let embedded = self.schema.is_some_and(|schema| schema.embedded_resource);
        (self.is_resource || embedded) && is_meta(name)
    }
}

fn node(
    value: &mut Value,
    place: Context<'_, '_>,
    at: Option<Path<'_>>,
    dropped: &mut Vec<FieldPath>,
) {
    match value {
        Value::Object(fields) => object(fields, place, at, dropped),
        Value::Array(items) => {
            let place = Context {
                keeps: place.keeps(),
                ..Context::of_child(place.schema.and_then(Schema::item))
            };
            for (index, item) in items.iter_mut().enumerate() {
                let path = at.as_ref().map(|at| at.index(index));
                node(item, place, path, dropped);
            }
        }
        _ => {}
    }
}

fn object(
    fields: &mut Map<String, Value>,
    place: Context<'_, '_>,
    at: Option<Path<'_>>,
    dropped: &mut Vec<FieldPath>,
) {
    fields.retain(|name, value| {
        let path = at.as_ref().map_or(Path::root(name), |at| at.child(name));
        if place.is_own_field(name) {
            if name == "metadata" && !place.is_resource {
                keep_embedded(value, path);
            }
            return true;
        }
        match place.field(name) {
            Some(below) => node(value, below, Some(path), dropped),
            None if place.keeps() => {}
            None => {
                dropped.push(path.into());
                return false;
            }
        }
        true
    });
}
