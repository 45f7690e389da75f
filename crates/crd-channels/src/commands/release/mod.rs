//! `release`: a bundle of what the working tree says, proven to keep the versioning rules.

pub(super) mod made;
mod outlook;
mod prepare;
pub(super) mod unclean;
mod left;
pub(super) mod judged;
mod lines;
pub(super) mod tags;
pub(super) mod versions;
pub(super) mod components;
pub(super) mod project_metadata;
pub(super) mod output;

pub use prepare::{Prepared, prepare};

use super::program::Program;
use super::{Outcome, archive, gen_crds, here, interrupted, say};
use crate::release::choice::RequestedVersion;
use crd_channels_diagnostics::report::{Format, counted};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, once_each, terminal};
use crd_channels_files::{ChangeKind, Disk, Recovered, diff};
use crd_channels_projection::channel::config::FOLDER;
use std::path::{Path, PathBuf};

/// What was asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The version.
    pub asked: RequestedVersion,
    /// The secret key that signs the bundle.
    pub sign: Option<PathBuf>,
    /// The folder that gets the bundle's archive.
    pub archive: Option<PathBuf>,
    /// Write nothing; show all that would be written.
    pub dry_run: bool,
    /// How the user calls the tool.
    pub program: Program,
}

/// How many lines of a file's difference are shown.
const DIFF: usize = 40;

/// Runs the command in the current folder's workspace. Where an interrupted release was completed just before, this one
/// ends: the completed bundle may be the requested one.
#[must_use]
pub fn run(request: &Request, settled: &[Recovered]) -> Outcome {
    if settled.iter().any(leaves_something) {
        eprintln!(
            "error: nothing else was released; run the command again for another bundle once this one is committed"
        );
        return Outcome::Findings;
    }
    let sources = Sources::default();
    let mut sink = Sink::default();
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let prepared = prepare(request, &here, &sources, &mut sink);
    let findings = once_each(sink.into_diagnostics());
    gen_crds::say(&findings, &sources, Format::Human);
    match (prepared, Outcome::of(&findings)) {
        (Some(prepared), Outcome::Clean) => finish(&prepared, request, &here, &sources),
        (None, Outcome::Clean) => Outcome::CouldNotRun,
        (_, outcome) => outcome,
    }
}

/// Only a release leaves something to a person.
fn leaves_something(recovered: &Recovered) -> bool {
    matches!(recovered, Recovered::Completed { purpose, .. } if purpose.left.is_some())
}

fn finish(prepared: &Prepared, request: &Request, here: &Path, sources: &Sources) -> Outcome {
    for note in &prepared.notes {
        note!("{note}");
    }
    let failed = |finding| {
        gen_crds::say(&[finding], sources, Format::Human);
        Outcome::CouldNotRun
    };
    let version = &prepared.choice.version;
    if request.dry_run {
        let changes = match prepared.plan.compare(&Disk) {
            Ok(changes) => changes,
            Err(finding) => return failed(*finding),
        };
        for change in &changes {
            match change.kind {
                ChangeKind::Missing => println!("would create {}", change.path),
                ChangeKind::Orphan => println!("would remove {}", change.path),
                ChangeKind::Differs => {
                    println!("would change {}", change.path);
                    println!("{}", diff(change, Some(DIFF)).trim_end());
                }
            }
        }
        println!("\n{}", prepared.entry.trim_end());
        println!("\nbundle {version} could be released; nothing was written");
        return Outcome::Clean;
    }
    let applied = match interrupted::apply(&prepared.plan) {
        Ok(applied) => applied,
        Err(finding) => return failed(*finding),
    };
    if !terminal::is_quiet() {
        print!("{}\n", prepared.entry);
    }
    status!(
        "{} written: bundle {version} is in {FOLDER}/{version}, the tree is at {}",
        counted(applied.created.len() + applied.replaced.len(), "file"),
        prepared.choice.tree
    );
    status!("{}", prepared.left);
    let Some(output) = request.archive.clone() else {
        return Outcome::Clean;
    };
    let command = left::archive(request.program, version, &output);
    let version = version.clone();
    match archive::archived(&archive::Request { version, output }, here) {
        Ok(()) => Outcome::Clean,
        Err(findings) => {
            say(&findings, sources);
            let version = &prepared.choice.version;
            eprintln!("error: bundle {version} is written but not packed; run `{command}`");
            Outcome::CouldNotRun
        }
    }
}

/// What went well; the rest is reported.
fn taken<T>(result: Result<T, Box<Diagnostic>>, sink: &mut Sink) -> Option<T> {
    result.map_err(|finding| sink.push(*finding)).ok()
}

fn refused(message: String, help: &str) -> Diagnostic {
    Diagnostic::new(Code::ReleaseRefused, None, message).with_help(help)
}
