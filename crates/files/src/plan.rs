//! What a run wants on the disk, whole in memory; compared with what is there, and written where it differs.

use super::commit::{Recovered, Work, recover_locked};
use super::fault::{Fault, UNSETTLED, UNTOUCHED, failed};
use super::journal::{self, Purpose, is_below};
use super::line_ends::has_text;
use super::lock::lock;
use super::write::{Entry, Write};
use crd_channels_diagnostics::Diagnostic;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the run wants on the disk: built whole in memory before anything is touched.
#[derive(Clone, Debug)]
pub struct Plan {
    purpose: Purpose,
    root: PathBuf,
    files: BTreeMap<String, String>,
    kept: BTreeSet<String>,
    owned: Vec<String>,
    ours: Ours,
}

/// Tells by path and content which files in owned folders belong to a plan.
#[derive(Clone)]
struct Ours(Arc<Recognises>);

type Recognises = dyn Fn(&str, &[u8]) -> bool + Send + Sync;

impl fmt::Debug for Ours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ours")
    }
}

/// One file that is not as the plan wants it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Change {
    /// Relative to the plan's root, with `/`.
    pub path: String,
    /// In what way it differs.
    pub kind: ChangeKind,
    /// What stands there; bytes that are not UTF-8 are shown as `U+FFFD`.
    pub old: Option<String>,
    /// What should stand there; nothing for an orphan.
    pub new: Option<String>,
}

/// In what way a file is not as the plan wants it.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ChangeKind {
    /// Planned, and not there.
    Missing,
    /// Planned, and there with other bytes.
    Differs,
    /// There, in a folder that the plan owns, and not planned.
    Orphan,
}

/// What [`Plan::apply`] did. Paths are relative to the plan's root, sorted.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Applied {
    /// Files that were not there.
    pub created: Vec<String>,
    /// Files that had other bytes.
    pub replaced: Vec<String>,
    /// Orphans.
    pub removed: Vec<String>,
    /// How many planned files were left alone, since they are as they should be.
    pub unchanged: usize,
    /// What an earlier run had left behind and this one settled first.
    pub recovered: Option<Recovered>,
}

/// A change as comparing finds it.
struct RawChange<'a> {
    path: String,
    kind: ChangeKind,
    old: Option<Vec<u8>>,
    new: Option<&'a str>,
}

impl Plan {
    /// A plan for files below `root`, an absolute path. `what` it writes is said where a run is stopped. `files` maps paths
    /// relative to `root`, with `/`, to contents. The `*.yaml` files directly in an `owned` folder (relative, too, and empty for
    /// `root`) belong to the plan: those that it does not name are orphans, as are temporary files that a run left there without a journal.
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
            owned,
            ours: Ours(Arc::new(|_, _| true)),
        }
    }

    /// Of the files in owned folders only those are orphans that `ours` recognises, by path and content.
    #[must_use]
    pub fn recognising(self, ours: impl Fn(&str, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        Self {
            ours: Ours(Arc::new(ours)),
            ..self
        }
    }

    /// Says what a person has to do once all is written.
    #[must_use]
    pub fn leaving(mut self, left: String) -> Self {
        self.purpose.left = Some(left);
        self
    }

    /// Further files of the plan, which the caller knows to be as they should be. They are not looked at.
    #[must_use]
    pub fn keeping(self, kept: BTreeSet<String>) -> Self {
        Self { kept, ..self }
    }

    /// Everything that is not as planned, sorted by path. Changes nothing.
    ///
    /// # Errors
    /// `write-failed` when a file cannot be read, or when something that is not a plain file stands in the place of one.
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

    /// Makes the disk as planned: compares, and writes what differs, all of it or nothing. Where nothing differs nothing is
    /// touched. What a killed run left behind is settled first.
    ///
    /// # Errors
    /// `write-failed`, with the state that things are in.
    pub fn apply(&self, disk: &dyn Write) -> Result<Applied, Box<Diagnostic>> {
        if self.survey(disk, Old::Dropped)?.is_empty() {
            return Ok(Applied {
                unchanged: self.files.len() + self.kept.len(),
                ..Applied::default()
            });
        }
        let lock = lock(&self.root, disk).map_err(|unlocked| unlocked.report(&self.root))?;
        let recovered = recover_locked(&self.root, disk, &lock)?;
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
        work.commit(disk, &lock)?;
        Ok(applied)
    }

    /// The disk against the plan.
    fn survey(&self, disk: &dyn Write, old: Old) -> Result<Vec<RawChange<'_>>, Box<Diagnostic>> {
        let owned = self.owned.iter().filter(|folder| !folder.is_empty());
        for path in self.files.keys().chain(owned) {
            if !is_below(path) {
                return Err(failed(
                    format!("`{path}` is not below the output folder"),
                    UNTOUCHED,
                ));
            }
        }
        let files: Vec<(&String, &String)> = self.files.iter().collect();
        let mut changes = files
            .par_iter()
            .filter_map(|(path, content)| self.look_at(path, content, disk, old).transpose())
            .collect::<Result<Vec<_>, _>>()?;
        for folder in &self.owned {
            self.list(folder, disk, old, &mut changes)?;
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
            // One that is longer may have Windows line ends.
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

    /// Adds a folder's orphans.
    fn list(
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
            } else if name.ends_with(".yaml")
                && !self.files.contains_key(&path)
                && !self.kept.contains(&path)
            {
                let is_file = matches!(entry, Entry::File(_));
                // Plans write files alone, so anything else is somebody's own unless the whole folder is the plan's.
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

    /// The bytes of a file; none when it has gone since it was looked at.
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

/// Whether comparing keeps the old bytes of what differs: a diff needs them, writing does not.
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
