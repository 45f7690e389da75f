//! From a document to the server's types: wrong kinds and unknown fields are found here.

mod metadata;
mod reader;
mod schema;
mod spec;
mod status;

use super::model::{Crd, Metadata};
use super::path::Path;
use crate::check::finding::Finding;
use reader::{Faults, Node};
use serde_json::Value;

/// What became of a document.
pub(super) struct Decoded<'a> {
    /// The CRD, or everything that keeps it from being one.
    pub(super) crd: Result<Crd<'a>, Vec<Finding>>,
    /// Fields that are dropped.
    pub(super) unknown: Vec<Finding>,
}

/// Decodes a document.
pub(super) fn decode(document: &Value) -> Decoded<'_> {
    let mut faults = Faults::default();
    let mut crd = Crd::default();
    for (name, value) in document.as_object().into_iter().flatten() {
        let path = Path::root(name);
        let node = Node::new(value, &path);
        match name.as_str() {
            "apiVersion" | "kind" => {
                faults.text(node);
            }
            "metadata" => crd.metadata = metadata::read(&mut faults, node),
            "spec" => crd.spec = spec::read(&mut faults, node),
            "status" => status::read(&mut faults, node),
            _ => faults.unknown(name, &path),
        }
    }
    Decoded {
        crd: if faults.undecodable.is_empty() {
            Ok(crd)
        } else {
            Err(faults.undecodable)
        },
        unknown: faults.unknown,
    }
}

/// Decodes the metadata of an object that stands somewhere in a document.
///
/// # Errors
/// The first value that does not fit.
pub(super) fn decode_metadata<'a>(
    value: &'a Value,
    path: &Path<'_>,
) -> Result<Metadata<'a>, String> {
    let mut faults = Faults::default();
    let metadata = metadata::read(&mut faults, Node::new(value, path));
    match faults.undecodable.into_iter().next() {
        Some(fault) => Err(fault.message),
        None => Ok(metadata),
    }
}
