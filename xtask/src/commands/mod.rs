//! One short function per command.

pub mod gen_crds;
pub mod pipeline;
mod watch;
pub mod explain;
mod stated;

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
