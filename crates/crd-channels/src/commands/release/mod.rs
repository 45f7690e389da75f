//! `release`: a bundle of what the working tree says, proven to keep the versioning rules.

pub(super) mod made;
mod outlook;
mod prepare;
pub(super) mod unclean;
mod left;
mod json;
pub(super) mod candidate;
mod lines;
pub(super) mod tags;
pub(super) mod versions;
pub(super) mod components;
pub(super) mod project_metadata;
pub(super) mod output;

pub use prepare::{Prepared, prepare};

use super::format::Format;
use super::{Outcome, archive, gen_crds, here, interrupted, say};
use crate::release::choice::RequestedVersion;
use crd_channels_diagnostics::report::{self, counted};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, once_each, terminal};
use crd_channels_files::{Applied, Change, ChangeKind, Disk, Recovered, diff};
use crd_channels_projection::channel::config::FOLDER;
use serde_json::Value;
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
    /// How the outcome is told.
    pub format: Format,
}

/// How many lines of a file's difference are shown.
const DIFF: usize = 40;

/// Runs the command in the current folder's workspace. Where an interrupted release was completed just before, this one
/// ends: the completed bundle may be the requested one.
#[must_use]
pub fn run(request: &Request, settled: &[Recovered]) -> Outcome {
    let sources = Sources::default();
    if settled.iter().any(leaves_something) {
        return not_released(request, &sources);
    }
    let mut sink = Sink::default();
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let prepared = prepare(request, &here, &sources, &mut sink);
    let mut findings = once_each(sink.into_diagnostics());
    let is_human = request.format == Format::Human;
    if is_human {
        gen_crds::say(&findings, &sources, report::Format::Human);
    }
    let (done, outcome) = match (&prepared, Outcome::of(&findings)) {
        (Some(prepared), Outcome::Clean) => match done(prepared, request) {
            Ok(done) => {
                if is_human {
                    show(prepared, &done);
                }
                let (failures, outcome) = packed(prepared, request, &done, &here);
                findings.extend(failures);
                (Some(done), outcome)
            }
            Err(finding) => {
                if is_human {
                    gen_crds::say(&[(*finding).clone()], &sources, report::Format::Human);
                }
                findings.push(*finding);
                (None, Outcome::CouldNotRun)
            }
        },
        (None, Outcome::Clean) => (None, Outcome::CouldNotRun),
        (_, outcome) => (None, outcome),
    };
    if !is_human {
        let document = json::document(prepared.as_ref(), done.as_ref(), &findings, &sources);
        println!("{document:#}");
    }
    outcome
}

/// The document for programs of a run that could not begin.
pub(super) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    json::document(None, None, findings, sources)
}

/// Only a release leaves something to a person.
fn leaves_something(recovered: &Recovered) -> bool {
    matches!(recovered, Recovered::Completed { purpose, .. } if purpose.left.is_some())
}

/// An interrupted release was completed instead.
fn not_released(request: &Request, sources: &Sources) -> Outcome {
    let message = "nothing else was released";
    let help = "run the command again for another bundle once this one is committed";
    match request.format {
        Format::Human => error!("{message}; {help}"),
        Format::Json => println!(
            "{:#}",
            failed(&[refused(message.to_owned(), help)], sources)
        ),
    }
    Outcome::Findings
}

/// What became of the files.
enum Done {
    /// Nothing yet: these would change.
    Shown(Vec<Change>),
    /// They are written.
    Written(Applied),
}

fn done(prepared: &Prepared, request: &Request) -> Result<Done, Box<Diagnostic>> {
    Ok(match request.dry_run {
        true => Done::Shown(prepared.plan.compare(&Disk)?),
        false => Done::Written(interrupted::apply(&prepared.plan)?),
    })
}

/// Says what was done to people.
fn show(prepared: &Prepared, done: &Done) {
    for note in &prepared.notes {
        note!("{note}");
    }
    let version = &prepared.choice.version;
    match done {
        Done::Shown(changes) => {
            for change in changes {
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
        }
        Done::Written(applied) => {
            if !terminal::is_quiet() {
                print!("{}\n", prepared.entry);
            }
            status!(
                "{} written: bundle {version} is in {FOLDER}/{version}, the tree is at {}",
                counted(applied.created.len() + applied.replaced.len(), "file"),
                prepared.choice.tree
            );
            status!("{}", left::text(&prepared.left));
        }
    }
}

/// Packs a bundle that is written, if that was asked for; what is in the way, which people are told.
fn packed(
    prepared: &Prepared,
    request: &Request,
    done: &Done,
    here: &Path,
) -> (Vec<Diagnostic>, Outcome) {
    let (Done::Written(_), Some(output)) = (done, request.archive.clone()) else {
        return (Vec::new(), Outcome::Clean);
    };
    let version = prepared.choice.version.clone();
    let command = left::archive(&version, &output);
    let Err(findings) = archive::archived(&archive::Request { version, output }, here) else {
        return (Vec::new(), Outcome::Clean);
    };
    if request.format == Format::Human {
        say(&findings, &Sources::default());
        let version = &prepared.choice.version;
        error!("bundle {version} is written but not packed; run `{command}`");
    }
    (findings, Outcome::CouldNotRun)
}

/// What went well; the rest is reported.
fn taken<T>(result: Result<T, Box<Diagnostic>>, sink: &mut Sink) -> Option<T> {
    result.map_err(|finding| sink.push(*finding)).ok()
}

fn refused(message: String, help: &str) -> Diagnostic {
    Diagnostic::new(Code::ReleaseRefused, None, message).with_help(help)
}
