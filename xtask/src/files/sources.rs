//! Where bytes come from, and the texts that spans point into.

use crate::Text;
use crate::diag::FileId;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// The one way in which source reaches the reader: a disk, a git tree, or a test's string.
pub trait Read: Send + Sync {
    /// The bytes of a file.
    ///
    /// # Errors
    /// Whatever keeps the file from being read; `NotFound` when it is not there.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Whether there is such a file.
    fn is_file(&self, path: &Path) -> bool;

    /// The same file under its one true name, so that links cannot make a module include itself unseen.
    ///
    /// # Errors
    /// When the file is not there.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// The files right inside a folder, sorted.
    ///
    /// # Errors
    /// Whatever keeps the folder from being listed; `NotFound` when it is not there.
    fn list(&self, dir: &Path) -> io::Result<Vec<PathBuf>>;
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Read for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        path.canonicalize()
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(dir)? {
            let path = entry?.path();
            if path.is_file() {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
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

    fn list(&self, dir: &Path) -> io::Result<Vec<PathBuf>> {
        if !self.0.keys().any(|path| path.starts_with(dir)) {
            return Err(io::Error::from(io::ErrorKind::NotFound));
        }
        let inside = self.0.keys().filter(|path| path.parent() == Some(dir));
        Ok(inside.cloned().collect())
    }
}

/// One file that was read.
#[derive(Debug)]
pub struct SourceFile {
    /// How messages call it: relative to the workspace root, with `/`; for dependencies `name-version/path`.
    pub shown: Text,
    /// What stands in it.
    pub text: Text,
}

/// All files of a run, by the id that spans carry. Append-only and shared between threads.
#[derive(Debug, Default)]
pub struct Sources {
    files: RwLock<Vec<Arc<SourceFile>>>,
}

impl Sources {
    /// Registers a text.
    pub fn add(&self, shown: impl Into<Text>, text: impl Into<Text>) -> FileId {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        let id = FileId(u32::try_from(files.len()).unwrap_or(u32::MAX));
        files.push(Arc::new(SourceFile {
            shown: shown.into(),
            text: text.into(),
        }));
        id
    }

    /// The file of a span.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<Arc<SourceFile>> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        files.get(id.0 as usize).cloned()
    }
}
