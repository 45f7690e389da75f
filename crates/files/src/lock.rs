//! One run writes at a time. The folder that has its lock and its journal is there only as long as they are needed.

use super::fault::{Fault, UNTOUCHED, display_path, failed};
use super::journal::{folder, journal_file, pending_file};
use super::steps::Destination;
use super::write::{Entry, Write};
use crd_channels_diagnostics::Diagnostic;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a run waits for another that is writing.
const PATIENCE: Duration = Duration::from_secs(5);

/// Keeps git from seeing the folder.
const IGNORED: &[u8] = b"*\n";

/// The proof that no other run writes below a root. When it is dropped the folder goes, unless a journal is in it.
pub(super) struct Lock<'a> {
    destination: Destination<'a>,
    _file: File,
}

/// Why the lock cannot be taken.
pub(super) enum Unlocked {
    /// Another run has it.
    Taken,
    /// The disk refuses.
    Refused(Fault),
}

/// Takes the lock; waits a little for a run that has it.
pub(super) fn lock<'a>(root: &'a Path, disk: &'a dyn Write) -> Result<Lock<'a>, Unlocked> {
    lock_within(PATIENCE, root, disk)
}

pub(super) fn lock_within<'a>(
    patience: Duration,
    root: &'a Path,
    disk: &'a dyn Write,
) -> Result<Lock<'a>, Unlocked> {
    let destination = Destination { root, disk };
    take(patience, &destination)
        .map(|file| Lock {
            destination,
            _file: file,
        })
        .inspect_err(|_| {
            // Nobody has it, so what was made for it is of no use.
            if matches!(disk.look(&lock_file(root)), Ok(None)) {
                close(&destination);
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
                // A run that ended may have taken this away with its own folder.
                hide(destination).map_err(Unlocked::Refused)?;
                return Ok(file);
            }
            Ok(None) if start.elapsed() >= patience => return Err(Unlocked::Taken),
            Ok(None) => {}
            // A run that ended took the folder away.
            Err(error) if error.kind() == io::ErrorKind::NotFound && start.elapsed() < patience => {
            }
            Err(error) => return Err(Unlocked::Refused(destination.fault("lock", &path)(error))),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Makes the folder, and hides it from git before anything else is in it.
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
        // Another run was faster, or the folder has just gone, which taking the lock will tell.
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

/// Takes all away that is made for a lock. What cannot be removed harms nobody, and the next run tries again.
fn close(destination: &Destination<'_>) {
    let Destination { root, disk } = *destination;
    // The lock after what hides it: whoever makes a new one hides it again.
    let _ = disk.remove(&ignore_file(root));
    let _ = disk.remove(&lock_file(root));
    let _ = disk.remove_folder(&folder(root));
}

fn lock_file(root: &Path) -> PathBuf {
    folder(root).join("lock")
}

fn ignore_file(root: &Path) -> PathBuf {
    folder(root).join(".gitignore")
}

impl Unlocked {
    /// For a run that wanted to write and has changed nothing yet.
    pub(super) fn report(self, root: &Path) -> Box<Diagnostic> {
        match self {
            Unlocked::Taken => failed(
                format!(
                    "another run is writing: `{}` is locked",
                    display_path(&lock_file(root), root)
                ),
                "nothing was changed; wait until the other run has ended and run the command again",
            ),
            Unlocked::Refused(fault) => fault.report(UNTOUCHED),
        }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        let Destination { root, disk } = self.destination;
        let is_gone = |path: PathBuf| matches!(disk.look(&path), Ok(None));
        if is_gone(pending_file(root)) && is_gone(journal_file(root)) {
            close(&self.destination);
        }
    }
}
