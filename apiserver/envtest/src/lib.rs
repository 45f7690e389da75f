//! Runs a real kube-apiserver to try CRDs on: its binaries, its processes, and requests to it.
//!
//! This package does not know how a CRD was made; it tries what was written.
//!
#![doc = include_str!("../README.md")]

pub mod binaries;
pub mod server;
pub mod http;
pub mod go;
pub mod program;
pub mod keeper;

use std::fmt;

/// A failure to try something at all. It is not a finding about a CRD, and the command exits with 2.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Failure {
    /// What went wrong.
    pub message: String,
    /// The remedy, if known.
    pub help: Option<String>,
}

impl Failure {
    /// A failure without a known remedy.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: None,
        }
    }

    /// Adds a remedy.
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

/// The failure to read or write a file or folder.
#[must_use]
pub fn io(what: &str, path: &std::path::Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("`{}` cannot be {what}: {error}", path.display()))
}
