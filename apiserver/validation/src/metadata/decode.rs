//! `metadata`: `ObjectMeta`.

use super::{Metadata, Owner};
use crate::path::{FieldPath, Path};
use crate::schema::{Faults, JsonNode};
use serde_json::Value;

/// Reads metadata; adds mismatches to the faults.
pub fn decode_metadata<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Metadata<'a> {
    let mut metadata = Metadata::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "name" => metadata.name = faults.text(node),
            "generateName" => metadata.generate_name = faults.text(node),
            "namespace" => metadata.namespace = faults.text(node),
            "labels" => metadata.labels = faults.map(node, Faults::text),
            "annotations" => metadata.annotations = faults.map(node, Faults::text),
            "finalizers" => metadata.finalizers = faults.texts(node),
            "ownerReferences" => metadata.owners = faults.list(node, owner),
            // The server overwrites these, so only their kinds are checked.
            "selfLink" | "uid" | "resourceVersion" => {
                faults.text(node);
            }
            "generation" => metadata.generation = faults.integer(node).unwrap_or_default(),
            "deletionGracePeriodSeconds" => {
                faults.integer(node);
            }
            "creationTimestamp" | "deletionTimestamp" => time(faults, node),
            "managedFields" => {
                faults.list(node, managed_fields);
            }
            _ => return false,
        }
        true
    });
    metadata
}

/// Decodes the metadata of an object anywhere in a document.
///
/// # Errors
/// The first value of the wrong kind.
pub fn decode<'a>(value: &'a Value, path: &Path<'_>) -> Result<Metadata<'a>, String> {
    let mut faults = Faults::default();
    let metadata = decode_metadata(&mut faults, JsonNode::new(value, path));
    match faults.undecodable.into_iter().next() {
        Some(fault) => Err(fault.message),
        None => Ok(metadata),
    }
}

/// The fields that `ObjectMeta` does not have.
#[must_use]
pub fn unknown(value: &Value, path: &Path<'_>) -> Vec<FieldPath> {
    let mut faults = Faults::default();
    decode_metadata(&mut faults, JsonNode::new(value, path));
    let unknown = faults.unknown.into_iter();
    unknown.map(|fault| fault.path).collect()
}

fn owner<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Owner<'a> {
    let mut owner = Owner::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "apiVersion" => owner.api_version = faults.text(node),
            "kind" => owner.kind = faults.text(node),
            "name" => owner.name = faults.text(node),
            "uid" => owner.uid = faults.text(node),
            "controller" => owner.controller = faults.flag(node),
            "blockOwnerDeletion" => {
                faults.some_flag(node);
            }
            _ => return false,
        }
        true
    });
    owner
}

fn managed_fields(faults: &mut Faults, node: JsonNode<'_, '_>) {
    faults.fields(node, |faults, name, node| {
        match name {
            "manager" | "operation" | "apiVersion" | "fieldsType" | "subresource" => {
                faults.text(node);
            }
            "time" => time(faults, node),
            "fieldsV1" => {}
            _ => return false,
        }
        true
    });
}

/// Checks a time in RFC 3339.
pub fn time(faults: &mut Faults, node: JsonNode<'_, '_>) {
    let fits = match node.value {
        Value::Null => true,
        Value::String(text) => is_time(text),
        _ => false,
    };
    if !fits {
        faults.refuse(node, "a time such as `2026-01-31T12:00:00Z`");
    }
}

fn is_time(text: &str) -> bool {
    let shape = |text: &str, pattern: &str| {
        text.len() == pattern.len()
            && text.bytes().zip(pattern.bytes()).all(|(c, wanted)| {
                if wanted == b'0' {
                    c.is_ascii_digit()
                } else {
                    c == wanted
                }
            })
    };
    let Some((moment, rest)) = text.split_at_checked("0000-00-00T00:00:00".len()) else {
        return false;
    };
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => {
            let zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if zone.len() == fraction.len() {
                return false;
            }
            zone
        }
        None => rest,
    };
    shape(moment, "0000-00-00T00:00:00")
        && (zone == "Z" || shape(zone, "+00:00") || shape(zone, "-00:00"))
}

#[cfg(test)]
mod tests {
    use super::is_time;

    #[test]
    fn times_are_of_rfc_3339() {
        for good in ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.5+01:00"] {
            assert!(is_time(good), "{good}");
        }
        for bad in [
            "",
            "2026-01-31",
            "2026-01-31T12:00:00",
            "2026-01-31T12:00:00.Z",
        ] {
            assert!(!is_time(bad), "{bad}");
        }
    }
}
