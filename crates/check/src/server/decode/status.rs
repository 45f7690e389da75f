//! `status`: wiped on create, but decoded like everything else.

use crd_channels_validation::metadata::time;
use crd_channels_validation::schema::{Faults, Node};

pub(super) fn read(faults: &mut Faults, node: Node<'_, '_>) {
    faults.fields(node, |faults, name, node| {
        match name {
            "acceptedNames" => {
                super::spec::names(faults, node);
            }
            "conditions" => {
                faults.list(node, condition);
            }
            "storedVersions" => {
                faults.texts(node);
            }
            "observedGeneration" => {
                faults.integer(node);
            }
            _ => return false,
        }
        true
    });
}

fn condition(faults: &mut Faults, node: Node<'_, '_>) {
    faults.fields(node, |faults, name, node| {
        match name {
            "type" | "status" | "reason" | "message" => {
                faults.text(node);
            }
            "lastTransitionTime" => time(faults, node),
            "observedGeneration" => {
                faults.integer(node);
            }
            _ => return false,
        }
        true
    });
}
