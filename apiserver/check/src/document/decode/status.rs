//! `status`: cleared on create, but decoded like everything else.

use super::super::model::Status;
use crd_channels_validation::metadata::time;
use crd_channels_validation::schema::{Faults, JsonNode};

pub(super) fn decode_status(faults: &mut Faults, node: JsonNode<'_, '_>) -> Status {
    let mut status = Status::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "acceptedNames" => {
                super::spec::names(faults, node);
            }
            "conditions" => status.observed_by_conditions = faults.list(node, condition),
            "storedVersions" => {
                faults.texts(node);
            }
            "observedGeneration" => status.observed_generation = faults.integer(node),
            _ => return false,
        }
        true
    });
    status
}

fn condition(faults: &mut Faults, node: JsonNode<'_, '_>) -> Option<i64> {
    let mut observed = None;
    faults.fields(node, |faults, name, node| {
        match name {
            "type" | "status" | "reason" | "message" => {
                faults.text(node);
            }
            "lastTransitionTime" => time(faults, node),
            "observedGeneration" => observed = faults.integer(node),
            _ => return false,
        }
        true
    });
    observed
}
