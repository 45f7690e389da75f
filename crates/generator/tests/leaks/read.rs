//! Reads a text and returns the CRDs of each channel.

use crate::one_file;
use crd_channels_diagnostics::Severity;
use std::collections::BTreeMap;

const CRATES: [&str; 5] = ["kube", "schemars", "serde", "serde_json", "serde_repr"];

/// An error.
#[derive(Debug)]
pub struct Finding {
    pub text: String,
    pub placed: bool,
}

/// The result of reading a text.
pub struct Read {
    pub errors: Vec<Finding>,
    pub warnings: Vec<String>,
    /// The CRDs of each channel, as JSON.
    pub channels: BTreeMap<String, String>,
}

/// Reads a text under a convention.
pub fn read(text: &str, conventions: &str) -> Read {
    let features = "[Trial]\nsummary = \"A trial.\"\n";
    let (projected, sink) = one_file::project(text.as_bytes(), &CRATES, conventions, features);
    let channels = projected
        .into_iter()
        .map(|one| (one.channel, serde_json::to_string(&one.crds).unwrap()))
        .collect();
    let mut read = Read {
        errors: Vec::new(),
        warnings: Vec::new(),
        channels,
    };
    for finding in sink.into_diagnostics() {
        let record = finding.code.record();
        let text = format!("{}: {}", record.id, finding.message);
        match record.severity {
            Severity::Error => read.errors.push(Finding {
                text,
                placed: finding.span.is_some(),
            }),
            Severity::Warning => read.warnings.push(text),
        }
    }
    read
}
