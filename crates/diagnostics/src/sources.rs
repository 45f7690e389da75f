//! The texts that spans point into.

use crate::lines::Lines;
use crate::{FileId, Text};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// A source file.
#[derive(Debug)]
pub struct SourceFile {
    /// Its path in messages: relative to the workspace root, with `/`; for dependencies `name-version/path`.
    pub shown: Text,
    /// Its content.
    pub text: Text,
    /// Whether it belongs to a dependency, so that the user cannot change it.
    pub foreign: bool,
    /// Read when they are needed first, since most files have no findings.
    lines: OnceLock<Lines>,
}

impl SourceFile {
    /// The line of a byte, counted from 1; `None` if the byte is not a character boundary.
    #[must_use]
    pub fn line(&self, byte: u32) -> Option<usize> {
        let byte = usize::try_from(byte).ok()?;
        let is_boundary = self.text.is_char_boundary(byte);
        is_boundary.then(|| self.lines().line(byte).0)
    }

    pub(crate) fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::of(&self.text))
    }
}

/// All files of a run, by the id that spans have. Append-only and shared between threads.
#[derive(Debug, Default)]
pub struct Sources {
    first: u32,
    files: RwLock<Vec<Arc<SourceFile>>>,
}

impl Sources {
    /// Creates an empty set whose ids begin with `first`, so that they differ from those of other sets.
    #[must_use]
    pub fn numbered_from(first: u32) -> Self {
        Self {
            first,
            ..Self::default()
        }
    }

    /// Registers a text of the workspace.
    pub fn add(&self, shown: impl Into<Text>, text: impl Into<Text>) -> FileId {
        self.add_of(false, shown, text)
    }

    /// Registers a text that may belong to a dependency.
    pub fn add_of(&self, foreign: bool, shown: impl Into<Text>, text: impl Into<Text>) -> FileId {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        let index = u32::try_from(files.len()).unwrap_or(u32::MAX);
        let id = FileId(self.first.saturating_add(index));
        files.push(Arc::new(SourceFile {
            shown: shown.into(),
            text: text.into(),
            foreign,
            lines: OnceLock::new(),
        }));
        id
    }

    /// The file with this path in messages, if it was read.
    #[must_use]
    pub fn file_named(&self, shown: &str) -> Option<FileId> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let index = files.iter().position(|file| *file.shown == *shown)?;
        let index = u32::try_from(index).ok()?;
        Some(FileId(self.first.saturating_add(index)))
    }

    /// The file with this id.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<Arc<SourceFile>> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let index = id.0.checked_sub(self.first)?;
        files.get(index as usize).cloned()
    }
}
