//! What the table of commands says about each.

use crate::commands::Outcome;
use clap::{ArgMatches, Command};
use crd_channels_diagnostics::{Diagnostic, Sources};
use crd_channels_files::Recovered;
use crd_channels_gen_crds::options;
use serde_json::Value;

/// Makes the JSON document of a command that cannot begin.
type FailedDocument = fn(&[Diagnostic], &Sources) -> Value;

/// A command.
#[derive(Clone, Copy, Debug)]
pub struct CommandRow {
    /// Its name, its line in the help, and its options.
    pub command: fn() -> Command,
    /// Runs it. The second argument is what became of interrupted runs.
    pub(super) run: fn(&ArgMatches, &[Recovered]) -> Outcome,
    /// What happens before it runs.
    pub(super) start: Start,
    /// Examples of real use, each below its purpose. Tests parse all of them, and run those that need no server and no
    /// compiler.
    pub(super) examples: &'static str,
}

/// What happens before a command runs, and the JSON document that it prints if that fails; `None` if it prints no JSON.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// Nothing: it reads no file of a workspace, is called by git during a merge, or may run concurrently.
    AtOnce,
    /// Interrupted runs are settled.
    Settled(Option<FailedDocument>),
    /// The same, and no other run may write into the workspace: what it changes depends on what it reads. What `gen-crds` and
    /// `prove` write depends only on sources, and builds may run them in between.
    HoldingWorkspace(Option<FailedDocument>),
    /// The same for the current folder.
    HoldingFolder(Option<FailedDocument>),
}

impl CommandRow {
    /// Returns the command's name.
    #[must_use]
    pub fn name(&self) -> String {
        (self.command)().get_name().to_owned()
    }

    /// Whether the command has that name or alias.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let command = (self.command)();
        command.get_name() == name || command.get_all_aliases().any(|alias| alias == name)
    }

    /// Returns the purpose of each example, and its arguments.
    pub fn examples(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        options::examples(self.examples)
    }
}

/// Runs a command with its request; prints why the arguments are invalid.
pub(super) fn valid<R>(request: Result<R, String>, run: impl FnOnce(&R) -> Outcome) -> Outcome {
    match request {
        Ok(request) => run(&request),
        Err(message) => {
            error!("{message}");
            Outcome::CouldNotRun
        }
    }
}
