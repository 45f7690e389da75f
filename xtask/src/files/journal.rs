//! Replacing many files so that a kill at any moment leaves all of them old or lets the next run make all of them new.
//!
//! The steps: `pending.json` says what will happen; every new file is written beside its place under a hidden name;
//! `pending.json` becomes `journal.json`, which is the moment of decision; files are renamed into place and orphans
//! removed; the journal is removed. A run that finds `pending.json` undoes, one that finds `journal.json` completes.
//! Each step is on the disk before the next begins.

use super::fault::{Fault, failed, shown};
use super::plan::is_below;
use super::write::{Entry, Write};
use crate::diag::Diagnostic;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Raised whenever the journal changes its meaning.
const FORMAT: u64 = 1;

/// How long a run waits for another that is writing.
const PATIENCE: Duration = Duration::from_secs(5);

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
    /// Its journal cannot be read, so it was set aside. Every file is whole, some may be old and others new; comparing tells.
    Unreadable,
}

/// What a run is about to do.
pub(super) struct Work<'a> {
    root: &'a Path,
    state: &'a Path,
    replace: Vec<(String, &'a [u8])>,
    remove: Vec<String>,
}

/// The proof that no other run writes.
pub(super) struct Lock {
    _file: File,
}

#[derive(Debug, Deserialize, Serialize)]
struct Journal {
    format: u64,
    root: Root,
    replace: Vec<Replace>,
    remove: Vec<String>,
}

/// Just enough to tell a newer journal from a broken one.
#[derive(Deserialize)]
struct Head {
    format: u64,
}

/// Where the paths begin. Relative where possible, so that a workspace may be moved between two runs.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Root {
    /// So many folders above the state folder.
    Up(usize),
    /// There.
    At(PathBuf),
}

#[derive(Debug, Deserialize, Serialize)]
struct Replace {
    path: String,
    length: u64,
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
                "{done} of {total} changes are made and every file is whole; mend the reason and run the command again: \
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
            .map_err(|error| Fault::new("look at", &path, root, &error).report(UNSETTLED))?;
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
    let completed = match place.read(&journal_file(state))? {
        Left::Nothing => None,
        Left::Broken => {
            place
                .remove(&journal_file(state))
                .map_err(|fault| fault.report(UNSETTLED))?;
            Some(Recovered::Unreadable)
        }
        Left::Whole(journal) => {
            let root = journal.root.resolve(state);
            let lost = Place {
                root: &root,
                state,
                disk,
            }
            .complete(&journal)
            .map_err(|Broken { done: _, fault }| fault.report(UNSETTLED))?;
            Some(Recovered::Completed { lost })
        }
    };
    let undone = match place.read(&pending_file(state))? {
        Left::Nothing => None,
        // Nothing is written aside before `pending.json` is whole.
        Left::Broken => {
            place
                .remove(&pending_file(state))
                .map_err(|fault| fault.report(UNSETTLED))?;
            Some(Recovered::Undone)
        }
        Left::Whole(journal) => {
            let root = journal.root.resolve(state);
            Place {
                root: &root,
                state,
                disk,
            }
            .undo(&journal)
            .map_err(|fault| fault.report(UNSETTLED))?;
            Some(Recovered::Undone)
        }
    };
    Ok(completed.or(undone))
}

/// Takes the lock; waits a little for a run that has it.
pub(super) fn lock(state: &Path, root: &Path, disk: &dyn Write) -> Result<Lock, Box<Diagnostic>> {
    lock_within(PATIENCE, state, root, disk)
}

fn lock_within(
    patience: Duration,
    state: &Path,
    root: &Path,
    disk: &dyn Write,
) -> Result<Lock, Box<Diagnostic>> {
    let place = Place { root, state, disk };
    place
        .ensure_folder(state)
        .map_err(|fault| fault.report(UNTOUCHED))?;
    let path = state.join("lock");
    let start = Instant::now();
    loop {
        match disk.lock(&path) {
            Ok(Some(file)) => return Ok(Lock { _file: file }),
            Ok(None) if start.elapsed() < patience => std::thread::sleep(Duration::from_millis(10)),
            Ok(None) => {
                return Err(failed(
                    format!("another run is writing: `{}` is locked", shown(&path, root)),
                    "nothing was changed; wait until the other run has ended and run the command again",
                ));
            }
            Err(error) => return Err(Fault::new("lock", &path, root, &error).report(UNTOUCHED)),
        }
    }
}

