//! A real kube-apiserver to try CRDs on: its binaries, its processes, and what it is asked.
//!
//! Nothing here knows how a CRD was made; what is tried is what was written.
//!
#![doc = include_str!("../README.md")]

pub mod binaries;
pub mod server;
pub mod http;
pub mod go;
pub mod program;
mod keeper;

use std::fmt;

/// Why something could not be tried at all: no finding about a CRD, and the command exits with 2.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Failure {
    /// What went wrong.
    pub message: String,
    /// What to do about it, where that is known.
    pub help: Option<String>,
}

impl Failure {
    /// A failure that nothing is known to help against.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: None,
        }
    }

    /// The same, with what to do.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.help {
            Some(help) => write!(f, "\nhelp: {help}"),
            None => Ok(()),
        }
    }
}

/// A file or folder that cannot be written or read.
#[must_use]
pub fn io(what: &str, path: &std::path::Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("`{}` cannot be {what}: {error}", path.display()))
}
