//! What a server keeps of an object's metadata, and what it warns of.

use super::{Metadata, Warning, unknown};
use crate::path::{FieldPath, Path, PathElement};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The finalizers that need no domain.
const STANDARD_FINALIZERS: [&str; 3] = ["foregroundDeletion", "kubernetes", "orphan"];

/// Makes an object's metadata what a server keeps of it: as that of embedded resources, and with each owner once. Returns the
/// warning about owners that occur twice.
pub fn keep(metadata: &mut Value, path: Path<'_>) -> Option<Warning> {
    keep_embedded(metadata, path);
    let owners = metadata.get_mut("ownerReferences")?.as_array_mut()?;
    let twice = drop_repeated(owners);
    (!twice.is_empty()).then(|| Warning {
        field: FieldPath::from(path).child("ownerReferences"),
        message: format!(
            ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {}",
            twice.join(", ")
        ),
    })
}

/// Makes the metadata of an embedded resource what a server keeps of it: without nulls, empty and unknown fields.
pub fn keep_embedded(metadata: &mut Value, path: Path<'_>) {
    for field in unknown(metadata, &path) {
        // The path begins with that of the metadata.
        let depth = FieldPath::from(path).elements().len();
        drop_field(metadata, field.elements().get(depth..).unwrap_or_default());
    }
    let Some(fields) = metadata.as_object_mut() else {
        *metadata = Value::Object(Map::new());
        return;
    };
    for name in ["labels", "annotations"] {
        let texts = fields.get_mut(name).and_then(Value::as_object_mut);
        for text in texts.into_iter().flat_map(|texts| texts.values_mut()) {
            if text.is_null() {
                *text = "".into();
            }
        }
    }
    fields.retain(|_, value| match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    });
}

/// Drops the owners that are there already, and returns their UIDs.
fn drop_repeated(owners: &mut Vec<Value>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut twice = Vec::new();
    owners.retain(|owner| {
        let is_new = seen.insert(owner.to_string());
        if !is_new {
            let uid = owner.get("uid").and_then(Value::as_str);
            twice.push(uid.unwrap_or_default().to_owned());
        }
        is_new
    });
    twice
}

fn drop_field(value: &mut Value, path: &[PathElement]) {
    match path {
        [] => {}
        [PathElement::Child(name) | PathElement::Key(name)] => {
            if let Some(fields) = value.as_object_mut() {
                fields.remove(name);
            }
        }
        [first, rest @ ..] => {
            let below = match first {
                PathElement::Child(name) | PathElement::Key(name) => value.get_mut(name),
                PathElement::Index(index) => value.get_mut(index),
            };
            if let Some(below) = below {
                drop_field(below, rest);
            }
        }
    }
}

/// The warnings about finalizers that an accepted object adds.
#[must_use]
pub fn finalizer_warnings(metadata: &Metadata<'_>, old: Option<&Metadata<'_>>) -> Vec<Warning> {
    let old: Vec<&str> = old.map_or_else(Vec::new, |old| old.finalizers.iter().copied().collect());
    let added: BTreeSet<&str> = metadata.finalizers.iter().copied().collect();
    let unqualified = added.into_iter().filter(|name| {
        !old.contains(name) && !name.contains('/') && !STANDARD_FINALIZERS.contains(name)
    });
    let field = FieldPath::default().child("metadata").child("finalizers");
    let warnings = unqualified.map(|name| {
        let path = if name.contains('.') { " including a path (/)" } else { "" };
        Warning {
            message: format!(
                "{field}: {name:?}: prefer a domain-qualified finalizer name{path} to avoid accidental conflicts with other finalizer writers"
            ),
            field: field.clone(),
        }
    });
    warnings.collect()
}
