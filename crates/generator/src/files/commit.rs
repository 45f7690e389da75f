//! Replacing many files so that a kill at any moment leaves all of them old or lets the next run make all of them new.
//!
//! The steps: `pending.json` says what will happen; every new file is written beside its place under a hidden name;
//! `pending.json` becomes `journal.json`, which is the moment of decision; files are renamed into place and orphans
//! removed; the journal is removed. A run that finds `pending.json` undoes, one that finds `journal.json` completes.
//!
//! Nothing waits for the disk: a kill loses nothing that was written, and after a power cut the next run compares and writes
//! again what it finds torn.

use super::fault::{Fault, UNSETTLED, failed, shown};
use super::journal::{FORMAT, Journal, Refusal, Replace, Root, journal_file, pending_file};
use super::lock::{Lock, lock};
use super::steps::{Broken, Place};
use super::write::Write;
use crate::diag::Diagnostic;
use std::io;
use std::path::Path;

/// What was found of a run that did not reach its end, and what became of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Recovered {
    /// It had not written everything: its temporary files were removed, and all files are as they were before it.
    Undone,
    /// It had written everything: what was left to put in place was put in place.
    Completed {
        /// Files that could not be put in place, since somebody removed or changed what the run had written. They may be
        /// old or new; comparing tells.
        lost: Vec<String>,
    },
    /// Its journal cannot be read, so it was removed. Every file is whole, some may be old and others new; comparing tells.
    Unreadable,
}

/// What a run is about to do.
pub(super) struct Work<'a> {
    root: &'a Path,
    state: &'a Path,
    replace: Vec<(String, &'a [u8])>,
    remove: Vec<String>,
}

impl<'a> Work<'a> {
    pub(super) fn new(root: &'a Path, state: &'a Path) -> Self {
        Self {
            root,
            state,
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
    pub(super) fn commit(self, disk: &dyn Write, _lock: &Lock) -> Result<(), Box<Diagnostic>> {
        let Self {
            root,
            state,
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
                    },
                    bytes,
                )
            })
            .unzip();
        let journal = Journal {
            format: FORMAT,
            root: Root::between(root, state),
            replace: paths,
            remove,
        };
        let place = Place { root, state, disk };
        if let Err(fault) = place.write_aside(&journal, &contents) {
            return Err(fault.report(place.take_back(&journal)));
        }
        match place.complete(&journal) {
            Ok(lost) => match lost.first() {
                None => Ok(()),
                Some(path) => Err(failed(
                    format!("cannot write `{path}`: another program changed its temporary file"),
                    "the other files are written; run the command again",
                )),
            },
            Err(Broken { done: 0, fault }) => Err(fault.report(place.take_back(&journal))),
            Err(Broken { done, fault }) => Err(fault.report(format!(
                "{done} of {total} changes are made and every file is whole; fix the reason and run the command again: \
                 it makes the others first"
            ))),
        }
    }
}

/// Settles what a run left behind that did not reach its end; none when there is nothing. To be called before files that
/// a plan may have written are read or written.
///
/// # Errors
/// `write-failed` when the disk refuses, when another run is writing, or when a newer version of this tool left it behind.
pub fn recover(
    state: &Path,
    root: &Path,
    disk: &dyn Write,
) -> Result<Option<Recovered>, Box<Diagnostic>> {
    let mut any = false;
    for path in [pending_file(state), journal_file(state)] {
        let entry = disk
            .look(&path)
            .map_err(|error| unsettled(Fault::new("look at", &path, root, &error)))?;
        any |= entry.is_some();
    }
    if !any {
        return Ok(None);
    }
    let lock = lock(state, root, disk)?;
    settle(state, root, disk, &lock)
}

/// The same for a run that has the lock.
pub(super) fn settle(
    state: &Path,
    root: &Path,
    disk: &dyn Write,
    _lock: &Lock,
) -> Result<Option<Recovered>, Box<Diagnostic>> {
    let place = Place { root, state, disk };
    let (decided, pending) = (journal_file(state), pending_file(state));
    let completed = match read(&place, &decided)? {
        Left::Nothing => None,
        Left::Torn => {
            place.remove(&decided).map_err(unsettled)?;
            Some(Recovered::Unreadable)
        }
        Left::Whole(journal) => {
            let root = &journal.root.resolve(state);
            let lost = Place { root, state, disk }
                .complete(&journal)
                .map_err(|Broken { done: _, fault }| unsettled(fault))?;
            Some(Recovered::Completed { lost })
        }
    };
    let undone = match read(&place, &pending)? {
        Left::Nothing => None,
        // Nothing is written aside before `pending.json` is whole.
        Left::Torn => {
            place.remove(&pending).map_err(unsettled)?;
            Some(Recovered::Undone)
        }
        Left::Whole(journal) => {
            let root = &journal.root.resolve(state);
            Place { root, state, disk }
                .undo(&journal)
                .map_err(unsettled)?;
            Some(Recovered::Undone)
        }
    };
    Ok(completed.or(undone))
}

/// What an earlier run left in one of the two places.
enum Left {
    Nothing,
    Torn,
    Whole(Journal),
}

fn read(place: &Place<'_>, path: &Path) -> Result<Left, Box<Diagnostic>> {
    let bytes = match place.disk.load(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Left::Nothing),
        Err(error) => return Err(unsettled(Fault::new("read", path, place.root, &error))),
    };
    let shown = shown(path, place.root);
    match Journal::parse(&bytes) {
        Ok(journal) => Ok(Left::Whole(journal)),
        Err(Refusal::Torn) => Ok(Left::Torn),
        Err(Refusal::Newer) => Err(failed(
            format!("`{shown}` was left by a newer version of this tool, stopped while it wrote"),
            format!(
                "nothing was changed; run that version again to let it finish, or remove `{shown}` and generate anew"
            ),
        )),
    }
}

fn unsettled(fault: Fault) -> Box<Diagnostic> {
    fault.report(UNSETTLED)
}
