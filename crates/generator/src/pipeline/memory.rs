//! What a run leaves for the next one: of every kind, the files that it was read from and those that were made of it. A run
//! after an edit then reads and makes only the kinds that the edit can have changed.
//!
//! The memory is trusted only while all else is the same: this program, the configuration, cargo's answer. Whatever goes
//! beyond single kinds ends it, and everything is read anew: a module, a kind or the type of an `impl` that comes or goes,
//! a name or a gate that other kinds can see ([`channel::interface_key`](crd_channels_projection::channel::interface_key)), any finding of the reader.

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

/// What a run leaves.
#[derive(Debug, Deserialize, Serialize)]
pub struct Memory {
    /// Stands for all that the run depended on besides the files below.
    pub key: u64,
    /// When the run began.
    pub taken: SystemTime,
    /// The source files that were read.
    pub sources: Vec<Source>,
    /// What stands in the files of the walked crates.
    pub outlines: Vec<Outline>,
    /// The kinds, by group and name.
    pub(crate) kinds: Vec<Remembered>,
}

/// A source file.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// The module that it is.
    pub module: String,
    /// What it held.
    pub fingerprint: Fingerprint,
}

/// What is remembered of one kind.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Remembered {
    /// Its group.
    pub group: String,
    /// Its name.
    pub kind: String,
    /// What other kinds can see of it.
    pub interface_key: String,
    /// What the constants say of it.
    pub words: Words,
    /// The types of its versions.
    pub types: Vec<TypeName>,
    /// The files that lowering them looked into, as places in [`Memory::sources`].
    pub sources: Vec<usize>,
    /// What was written for it.
    pub files: Vec<Written>,
    /// The diagnostics about it, which are reported again. None where only making it tells them.
    pub diagnostics: Option<Vec<CachedDiagnostic>>,
}

/// A file that was written.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Written {
    /// The channel.
    pub channel: String,
    /// The path below the output folder.
    pub path: String,
    /// What it held.
    pub fingerprint: Fingerprint,
}

/// The memory against the disk.
pub struct Survey {
    /// The source files as they are now; none for those that changed.
    pub sources: Vec<Option<Fingerprint>>,
    /// Of each kind, what was written for it as it is now; none for kinds that are to be made again.
    pub kinds: Vec<Option<Vec<Written>>>,
}

/// Where a memory lies.
fn file(state: &Path) -> PathBuf {
    state.join("memory.json")
}

/// What a memory is good for: this program, this configuration and workspace, these channels and this output folder.
pub fn key(setup: &Setup, channels: &[&Channel], output: &Path) -> u64 {
    let program = std::env::current_exe().ok();
    let about = program.as_ref().and_then(|path| path.metadata().ok());
    let about = about.map(|about| (about.len(), about.modified().ok()));
    let names: Vec<_> = channels.iter().map(|channel| &channel.name).collect();
    let workspace = serde_json::to_vec(&setup.workspace).unwrap_or_default();
    let cfgs = cfgs(&setup.config.bundle);
    let rest = format!(
        "{program:?} {about:?} {:?} {cfgs:?} {:?} {:?} {names:?} {output:?}",
        setup.config, setup.packages, setup.overrides
    );
    files::digest(&[&*workspace, rest.as_bytes()].concat())
}

impl Memory {
    /// What an earlier run left in the folder `state`, if it can be read.
    pub fn recall(state: &Path) -> Option<Self> {
        files::recall(&file(state))
    }

    /// Leaves it for the next run.
    pub fn keep(&self, state: &Path) {
        files::keep(&file(state), self);
    }

    /// What changed since; `output` is the folder that files are written below. None where more than files' content did.
    pub fn survey(&self, output: &Path) -> Option<Survey> {
        if self.outlines.iter().any(|outline| has_twin(&outline.file)) {
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

/// Whether a module's file has got another one beside it that its module could be in: `a.rs` and `a/mod.rs`.
fn has_twin(file: &Path) -> bool {
    let twin = match (file.file_stem(), file.parent()) {
        (Some(stem), Some(folder)) if stem == "mod" => folder.with_extension("rs"),
        (Some(stem), Some(folder)) => folder.join(stem).join("mod.rs"),
        _ => return false,
    };
    twin.is_file()
}
