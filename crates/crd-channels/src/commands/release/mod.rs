//! `release`: writes a bundle of the working tree's CRDs, if the versioning rules allow it.

pub(super) mod channel_crds;
pub(super) mod kind_histories;
mod graduation_notes;
mod prepare;
mod tree_checks;
mod release_files;
pub(super) mod uncommitted_changes;
mod next_steps;
mod json;
pub(super) mod candidate;
mod tag_report;
pub(super) mod tags;
pub(super) mod versions;
pub(super) mod components;
pub(super) mod project_metadata;
pub(super) mod output;

pub use prepare::{Prepared, prepare};

use super::format::Format;
use super::reference::write::refresh;
use super::{Outcome, archive, here, interrupted, say, say_with_summary};
use crate::release::version_choice::RequestedVersion;
use crd_channels_diagnostics::report::{self, counted};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, once_each, terminal};
use crd_channels_files::{Applied, Change, ChangeKind, Disk, Recovered, diff};
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::manifest;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The arguments of `release`.
#[derive(Clone, Debug)]
pub struct Request {
    /// The requested version.
    pub asked: RequestedVersion,
    /// The secret key to sign the bundle with.
    pub sign: Option<PathBuf>,
    /// The folder to write the bundle's archive into.
    pub archive: Option<PathBuf>,
    /// Write nothing; show all that would be written.
    pub dry_run: bool,
    /// The format of the output.
    pub format: Format,
}

/// The maximum number of lines to show of a file's diff.
const DIFF: usize = 40;

/// Runs the command in the current folder's workspace. Ends early if an interrupted release was completed just before: the
/// completed bundle may be the requested one.
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
        say_with_summary(&findings, &sources, report::Format::Human);
    }
    let (done, outcome) = match (&prepared, Outcome::of(&findings)) {
        (Some(prepared), Outcome::Clean) => match done(prepared, request) {
            Ok(done) => {
                if is_human {
                    show(prepared, &done);
                }
                let (failures, outcome) = packed(prepared, request, &done, &here);
                findings.extend(failures);
                let (failures, pages) = described(prepared, request, &done);
                findings.extend(failures);
                (Some(done), outcome.max(pages))
            }
            Err(finding) => {
                if is_human {
                    say_with_summary(&[(*finding).clone()], &sources, report::Format::Human);
                }
                findings.push(*finding);
                (None, Outcome::CouldNotRun)
            }
        },
        (None, Outcome::Clean) => (None, Outcome::CouldNotRun),
        (prepared, outcome) => {
            // What is refused may have a waiver that does not apply.
            let notes = prepared.iter().flat_map(|prepared| &prepared.report.notes);
            notes.filter(|_| is_human).for_each(|note| note!("{note}"));
            (None, outcome)
        }
    };
    if !is_human {
        let document = json::document(prepared.as_ref(), done.as_ref(), &findings, &sources);
        println!("{document:#}");
    }
    outcome
}

/// The JSON document of a run that could not begin.
pub(crate) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    json::document(None, None, findings, sources)
}

/// Whether steps remain for a person, which is only so after a release.
fn leaves_something(recovered: &Recovered) -> bool {
    matches!(recovered, Recovered::Completed { purpose, .. } if purpose.left.is_some())
}

/// Reports that an interrupted release was completed instead.
fn not_released(request: &Request, sources: &Sources) -> Outcome {
    let message = "nothing else was released";
    let help = "run the command again for another bundle once this one is committed";
    match request.format {
        Format::Human => error!("{message}; {help}"),
        Format::Json => println!(
            "{:#}",
            failed(&[rejection(message.to_owned(), help)], sources)
        ),
    }
    Outcome::Findings
}

/// The state of the files.
enum Done {
    /// Nothing is written yet; these files would change.
    Shown(Vec<Change>),
    /// The files are written.
    Written(Applied),
}

fn done(prepared: &Prepared, request: &Request) -> Result<Done, Box<Diagnostic>> {
    Ok(match request.dry_run {
        true => Done::Shown(prepared.plan.compare(&Disk)?),
        false => Done::Written(interrupted::apply(&prepared.plan)?),
    })
}

