//! Replacing many files so that a kill at any moment leaves all of them old or lets the next run make all of them new.
//!
//! The steps: `pending.json` says what will happen; every new file is written beside its place under a hidden name;
//! `pending.json` becomes `journal.json`, which is the moment of decision; files are renamed into place and orphans
//! removed; the journal is removed. A run that finds `pending.json` undoes, one that finds `journal.json` completes.
//!
//! Nothing waits for the disk: a kill loses nothing that was written, and after a power cut the next run compares and writes
//! again what it finds torn.

use super::fault::{Fault, UNSETTLED, UNTOUCHED, failed, shown};
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

/// What was found of a run that did not reach its end, and what became of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Recovered {
    /// It had not written everything: its temporary files were removed, and all files are as they were before it.
    Undone {
        /// What it was to write; none where it had not come to say so.
        what: Option<String>,
    },
    /// It had written everything: what was left to put in place was put in place.
    Completed {
        /// What it was to write.
        purpose: Purpose,
        /// Files that could not be put in place, since somebody removed or changed what the run had written. They may be
        /// old or new; comparing tells.
        lost: Vec<String>,
    },
    /// It had written everything, and somebody removed what was left to put in place, as git does where it goes back to the
    /// last commit. Nothing was done.
    GivenUp {
        /// What it was to write.
        what: String,
    },
    /// Its journal cannot be read, so it was removed. Every file is whole, some may be old and others new; comparing tells.
    Unreadable,
    /// It had not written everything, and the disk does not let its temporary files be removed. All files are as they were
    /// before it.
    Waiting {
        /// What keeps them from being removed.
        why: String,
    },
}

/// What a run is about to do.
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

    /// Does it, all or nothing as far as the disk allows.
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

/// Completes or undoes what an interrupted run left behind; none when there is nothing. To be called before files that
/// a plan may have written are read or written. Where no run was stopped it looks whether one folder is there.
///
/// # Errors
/// `write-failed` when the disk refuses and some files are old and others new, when another run is writing, or when a newer
/// version of this tool left it behind.
pub fn recover(root: &Path, disk: &dyn Write) -> Result<Option<Recovered>, Box<Diagnostic>> {
    let destination = Destination { root, disk };
    let look = |path: &Path| destination.look(path).map_err(unsettled);
    if look(&folder(root))? != Some(Entry::Folder) {
        return Ok(None);
    }
    let decided = look(&journal_file(root))?.is_some();
    if !decided && look(&pending_file(root))?.is_none() {
        // Either a run is about to write, or one was stopped before it had begun or after it had ended. The lock, when it
        // is dropped, takes away what that left.
        drop(lock_within(Duration::ZERO, root, disk));
        return Ok(None);
    }
    match lock(root, disk) {
        Ok(lock) => recover_locked(root, disk, &lock),
        Err(Unlocked::Refused(why)) if decided => {
            Err(match read(&destination, &journal_file(root))? {
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

/// The same for a run that has the lock.
pub(super) fn recover_locked(
    root: &Path,
    disk: &dyn Write,
    _lock: &Lock<'_>,
) -> Result<Option<Recovered>, Box<Diagnostic>> {
    let destination = Destination { root, disk };
    let decided = journal_file(root);
    let completed = match read(&destination, &decided)? {
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
    let (what, undone) = match read(&destination, &pending)? {
        JournalState::Nothing => return Ok(completed),
        // Nothing is written aside before `pending.json` is whole.
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

/// What an earlier run left in one of the two places.
enum JournalState {
    Nothing,
    Torn,
    Whole(Journal),
}

fn read(destination: &Destination<'_>, path: &Path) -> Result<JournalState, Box<Diagnostic>> {
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
    let shown = shown(path, destination.root);
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