/// Whether a file of that name is one that this tool wrote aside.
pub(super) fn is_aside(name: &str) -> bool {
    name.strip_prefix(ASIDE)
        .and_then(|rest| rest.strip_suffix(".tmp"))
        .is_some_and(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()))
}

const ASIDE: &str = ".crd-channels-";
const UNTOUCHED: &str = "nothing was changed; mend the reason and run the command again";
const UNSETTLED: &str = "an earlier run was stopped while it wrote, and this one could not settle that; every file is whole, \
                         some may be old and others new; mend the reason and run the command again";

/// Hidden, in the same folder, and short, so that no file name becomes too long by it.
fn aside(path: &Path, index: usize) -> PathBuf {
    path.with_file_name(format!("{ASIDE}{index}.tmp"))
}

fn pending_file(state: &Path) -> PathBuf {
    state.join("pending.json")
}

fn journal_file(state: &Path) -> PathBuf {
    state.join("journal.json")
}

impl Root {
    fn between(root: &Path, state: &Path) -> Self {
        match state.strip_prefix(root) {
            Ok(below) => Self::Up(below.components().count()),
            Err(_) => Self::At(std::path::absolute(root).unwrap_or_else(|_| root.to_path_buf())),
        }
    }

    fn resolve(&self, state: &Path) -> PathBuf {
        match self {
            Self::Up(steps) => state.ancestors().nth(*steps).unwrap_or(state).to_path_buf(),
            Self::At(path) => path.clone(),
        }
    }
}

/// What stands in a journal's place.
enum Left {
    Nothing,
    Broken,
    Whole(Journal),
}

/// A completion that failed, after so many renames and removals.
struct Broken {
    done: usize,
    fault: Fault,
}

/// Where a journal is carried out.
struct Place<'a> {
    root: &'a Path,
    state: &'a Path,
    disk: &'a dyn Write,
}

