//! Plans applied to folders of a real disk, some of which fail on purpose.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod faulty;
mod faults;
mod kills;
mod plans;

use super::{Disk, Plan, slashed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Files by path relative to the workspace.
type Tree = BTreeMap<String, String>;

/// An empty workspace, removed when dropped.
struct Workspace(PathBuf);

impl Workspace {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!(
            "crd-channels-files-{}-{number}",
            std::process::id()
        ));
        std::fs::create_dir_all(&root).unwrap();
        Self(root)
    }

    fn with(files: &Tree) -> Self {
        let workspace = Self::new();
        for (path, content) in files {
            workspace.write(path, content);
        }
        workspace
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn plan(&self, files: &Tree) -> Plan {
        let owned = ["generated/stable", "generated/experimental"].map(str::to_owned);
        Plan::new("the files", self.0.clone(), files.clone(), owned.to_vec())
    }

    fn recover(&self) -> Option<super::Recovered> {
        super::recover(&self.0, &Disk).unwrap()
    }

    /// Every file, including hidden ones, without the tool's own folder.
    fn tree(&self) -> Tree {
        let mut found = self.everything();
        found.retain(|path, _| !path.starts_with(".crd-channels/"));
        found
    }

    /// The names of the files in the tool's own folder.
    fn kept(&self) -> Vec<String> {
        let mut found = self.everything();
        found.retain(|path, _| path.starts_with(".crd-channels/"));
        found.into_keys().collect()
    }

    /// Empty folders.
    fn empty_folders(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut open = vec![self.0.clone()];
        while let Some(folder) = open.pop() {
            let entries: Vec<PathBuf> = std::fs::read_dir(&folder)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .collect();
            if entries.is_empty() {
                found.push(folder);
            }
            open.extend(entries.into_iter().filter(|path| path.is_dir()));
        }
        found
    }

    fn everything(&self) -> Tree {
        let mut found = Tree::new();
        let mut open = vec![self.0.clone()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let content =
                        String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
                    found.insert(relative(&path, &self.0), content);
                }
            }
        }
        found
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn relative(path: &Path, root: &Path) -> String {
    slashed(path.strip_prefix(root).unwrap())
}

fn tree(files: &[(&str, &str)]) -> Tree {
    files
        .iter()
        .map(|(path, content)| ((*path).to_owned(), (*content).to_owned()))
        .collect()
}

/// The files before: one to replace, one to keep, an orphan, and one that the plan does not own.
fn before() -> Tree {
    tree(&[
        ("generated/stable/notes.txt", "not ours\n"),
        ("generated/stable/orphan.yaml", "orphan\n"),
        ("generated/stable/replaced.yaml", "old content\n"),
        ("generated/stable/same.yaml", "same\n"),
    ])
}

fn planned() -> Tree {
    tree(&[
        (
            "generated/experimental/created.yaml",
            "created in a folder that is not there\n",
        ),
        (
            "generated/experimental/second.yaml",
            "the second file of that folder\n",
        ),
        ("generated/stable/created.yaml", "created\n"),
        ("generated/stable/replaced.yaml", "new and longer content\n"),
        ("generated/stable/same.yaml", "same\n"),
    ])
}

/// The files after the plan was applied.
fn after() -> Tree {
    let mut after = planned();
    after.insert(
        "generated/stable/notes.txt".to_owned(),
        "not ours\n".to_owned(),
    );
    after
}
