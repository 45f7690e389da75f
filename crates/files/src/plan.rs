//! The files a run wants on disk, built in memory, compared with the disk, then written.

use super::commit::{Recovered, Work, recover_locked};
use super::fault::{Fault, UNSETTLED, UNTOUCHED, failed};
use super::journal::{self, Purpose, is_below};
use super::line_ends::has_text;
use super::lock::{Lock, lock};
use super::write::{Entry, Write};
use crd_channels_diagnostics::Diagnostic;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files that a run wants on disk, built in memory before any file is touched.
#[derive(Clone, Debug)]
pub struct Plan {
    purpose: Purpose,
    root: PathBuf,
    files: BTreeMap<String, String>,
    kept: BTreeSet<String>,
    gone: BTreeSet<String>,
    owned: Vec<String>,
    ours: Ours,
}

/// Decides by path and content which files in owned folders belong to a plan.
#[derive(Clone)]
struct Ours(Arc<Recognises>);

type Recognises = dyn Fn(&str, &[u8]) -> bool + Send + Sync;

impl fmt::Debug for Ours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ours")
    }
}

/// A file that differs from the plan.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Change {
    /// Relative to the plan's root, with `/`.
    pub path: String,
    /// How it differs.
    pub kind: ChangeKind,
    /// The content on disk; bytes that are not UTF-8 are shown as `U+FFFD`.
    pub old: Option<String>,
    /// The planned content; `None` for an orphan.
    pub new: Option<String>,
}

/// How a file differs from the plan.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ChangeKind {
    /// Planned, but missing.
    Missing,
    /// Planned, but has other bytes.
    Differs,
    /// Not planned, but in a folder that the plan owns.
    Orphan,
}

/// The changes that [`Plan::apply`] made. Paths are relative to the plan's root, sorted.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Applied {
    /// Files that did not exist.
    pub created: Vec<String>,
    /// Files that had other bytes.
    pub replaced: Vec<String>,
    /// Orphans that were removed.
    pub removed: Vec<String>,
    /// How many planned files were already up to date.
    pub unchanged: usize,
    /// The interrupted run that was settled first, if any.
    pub recovered: Option<Recovered>,
}

/// A change with the bytes on disk.
struct RawChange<'a> {
    path: String,
    kind: ChangeKind,
    old: Option<Vec<u8>>,
    new: Option<&'a str>,
}

impl Plan {
    /// Creates a plan for files below `root`, an absolute path. `what` names the files in the report of an interrupted run.
    /// `files` maps paths relative to `root`, with `/`, to contents. The `*.yaml` files directly in an `owned` folder
    /// (relative, too, and empty for `root`) belong to the plan: those that it does not name are orphans, as are temporary
    /// files that an interrupted run left there without a journal.
    #[must_use]
    pub fn new(
        what: impl Into<String>,
        root: PathBuf,
        files: BTreeMap<String, String>,
        owned: Vec<String>,
    ) -> Self {
        Self {
            purpose: Purpose {
                what: what.into(),
                left: None,
            },
            root,
            files,
            kept: BTreeSet::new(),
            gone: BTreeSet::new(),
            owned,
            ours: Ours(Arc::new(|_, _| true)),
        }
    }

