//! `prove`: compiles the types once and compares every fact of their CRDs with the generated ones.

mod report;
mod test;

pub(super) use report::document;

use super::{Outcome, interrupted, root};
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, Plan};
use crd_channels_generator::pipeline;
use crd_channels_generator::pipeline::proof::{self, Options, Proof};
use crd_channels_generator::pipeline::recorded::{self, Entry};
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
    let options = Options {
        record: request.record,
        arguments: &request.arguments,
    };
    let proof = proof::prove(&setup, options, &Disk, sources, sink)?;
    if let Some(entries) = &proof.recorded
        && let Err(finding) = keep(&root, entries)
    {
        sink.push(*finding);
        return None;
    }
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

/// Writes the records; removes the file if there are none.
fn keep(root: &Path, entries: &[Entry]) -> Result<(), Box<Diagnostic>> {
    let path = root.join(recorded::FILE);
    if entries.is_empty() {
        if path.is_file() {
            std::fs::remove_file(&path).map_err(|error| {
                let message = format!("`{}` cannot be removed: {error}", recorded::FILE);
                let finding = Diagnostic::new(Code::WriteFailed, None, message);
                Box::new(finding.with_help("remove it: it is no longer needed"))
            })?;
        }
        return Ok(());
    }
    write(root, recorded::FILE, recorded::text(entries))
}

/// Writes one file below the root.
fn write(root: &Path, path: &str, text: String) -> Result<(), Box<Diagnostic>> {
    let files = BTreeMap::from([(path.to_owned(), text)]);
    let plan = Plan::new(path, root.to_path_buf(), files, Vec::new());
    interrupted::apply(&plan).map(drop)
}