impl Place<'_> {
    fn fault(&self, doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Fault {
        move |error| Fault::new(doing, path, self.root, &error)
    }

    /// Everything up to the moment of decision.
    fn write_aside(&self, journal: &Journal, contents: &[&[u8]]) -> Result<(), Fault> {
        let pending = pending_file(self.state);
        let text = serde_json::to_vec(journal)
            .map_err(io::Error::from)
            .map_err(self.fault("write", &pending))?;
        self.disk
            .store(&pending, &text)
            .map_err(self.fault("write", &pending))?;
        self.sync(self.state)?;
        let folders: BTreeSet<PathBuf> = journal
            .replace
            .iter()
            .filter_map(|file| self.folder(&file.path))
            .collect();
        for folder in &folders {
            self.ensure_folder(folder)?;
        }
        // Waiting for the disk is most of the work, and waiting in parallel costs little more than waiting once.
        let files: Vec<(usize, (&Replace, &&[u8]))> =
            journal.replace.iter().zip(contents).enumerate().collect();
        files.par_iter().try_for_each(|(index, (file, bytes))| {
            let path = self.root.join(&file.path);
            self.disk
                .store(&aside(&path, *index), bytes)
                .map_err(self.fault("write", &path))
        })?;
        for folder in &folders {
            self.sync(folder)?;
        }
        let decided = journal_file(self.state);
        self.disk
            .rename(&pending, &decided)
            .map_err(self.fault("write", &decided))?;
        self.sync(self.state)
    }

    /// Everything after the moment of decision; each step may have been done already. The answer is what was lost.
    fn complete(&self, journal: &Journal) -> Result<Vec<String>, Broken> {
        let mut done = 0;
        let mut lost = Vec::new();
        let Journal {
            format: _,
            root: _,
            replace,
            remove,
        } = journal;
        for (index, Replace { path, length }) in replace.iter().enumerate() {
            match self.put_in_place(&self.root.join(path), index, *length) {
                Ok(true) => done += 1,
                Ok(false) => lost.push(path.clone()),
                Err(fault) => return Err(Broken { done, fault }),
            }
        }
        for path in remove {
            match self.remove(&self.root.join(path)) {
                Ok(()) => done += 1,
                Err(fault) => return Err(Broken { done, fault }),
            }
        }
        self.close(journal, &journal_file(self.state))
            .map_err(|fault| Broken { done, fault })?;
        Ok(lost)
    }

    /// Whether the file is now the new one.
    fn put_in_place(&self, path: &Path, index: usize, length: u64) -> Result<bool, Fault> {
        let aside = aside(path, index);
        let look = |path: &Path| self.disk.look(path).map_err(self.fault("look at", path));
        match look(&aside)? {
            Some(Entry::File(found)) if found == length => {
                self.disk
                    .rename(&aside, path)
                    .map_err(self.fault("write", path))?;
                Ok(true)
            }
            Some(Entry::File(_)) => {
                self.remove(&aside)?;
                Ok(false)
            }
            _ => Ok(look(path)? == Some(Entry::File(length))),
        }
    }

    /// Removes what was written aside, and then what tells of it.
    fn undo(&self, journal: &Journal) -> Result<(), Fault> {
        for (index, file) in journal.replace.iter().enumerate() {
            self.remove(&aside(&self.root.join(&file.path), index))?;
        }
        self.close(journal, &pending_file(self.state))
    }

    /// Waits for the folders that were changed, and only then removes the journal.
    fn close(&self, journal: &Journal, told: &Path) -> Result<(), Fault> {
        let paths = journal
            .replace
            .iter()
            .map(|file| &file.path)
            .chain(&journal.remove);
        let folders: BTreeSet<PathBuf> = paths.filter_map(|path| self.folder(path)).collect();
        for folder in folders {
            match self.disk.sync_folder(&folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(self.fault("write to", &folder)(error));
                }
                _ => {}
            }
        }
        self.remove(told)?;
        self.sync(self.state)
    }

    /// Goes back to before the work began, after a fault; says how that went, as help.
    fn take_back(&self, journal: &Journal) -> String {
        let pending = pending_file(self.state);
        let decided = journal_file(self.state);
        let undecided = match self.disk.rename(&decided, &pending) {
            Ok(()) => self.sync(self.state),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(self.fault("rename", &decided)(error)),
        };
        match undecided.and_then(|()| self.undo(journal)) {
            Ok(()) => UNTOUCHED.to_owned(),
            Err(fault) => format!(
                "no file was changed, but what was written aside could not be removed ({fault}); mend the reason and run \
                 the command again: it settles that first"
            ),
        }
    }

    fn read(&self, path: &Path) -> Result<Left, Box<Diagnostic>> {
        let bytes = match self.disk.load(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Left::Nothing),
            Err(error) => return Err(self.fault("read", path)(error).report(UNSETTLED)),
        };
        let newer = serde_json::from_slice::<Head>(&bytes).is_ok_and(|head| head.format > FORMAT);
        if newer {
            let shown = shown(path, self.root);
            return Err(failed(
                format!(
                    "`{shown}` was left by a newer version of this tool, stopped while it wrote"
                ),
                format!(
                    "nothing was changed; run that version again to let it finish, or remove `{shown}` and generate anew"
                ),
            ));
        }
        let journal: Option<Journal> = serde_json::from_slice(&bytes).ok();
        Ok(match journal {
            Some(journal) if journal.is_sound() => Left::Whole(journal),
            _ => Left::Broken,
        })
    }

    fn folder(&self, path: &str) -> Option<PathBuf> {
        self.root.join(path).parent().map(Path::to_path_buf)
    }

    fn sync(&self, folder: &Path) -> Result<(), Fault> {
        self.disk
            .sync_folder(folder)
            .map_err(self.fault("write to", folder))
    }

    /// A file that is gone already is as good as removed.
    fn remove(&self, path: &Path) -> Result<(), Fault> {
        match self.disk.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(self.fault("remove", path)(error))
            }
            _ => Ok(()),
        }
    }

    /// Makes the folder and those above it that are missing.
    fn ensure_folder(&self, folder: &Path) -> Result<(), Fault> {
        let mut missing = Vec::new();
        for above in folder.ancestors() {
            match self.disk.make_folder(above) {
                Ok(()) => {
                    self.sync(above.parent().unwrap_or(above))?;
                    break;
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => break,
                Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push(above),
                Err(error) => return Err(self.fault("make the folder", above)(error)),
            }
        }
        for below in missing.into_iter().rev() {
            match self.disk.make_folder(below) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(self.fault("make the folder", below)(error));
                }
                _ => self.sync(below.parent().unwrap_or(below))?,
            }
        }
        Ok(())
    }
}

impl Journal {
    /// Whether it can have been written by this tool: nothing in it leads out of its folder.
    fn is_sound(&self) -> bool {
        let Self {
            format,
            root: _,
            replace,
            remove,
        } = self;
        *format == FORMAT
            && replace.iter().all(|file| is_below(&file.path))
            && remove.iter().all(|path| is_below(path))
    }
}
