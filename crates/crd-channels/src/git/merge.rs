//! Merges of single files, and the program that git calls for some of them.

use super::{Repository, unstarted};
use crd_channels_diagnostics::Diagnostic;
use std::path::Path;
use std::process::{Command, Stdio};

/// Merges the changes from `base` to `theirs` into `ours`, as git does. Returns whether no conflict is left.
///
/// # Errors
/// `git-failed` if git cannot run.
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
    /// Configures this clone to call a program to merge files whose attribute `merge` is `name`.
    ///
    /// # Errors
    /// `git-failed`
    pub fn set_merge_driver(&self, name: &str, driver: &str) -> Result<(), Box<Diagnostic>> {
        self.ask(&["config", &format!("merge.{name}.driver"), driver])?;
        Ok(())
    }
}
