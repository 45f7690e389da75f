//! A disk that fails when a test asks for it, and records its operations.

use super::super::{Disk, Entry, Write, slashed};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Operation {
    Look,
    Entries,
    Load,
    Store,
    MakeFolder,
    RemoveFolder,
    Rename,
    Remove,
    Lock,
}

/// The outcome of an operation.
pub(super) enum Fate {
    Happens,
    Fails(io::Error),
    /// A [`Write::store`] that fails after writing so many bytes.
    FailsAfter(usize, io::Error),
}

type Rule<'a> = dyn FnMut(usize, Operation, &str, usize) -> Fate + Send + 'a;

pub(super) struct Faulty<'a> {
    inner: Mutex<Inner<'a>>,
}

struct Inner<'a> {
    log: Vec<(Operation, PathBuf)>,
    rule: Box<Rule<'a>>,
}

impl<'a> Faulty<'a> {
    /// Creates a disk that calls the rule before every operation, with its number, its kind, its path with `/` (for a
    /// rename the new one), and the number of bytes that it writes.
    pub(super) fn new(rule: impl FnMut(usize, Operation, &str, usize) -> Fate + Send + 'a) -> Self {
        let rule = Box::new(rule);
        Self {
            inner: Mutex::new(Inner {
                log: Vec::new(),
                rule,
            }),
        }
    }

    /// A disk without faults.
    pub(super) fn sound() -> Self {
        Self::new(|_, _, _, _| Fate::Happens)
    }

    /// Everything from the given operation on fails, as if the process was killed; a file that is being written is cut in the
    /// middle.
    pub(super) fn killed(at: usize) -> Self {
        Self::new(move |number, _, _, length| match number.cmp(&at) {
            std::cmp::Ordering::Less => Fate::Happens,
            std::cmp::Ordering::Equal if at.is_multiple_of(2) => {
                Fate::FailsAfter(length / 2, io::Error::other("killed"))
            }
            _ => Fate::Fails(io::Error::other("killed")),
        })
    }

    /// Like [`Faulty::killed`], from the first operation of that kind on a path that contains the part.
    pub(super) fn killed_at(operation: Operation, part: &'a str) -> Self {
        let mut killed = false;
        Self::new(move |_, found, path, _| {
            killed |= found == operation && path.contains(part);
            if killed {
                Fate::Fails(io::Error::other("killed"))
            } else {
                Fate::Happens
            }
        })
    }

    /// Every operation of that kind fails on paths that contain the part.
    pub(super) fn refusing(operation: Operation, part: &'a str, error: &'static str) -> Self {
        Self::new(move |_, found, path, _| {
            if found == operation && path.contains(part) {
                Fate::Fails(io::Error::other(error))
            } else {
                Fate::Happens
            }
        })
    }

    pub(super) fn log(&self) -> Vec<(Operation, PathBuf)> {
        self.inner
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .log
            .clone()
    }

    fn ask(&self, operation: Operation, path: &Path, length: usize) -> Fate {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let number = inner.log.len();
        inner.log.push((operation, path.to_path_buf()));
        (inner.rule)(number, operation, &slashed(path), length)
    }

    fn pass(&self, operation: Operation, path: &Path) -> io::Result<()> {
        match self.ask(operation, path, 0) {
            Fate::Happens => Ok(()),
            Fate::Fails(error) | Fate::FailsAfter(_, error) => Err(error),
        }
    }
}

impl Write for Faulty<'_> {
    fn look(&self, path: &Path) -> io::Result<Option<Entry>> {
        self.pass(Operation::Look, path)?;
        Disk.look(path)
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<(String, Entry)>> {
        self.pass(Operation::Entries, folder)?;
        Disk.entries(folder)
    }

    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.pass(Operation::Load, path)?;
        Disk.load(path)
    }

    fn store(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        match self.ask(Operation::Store, path, bytes.len()) {
            Fate::Happens => std::fs::write(path, bytes),
            Fate::Fails(error) => Err(error),
            Fate::FailsAfter(length, error) => {
                std::fs::write(path, &bytes[..length])?;
                Err(error)
            }
        }
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.pass(Operation::MakeFolder, path)?;
        Disk.make_folder(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.pass(Operation::RemoveFolder, path)?;
        Disk.remove_folder(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.pass(Operation::Rename, to)?;
        Disk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.pass(Operation::Remove, path)?;
        Disk.remove(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Option<File>> {
        self.pass(Operation::Lock, path)?;
        Disk.lock(path)
    }
}
