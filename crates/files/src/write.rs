//! What writing needs of a disk, one operation each, so that a test can make any of them fail.

use super::{Disk, Read as _};
use same_file::Handle;
use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::Path;

/// What stands under a name.
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
    /// How messages call it.
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

/// The one way in which files are written. Every method is one step that either happened or failed; only
/// [`Write::store`] can leave half of its work behind.
pub trait Write: Send + Sync {
    /// What stands there, without following a link; none when nothing does.
    ///
    /// # Errors
    /// Whatever keeps it from being looked at.
    fn look(&self, path: &Path) -> io::Result<Option<Entry>>;

    /// Names and kinds of everything directly in a folder, sorted by name. Names that are not UTF-8 are left out, since
    /// nobody plans them.
    ///
    /// # Errors
    /// `NotFound` when there is no such folder.
    fn entries(&self, folder: &Path) -> io::Result<Vec<(String, Entry)>>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// Whatever keeps the file from being read.
    fn load(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Writes a new file. A file that is there already is removed first, so that
    /// nothing is ever written through a link.
    ///
    /// # Errors
    /// Whatever keeps the file from being written; a part of it may be there then.
    fn store(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Makes one folder.
    ///
    /// # Errors
    /// `NotFound` when the folder above is missing, `AlreadyExists` when something stands there.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty folder.
    ///
    /// # Errors
    /// When it is not there, or something is in it.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;

    /// Gives a file another name, in place of the file that has it.
    ///
    /// # Errors
    /// Whatever keeps it from being renamed; it has its old name then.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// `NotFound` when it is not there.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Takes the lock of that name, until the file is dropped or its process ends; none while somebody else has it. Who has
    /// it may remove its file.
    ///
    /// # Errors
    /// When the lock file cannot be made.
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
                // Gone since the folder was opened.
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
        let file = File::options().create(true).append(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            // Some network disks know no locks; there nobody can be kept out.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Whoever had it may have removed it since it was opened: then the next one locks another file of that name.
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
