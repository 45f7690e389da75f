//! Why a set cannot be read.

use crate::commands::Outcome;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};

/// Why a set cannot be read.
pub struct Unread {
    /// The reason, in one line.
    pub message: String,
    /// The outcome of a command.
    pub outcome: Outcome,
    /// Diagnostics with more details.
    pub findings: Vec<Diagnostic>,
    /// The texts that spans point into.
    pub sources: Sources,
}

impl From<String> for Unread {
    fn from(message: String) -> Self {
        Self::after(Vec::new(), message)
    }
}

impl Unread {
    /// The command could not run: `message` says why, after more detailed findings.
    pub fn after(findings: Vec<Diagnostic>, message: String) -> Self {
        Self {
            message,
            outcome: Outcome::CouldNotRun,
            findings,
            sources: Sources::default(),
        }
    }

    /// Its findings, or else its reason as one, which `alone` completes.
    pub fn errors(&self, alone: impl Fn(Diagnostic) -> Diagnostic) -> Vec<Diagnostic> {
        if !self.findings.is_empty() {
            return self.findings.clone();
        }
        let message = self.message.clone();
        vec![alone(Diagnostic::new(Code::UnreadableFile, None, message))]
    }
}
