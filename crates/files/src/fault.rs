//! What a disk refused, and the message about it.

use super::write::Entry;
use crd_channels_diagnostics::{Code, Diagnostic};
use std::path::Path;
use std::{fmt, io};

/// Help after a fault that left all as it was.
pub(super) const UNTOUCHED: &str = "nothing was changed; fix the cause and run the command again";
/// Help after a fault while an earlier run's rest was settled.
pub(super) const UNSETTLED: &str = "every file is complete, but some may be old and others new; fix the cause and run the command again to finish the interrupted run";

/// One operation that failed.
#[derive(Debug)]
pub(super) struct Fault {
    message: String,
}

impl Fault {
    /// `doing` is a verb: `write`, `rename`.
    pub(super) fn new(doing: &str, path: &Path, root: &Path, error: &io::Error) -> Self {
        let message = format!(
            "cannot {doing} `{}`: {}",
            display_path(path, root),
            reason(error)
        );
        Self { message }
    }

    /// Something stands where a folder of this tool is to be.
    pub(super) fn in_the_way(path: &Path, root: &Path, entry: Entry) -> Self {
        let message = format!(
            "`{}` is {}, where this tool needs a folder",
            display_path(path, root),
            entry.name()
        );
        Self { message }
    }

    /// With what state things are in, and what to do.
    pub(super) fn report(self, help: impl Into<String>) -> Box<Diagnostic> {
        failed(self.message, help)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// A finding of this layer.
pub(super) fn failed(message: impl Into<String>, help: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::WriteFailed, None, message).with_help(help))
}

/// A path as messages show it: below the root without it, with `/`.
pub(super) fn display_path(path: &Path, root: &Path) -> String {
    match path.strip_prefix(root) {
        Ok(below) => slashed(below),
        Err(_) => path.display().to_string(),
    }
}

/// A relative path with `/`.
#[must_use]
pub fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// The system's own words, in the form of our messages.
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
