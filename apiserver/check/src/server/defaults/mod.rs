//! Defaults: each is validated by itself as a value of its node, as the server does.

mod rules;

use super::findings::Findings;
use crate::document::model::Schema;
use crate::finding::{Finding, Reason};
use crate::registry::Rule;
use crd_channels_validation::path::{FieldPath, Path};
use crd_channels_validation::schema::is_meta;
use crd_channels_validation::value::{self, resources};
use serde_json::{Map, Value};

/// Validates every default of a schema, except those below `additionalProperties`, which servers ignore.
pub(super) fn validate(schema: &Schema<'_>, minor: u32, at: Path<'_>, found: &mut Findings) {
    let place = Context {
        minor,
        resource: schema,
        is_root: true,
        steps: None,
        in_metadata: false,
    };
    node(schema, place, at, found);
}

/// The errors in the defaults of a map's values, which servers ignore; without nested maps.
pub(crate) fn of_map_values(schema: &Schema<'_>, minor: u32, at: Path<'_>) -> Vec<Finding> {
    let context = Context {
        minor,
        resource: schema,
        is_root: false,
        steps: None,
        in_metadata: false,
    };
    let mut found = Findings::default();
    node(schema, context, at, &mut found);
    found.0.retain(Finding::refuses);
    found.0
}

/// The position of a node in its resource.
#[derive(Clone, Copy)]
struct Context<'p, 's> {
    /// The oldest minor whose servers must accept the default.
    minor: u32,
    /// The schema of the resource, embedded or not.
    resource: &'s Schema<'s>,
    /// Whether the node is the resource itself.
    is_root: bool,
    /// The path from the resource to the node.
    steps: Option<&'p Steps<'p>>,
    /// Whether it is part of the resource's own fields.
    in_metadata: bool,
}

struct Steps<'p> {
    above: Option<&'p Steps<'p>>,
    /// The name of a property, `None` for the items of a list.
    name: Option<&'p str>,
}

impl Context<'_, '_> {
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

fn node<'s>(schema: &'s Schema<'s>, place: Context<'_, 's>, at: Path<'_>, found: &mut Findings) {
    let place = if schema.embedded_resource {
        Context {
            minor: place.minor,
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
        let place = Context {
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
        let place = Context {
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
    place: Context<'_, 's>,
    at: Path<'_>,
    found: &mut Findings,
) {
    let (is_resource, minor) = (place.is_root, place.minor);
    if place.in_metadata {
        let resource = place.surround(value);
        let surrounding = resources::ResourcePosition {
            is_resource: true,
            at: Some(Path::root("object")),
        };
        let violations = resources::violations(&resource, place.resource, surrounding);
        if let Some(fault) = violations.into_iter().next() {
            let message = format!("the default contains invalid metadata: {}", fault.message);
            found.refuse(Rule::DefaultInvalid, Reason::Invalid, at, message);
            return;
        }
    } else {
        let dropped = value::prune(&mut value.clone(), schema, is_resource, None);
        if !dropped.is_empty() {
            let message = "the default has fields that the schema does not have";
            found.refuse(Rule::DefaultInvalid, Reason::Invalid, at, message);
        }
        let place = resources::ResourcePosition {
            is_resource,
            at: Some(at),
        };
        let violations = resources::violations(value, schema, place);
        if !violations.is_empty() {
            found.adopt(Rule::DefaultInvalid, violations);
            return;
        }
    }
    let violations = value::default_violations(value, schema);
    if violations.is_empty() {
        rules::validate(value, schema, is_resource, minor, at, found);
    }
    for violation in violations {
        let field = FieldPath::from(at).with_field(violation.field);
        found.refuse_field(
            Rule::DefaultInvalid,
            violation.reason,
            field,
            violation.message,
        );
    }
}
