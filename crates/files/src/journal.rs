//! The journal of a run that writes: where it stands, its form, its names, and how it is read back.
//!
//! It stands in a hidden folder of the files' root, which is there only while a run writes, or after one was stopped. There
//! it outlives the build folder, every run finds it wherever it builds, and it can name no file outside of the root.

use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};

/// Raised whenever the journal changes its meaning.
pub(super) const FORMAT: u64 = 3;

const FOLDER: &str = ".crd-channels";

const ASIDE: &str = ".crd-channels-";

/// What a run that writes tells the next one, should it not reach its end.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Journal {
    pub(super) format: u64,
    pub(super) purpose: Purpose,
    /// The folders that it makes, outer ones first.
    pub(super) folders: Vec<String>,
    /// What was written aside; the index is part of its temporary name.
    pub(super) replace: Vec<Replace>,
    pub(super) remove: Vec<String>,
}

/// What a run writes, for whoever finds that it was stopped.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Purpose {
    /// Such as `bundle v0.4.0`.
    pub what: String,
    /// What a person has to do once all is written.
    pub left: Option<String>,
}

/// Just enough to tell a newer journal from a broken one.
#[derive(Deserialize)]
struct Head {
    format: u64,
}

/// One new file.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Replace {
    pub(super) path: String,
    /// In bytes.
    pub(super) length: u64,
    pub(super) digest: u64,
}

/// Why a journal cannot be followed.
pub(super) enum Refusal {
    /// A newer version of this tool wrote it.
    Newer,
    /// No version of this tool wrote it so.
    Torn,
}

impl Journal {
    /// A journal from its bytes; nothing in it leads out of the root.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        if serde_json::from_slice::<Head>(bytes).is_ok_and(|head| head.format > FORMAT) {
            return Err(Refusal::Newer);
        }
        serde_json::from_slice::<Self>(bytes)
            .ok()
            .filter(Self::is_sound)
            .ok_or(Refusal::Torn)
    }

    /// Whether it can have been written by this tool.
    fn is_sound(&self) -> bool {
        let Self {
            format,
            purpose: _,
            folders,
            replace,
            remove,
        } = self;
        *format == FORMAT
            && folders.iter().all(|path| is_below(path))
            && replace.iter().all(|file| is_below(&file.path))
            && remove.iter().all(|path| is_below(path))
    }
}

/// Whether a path stays below the folder that it is relative to.
pub(super) fn is_below(path: &str) -> bool {
    let mut parts = Path::new(path).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Whether a file of that name is one that this tool wrote aside.
#[must_use]
pub fn is_aside(name: &str) -> bool {
    name.strip_prefix(ASIDE)
        .and_then(|rest| rest.strip_suffix(".tmp"))
        .is_some_and(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Hidden, in the same folder, and short, so that no file name becomes too long by it.
pub(super) fn aside(path: &Path, index: usize) -> PathBuf {
    path.with_file_name(format!("{ASIDE}{index}.tmp"))
}

/// The folder of the journal and the lock.
pub(super) fn folder(root: &Path) -> PathBuf {
    root.join(FOLDER)
}

/// Where the journal stands while files are written aside.
pub(super) fn pending_file(root: &Path) -> PathBuf {
    folder(root).join("pending.json")
}

/// Where the journal stands once everything is written aside.
pub(super) fn journal_file(root: &Path) -> PathBuf {
    folder(root).join("journal.json")
}