/// Prints the result for people.
fn show(prepared: &Prepared, done: &Done) {
    for note in &prepared.notes {
        note!("{note}");
    }
    let version = &prepared.choice.version;
    match done {
        Done::Shown(changes) => {
            println!("bundle {version} could be released; nothing was written\n");
            println!("{}\n", prepared.entry.trim_end());
            for line in would(prepared, changes) {
                println!("{line}");
            }
            if !terminal::is_verbose() {
                status!("`--verbose` shows every file and its changes");
            }
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
            status!("{}", next_steps::format_steps(&prepared.next_steps));
        }
    }
}

/// Describes what a release would do to files, one line for each. Without `--verbose`, the files of the bundle and generated
/// files are counted.
fn would(prepared: &Prepared, changes: &[Change]) -> Vec<String> {
    let verb = |change: &Change| match change.kind {
        ChangeKind::Missing => "create",
        ChangeKind::Orphan => "remove",
        ChangeKind::Differs => "change",
    };
    if terminal::is_verbose() {
        let lines = changes.iter().map(|change| {
            let line = format!("would {} {}", verb(change), change.path);
            match change.kind {
                ChangeKind::Differs => format!("{line}\n{}", diff(change, Some(DIFF)).trim_end()),
                _ => line,
            }
        });
        return lines.collect();
    }
    let bundle = format!("{FOLDER}/{}", prepared.choice.version);
    let folders = [&bundle, &prepared.generated];
    let mut lines: Vec<(String, usize, &str)> = Vec::new();
    for change in changes {
        let inside = |folder: &&String| {
            let below = change.path.strip_prefix(folder.as_str());
            below.is_some_and(|below| below.starts_with('/'))
        };
        let folder = folders
            .iter()
            .copied()
            .find(inside)
            .map_or("", String::as_str);
        let verb = verb(change);
        let is_same = |line: &&mut (String, usize, &str)| {
            !folder.is_empty() && line.2 == folder && line.0.starts_with(&format!("would {verb} "))
        };
        let line = format!("would {verb} {}", change.path);
        match lines.iter_mut().find(is_same) {
            None => lines.push((line, 0, folder)),
            Some(known) => {
                known.1 += 1;
                // The manifest stands for its bundle.
                if change.path.ends_with(manifest::FILE) {
                    known.0 = line;
                }
            }
        }
    }
    let lines = lines.into_iter().map(|(line, more, folder)| match more {
        0 => line,
        more => format!("{line} and {} in {folder}", counted(more, "more file")),
    });
    lines.collect()
}

/// Packs a written bundle if requested. Returns the errors, which are already printed for people.
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
    let command = next_steps::archive(&version, &output);
    let Err(findings) = archive::archived(
        &archive::Request {
            version,
            output,
            push: None,
        },
        here,
    ) else {
        return (Vec::new(), Outcome::Clean);
    };
    if request.format == Format::Human {
        say(&findings, &Sources::default());
        let version = &prepared.choice.version;
        error!("bundle {version} is written but not packed; run `{command}`");
    }
    (findings, Outcome::CouldNotRun)
}

/// Writes the reference pages, which describe the bundle as well.
fn described(prepared: &Prepared, request: &Request, done: &Done) -> (Vec<Diagnostic>, Outcome) {
    let folder = prepared.reference_pages.as_deref();
    let folder = folder.filter(|_| matches!(done, Done::Written(_)));
    let Err(findings) = refresh(&prepared.root, folder) else {
        return (Vec::new(), Outcome::Clean);
    };
    if request.format == Format::Human {
        say(&findings, &Sources::default());
        error!(
            "the bundle is written, but the reference pages are not; run `crd-channels gen-crds`"
        );
    }
    (findings, Outcome::CouldNotRun)
}

/// Returns the value; an error is reported.
fn or_report<T>(result: Result<T, Box<Diagnostic>>, sink: &mut Sink) -> Option<T> {
    result.map_err(|finding| sink.push(*finding)).ok()
}

fn rejection(message: String, help: &str) -> Diagnostic {
    Diagnostic::new(Code::ReleaseRefused, None, message).with_help(help)
}
