//! One short function per command.

mod first_bundle;
pub mod program;
pub mod interrupted;
pub mod init;
pub mod baseline;
mod chain;
mod costs;
pub mod gen_crds;
pub mod stale;
pub mod prove;
pub mod diff;
pub mod release;
pub mod archive;
pub mod prune;
pub mod sign;
pub mod start_next;
pub mod adopt;
pub mod merge_driver;
pub mod released_version;
pub mod verify_release;
mod warned;
mod manifest;
pub mod sets;
pub mod features;
pub mod graduate;
pub mod remove;
pub mod deprecate;
mod edited;
pub mod pin;
mod pin_changes;
pub mod vendor;
pub mod check;
mod served;
pub mod eval_rule;
pub mod explain_rule;
pub mod examples;
pub mod explain;
pub mod envtest;
pub mod explain_warning;
pub mod rustc_json;

use crd_channels_diagnostics::report::{self, Format};
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sink, Sources, terminal};
use crd_channels_workspace as workspace;
use std::borrow::Cow;
use std::path::PathBuf;

/// The current folder; none, with an error, if it cannot be read.
#[must_use]
pub fn here() -> Option<PathBuf> {
    let here = current();
    here.map_err(|finding| say(&[*finding], &Sources::default()))
        .ok()
}

/// The current folder.
fn current() -> Result<PathBuf, Box<Diagnostic>> {
    std::env::current_dir().map_err(|error| {
        let message = format!("the current folder cannot be read: {error}");
        let finding = Diagnostic::new(Code::UnreadableFile, None, message);
        Box::new(finding.with_help("change to an existing folder"))
    })
}

/// Ends a command that cannot begin. To programs it prints the document that they expect of the command.
pub fn failed(command: &str, finding: &Diagnostic, format: Format) -> Outcome {
    let findings = std::slice::from_ref(finding);
    let document = match (format, command) {
        (Format::Json, "check") => Some(check::failed(findings, &Sources::default())),
        (Format::Json, "diff") => Some(diff::failed(findings, &Sources::default())),
        (Format::Json, "eval-rule") => Some(eval_rule::failed(findings)),
        (Format::Json, "explain-rule") => Some(explain_rule::failed(findings)),
        (Format::Json, "features") => Some(features::failed(findings, &Sources::default())),
        (Format::Json, "pin") => Some(pin::failed(findings)),
        (Format::Json, "prove") => Some(prove::document(None, findings, &Sources::default())),
        (Format::Json, "release") => Some(release::failed(findings, &Sources::default())),
        (Format::Json, "vendor") => Some(vendor::failed(findings)),
        _ => None,
    };
    match document {
        Some(document) => println!("{document}"),
        None => say_as(findings, &Sources::default(), format),
    }
    Outcome::CouldNotRun
}

/// The workspace around the current folder; none, which is reported, where there is none.
fn root(sink: &mut Sink) -> Option<PathBuf> {
    let root = workspace::find_root(&here()?);
    root.map_err(|finding| sink.push(*finding)).ok()
}

/// Writes findings for people.
pub fn say(findings: &[Diagnostic], sources: &Sources) {
    say_as(findings, sources, Format::Human);
}

/// Writes findings: for people to stderr, for programs to stdout, where they are the result.
fn say_as(findings: &[Diagnostic], sources: &Sources, format: Format) {
    let color = terminal::is_colored(&std::io::stderr());
    match format {
        Format::Human => eprint!(
            "{}",
            report::write(&shown(findings), sources, format, color)
        ),
        Format::Json | Format::Github | Format::Sarif => {
            print!("{}", report::write(findings, sources, format, color));
        }
    }
}

/// The findings that people are shown: with `--quiet` errors only.
fn shown(findings: &[Diagnostic]) -> Cow<'_, [Diagnostic]> {
    if !terminal::is_quiet() {
        return findings.into();
    }
    let errors = findings.iter();
    let errors = errors.filter(|finding| finding.severity() == Severity::Error);
    errors.cloned().collect()
}

/// Some names in a message, and how many more there are.
fn named(all: &[impl AsRef<str>], most: usize) -> String {
    let shown: Vec<&str> = all.iter().take(most).map(AsRef::as_ref).collect();
    let more = match all.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("`{}`{more}", shown.join("`, `"))
}

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
    fn of(findings: &[Diagnostic]) -> Self {
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
    fn of_failed(findings: &[Diagnostic]) -> Self {
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
