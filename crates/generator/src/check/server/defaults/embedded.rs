//! Resources inside of defaults: their `apiVersion`, `kind` and `metadata`.

use super::super::decode::decode_metadata;
use super::super::found::Found;
use super::super::labels::dns1035_label;
use super::super::metadata;
use super::super::model::Schema;
use super::super::path::Path;
use crate::check::finding::Reason;
use crate::check::registry::Rule;
use serde_json::{Map, Value};

/// Judges the resources in a value. Whether all are as they should be.
pub(super) fn judge(
    value: &Value,
    schema: &Schema<'_>,
    is_resource: bool,
    at: Path<'_>,
    found: &mut Found,
) -> bool {
    let mut own = Found::default();
    each(value, Some(schema), is_resource, at, &mut |resource, at| {
        decodes(resource, at, &mut own);
    });
    // The server tells the first value that does not decode, and nothing else.
    own.0.truncate(1);
    if own.is_empty() {
        each(value, Some(schema), is_resource, at, &mut |resource, at| {
            resource_faults(resource, at, &mut own);
        });
    }
    let sound = own.is_empty();
    found.append(own);
    sound
}

/// What is wrong with a whole resource, in words.
pub(super) fn first_fault(resource: &Value, schema: &Schema<'_>) -> Option<String> {
    let mut found = Found::default();
    judge(resource, schema, true, Path::root("object"), &mut found);
    found.0.into_iter().next().map(|finding| finding.message)
}

/// Visits every object of a value that its schema calls a resource.
fn each(
    value: &Value,
    schema: Option<&Schema<'_>>,
    is_resource: bool,
    at: Path<'_>,
    visit: &mut dyn FnMut(&Map<String, Value>, Path<'_>),
) {
    let Some(schema) = schema else {
        return;
    };
    match value {
        Value::Object(fields) => {
            if is_resource || schema.embedded_resource {
                visit(fields, at);
            }
            for (name, value) in fields {
                match (schema.properties.get(name), &schema.additional_properties) {
                    (Some(property), _) => {
                        each(value, Some(property), false, at.child(name), visit);
                    }
                    (None, Some(_)) => each(value, schema.values(), false, at.key(name), visit),
                    (None, None) => {}
                }
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                each(value, schema.item(), false, at.index(index), visit);
            }
        }
        _ => {}
    }
}

/// Whether the resource's own fields are of the right kind.
fn decodes(resource: &Map<String, Value>, at: Path<'_>, found: &mut Found) {
    for name in ["apiVersion", "kind"] {
        if resource.get(name).is_some_and(|value| !value.is_string()) {
            let message = format!("`{name}` is not a string");
            found.refuse(
                Rule::DefaultInvalid,
                Reason::Invalid,
                at.child(name),
                message,
            );
        }
    }
    if let Some(metadata) = resource.get("metadata") {
        let path = at.child("metadata");
        if let Err(message) = decode_metadata(metadata, &path) {
            found.refuse(Rule::DefaultInvalid, Reason::Invalid, path, message);
        }
    }
}

fn resource_faults(resource: &Map<String, Value>, at: Path<'_>, found: &mut Found) {
    for name in ["apiVersion", "kind"] {
        let path = at.child(name);
        let mut refuse = |reason, message: String| {
            found.refuse(Rule::DefaultInvalid, reason, path, message);
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
                refuse(Reason::Invalid, fault);
            }
        } else if value != "/" && value.matches('/').count() > 1 {
            refuse(Reason::Invalid, format!("`{value}` is not an API version"));
        }
    }
    let path = at.child("metadata");
    let Some(Ok(metadata)) = resource
        .get("metadata")
        .map(|value| decode_metadata(value, &path))
    else {
        return;
    };
    for (name, value, whole) in [
        ("name", metadata.name, true),
        ("generateName", metadata.generate_name, false),
    ] {
        let dots = whole && matches!(value, "." | "..");
        if dots || value.contains(['/', '%']) {
            let message = format!("`{value}` can be no part of a URL");
            let path = path.child(name);
            found.refuse(Rule::DefaultInvalid, Reason::Invalid, path, message);
        }
    }
    metadata::rest(&metadata, path, found);
}
