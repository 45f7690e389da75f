//! The outcomes of commands.

use crd_channels_diagnostics::{Code, Diagnostic, Severity};

/// The outcome of a command.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Outcome {
    /// Success: exit code 0.
    Clean,
    /// Findings: exit code 1.
    Findings,
    /// The command could not run: exit code 2.
    CouldNotRun,
    /// `gen-crds` without the packages that compare and make pages ended before it said anything: the whole program has to run.
    NotCompared,
}

impl Outcome {
    /// Returns the outcome of a command that completed with these findings. Warnings do not count.
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

    /// Returns the outcome of a command that gave up.
    #[must_use]
    pub fn of_failed(findings: &[Diagnostic]) -> Self {
        match Self::of(findings) {
            Self::Clean => Self::CouldNotRun,
            ended => ended,
        }
    }
}

/// Whether a finding is about what the command needs to start, rather than about its input.
fn is_obstacle(code: Code) -> bool {
    matches!(
        code,
        Code::ConfigMissing
            | Code::CargoFailed
            | Code::ClusterFailed
            | Code::ClusterForbidden
            | Code::CompileFailed
            | Code::GitFailed
            | Code::RegistryFailed
            | Code::RegistrySupport
            | Code::RevisionNotFound
            | Code::LockMissing
            | Code::LockConflict
            | Code::LockInconsistent
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
