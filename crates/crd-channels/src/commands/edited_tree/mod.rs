//! The working tree with edited files, in memory: reads its types again and writes the edits.

mod overlay;
mod writing;

pub use overlay::Overlay;
pub use writing::Writing;

use super::published_set::published_set;
use super::release::channel_crds;
use super::{Outcome, say};
use crate::release::contents::Crds as Texts;
use crd_channels_compat::Set;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, Read};
use crd_channels_generator::pipeline::{self, Setup, constants};
use crd_channels_projection::channel::{self, Kind, Words};
use std::collections::BTreeMap;
use std::path::Path;

/// The working tree after an edit.
pub struct Edited {
    /// The changed files, by path below the root.
    pub files: BTreeMap<String, String>,
    /// The kinds that the edited files define.
    pub kinds: Vec<Kind>,
    /// Their CRDs.
    pub after: Set,
    /// The texts of the CRDs, if the workspace has generated files.
    pub generated: Vec<Texts>,
    /// The path and text of the file of constants, if there are generated files and one is configured.
    pub constants: Option<(String, String)>,
    /// The setup that the CRDs were made with.
    pub setup: Setup,
}

/// Runs a command that edits types, prints its findings and returns its outcome; `run` returns `None` if it could not run.
pub fn editing(run: impl FnOnce(&Sources, &mut Sink) -> Option<Outcome>) -> Outcome {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let outcome = run(&sources, &mut sink);
    let findings = sink.into_diagnostics();
    say(&findings, &sources);
    outcome.unwrap_or_else(|| Outcome::of_failed(&findings))
}

/// Reports, and returns `None`, if the source of the bundle is CRDs, which their own generator writes.
pub fn of_types(setup: &Setup, sink: &mut Sink) -> Option<()> {
    if !setup.config.is_of_crds() {
        return Some(());
    }
    sink.push(unclear(
        "the source of this bundle is CRDs, and this command edits Rust types".to_owned(),
        "change what your generator reads, let it write the CRDs, and run `crd-channels gen-crds`; `crd-channels diff` says what the change needs",
    ));
    None
}

/// Reads the workspace with the edited files. `None`, with an error reported, if that fails. Errors that the types have after
/// the edit go to `found`.
pub fn read_again(
    root: &Path,
    overlay: &Overlay,
    sources: &Sources,
    found: &mut Sink,
    sink: &mut Sink,
) -> Option<Edited> {
    let canonical = Disk.canonical(root).unwrap_or_else(|_| root.to_path_buf());
    let mut files = BTreeMap::new();
    for (path, text) in &overlay.0 {
        match relative(&canonical, path) {
            Some(inside) => drop(files.insert(inside, text.clone())),
            None => sink.push(unclear(
                format!("`{}` is not below the workspace", path.display()),
                "edit that package by hand first",
            )),
        }
    }
    let mut setup = pipeline::setup(root, overlay, sources, found)?;
    setup.keep_stale_records(found);
    let kinds = pipeline::read_kinds(&setup, overlay, sources, found);
    let after = published_set(&setup, &kinds, found);
    let mut of_texts = Sink::default();
    let (generated, constants) = generated(root, &setup, &kinds, sources, &mut of_texts);
    if !found.has_errors() {
        found.append(of_texts);
    }
    Some(Edited {
        files,
        kinds,
        after,
        generated,
        constants,
        setup,
    })
}

/// Returns the files that `gen-crds` would write; empty if it has never written any.
fn generated(
    root: &Path,
    setup: &Setup,
    kinds: &[Kind],
    sources: &Sources,
    sink: &mut Sink,
) -> (Vec<Texts>, Option<(String, String)>) {
    if !root.join(&*setup.config.bundle.output).is_dir() {
        return (Vec::new(), None);
    }
    let Some(stamp) = pipeline::stamp(setup, pipeline::groups(kinds), sink) else {
        return (Vec::new(), None);
    };
    let words: Vec<Words> = kinds.iter().map(channel::words).collect();
    (
        channel_crds::crds(setup, kinds, &stamp, sources, sink),
        constants::file(&setup.config, &stamp, &words),
    )
}

/// The diagnostic for source that cannot be edited as requested.
pub fn unclear(message: String, help: &str) -> Diagnostic {
    Diagnostic::new(Code::EditUnclear, None, message).with_help(help)
}

/// Returns a path relative to the workspace, with `/` as separator.
pub fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.iter();
    let parts: Option<Vec<&str>> = parts.map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}
