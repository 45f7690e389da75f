//! Where bytes come from: a disk, a git tree, or a test's memory.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// How deep folders are walked into: links may lead them back into themselves.
pub const DEEPEST_FOLDER: usize = 24;

/// Whether a folder is left out where all that lies below another is looked at: build output and hidden folders are, unless
/// somebody names them.
#[must_use]
pub fn is_left_out(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name == "target" || name.starts_with('.'))
}

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
