//! Defaults: each is judged alone as a value of its own node, the way the server does.

mod embedded;
mod formats;
mod numbers;
mod prune;
mod rules;
mod validate;

pub use formats::fits as fits_format;

use super::found::Found;
use super::model::Schema;
use super::path::Path;
use super::schema::is_meta;
use crate::check::finding::Reason;
use crate::check::registry::Rule;
use serde_json::{Map, Value};

/// Judges every default of a schema. Those below `additionalProperties` are not looked at by the server.
pub(super) fn judge(schema: &Schema<'_>, at: Path<'_>, found: &mut Found) {
    let place = Place {
        resource: schema,
        is_root: true,
        steps: None,
        in_metadata: false,
    };
    node(schema, place, at, found);
}

/// Where a node stands in the resource that it belongs to.
#[derive(Clone, Copy)]
struct Place<'p, 's> {
    /// The schema of the resource, embedded or not.
    resource: &'s Schema<'s>,
    /// Whether the node is the resource.
    is_root: bool,
    /// The way from the resource to the node.
    steps: Option<&'p Steps<'p>>,
    /// Whether it is part of the resource's own fields.
    in_metadata: bool,
}

struct Steps<'p> {
    above: Option<&'p Steps<'p>>,
    /// The name of a property, or none for the items of a list.
    name: Option<&'p str>,
}

impl Place<'_, '_> {
    /// A whole resource with the value at its place.
    fn surround(&self, value: &Value) -> Value {
        let mut value = value.clone();
        let mut step = self.steps;
        while let Some(Steps { above, name }) = step {
            value = match name {
                Some(name) => Value::Object(Map::from_iter([((*name).to_owned(), value)])),
                None => Value::Array(vec![value]),
            };
            step = *above;
        }
        if let Value::Object(resource) = &mut value {
            for (name, default) in [("kind", "Validation"), ("apiVersion", "validation/v1")] {
                resource
                    .entry(name)
                    .or_insert_with(|| Value::String(default.to_owned()));
            }
        }
        value
    }
}

fn node<'s>(schema: &'s Schema<'s>, place: Place<'_, 's>, at: Path<'_>, found: &mut Found) {
    let place = if schema.embedded_resource {
        Place {
            resource: schema,
            is_root: true,
            steps: None,
            in_metadata: false,
        }
    } else {
        place
    };
    if let Some(value) = schema.default {
        default(schema, value, place, at.child("default"), found);
    }
    if let Some(item) = schema.item() {
        let steps = Steps {
            above: place.steps,
            name: None,
        };
        let place = Place {
            is_root: false,
            steps: Some(&steps),
            ..place
        };
        node(item, place, at.child("items"), found);
    }
    let properties = at.child("properties");
    for (name, property) in schema.properties.iter() {
        let steps = Steps {
            above: place.steps,
            name: Some(name),
        };
        let place = Place {
            is_root: false,
            steps: Some(&steps),
            in_metadata: place.in_metadata || (place.is_root && is_meta(name)),
            ..place
        };
        node(property, place, properties.key(name), found);
    }
}

fn default<'s>(
    schema: &'s Schema<'s>,
    value: &Value,
    place: Place<'_, 's>,
    at: Path<'_>,
    found: &mut Found,
) {
    let embedded = place.is_root;
    if place.in_metadata {
        let resource = place.surround(value);
        if let Some(fault) = embedded::first_fault(&resource, place.resource) {
            let message = format!("the default makes metadata that is invalid: {fault}");
            found.refuse(Rule::DefaultInvalid, Reason::Invalid, at, message);
            return;
        }
    } else {
        if prune::would_drop(value, Some(schema), embedded) {
            let message = "the default has fields that the schema does not have";
            found.refuse(Rule::DefaultInvalid, Reason::Invalid, at, message);
        }
        if !embedded::judge(value, schema, embedded, at, found) {
            return;
        }
    }
    let faults = validate::faults(value, schema);
    if faults.is_empty() {
        rules::judge(value, schema, embedded, at, found);
    }
    for fault in faults {
        let path = match fault.path.as_str() {
            "" => at,
            path => at.child(path),
        };
        found.refuse(Rule::DefaultInvalid, fault.reason, path, fault.message);
    }
}
