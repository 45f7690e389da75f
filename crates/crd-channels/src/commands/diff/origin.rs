//! The working tree, or a revision of it, that types are read from.

use super::unread::Unread;
use crate::consumer::one;
use crate::git::{self, Revision};
use crd_channels_files::{Disk, Read};
use crd_channels_workspace as workspace;
use std::path::{Path, PathBuf};

/// The prefix of an argument that names a revision.
pub const REVISION: &str = "git:";

/// Returns the workspace around the current folder. CRDs on disk do not need one.
pub fn root_here() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    workspace::find_root(&here).ok()
}

/// The place that types are read from.
pub enum Origin {
    /// The workspace around the current folder.
    WorkingTree(PathBuf),
    /// A revision of it.
    Revision(Box<Revision>),
}

impl Origin {
    /// The workspace around the current folder.
    ///
    /// # Errors
    /// Returns why there is none.
    pub fn at_hand() -> Result<Self, Unread> {
        let here = std::env::current_dir().map_err(|error| error.to_string())?;
        match workspace::find_root(&here) {
            Ok(root) => Ok(Self::WorkingTree(root)),
            Err(finding) => Err(Unread::after(
                one(finding),
                "there is no working tree".to_owned(),
            )),
        }
    }

    /// A revision of the workspace around the current folder.
    ///
    /// # Errors
    /// Returns why it cannot be read.
    pub fn of_revision(revision: &str) -> Result<Self, Unread> {
        let Self::WorkingTree(root) = Self::at_hand()? else {
            return Err("there is no working tree".to_owned().into());
        };
        git::revision(&root, revision)
            .map(|revision| Self::Revision(Box::new(revision)))
            .map_err(|finding| {
                let last = format!("`{REVISION}{revision}` cannot be read");
                Unread::after(one(finding), last)
            })
    }

    /// The root of the workspace.
    pub fn root(&self) -> &Path {
        match self {
            Self::WorkingTree(root) => root,
            Self::Revision(revision) => &revision.root,
        }
    }

    /// Its files.
    pub fn files(&self) -> &dyn Read {
        match self {
            Self::WorkingTree(_) => &Disk,
            Self::Revision(revision) => &**revision,
        }
    }
}
