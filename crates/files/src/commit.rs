//! Replaces many files at once: a kill at any moment either leaves all of them old, or lets the next run make all of them new.
//!
//! The steps: `pending.json` records what will happen; every new file is written next to its target under a hidden name;
//! `pending.json` becomes `journal.json`, which commits the run; files are renamed into place and orphans removed; the journal
//! is removed. A run that finds `pending.json` undoes the interrupted run, one that finds `journal.json` completes it.
//!
//! Nothing is synced to the disk: a kill loses nothing that was written, and after a power cut the next run compares all files
//! and rewrites those that are torn.

use super::fault::{Fault, UNSETTLED, UNTOUCHED, display_path, failed};
use super::fingerprint::digest;
use super::journal::{
    FORMAT, Journal, Purpose, Refusal, Replace, folder, journal_file, pending_file,
};
use super::lock::{Lock, Unlocked, lock, lock_within};
use super::steps::{Broken, Destination};
use super::write::{Entry, Write};
use crd_channels_diagnostics::Diagnostic;
use std::io;
use std::path::Path;
use std::time::Duration;

/// The state of an interrupted run, and how it was resolved.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Recovered {
    /// It had not written everything. Its temporary files were removed, and all files are as they were before it.
    Undone {
        /// What the run meant to write; `None` if it was interrupted before it recorded that.
        what: Option<String>,
    },
    /// It had written everything. The remaining files were put in place.
    Completed {
        /// What the run meant to write.
        purpose: Purpose,
        /// Files that could not be put in place, because their temporary files were removed or changed. They may be old or new;
        /// compare to find out.
        lost: Vec<String>,
    },
    /// It had written everything, but the temporary files were removed, as git does when it restores the last commit. Nothing
    /// was done.
    GivenUp {
        /// What the run meant to write.
        what: String,
    },
    /// Its journal is unreadable and was removed. Every file is complete, but some may be old and others new; compare to find
    /// out.
    Unreadable,
    /// It had not written everything, and its temporary files cannot be removed. All files are as they were before it.
    Waiting {
        /// Why they cannot be removed.
        why: String,
    },
}

/// The changes that a run is about to make.
pub(super) struct Work<'a> {
    root: &'a Path,
    purpose: &'a Purpose,
    replace: Vec<(String, &'a [u8])>,
    remove: Vec<String>,
}

impl<'a> Work<'a> {
    pub(super) fn new(root: &'a Path, purpose: &'a Purpose) -> Self {
        Self {
            root,
            purpose,
            replace: Vec::new(),
            remove: Vec::new(),
        }
    }

    pub(super) fn replace(&mut self, path: &str, bytes: &'a [u8]) {
        self.replace.push((path.to_owned(), bytes));
    }

    pub(super) fn remove(&mut self, path: &str) {
        self.remove.push(path.to_owned());
    }

    /// Makes the changes, all or nothing as far as the disk allows.
    pub(super) fn commit(self, disk: &dyn Write, _lock: &Lock<'_>) -> Result<(), Box<Diagnostic>> {
        let Self {
            root,
            purpose,
            replace,
            remove,
        } = self;
        let total = replace.len() + remove.len();
        if total == 0 {
            return Ok(());
        }
        let (paths, contents): (Vec<Replace>, Vec<&[u8]>) = replace
            .into_iter()
            .map(|(path, bytes)| {
                (
                    Replace {
                        path,
                        length: bytes.len() as u64,
                        digest: digest(bytes),
                    },
                    bytes,
                )
            })
            .unzip();
        let destination = Destination { root, disk };
        let journal = Journal {
            format: FORMAT,
            purpose: purpose.clone(),
            folders: destination
                .missing_folders(&paths)
                .map_err(|fault| fault.report(UNTOUCHED))?,
            replace: paths,
            remove,
        };
        if let Err(fault) = destination.write_aside(&journal, &contents) {
            return Err(fault.report(destination.take_back(&journal)));
        }
        match destination.complete(&journal) {
            Ok(lost) => match lost.first() {
                None => Ok(()),
                Some(path) => Err(failed(
                    format!("cannot write `{path}`: another program changed its temporary file"),
                    "the other files are written; run the command again",
                )),
            },
            Err(Broken { done: 0, fault }) => Err(fault.report(destination.take_back(&journal))),
            Err(Broken { done, fault }) => Err(fault.report(format!(
                "{done} of {total} changes are made and every file is complete; fix the cause and run the command again to make the others"
            ))),
        }
    }
}

