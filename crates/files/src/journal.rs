//! The journal of a run that writes: its location, format, names and parser.
//!
//! It is in a hidden folder of the files' root, which exists only while a run writes or after one was interrupted. There it
//! outlives the build folder, every run finds it wherever it builds, and it can name no file outside of the root.

use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};

/// Raised whenever the meaning of the journal changes.
pub(super) const FORMAT: u64 = 3;

const FOLDER: &str = ".crd-channels";

const ASIDE: &str = ".crd-channels-";

/// What the next run needs in order to finish or undo this one.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Journal {
    pub(super) format: u64,
    pub(super) purpose: Purpose,
    /// The folders that the run creates, outer ones first.
    pub(super) folders: Vec<String>,
    /// The files written under temporary names; the index is part of the name.
    pub(super) replace: Vec<Replace>,
    pub(super) remove: Vec<String>,
}

/// What a run writes, for the report of an interrupted run.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Purpose {
    /// A noun such as `bundle v0.4.0`.
    pub what: String,
    /// What a person has to do once everything is written.
    pub left: Option<String>,
}

/// Just enough to distinguish a newer journal from a broken one.
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
    /// No version of this tool wrote it like this.
    Torn,
}

impl Journal {
    /// Parses a journal. No path in it leads out of the root.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        if serde_json::from_slice::<Head>(bytes).is_ok_and(|head| head.format > FORMAT) {
            return Err(Refusal::Newer);
        }
        serde_json::from_slice::<Self>(bytes)
            .ok()
            .filter(Self::is_sound)
            .ok_or(Refusal::Torn)
    }

    /// Whether this tool can have written the journal.
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

/// The part of a path that is a device on Windows, whatever follows its first dot.
pub(super) fn windows_device(path: &str) -> Option<&str> {
    let stems = path.split('/').filter_map(|name| name.split('.').next());
    let mut devices = stems.filter(|stem| {
        let stem = stem.to_ascii_lowercase();
        match stem.strip_prefix("com").or(stem.strip_prefix("lpt")) {
            Some(number) => matches!(number.as_bytes(), [b'1'..=b'9']),
            None => ["con", "prn", "aux", "nul"].contains(&&*stem),
        }
    });
    devices.next()
}

/// Whether this tool names its temporary files like this.
#[must_use]
pub fn is_aside(name: &str) -> bool {
    name.strip_prefix(ASIDE)
        .and_then(|rest| rest.strip_suffix(".tmp"))
        .is_some_and(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The temporary path of a file: hidden, in the same folder, and short, so that no name becomes too long.
pub(super) fn temporary_path(path: &Path, index: usize) -> PathBuf {
    path.with_file_name(format!("{ASIDE}{index}.tmp"))
}

/// The folder of the journal and the lock.
pub(super) fn folder(root: &Path) -> PathBuf {
    root.join(FOLDER)
}

/// The path of the journal before the run is committed.
pub(super) fn pending_file(root: &Path) -> PathBuf {
    folder(root).join("pending.json")
}

/// The path of the journal once the run is committed.
pub(super) fn journal_file(root: &Path) -> PathBuf {
    folder(root).join("journal.json")
}
