//! The operations of a disk that writing needs, each on its own, so that a test can make any of them fail.

use super::{Disk, Read as _};
use same_file::Handle;
use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::Path;

/// The kind of an entry in a folder.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Entry {
    /// A plain file, with its length in bytes.
    File(u64),
    /// A folder.
    Folder,
    /// A symbolic link, wherever it leads.
    Link,
    /// A device, a pipe, a socket.
    Special,
}

impl Entry {
    /// The name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Entry::File(_) => "a file",
            Entry::Folder => "a folder",
            Entry::Link => "a symbolic link",
            Entry::Special => "a special file",
        }
    }
}

/// The only way in which files are written. Every method is one step that either happens or fails; only [`Write::store`] can
/// leave half of its work behind.
pub trait Write: Send + Sync {
    /// Returns the kind of an entry without following links; `None` if it does not exist.
    ///
    /// # Errors
    /// If the entry cannot be inspected.
    fn look(&self, path: &Path) -> io::Result<Option<Entry>>;

    /// The names and kinds of all entries directly in a folder, sorted by name. Names that are not UTF-8 are left out, since no
    /// plan has them.
    ///
    /// # Errors
    /// `NotFound` if the folder does not exist.
    fn entries(&self, folder: &Path) -> io::Result<Vec<(String, Entry)>>;

    /// Reads a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn load(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Writes a new file. An existing file is removed first, so that nothing is ever written through a link.
    ///
    /// # Errors
    /// If the file cannot be written; a part of it may exist then.
    fn store(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Creates one folder.
    ///
    /// # Errors
    /// `NotFound` if the parent is missing, `AlreadyExists` if the path exists.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty folder.
    ///
    /// # Errors
    /// If it does not exist or is not empty.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;

    /// Renames a file, replacing the file that has the new name.
    ///
    /// # Errors
    /// If the file cannot be renamed; it keeps its old name then.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// `NotFound` if it does not exist.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Takes the lock of that name until the file is dropped or the process ends; `None` while another process holds it. The
    /// holder may remove the file.
    ///
    /// # Errors
    /// If the lock file cannot be created.
    fn lock(&self, path: &Path) -> io::Result<Option<File>>;
}

impl Write for Disk {
    fn look(&self, path: &Path) -> io::Result<Option<Entry>> {
        match std::fs::symlink_metadata(path) {
            Ok(about) => Ok(Some(kind(&about.file_type(), about.len()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<(String, Entry)>> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let about = match entry.metadata() {
                Ok(about) => about,
                // Removed since the folder was opened.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            found.push((name, kind(&about.file_type(), about.len())));
        }
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(found)
    }

    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read(path)
    }

    fn store(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = match File::create_new(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                std::fs::remove_file(path)?;
                File::create_new(path)?
            }
            made => made?,
        };
        file.write_all(bytes)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        std::fs::create_dir(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_dir(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Option<File>> {
        // Windows refuses to lock a file that is only appended to.
        let file = File::options()
            .create(true)
            .read(true)
            .append(true)
            .open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            // Some network disks do not support locks, so no other run can be kept out.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // The previous holder may have removed the file since it was opened: then the next run locks another file of that name.
        let locked = Handle::from_file(file.try_clone()?)?;
        let is_there = Handle::from_path(path).is_ok_and(|there| there == locked);
        Ok(is_there.then_some(file))
    }
}

fn kind(file_type: &std::fs::FileType, length: u64) -> Entry {
    if file_type.is_file() {
        Entry::File(length)
    } else if file_type.is_dir() {
        Entry::Folder
    } else if file_type.is_symlink() {
        Entry::Link
    } else {
        Entry::Special
    }
}
