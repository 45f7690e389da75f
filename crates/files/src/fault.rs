//! Failed operations of the disk, and their messages.

use super::write::Entry;
use crd_channels_diagnostics::{Code, Diagnostic};
use std::path::{MAIN_SEPARATOR, Path};
use std::{fmt, io};

/// The help text after a fault that changed nothing.
pub(super) const UNTOUCHED: &str = "nothing was changed; fix the cause and run the command again";
/// The help text after a fault during the recovery of an earlier run.
pub(super) const UNSETTLED: &str = "every file is complete, but some may be old and others new; fix the cause and run the command again to finish the interrupted run";

/// One operation that failed.
#[derive(Debug)]
pub(super) struct Fault {
    message: String,
}

impl Fault {
    /// Describes a failed operation. `doing` is a verb: `write`, `rename`.
    pub(super) fn new(doing: &str, path: &Path, root: &Path, error: &io::Error) -> Self {
        let message = format!(
            "cannot {doing} `{}`: {}",
            display_path(path, root),
            reason(error)
        );
        Self { message }
    }

    /// Something other than a folder is where this tool needs one.
    pub(super) fn in_the_way(path: &Path, root: &Path, entry: Entry) -> Self {
        let message = format!(
            "`{}` is {}, where this tool needs a folder",
            display_path(path, root),
            entry.name()
        );
        Self { message }
    }

    /// Reports the fault with help on the state of the files and what to do.
    pub(super) fn report(self, help: impl Into<String>) -> Box<Diagnostic> {
        failed(self.message, help)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// A `write-failed` diagnostic.
pub(super) fn failed(message: impl Into<String>, help: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::WriteFailed, None, message).with_help(help))
}

/// A path as messages show it: relative to the root if it is below it, with `/`.
pub(super) fn display_path(path: &Path, root: &Path) -> String {
    match path.strip_prefix(root) {
        Ok(below) => slashed(below),
        Err(_) => shown_path(path),
    }
}

/// Writes a path as it was given, but with `/`, so that output is the same on every system.
#[must_use]
pub fn shown_path(path: &Path) -> String {
    let text = path.display().to_string();
    match MAIN_SEPARATOR {
        '/' => text,
        own => text.replace(own, "/"),
    }
}

/// Writes a relative path with `/`.
#[must_use]
pub fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// The operating system's message, in the form of our messages.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text
        .split(" (os error")
        .next()
        .unwrap_or_default()
        .trim_end_matches('.');
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect())
        .unwrap_or_default()
}
