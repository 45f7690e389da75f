//! Resources inside values: their `apiVersion`, `kind` and `metadata`.

use crate::metadata;
use crate::path::{FieldPath, Path};
use crate::schema::Schema;
use crate::violation::{Reason, Violation, Violations};
use crd_channels_cel::names::{dns1035_label, dns1123_label};
use serde_json::{Map, Value};

/// The position of a value, and whether it is itself a resource.
#[derive(Clone, Copy, Debug)]
pub struct ResourcePosition<'p> {
    /// Whether the value is a whole resource, whatever its schema says.
    pub is_resource: bool,
    /// The path of the value. `None` for a whole object.
    pub at: Option<Path<'p>>,
}

/// The violations of the resources in a value.
#[must_use]
pub fn violations(
    value: &Value,
    schema: &Schema<'_>,
    position: ResourcePosition<'_>,
) -> Vec<Violation> {
    if let Some(fault) = undecodable(value, schema, position) {
        return vec![fault];
    }
    let mut found = Violations::default();
    each(value, Some(schema), position, &mut |resource, at| {
        faults(resource, at, &mut found);
    });
    found.0
}

/// The first field of the wrong kind among the resources' own fields, at which the server stops.
#[must_use]
pub fn undecodable(
    value: &Value,
    schema: &Schema<'_>,
    position: ResourcePosition<'_>,
) -> Option<Violation> {
    let mut found = Violations::default();
    each(value, Some(schema), position, &mut |resource, at| {
        decodes(resource, at, &mut found);
    });
    found.0.into_iter().next()
}

/// The fields of the resources' metadata that `ObjectMeta` does not have.
#[must_use]
pub fn unknown(
    value: &Value,
    schema: &Schema<'_>,
    position: ResourcePosition<'_>,
) -> Vec<FieldPath> {
    let mut found = Vec::new();
    each(value, Some(schema), position, &mut |resource, at| {
        if let Some(value) = resource.get("metadata") {
            found.extend(metadata::unknown(value, &at.child("metadata")));
        }
    });
    found
}

/// Visits every object of a value that is a resource by its schema.
fn each(
    value: &Value,
    schema: Option<&Schema<'_>>,
    position: ResourcePosition<'_>,
    visit: &mut dyn FnMut(&Map<String, Value>, Path<'_>),
) {
    let Some(schema) = schema else {
        return;
    };
    let below = |at| ResourcePosition {
        is_resource: false,
        at: Some(at),
    };
    match (value, position.at) {
        (Value::Object(fields), at) => {
            if let Some(at) = at.filter(|_| position.is_resource || schema.embedded_resource) {
                visit(fields, at);
            }
            for (name, value) in fields {
                let child = at.as_ref().map_or(Path::root(name), |at| at.child(name));
                match (schema.properties.get(name), &schema.additional_properties) {
                    (Some(property), _) => each(value, Some(property), below(child), visit),
                    (None, Some(_)) => {
                        let key = at.as_ref().map_or(child, |at| at.key(name));
                        each(value, schema.values(), below(key), visit);
                    }
                    (None, None) => {}
                }
            }
        }
        (Value::Array(items), Some(at)) => {
            for (index, value) in items.iter().enumerate() {
                each(value, schema.item(), below(at.index(index)), visit);
            }
        }
        _ => {}
    }
}

/// Whether the resource's own fields are of the right kinds.
fn decodes(resource: &Map<String, Value>, at: Path<'_>, found: &mut Violations) {
    for name in ["apiVersion", "kind"] {
        if resource.get(name).is_some_and(|value| !value.is_string()) {
            let message = format!("`{name}` is not a string");
            found.refuse(Reason::Invalid, at.child(name), message);
        }
    }
    if let Some(metadata) = resource.get("metadata") {
        let path = at.child("metadata");
        if let Err(message) = metadata::decode(metadata, &path) {
            found.refuse(Reason::Invalid, path, message);
        }
    }
}

fn faults(resource: &Map<String, Value>, at: Path<'_>, found: &mut Violations) {
    for name in ["apiVersion", "kind"] {
        let path = at.child(name);
        let mut refuse = |reason, message: String| {
            found.refuse(reason, path, message);
        };
        let Some(value) = resource.get(name).and_then(Value::as_str) else {
            refuse(
                Reason::Required,
                format!("an embedded resource has no `{name}`"),
            );
            continue;
        };
        if value.is_empty() {
            refuse(Reason::Invalid, format!("`{name}` is empty"));
        } else if name == "kind" {
            for fault in dns1035_label(&value.to_lowercase()) {
                let fault = match fault.contains(value) {
                    true => fault,
                    false => format!("`{value}`: {fault}"),
                };
                refuse(Reason::Invalid, fault);
            }
        } else if value != "/" && value.matches('/').count() > 1 {
            refuse(Reason::Invalid, format!("`{value}` is not an API version"));
        }
    }
    let path = at.child("metadata");
    let Some(Ok(metadata)) = resource
        .get("metadata")
        .map(|value| metadata::decode(value, &path))
    else {
        return;
    };
    metadata::path_segments(&metadata, path, found);
    if !metadata.namespace.is_empty() {
        for fault in dns1123_label(metadata.namespace) {
            found.refuse(Reason::Invalid, path.child("namespace"), fault);
        }
    }
    if metadata.generation < 0 {
        let message = format!("{} is less than 0", metadata.generation);
        found.refuse(Reason::Invalid, path.child("generation"), message);
    }
    found.0.extend(metadata::violations(&metadata, path));
}
