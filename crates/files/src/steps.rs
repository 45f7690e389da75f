//! The steps of a journal, forwards and backwards. A later run may repeat each of them.

use super::fault::{Fault, UNTOUCHED};
use super::fingerprint::digest;
use super::journal::{Journal, Replace, journal_file, pending_file, temporary_path};
use super::write::{Entry, Write};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// A completion that failed, and how many renames and removals it made before.
pub(super) struct Broken {
    pub(super) done: usize,
    pub(super) fault: Fault,
}

/// The root and the disk that a journal applies to.
#[derive(Clone, Copy)]
pub(super) struct Destination<'a> {
    pub(super) root: &'a Path,
    pub(super) disk: &'a dyn Write,
}

impl Destination<'_> {
    pub(super) fn fault(
        &self,
        doing: &'static str,
        path: &Path,
    ) -> impl FnOnce(io::Error) -> Fault {
        move |error| Fault::new(doing, path, self.root, &error)
    }

    /// Takes every step up to the commit.
    pub(super) fn write_aside(&self, journal: &Journal, contents: &[&[u8]]) -> Result<(), Fault> {
        let pending = pending_file(self.root);
        let text = serde_json::to_vec(journal)
            .map_err(io::Error::from)
            .map_err(self.fault("write", &pending))?;
        self.disk
            .store(&pending, &text)
            .map_err(self.fault("write", &pending))?;
        for folder in &journal.folders {
            self.ensure_folder(&self.root.join(folder))?;
        }
        let files: Vec<(usize, (&Replace, &&[u8]))> =
            journal.replace.iter().zip(contents).enumerate().collect();
        files.par_iter().try_for_each(|(index, (file, bytes))| {
            let path = self.root.join(&file.path);
            self.disk
                .store(&temporary_path(&path, *index), bytes)
                .map_err(self.fault("write", &path))
        })?;
        let decided = journal_file(self.root);
        self.disk
            .rename(&pending, &decided)
            .map_err(self.fault("write", &decided))
    }

    /// Takes every step after the commit; each may have been taken already. Returns the files that were lost.
    pub(super) fn complete(&self, journal: &Journal) -> Result<Vec<String>, Broken> {
        let mut done = 0;
        let mut lost = Vec::new();
        let Journal {
            format: _,
            purpose: _,
            folders: _,
            replace,
            remove,
        } = journal;
        for (index, file) in replace.iter().enumerate() {
            match self.put_in_place(file, index) {
                Ok(true) => done += 1,
                Ok(false) => lost.push(file.path.clone()),
                Err(fault) => return Err(Broken { done, fault }),
            }
        }
        for path in remove {
            match self.remove(&self.root.join(path)) {
                Ok(()) => done += 1,
                Err(fault) => return Err(Broken { done, fault }),
            }
        }
        self.remove(&journal_file(self.root))
            .map_err(|fault| Broken { done, fault })?;
        Ok(lost)
    }

    /// Puts a new file in place. Returns whether the target is now the new file.
    fn put_in_place(&self, file: &Replace, index: usize) -> Result<bool, Fault> {
        let path = self.root.join(&file.path);
        let aside = temporary_path(&path, index);
        match self.look(&aside)? {
            Some(Entry::File(length)) if length == file.length => {
                self.disk
                    .rename(&aside, &path)
                    .map_err(self.fault("write", &path))?;
                Ok(true)
            }
            Some(Entry::File(_)) => {
                self.remove(&aside)?;
                Ok(false)
            }
            _ => self.is_in_place(file),
        }
    }

    fn is_in_place(&self, file: &Replace) -> Result<bool, Fault> {
        let path = self.root.join(&file.path);
        if self.look(&path)? != Some(Entry::File(file.length)) {
            return Ok(false);
        }
        let bytes = self.disk.load(&path).map_err(self.fault("read", &path))?;
        Ok(digest(&bytes) == file.digest)
    }

    pub(super) fn look(&self, path: &Path) -> Result<Option<Entry>, Fault> {
        self.disk.look(path).map_err(self.fault("look at", path))
    }

    /// Removes the temporary files, the folders that were created for them, and then the journal.
    pub(super) fn undo(&self, journal: &Journal) -> Result<(), Fault> {
        for (index, file) in journal.replace.iter().enumerate() {
            self.remove(&temporary_path(&self.root.join(&file.path), index))?;
        }
        for folder in journal.folders.iter().rev() {
            // Folders that have other files stay.
            let _ = self.disk.remove_folder(&self.root.join(folder));
        }
        self.remove(&pending_file(self.root))
    }

    /// Whether none of the new files exists, neither under its temporary name nor in place: the user restored the old files.
    pub(super) fn is_given_up(&self, journal: &Journal) -> Result<bool, Fault> {
        for (index, file) in journal.replace.iter().enumerate() {
            let aside = temporary_path(&self.root.join(&file.path), index);
            if self.look(&aside)?.is_some() || self.is_in_place(file)? {
                return Ok(false);
            }
        }
        Ok(!journal.replace.is_empty())
    }

    /// Undoes the work after a fault; returns how that went, as help.
    pub(super) fn take_back(&self, journal: &Journal) -> String {
        let pending = pending_file(self.root);
        let decided = journal_file(self.root);
        let undecided = match self.disk.rename(&decided, &pending) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(self.fault("rename", &decided)(error)),
        };
        match undecided.and_then(|()| self.undo(journal)) {
            Ok(()) => UNTOUCHED.to_owned(),
            Err(fault) => format!(
                "no file was changed, but temporary files could not be removed ({fault}); fix the cause and run the command again to remove them"
            ),
        }
    }

    /// The missing folders of the files, outer ones first.
    pub(super) fn missing_folders(&self, files: &[Replace]) -> Result<Vec<String>, Fault> {
        let mut missing = BTreeSet::new();
        for file in files {
            let mut path = file.path.as_str();
            while let Some((folder, _)) = path.rsplit_once('/') {
                if missing.contains(folder) {
                    break;
                }
                if self.look(&self.root.join(folder))?.is_some() {
                    break;
                }
                missing.insert(folder.to_owned());
                path = folder;
            }
        }
        Ok(missing.into_iter().collect())
    }

    /// Removes a file; ignores a missing one.
    pub(super) fn remove(&self, path: &Path) -> Result<(), Fault> {
        match self.disk.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(self.fault("remove", path)(error))
            }
            _ => Ok(()),
        }
    }

    /// Creates a folder and its missing parents.
    pub(super) fn ensure_folder(&self, folder: &Path) -> Result<(), Fault> {
        let mut missing = Vec::new();
        for above in folder.ancestors() {
            match self.disk.make_folder(above) {
                Ok(()) => break,
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
                _ => {}
            }
        }
        Ok(())
    }
}
