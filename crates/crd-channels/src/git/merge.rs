//! Merges of single files, and the program that git calls for some of them.

use super::{Repository, unstarted};
use crd_channels_diagnostics::Diagnostic;
use std::path::Path;
use std::process::{Command, Stdio};

/// Merges into `ours` what `theirs` changed since `base`, as git does it. Whether no conflict is left.
///
/// # Errors
/// `git-failed` where git cannot be run.
pub fn merge_file(ours: &Path, base: &Path, theirs: &Path) -> Result<bool, Box<Diagnostic>> {
    let mut command = Command::new("git");
    command
        .args(["merge-file", "-L", "ours", "-L", "base", "-L", "theirs"])
        .args([ours, base, theirs])
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    let status = command.status().map_err(|error| unstarted(&error))?;
    Ok(status.success())
}

impl Repository {
    /// Makes git call a program to merge the files whose attribute `merge` is `name`, in this clone.
    ///
    /// # Errors
    /// `git-failed`
    pub fn set_merge_driver(&self, name: &str, driver: &str) -> Result<(), Box<Diagnostic>> {
        self.ask(&["config", &format!("merge.{name}.driver"), driver])?;
        Ok(())
    }
}
