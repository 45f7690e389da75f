//! The memory of a run for the next one: for every kind, the files that it was read from and those written for it. After an
//! edit, a run reads and builds only the kinds that the edit can affect.
//!
//! The memory is valid only while everything else is the same: this program, the configuration, cargo's answer. A change that
//! affects more than single kinds ends it, and everything is read again: a module, a kind or the type of an `impl` that is
//! added or removed, a name or a gate that other kinds can see
//! ([`channel::interface_key`](crd_channels_projection::channel::interface_key)), any new finding of the reader. Warnings about
//! files are reported again; with other warnings of the reader, any change of a file ends the memory.

use super::cached_diagnostics::CachedDiagnostic;
use super::kinds::cfgs;
use super::setup::Setup;
use crd_channels_files::{self as files, Fingerprint};
use crd_channels_projection::channel::Words;
use crd_channels_projection::channel::config::Channel;
use crd_channels_source::{Outline, TypeName};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The memory of a run.
#[derive(Debug, Deserialize, Serialize)]
pub struct Memory {
    /// A hash of everything that the run depended on except the files below.
    pub key: u64,
    /// The start of the run.
    pub taken: SystemTime,
    /// The source files that were read.
    pub sources: Vec<Source>,
    /// The outlines of the files of the walked crates.
    pub outlines: Vec<Outline>,
    /// What these outlines depend on, and that rustc refuses nothing in the files.
    pub(crate) accepted: Vec<Accepted>,
    /// The files with kinds that no `mod` item names, each in words.
    pub(crate) undeclared: Vec<String>,
    /// The warnings that do not belong to a single kind, which are reported again.
    pub(crate) findings: Vec<CachedDiagnostic>,
    /// Whether one of them may depend on any file, so that the memory is valid only while none changes.
    pub(crate) is_fixed: bool,
    /// The kinds, by group and name.
    pub(crate) kinds: Vec<Remembered>,
}

/// A source file.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Source {
    /// Its path.
    pub path: PathBuf,
    /// The path of its module.
    pub module: String,
    /// Whether a module includes it, rather than being in it.
    pub included: bool,
    /// The fingerprint of its content.
    pub fingerprint: Fingerprint,
}

/// A file of a walked crate.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Accepted {
    /// Its module.
    pub module: String,
    /// The files that its outline and what rustc makes of it depend on, as indices into [`Memory::sources`].
    pub sources: Vec<usize>,
}

/// The memory of one kind.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Remembered {
    /// Its group.
    pub group: String,
    /// Its name.
    pub kind: String,
    /// The part of it that other kinds can see.
    pub interface_key: String,
    /// Its names in the constants file.
    pub words: Words,
    /// The types of its versions.
    pub types: Vec<TypeName>,
    /// The files that lowering it read, as indices into [`Memory::sources`].
    pub sources: Vec<usize>,
    /// The files that were written for it.
    pub files: Vec<Written>,
    /// The diagnostics about it, which are reported again. `None` if they can only be found by building it.
    pub diagnostics: Option<Vec<CachedDiagnostic>>,
}

/// A file that was written.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Written {
    /// The channel.
    pub channel: String,
    /// The path below the output folder.
    pub path: String,
    /// The fingerprint of its content.
    pub fingerprint: Fingerprint,
}

/// The memory compared with the disk.
pub struct Survey {
    /// The current fingerprints of the source files; `None` for those that changed.
    pub sources: Vec<Option<Fingerprint>>,
    /// The files of each kind with current fingerprints; `None` for kinds that must be rebuilt.
    pub kinds: Vec<Option<Vec<Written>>>,
}

impl Survey {
    /// Whether what is known of a file may have changed.
    pub(crate) fn affects(&self, file: &Accepted) -> bool {
        let is_changed = |place: &usize| self.sources.get(*place).is_none_or(Option::is_none);
        file.sources.iter().any(is_changed)
    }
}

/// Returns the file of a memory.
fn file(state: &Path) -> PathBuf {
    state.join("memory.json")
}

/// Returns the key that a memory is valid for: this program, this configuration and workspace, these channels, this output
/// folder, and `past`: the bundles and the waivers, on which it depends what is reported of versions that differ.
pub fn key(setup: &Setup, channels: &[&Channel], output: &Path, past: &str) -> u64 {
    let program = std::env::current_exe().ok();
    let about = program.as_ref().and_then(|path| path.metadata().ok());
    let about = about.map(|about| (about.len(), about.modified().ok()));
    let names: Vec<_> = channels.iter().map(|channel| &channel.name).collect();
    let workspace = serde_json::to_vec(&setup.workspace).unwrap_or_default();
    let cfgs = cfgs(&setup.config.bundle);
    let rest = format!(
        "{program:?} {about:?} {:?} {cfgs:?} {:?} {:?} {names:?} {output:?} {past}",
        setup.config, setup.packages, setup.overrides
    );
    files::digest(&[&*workspace, rest.as_bytes()].concat())
}

impl Memory {
    /// Reads the memory in the folder `state`, if there is a valid one.
    pub fn recall(state: &Path) -> Option<Self> {
        files::recall(&file(state))
    }

    /// Writes the memory for the next run.
    pub fn keep(&self, state: &Path) {
        files::keep(&file(state), self);
    }

    /// Finds what changed since; `output` is the folder of the written files. Returns `None` if more than the content of files
    /// changed.
    pub fn survey(&self, output: &Path) -> Option<Survey> {
        let modules = self.sources.par_iter().filter(|source| !source.included);
        if modules.any(|source| has_twin(&source.path)) {
            return None;
        }
        let sources: Vec<_> = self
            .sources
            .par_iter()
            .map(|source| source.fingerprint.again(&source.path, self.taken))
            .collect();
        let changed: BTreeSet<usize> = sources
            .iter()
            .enumerate()
            .filter_map(|(place, now)| now.is_none().then_some(place))
            .collect();
        let as_written = |kind: &Remembered| {
            let read_again = kind.sources.iter().any(|place| changed.contains(place));
            if read_again || kind.diagnostics.is_none() {
                return None;
            }
            let files = kind.files.iter().map(|file| {
                let now = file.fingerprint;
                let now = now.again(&output.join(&file.path), self.taken)?;
                Some(Written {
                    fingerprint: now,
                    ..file.clone()
                })
            });
            files.collect()
        };
        Some(Survey {
            kinds: self.kinds.par_iter().map(as_written).collect(),
            sources,
        })
    }
}

/// Returns true if a module's file has a sibling that could be the module too: `a.rs` and `a/mod.rs`.
fn has_twin(file: &Path) -> bool {
    let twin = match (file.file_stem(), file.parent()) {
        (Some(stem), Some(folder)) if stem == "mod" => folder.with_extension("rs"),
        (Some(stem), Some(folder)) => folder.join(stem).join("mod.rs"),
        _ => return false,
    };
    twin.is_file()
}
