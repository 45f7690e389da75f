//! A CRD as a server decodes it. Every check uses the same decoded document.

mod decode;
pub(crate) mod model;
mod typed;

pub use typed::schema;

use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_schema as source;
use crd_channels_validation::schema::{Fault, Faults};
use model::Crd;
use serde_json::Value;

const API_VERSION: &str = "apiextensions.k8s.io/v1";

/// A CRD as a server decodes it.
#[derive(Debug)]
pub struct Document<'a> {
    /// `None` if the server stops decoding.
    pub(crate) crd: Option<Crd<'a>>,
    /// The decoding errors, and the fields that are dropped.
    pub(crate) faults: Vec<Finding>,
}

impl<'a> Document<'a> {
    /// Decodes a document that claims to be a CRD.
    #[must_use]
    pub fn decode(document: &'a Value) -> Self {
        let version = document.get("apiVersion").and_then(Value::as_str);
        if let Some(other) = version.filter(|version| *version != API_VERSION) {
            let message = format!("`{other}` is not `{API_VERSION}`");
            return Self {
                crd: None,
                faults: vec![Finding::new(Rule::UnservedApiVersion, message)],
            };
        }
        let mut faults = Faults::default();
        let crd = decode::decode_crd(&mut faults, document);
        Self::new(crd, faults)
    }

    /// The document of a typed CRD, without writing it as JSON; `name` is its `metadata.name`.
    #[must_use]
    pub fn of_typed_crd(crd: &'a source::Crd, name: &'a str) -> Self {
        let mut faults = Faults::default();
        let crd = typed::crd(&mut faults, crd, name);
        Self::new(crd, faults)
    }

    fn new(crd: Crd<'a>, faults: Faults) -> Self {
        let undecodable = |fault: Fault| Finding::new(Rule::Undecodable, fault.message);
        let unknown = |fault: Fault| Finding::new(Rule::UnknownField, fault.message).at(fault.path);
        let is_decodable = faults.undecodable.is_empty();
        let all = faults.unknown.into_iter().map(unknown);
        Self {
            crd: is_decodable.then_some(crd),
            faults: all
                .chain(faults.undecodable.into_iter().map(undecodable))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests;