    /// Limits orphans to files in owned folders that `ours` recognises by path and content.
    #[must_use]
    pub fn recognising(self, ours: impl Fn(&str, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        Self {
            ours: Ours(Arc::new(ours)),
            ..self
        }
    }

    /// Sets what a person has to do once everything is written.
    #[must_use]
    pub fn leaving(mut self, left: String) -> Self {
        self.purpose.left = Some(left);
        self
    }

    /// Adds files to the plan that the caller knows to be up to date. They are not read.
    #[must_use]
    pub fn keeping(self, kept: BTreeSet<String>) -> Self {
        Self { kept, ..self }
    }

    /// Adds files that the caller knows to be left over. Those that are there are orphans, whatever their names.
    #[must_use]
    pub fn removing(self, gone: BTreeSet<String>) -> Self {
        Self { gone, ..self }
    }

    /// Returns every difference between the disk and the plan, sorted by path. Changes nothing.
    ///
    /// # Errors
    /// `write-failed` if a file cannot be read, or if a planned path is not a plain file.
    pub fn compare(&self, disk: &dyn Write) -> Result<Vec<Change>, Box<Diagnostic>> {
        let found = self.survey(disk, Old::Kept)?;
        let text = |bytes: Vec<u8>| match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        let changes = found.into_iter().map(|found| Change {
            path: found.path,
            kind: found.kind,
            old: found.old.map(text),
            new: found.new.map(str::to_owned),
        });
        Ok(changes.collect())
    }

    /// Compares the disk with the plan and writes what differs, all or nothing. If nothing differs, no file is touched. An
    /// interrupted run is settled first.
    ///
    /// # Errors
    /// `write-failed`, with the state of the files.
    pub fn apply(&self, disk: &dyn Write) -> Result<Applied, Box<Diagnostic>> {
        self.apply_under(None, disk)
    }

    /// The same for a run that may hold the lock of the root.
    ///
    /// # Errors
    /// As [`Plan::apply`].
    pub fn apply_under(
        &self,
        held: Option<&Lock<'_>>,
        disk: &dyn Write,
    ) -> Result<Applied, Box<Diagnostic>> {
        if self.survey(disk, Old::Dropped)?.is_empty() {
            return Ok(Applied {
                unchanged: self.files.len() + self.kept.len(),
                ..Applied::default()
            });
        }
        let own;
        let lock = match held.filter(|held| held.is_of(&self.root)) {
            Some(held) => held,
            None => {
                own = lock(&self.root, disk).map_err(|unlocked| unlocked.report(&self.root))?;
                &own
            }
        };
        let recovered = recover_locked(&self.root, disk, lock)?;
        if let Some(Recovered::Waiting { why }) = recovered {
            return Err(failed(why, UNSETTLED));
        }
        // Another run may have written since the first look.
        let found = self.survey(disk, Old::Dropped)?;
        let mut work = Work::new(&self.root, &self.purpose);
        let mut applied = Applied {
            recovered,
            ..Applied::default()
        };
        for RawChange {
            path,
            kind,
            old: _,
            new,
        } in found
        {
            match new {
                Some(new) => work.replace(&path, new.as_bytes()),
                None => work.remove(&path),
            }
            match kind {
                ChangeKind::Missing => applied.created.push(path),
                ChangeKind::Differs => applied.replaced.push(path),
                ChangeKind::Orphan => applied.removed.push(path),
            }
        }
        let written = applied.created.len() + applied.replaced.len();
        applied.unchanged = self.files.len() + self.kept.len() - written;
        work.commit(disk, lock)?;
        Ok(applied)
    }

    /// Compares the disk with the plan.
    fn survey(&self, disk: &dyn Write, old: Old) -> Result<Vec<RawChange<'_>>, Box<Diagnostic>> {
        let owned = self.owned.iter().filter(|folder| !folder.is_empty());
        for path in self.files.keys().chain(owned).chain(&self.gone) {
            if !is_below(path) {
                return Err(failed(
                    format!("`{path}` is not below the output folder"),
                    UNTOUCHED,
                ));
            }
            if cfg!(windows)
                && let Some(device) = journal::windows_device(path)
            {
                return Err(failed(
                    format!("`{path}` cannot be written: on Windows `{device}` is a device"),
                    "nothing was changed; run the command on another system, or choose another name",
                ));
            }
        }
        let files: Vec<(&String, &String)> = self.files.iter().collect();
        let mut changes = files
            .par_iter()
            .filter_map(|(path, content)| self.look_at(path, content, disk, old).transpose())
            .collect::<Result<Vec<_>, _>>()?;
        for folder in &self.owned {
            self.add_orphans(folder, disk, old, &mut changes)?;
        }
        for path in &self.gone {
            let full = self.root.join(path);
            let entry = disk
                .look(&full)
                .map_err(|error| self.unreadable("look at", &full, &error))?;
            if matches!(entry, Some(Entry::File(_)))
                && let Some(bytes) = self.load(&full, disk)?
            {
                changes.push(RawChange {
                    path: path.clone(),
                    kind: ChangeKind::Orphan,
                    old: (old == Old::Kept).then_some(bytes),
                    new: None,
                });
            }
        }
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(changes)
    }

