//! Records what source does not tell: compiles the types once and takes it from them.

use crate::interrupted;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, Plan};
use crd_channels_generator::pipeline::Setup;
use crd_channels_generator::pipeline::recorded::{self, Entry};
use crd_channels_proof::{self as proof, Options, Proof};
use std::collections::BTreeMap;
use std::path::Path;

/// Proves the kinds of a workspace, with the records written if they are requested. Reports and returns `None` if that is
/// impossible.
pub fn prove(
    root: &Path,
    setup: &Setup,
    options: Options<'_>,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Proof> {
    if setup.config.is_of_crds() {
        let message = "there are no types to compile: the source of this bundle is CRDs";
        let finding = Diagnostic::new(Code::NothingToDo, None, message);
        sink.push(finding.with_help("run `crd-channels gen-crds`, which reads the CRDs"));
        return None;
    }
    let proof = proof::prove(setup, options, &Disk, sources, sink)?;
    if let Some(entries) = &proof.recorded
        && let Err(finding) = keep(root, entries)
    {
        sink.push(*finding);
        return None;
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
    let files = BTreeMap::from([(recorded::FILE.to_owned(), recorded::format_records(entries))]);
    let plan = Plan::new(recorded::FILE, root.to_path_buf(), files, Vec::new());
    interrupted::apply(&plan).map(drop)
}
