//! The lock that lets only one run write at a time. The folder with the lock and the journal exists only while it is needed.

use super::fault::{Fault, UNTOUCHED, display_path, failed};
use super::journal::{folder, journal_file, pending_file};
use super::read::Disk;
use super::steps::Destination;
use super::write::{Entry, Write};
use crd_channels_diagnostics::Diagnostic;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a run waits for another one that is writing.
const PATIENCE: Duration = Duration::from_secs(5);

/// The content of a `.gitignore` that hides the folder from git.
const IGNORED: &[u8] = b"*\n";

/// Proof that no other run writes below a root. Dropping it removes the folder, unless the folder has a journal.
pub struct Lock<'a> {
    root: PathBuf,
    disk: &'a dyn Write,
    /// `None` while it is being dropped.
    file: Option<File>,
}

/// Why the lock could not be taken.
pub(super) enum Unlocked {
    /// Another run holds it.
    Taken,
    /// The disk failed.
    Refused(Fault),
}

/// Takes the lock of a root before anything below it is read, so that no other run can change what this one builds on. Waits a
/// little for a run that holds it. `None` if the disk cannot be written; then nothing needs to be kept from changing.
///
/// # Errors
/// `write-failed` if another run still holds it.
pub fn hold(root: &Path) -> Result<Option<Lock<'static>>, Box<Diagnostic>> {
    match lock(root, &Disk) {
        Ok(lock) => Ok(Some(lock)),
        Err(Unlocked::Refused(_)) => Ok(None),
        Err(taken @ Unlocked::Taken) => Err(taken.report(root)),
    }
}

/// Takes the lock; waits a little for a run that holds it.
pub(super) fn lock<'a>(root: &Path, disk: &'a dyn Write) -> Result<Lock<'a>, Unlocked> {
    lock_within(PATIENCE, root, disk)
}

pub(super) fn lock_within<'a>(
    patience: Duration,
    root: &Path,
    disk: &'a dyn Write,
) -> Result<Lock<'a>, Unlocked> {
    let destination = Destination { root, disk };
    take(patience, &destination)
        .map(|file| Lock {
            root: root.to_path_buf(),
            disk,
            file: Some(file),
        })
        .inspect_err(|_| {
            // No run holds the lock, so the folder made for it is useless.
            if matches!(disk.look(&lock_file(root)), Ok(None)) {
                close(&destination, None);
            }
        })
}

fn take(patience: Duration, destination: &Destination<'_>) -> Result<File, Unlocked> {
    let path = lock_file(destination.root);
    let start = Instant::now();
    loop {
        open(destination).map_err(Unlocked::Refused)?;
        match destination.disk.lock(&path) {
            Ok(Some(file)) => {
                // A run that ended may have removed this file together with its own folder.
                hide(destination).map_err(Unlocked::Refused)?;
                return Ok(file);
            }
            Ok(None) if start.elapsed() >= patience => return Err(Unlocked::Taken),
            Ok(None) => {}
            // A run that ended removed the folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound && start.elapsed() < patience => {
            }
            Err(error) => return Err(Unlocked::Refused(destination.fault("lock", &path)(error))),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Creates the folder, and hides it from git before it has any other file.
fn open(destination: &Destination<'_>) -> Result<(), Fault> {
    let folder = folder(destination.root);
    match destination.look(&folder)? {
        Some(Entry::Folder) => {}
        Some(other) => return Err(Fault::in_the_way(&folder, destination.root, other)),
        None => destination.ensure_folder(&folder)?,
    }
    hide(destination)
}

fn hide(destination: &Destination<'_>) -> Result<(), Fault> {
    let path = ignore_file(destination.root);
    if destination.look(&path)?.is_some() {
        return Ok(());
    }
    match destination.disk.store(&path, IGNORED) {
        // Another run was faster, or the folder has just been removed, which taking the lock will detect.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound
            ) =>
        {
            Ok(())
        }
        stored => stored.map_err(destination.fault("write", &path)),
    }
}

/// Removes everything that was created for a lock. Files that cannot be removed do no harm, and the next run tries again.
fn close(destination: &Destination<'_>, lock: Option<File>) {
    let Destination { root, disk } = *destination;
    // The lock goes after the file that hides it: a run that creates a new one hides it again.
    let _ = disk.remove(&ignore_file(root));
    let _ = disk.remove(&lock_file(root));
    // Some disks of Windows keep a removed file in its folder until it is closed.
    drop(lock);
    let _ = disk.remove_folder(&folder(root));
}

fn lock_file(root: &Path) -> PathBuf {
    folder(root).join("lock")
}

fn ignore_file(root: &Path) -> PathBuf {
    folder(root).join(".gitignore")
}

impl Unlocked {
    /// Reports the failure for a run that has changed nothing yet.
    pub(super) fn report(self, root: &Path) -> Box<Diagnostic> {
        match self {
            Unlocked::Taken => failed(
                format!(
                    "another run is at work: `{}` is locked",
                    display_path(&lock_file(root), root)
                ),
                "nothing was changed; wait until the other run has ended and run the command again",
            ),
            Unlocked::Refused(fault) => fault.report(UNTOUCHED),
        }
    }
}

impl Lock<'_> {
    /// Whether this is the lock of a root, whichever way leads there.
    #[must_use]
    pub fn is_of(&self, root: &Path) -> bool {
        let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        canonical(&self.root) == canonical(root)
    }
}

impl fmt::Debug for Lock<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lock({})", self.root.display())
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        let Self { root, disk, file } = self;
        let is_gone = |path: PathBuf| matches!(disk.look(&path), Ok(None));
        if is_gone(pending_file(root)) && is_gone(journal_file(root)) {
            close(&Destination { root, disk: *disk }, file.take());
        }
    }
}
