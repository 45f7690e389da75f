//! Where bytes come from, and the texts that spans point into.

use crate::Text;
use crate::diag::FileId;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// How deep folders are walked into: links may lead them back into themselves.
pub const DEEPEST_FOLDER: usize = 24;

/// The one way in which source reaches the reader: a disk, a git tree, or a test's string.
pub trait Read: Send + Sync {
    /// The bytes of a file.
    ///
    /// # Errors
    /// Whatever keeps the file from being read; `NotFound` when it is not there.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The text of a file.
    ///
    /// # Errors
    /// As [`Read::read`]; `InvalidData` where it is not UTF-8.
    fn read_text(&self, path: &Path) -> io::Result<String> {
        String::from_utf8(self.read(path)?)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
    }

    /// Whether there is such a file.
    fn is_file(&self, path: &Path) -> bool;

    /// The same file under its one true name, so that links cannot make a module include itself unseen.
    ///
    /// # Errors
    /// When the file is not there.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// What stands directly in a folder, files and folders, sorted.
    ///
    /// # Errors
    /// When there is no such folder.
    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>>;
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Read for Disk {
    /// Named pipes, sockets and devices are not read: whoever opens one may wait for ever. A shell's `<(..)` is one that
    /// somebody writes into.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let kind = std::fs::metadata(path)?.file_type();
        let is_of_shell = path.starts_with("/dev/fd") || path == Path::new("/dev/stdin");
        if kind.is_file() || kind.is_dir() || is_of_shell {
            return std::fs::read(path);
        }
        Err(io::Error::other("it is not a plain file"))
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        path.canonicalize()
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            entries.push(entry?.path());
        }
        entries.sort();
        Ok(entries)
    }
}

/// Files that exist only in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory(pub BTreeMap<PathBuf, Vec<u8>>);

impl Read for Memory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0
            .get(path)
            .cloned()
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn is_file(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.is_file(path)
            .then(|| path.to_path_buf())
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut entries: Vec<PathBuf> = self
            .0
            .keys()
            .filter_map(|path| path.strip_prefix(folder).ok()?.iter().next())
            .map(|name| folder.join(name))
            .collect();
        entries.dedup();
        if entries.is_empty() {
            return Err(io::Error::from(io::ErrorKind::NotFound));
        }
        Ok(entries)
    }
}

/// One file that was read.
#[derive(Debug)]
pub struct SourceFile {
    /// How messages call it: relative to the workspace root, with `/`; for dependencies `name-version/path`.
    pub shown: Text,
    /// What stands in it.
    pub text: Text,
    /// Whether it belongs to a dependency, where nobody here can change it.
    pub foreign: bool,
}

impl SourceFile {
    /// The line that a byte stands in, counted from 1; none where no character begins there.
    #[must_use]
    pub fn line(&self, byte: u32) -> Option<usize> {
        let before = self.text.get(..usize::try_from(byte).ok()?)?;
        Some(before.matches('\n').count() + 1)
    }
}

/// All files of a run, by the id that spans carry. Append-only and shared between threads.
#[derive(Debug, Default)]
pub struct Sources {
    first: u32,
    files: RwLock<Vec<Arc<SourceFile>>>,
}

impl Sources {
    /// No texts yet. The ids of those to come begin with `first`, so that they can be told from those of other sources.
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

    /// Registers a text, which may be a dependency's.
    pub fn add_of(&self, foreign: bool, shown: impl Into<Text>, text: impl Into<Text>) -> FileId {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        let index = u32::try_from(files.len()).unwrap_or(u32::MAX);
        let id = FileId(self.first.saturating_add(index));
        files.push(Arc::new(SourceFile {
            shown: shown.into(),
            text: text.into(),
            foreign,
        }));
        id
    }

    /// The file that messages call so, if it was read.
    #[must_use]
    pub fn called(&self, shown: &str) -> Option<FileId> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let index = files.iter().position(|file| *file.shown == *shown)?;
        let index = u32::try_from(index).ok()?;
        Some(FileId(self.first.saturating_add(index)))
    }

    /// The file of a span.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<Arc<SourceFile>> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let index = id.0.checked_sub(self.first)?;
        files.get(index as usize).cloned()
    }
}
