//! `prove`: compiles the types once and compares every fact of their CRDs with the generated ones.

mod report;
mod test;

pub(crate) use report::document;

use super::{Outcome, interrupted, recording, root};
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::{Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, Plan};
use crd_channels_generator::pipeline;
use crd_channels_proof::{self as proof, Options, Proof};
use std::collections::BTreeMap;
use std::path::Path;

/// The arguments of `prove`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Record what only the compiled types tell, not the source.
    pub record: bool,
    /// Write a test that runs the proof.
    pub write_test: bool,
    /// The format of the findings.
    pub format: Format,
    /// Additional arguments for cargo.
    pub arguments: Vec<String>,
}

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let proof = start(request, &sources, &mut sink);
    let findings = sink.into_diagnostics();
    report::write(proof.as_ref(), &findings, &sources, request);
    match proof {
        None => Outcome::of_failed(&findings),
        Some(_) if proof::is_proven(&findings) => Outcome::Clean,
        Some(_) => Outcome::Findings,
    }
}

fn start(request: &Request, sources: &Sources, sink: &mut Sink) -> Option<Proof> {
    let root = root(sink)?;
    let setup = pipeline::setup(&root, &Disk, sources, sink)?;
    if sink.has_errors() && !request.record {
        return None;
    }
    let options = Options {
        record: request.record,
        arguments: &request.arguments,
    };
    let proof = recording::prove(&root, &setup, options, sources, sink)?;
    if request.write_test && proof::is_proven(sink.diagnostics()) {
        match test::write(&root, &setup) {
            Ok(path) => {
                note!("`{path}` was written: from now on `cargo test` runs the proof")
            }
            Err(finding) => sink.push(*finding),
        }
    }
    Some(proof)
}

/// Writes one file below the root.
fn write(root: &Path, path: &str, text: String) -> Result<(), Box<Diagnostic>> {
    let files = BTreeMap::from([(path.to_owned(), text)]);
    let plan = Plan::new(path, root.to_path_buf(), files, Vec::new());
    interrupted::apply(&plan).map(drop)
}
