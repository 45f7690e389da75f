//! The current folder and its workspace.

use crate::findings::say;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_workspace as workspace;
use std::path::PathBuf;

/// Returns the current folder; `None`, with an error printed, if it cannot be read.
#[must_use]
pub fn here() -> Option<PathBuf> {
    let here = current();
    here.map_err(|finding| say(&[*finding], &Sources::default()))
        .ok()
}

/// Returns the current folder.
///
/// # Errors
/// `unreadable-file`.
pub fn current() -> Result<PathBuf, Box<Diagnostic>> {
    std::env::current_dir().map_err(|error| {
        let message = format!("the current folder cannot be read: {error}");
        let finding = Diagnostic::new(Code::UnreadableFile, None, message);
        Box::new(finding.with_help("change to an existing folder"))
    })
}

/// Returns the workspace around the current folder; `None`, with an error reported, if there is none.
pub fn root(sink: &mut Sink) -> Option<PathBuf> {
    let root = workspace::find_root(&here()?);
    root.map_err(|finding| sink.push(*finding)).ok()
}
