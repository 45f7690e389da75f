//! One short function per command.

pub mod program;
pub mod init;
pub mod gen_crds;
pub mod diff;
pub mod release;
pub mod verify_release;
mod manifest;
pub mod sets;
pub mod features;
pub mod graduate;
pub mod pin;
pub mod vendor;
pub mod check;
pub mod explain;
pub mod envtest;
pub mod e2e;
pub mod explain_warning;
pub mod rustc_json;

/// How a command ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outcome {
    /// Nothing to say: exit code 0.
    Clean,
    /// Findings: exit code 1.
    Findings,
    /// It could not do its work: exit code 2.
    CouldNotRun,
}
