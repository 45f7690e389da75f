//! From a document to the server's types: wrong kinds and unknown fields are found here.

mod spec;
mod status;

use super::model::Crd;
use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_validation::metadata;
use crd_channels_validation::path::Path;
use crd_channels_validation::schema::{Fault, Faults, Node};
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
    let undecodable = |fault: Fault| Finding::new(Rule::Undecodable, fault.message);
    let unknown = |fault: Fault| Finding::new(Rule::UnknownField, fault.message).at(fault.path);
    Decoded {
        crd: if faults.undecodable.is_empty() {
            Ok(crd)
        } else {
            Err(faults.undecodable.into_iter().map(undecodable).collect())
        },
        unknown: faults.unknown.into_iter().map(unknown).collect(),
    }
}