    fn look_at<'a>(
        &self,
        path: &str,
        content: &'a str,
        disk: &dyn Write,
        old: Old,
    ) -> Result<Option<RawChange<'a>>, Box<Diagnostic>> {
        let full = self.root.join(path);
        let entry = disk
            .look(&full)
            .map_err(|error| self.unreadable("look at", &full, &error))?;
        let found = |kind, old| {
            Some(RawChange {
                path: path.to_owned(),
                kind,
                old,
                new: Some(content),
            })
        };
        match entry {
            None => Ok(found(ChangeKind::Missing, None)),
            // A longer one may have Windows line ends.
            Some(Entry::File(length)) if old == Old::Dropped && length < content.len() as u64 => {
                Ok(found(ChangeKind::Differs, None))
            }
            Some(Entry::File(_)) => match self.load(&full, disk)? {
                None => Ok(found(ChangeKind::Missing, None)),
                Some(bytes) if has_text(&bytes, content) => Ok(None),
                Some(bytes) => Ok(found(
                    ChangeKind::Differs,
                    (old == Old::Kept).then_some(bytes),
                )),
            },
            Some(other) => Err(in_the_way(path, other)),
        }
    }

    /// Adds the orphans of a folder.
    fn add_orphans(
        &self,
        folder: &str,
        disk: &dyn Write,
        old: Old,
        changes: &mut Vec<RawChange<'_>>,
    ) -> Result<(), Box<Diagnostic>> {
        let full = self.root.join(folder);
        let entries = match disk.entries(&full) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(self.unreadable("list", &full, &error)),
        };
        for (name, entry) in entries {
            let below = full.join(&name);
            let path = match folder {
                "" => name.clone(),
                folder => format!("{folder}/{name}"),
            };
            if journal::is_aside(&name) && matches!(entry, Entry::File(_)) {
                changes.push(RawChange {
                    path,
                    kind: ChangeKind::Orphan,
                    old: None,
                    new: None,
                });
            } else if name.ends_with(".yaml") && !self.has(&path) {
                let is_file = matches!(entry, Entry::File(_));
                // Plans write only files, so anything else belongs to the user unless the plan owns the whole folder.
                let bytes = match is_file {
                    true => self.load(&below, disk)?,
                    false => Some(Vec::new()),
                };
                let Some(bytes) = bytes else {
                    continue;
                };
                if (self.ours.0)(&path, &bytes) {
                    if !is_file {
                        return Err(in_the_way(&path, entry));
                    }
                    changes.push(RawChange {
                        path,
                        kind: ChangeKind::Orphan,
                        old: (old == Old::Kept).then_some(bytes),
                        new: None,
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether the plan has a file, which may have another case on a disk that ignores case. CRDs' names have lower case.
    fn has(&self, path: &str) -> bool {
        let planned = |path: &str| self.files.contains_key(path) || self.kept.contains(path);
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
        let lower = format!("{folder}{}", name.to_ascii_lowercase());
        let is_same = || same_file::is_same_file(self.root.join(path), self.root.join(&lower));
        planned(path) || lower != path && planned(&lower) && is_same().unwrap_or_default()
    }

    /// Reads a file; `None` if it was removed since the last look.
    fn load(&self, full: &Path, disk: &dyn Write) -> Result<Option<Vec<u8>>, Box<Diagnostic>> {
        match disk.load(full) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.unreadable("read", full, &error)),
        }
    }

    fn unreadable(&self, doing: &str, path: &Path, error: &io::Error) -> Box<Diagnostic> {
        Fault::new(doing, path, &self.root, error).report(UNTOUCHED)
    }
}

/// Whether comparing keeps the old bytes of changed files: a diff needs them, writing does not.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Old {
    Kept,
    Dropped,
}

fn in_the_way(path: &str, entry: Entry) -> Box<Diagnostic> {
    failed(
        format!(
            "`{path}` is {}, where only plain files are written",
            entry.name()
        ),
        format!("nothing was changed; move `{path}` away and run the command again"),
    )
}