/// Completes or undoes an interrupted run; returns `None` if there is none. Call it before reading or writing files that a plan
/// may have written. If no run was interrupted, it only checks whether one folder exists.
///
/// # Errors
/// `write-failed` if the disk fails and some files are old and others new, if another run is writing, or if a newer version of
/// this tool wrote the journal.
pub fn recover(root: &Path, disk: &dyn Write) -> Result<Option<Recovered>, Box<Diagnostic>> {
    let destination = Destination { root, disk };
    let look = |path: &Path| destination.look(path).map_err(unsettled);
    if look(&folder(root))? != Some(Entry::Folder) {
        return Ok(None);
    }
    let decided = look(&journal_file(root))?.is_some();
    if !decided && look(&pending_file(root))?.is_none() {
        // Either a run is about to write, or one was stopped before it began or after it ended. Dropping the lock removes what
        // is left of it.
        drop(lock_within(Duration::ZERO, root, disk));
        return Ok(None);
    }
    match lock(root, disk) {
        Ok(lock) => recover_locked(root, disk, &lock),
        Err(Unlocked::Refused(why)) if decided => {
            Err(match read_journal(&destination, &journal_file(root))? {
                JournalState::Whole(journal) => incomplete(&journal.purpose.what, &why),
                JournalState::Torn | JournalState::Nothing => unsettled(why),
            })
        }
        Err(Unlocked::Refused(why)) => Ok(Some(Recovered::Waiting {
            why: why.to_string(),
        })),
        Err(taken @ Unlocked::Taken) => Err(taken.report(root)),
    }
}

/// Like [`recover`], for a run that holds the lock of the root.
///
/// # Errors
/// As [`recover`].
pub fn recover_locked(
    root: &Path,
    disk: &dyn Write,
    _lock: &Lock<'_>,
) -> Result<Option<Recovered>, Box<Diagnostic>> {
    let destination = Destination { root, disk };
    let decided = journal_file(root);
    let completed = match read_journal(&destination, &decided)? {
        JournalState::Nothing => None,
        JournalState::Torn => {
            destination.remove(&decided).map_err(unsettled)?;
            Some(Recovered::Unreadable)
        }
        JournalState::Whole(journal) if destination.is_given_up(&journal).map_err(unsettled)? => {
            destination.remove(&decided).map_err(unsettled)?;
            Some(Recovered::GivenUp {
                what: journal.purpose.what,
            })
        }
        JournalState::Whole(journal) => {
            let lost = destination
                .complete(&journal)
                .map_err(|Broken { done: _, fault }| incomplete(&journal.purpose.what, &fault))?;
            Some(Recovered::Completed {
                purpose: journal.purpose,
                lost,
            })
        }
    };
    let pending = pending_file(root);
    let (what, undone) = match read_journal(&destination, &pending)? {
        JournalState::Nothing => return Ok(completed),
        // No temporary file is written before `pending.json` is complete.
        JournalState::Torn => (None, destination.remove(&pending)),
        JournalState::Whole(journal) => (
            Some(journal.purpose.what.clone()),
            destination.undo(&journal),
        ),
    };
    let undone = match undone {
        Ok(()) => Recovered::Undone { what },
        Err(why) => Recovered::Waiting {
            why: why.to_string(),
        },
    };
    Ok(Some(completed.unwrap_or(undone)))
}

/// The content of `pending.json` or `journal.json`.
enum JournalState {
    Nothing,
    Torn,
    Whole(Journal),
}

fn read_journal(
    destination: &Destination<'_>,
    path: &Path,
) -> Result<JournalState, Box<Diagnostic>> {
    let bytes = match destination.disk.load(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(JournalState::Nothing),
        Err(error) => {
            return Err(unsettled(Fault::new(
                "read",
                path,
                destination.root,
                &error,
            )));
        }
    };
    let shown = display_path(path, destination.root);
    match Journal::parse(&bytes) {
        Ok(journal) => Ok(JournalState::Whole(journal)),
        Err(Refusal::Torn) => Ok(JournalState::Torn),
        Err(Refusal::Newer) => Err(failed(
            format!("`{shown}` was left by a newer version of this tool, stopped while it wrote"),
            format!(
                "nothing was changed; run that version again to let it finish, or remove `{shown}` and generate again"
            ),
        )),
    }
}

fn incomplete(what: &str, why: &Fault) -> Box<Diagnostic> {
    failed(
        format!("an interrupted run cannot be completed: {what}: {why}"),
        UNSETTLED,
    )
}

fn unsettled(fault: Fault) -> Box<Diagnostic> {
    fault.report(UNSETTLED)
}
