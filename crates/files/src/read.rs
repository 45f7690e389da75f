//! The sources of bytes: a disk, a git tree, or a test's memory.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// How many levels of folders are walked, since links may form cycles.
pub const DEEPEST_FOLDER: usize = 24;

/// Whether a walk of all folders below another skips this one: it skips build output and hidden folders.
#[must_use]
pub fn is_left_out(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name == "target" || name.starts_with('.'))
}

/// The only way in which source is read: from a disk, a git tree, or a test's string.
pub trait Read: Send + Sync {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file cannot be read; `NotFound` if it does not exist.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Reads a text file.
    ///
    /// # Errors
    /// Like [`Read::read`]; `InvalidData` if it is not UTF-8.
    fn read_text(&self, path: &Path) -> io::Result<String> {
        text_of(self.read(path)?)
    }

    /// Whether the file exists.
    fn is_file(&self, path: &Path) -> bool;

    /// The canonical path of a file, so that links cannot hide that a module includes itself. It has the form that cargo writes,
    /// `C:\a` and not `\\?\C:\a`.
    ///
    /// # Errors
    /// If the file does not exist.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// Lists the files and folders directly in a folder, sorted.
    ///
    /// # Errors
    /// If the folder does not exist.
    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>>;
}

/// The text of a file or of standard input.
///
/// # Errors
/// `InvalidData` if it is not UTF-8.
pub fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        // Windows writes the mark of byte order in front of such texts.
        let is_utf16 = [[0xff, 0xfe], [0xfe, 0xff]]
            .iter()
            .any(|mark| error.as_bytes().starts_with(mark));
        if is_utf16 {
            io::Error::new(io::ErrorKind::InvalidData, "it is UTF-16; save it as UTF-8")
        } else {
            io::Error::new(io::ErrorKind::InvalidData, error.utf8_error())
        }
    })
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Read for Disk {
    /// Named pipes, sockets and devices are refused, since opening one may block for ever. A shell's `<(..)` is a pipe that has
    /// a writer.
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
        path.canonicalize().map(plain)
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

/// Windows' canonical paths begin with `\\?\`, which neither users nor cargo write: to std, `\\?\C:\a` is not below `C:\`.
fn plain(path: PathBuf) -> PathBuf {
    let text = path.to_str();
    let Some(inside) = text.and_then(|text| text.strip_prefix(r"\\?\")) else {
        return path;
    };
    match inside.strip_prefix(r"UNC\") {
        Some(share) => format!(r"\\{share}").into(),
        None => inside.into(),
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

#[cfg(test)]
mod tests {
    use super::plain;
    use std::path::Path;

    #[test]
    fn canonical_paths_have_the_form_of_cargo() {
        for (path, expected) in [
            (r"\\?\C:\src\api", r"C:\src\api"),
            (r"\\?\UNC\server\share\api", r"\\server\share\api"),
            (r"C:\src", r"C:\src"),
            ("/srv/api", "/srv/api"),
        ] {
            assert_eq!(plain(path.into()), Path::new(expected));
        }
    }
}
