//! The journal of a run that writes: its form, its names, and how it is read back.

use super::plan::is_below;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Raised whenever the journal changes its meaning.
pub(super) const FORMAT: u64 = 1;

const ASIDE: &str = ".crd-channels-";

/// What a run that writes tells the next one, should it not reach its end.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Journal {
    pub(super) format: u64,
    pub(super) root: Root,
    /// What was written aside; the index is part of its temporary name.
    pub(super) replace: Vec<Replace>,
    pub(super) remove: Vec<String>,
}

/// Just enough to tell a newer journal from a broken one.
#[derive(Deserialize)]
struct Head {
    format: u64,
}

/// Where the paths begin. Relative where possible, so that a workspace may be moved between two runs.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Root {
    /// The number of folders above the state folder.
    Up(usize),
    /// There.
    At(PathBuf),
}

/// One new file.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Replace {
    pub(super) path: String,
    /// In bytes.
    pub(super) length: u64,
}

/// Why a journal cannot be followed.
pub(super) enum Refusal {
    /// A newer version of this tool wrote it.
    Newer,
    /// No version of this tool wrote it so.
    Torn,
}

impl Journal {
    /// A journal from its bytes; nothing in it leads out of its folder.
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
            root: _,
            replace,
            remove,
        } = self;
        *format == FORMAT
            && replace.iter().all(|file| is_below(&file.path))
            && remove.iter().all(|path| is_below(path))
    }
}

impl Root {
    pub(super) fn between(root: &Path, state: &Path) -> Self {
        match state.strip_prefix(root) {
            Ok(below) => Self::Up(below.components().count()),
            Err(_) => Self::At(std::path::absolute(root).unwrap_or_else(|_| root.to_path_buf())),
        }
    }

    pub(super) fn resolve(&self, state: &Path) -> PathBuf {
        match self {
            Self::Up(steps) => state.ancestors().nth(*steps).unwrap_or(state).to_path_buf(),
            Self::At(path) => path.clone(),
        }
    }
}

/// Whether a file of that name is one that this tool wrote aside.
pub(super) fn is_aside(name: &str) -> bool {
    name.strip_prefix(ASIDE)
        .and_then(|rest| rest.strip_suffix(".tmp"))
        .is_some_and(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Hidden, in the same folder, and short, so that no file name becomes too long by it.
pub(super) fn aside(path: &Path, index: usize) -> PathBuf {
    path.with_file_name(format!("{ASIDE}{index}.tmp"))
}

/// Where the journal stands while files are written aside.
pub(super) fn pending_file(state: &Path) -> PathBuf {
    state.join("pending.json")
}

/// Where the journal stands once everything is written aside.
pub(super) fn journal_file(state: &Path) -> PathBuf {
    state.join("journal.json")
}
