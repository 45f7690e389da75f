//! Decodes JSON into the server's types; reports wrong kinds and unknown fields.

pub(super) mod spec;
mod status;

use super::model::Crd;
use crd_channels_validation::metadata;
use crd_channels_validation::path::Path;
use crd_channels_validation::schema::{Faults, JsonNode};
use serde_json::Value;

/// Decodes a document; adds mismatches to the faults.
pub(super) fn decode_crd<'a>(faults: &mut Faults, document: &'a Value) -> Crd<'a> {
    let mut crd = Crd::default();
    for (name, value) in document.as_object().into_iter().flatten() {
        let path = Path::root(name);
        let node = JsonNode::new(value, &path);
        match name.as_str() {
            "apiVersion" | "kind" => {
                faults.text(node);
            }
            "metadata" => crd.metadata = metadata::decode_metadata(faults, node),
            "spec" => crd.spec = spec::decode_spec(faults, node),
            "status" => crd.status = status::decode_status(faults, node),
            _ => faults.unknown(name, &path),
        }
    }
    crd
}
