//! How commands end.

use crd_channels_diagnostics::{Code, Diagnostic, Severity};

/// How a command ended.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Outcome {
    /// It went well: exit code 0.
    Clean,
    /// Findings: exit code 1.
    Findings,
    /// It could not do its work: exit code 2.
    CouldNotRun,
}

impl Outcome {
    /// How a command ends that came to the end with these findings. Warnings are only said.
    #[must_use]
    pub fn of(findings: &[Diagnostic]) -> Self {
        let errors = findings
            .iter()
            .filter(|it| it.severity() == Severity::Error);
        let ends = errors.map(|error| match is_obstacle(error.code) {
            true => Self::CouldNotRun,
            false => Self::Findings,
        });
        ends.max().unwrap_or(Self::Clean)
    }

    /// The same for a command that gave up.
    #[must_use]
    pub fn of_failed(findings: &[Diagnostic]) -> Self {
        match Self::of(findings) {
            Self::Clean => Self::CouldNotRun,
            ended => ended,
        }
    }
}

/// Whether a finding tells of what the command needs to begin, rather than of what it looked at.
fn is_obstacle(code: Code) -> bool {
    matches!(
        code,
        Code::ConfigMissing
            | Code::CargoFailed
            | Code::CompileFailed
            | Code::GitFailed
            | Code::RevisionNotFound
            | Code::LockMissing
            | Code::LockInvalid
            | Code::LockNewer
            | Code::ArchiveInTree
            | Code::BundleMissing
            | Code::BundleNewer
            | Code::ChannelMissing
            | Code::KeyInvalid
            | Code::WriteFailed
    )
}
