//! `check`: what an API server would refuse in CRDs, and what their users would regret.

pub(super) mod files;
mod excerpts;
mod report;

use super::{Outcome, say_as};
use crd_channels_check::{self as check, Finding, Level, Rule};
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_files::Disk;
use crd_channels_projection::channel::config::{Bundle, Kubernetes, Lints};
use crd_channels_released::documents;
use files::{PathTarget, Unread};
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files and folders; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// How findings are written. As JSON each file is an object on a line of its own.
    pub format: Format,
    /// The oldest Kubernetes that the CRDs are for, over what the configuration says.
    pub kubernetes: Option<Kubernetes>,
    /// The levels of lints, over what the configuration says.
    pub levels: Vec<(Rule, Level)>,
}

/// A file and its findings.
struct CheckedFile {
    file: String,
    text: String,
    crds: Vec<CheckedCrd>,
    /// How many documents are not CRDs.
    others: usize,
}

/// A CRD and its findings.
struct CheckedCrd {
    document: Value,
    /// Which of the file's documents it is.
    nth: usize,
    name: String,
    versions: usize,
    findings: Vec<Finding>,
}

impl CheckedFile {
    /// Whether a server takes every CRD of the file.
    fn is_accepted(&self) -> bool {
        let mut findings = self.crds.iter().flat_map(|crd| &crd.findings);
        !findings.any(Finding::refuses)
    }
}

/// Checks files and says what was found on stdout.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(CheckOptions { lints, minor }) = check_options(request) else {
        return Outcome::CouldNotRun;
    };
    let mut outcome = Outcome::Clean;
    let mut unread_files = Vec::new();
    let mut failed = |file: Unread| {
        eprintln!("error: {}", file.message);
        outcome = Outcome::CouldNotRun;
        unread_files.push(file);
    };
    let mut checked = Vec::new();
    for path in &request.paths {
        let (before, mut unread) = (checked.len(), false);
        for found in files::named(path) {
            let file = match found {
                Ok(PathTarget::File(file)) => check_text(file.name, file.text, minor),
                Ok(PathTarget::Template(name)) => {
                    note!("{name}: skipped, because it is a template of a Helm chart");
                    continue;
                }
                Err(unread) => Err(unread),
            };
            match file {
                Ok(file) => checked.push(file),
                Err(file) => {
                    failed(file);
                    unread = true;
                }
            }
        }
        let mut here = checked.iter().skip(before);
        let has_crds = here.any(|file| !file.crds.is_empty());
        if files::promises_crds(path) && !has_crds && !unread {
            let name = path.display().to_string();
            let message = format!("{name}: no CRDs to check");
            failed(Unread { name, message });
        }
    }
    check_together(&mut checked);
    let denied = set_levels(&mut checked, &lints);
    let mut written = report::write(&checked, &lints, request.format);
    if request.format == Format::Json {
        written.push_str(&report::unread(&unread_files));
    }
    // A reader that went away has read enough.
    let _ = std::io::stdout().lock().write_all(written.as_bytes());
    for note in report::notes(&checked) {
        note!("{note}");
    }
    match outcome {
        Outcome::Clean if denied => Outcome::Findings,
        other => other,
    }
}

/// How CRDs are checked.
struct CheckOptions {
    lints: Lints,
    /// The oldest minor of Kubernetes that they are for.
    minor: u32,
}

/// What the nearest `channels/bundle.toml` around the current folder says, and over it what was asked for. None, with an
/// error, if that file is wrong.
fn check_options(request: &Request) -> Option<CheckOptions> {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let here = std::env::current_dir().unwrap_or_default();
    let configured = here
        .ancestors()
        .find(|folder| folder.join("channels/bundle.toml").is_file());
    let bundle = configured.map(|root| Bundle::read(&Disk, root, &sources, &mut sink));
    if sink.has_errors() {
        say_as(&sink.into_diagnostics(), &sources, request.format);
        return None;
    }
    let configured = bundle.as_ref().map(|bundle| bundle.kubernetes);
    let oldest = request.kubernetes.or(configured);
    let mut lints = bundle.map(|bundle| bundle.lints).unwrap_or_default();
    let asked = request.levels.iter();
    asked.for_each(|(rule, level)| lints.set(*rule, *level));
    Some(CheckOptions {
        lints,
        minor: oldest.map_or(check::NEWEST, Kubernetes::of_major_1),
    })
}

fn check_text(file: String, text: String, minor: u32) -> Result<CheckedFile, Unread> {
    let documents = match documents::parse(&text) {
        Ok(documents) => documents,
        Err(error) => {
            let message = format!("{file}: {error}");
            return Err(Unread {
                name: file,
                message,
            });
        }
    };
    let all = documents.len();
    let documents = documents.into_iter().enumerate();
    let crds = documents.filter(|(_, document)| is_crd(document));
    let crds: Vec<CheckedCrd> = crds
        .map(|(nth, document)| check_crd(nth, document, minor))
        .collect();
    Ok(CheckedFile {
        file,
        text,
        others: all - crds.len(),
        crds,
    })
}

fn is_crd(document: &Value) -> bool {
    let kind = document.get("kind").and_then(Value::as_str);
    kind == Some("CustomResourceDefinition")
}

fn check_crd(nth: usize, document: Value, minor: u32) -> CheckedCrd {
    let name = document.pointer("/metadata/name").and_then(Value::as_str);
    let versions = document.pointer("/spec/versions").and_then(Value::as_array);
    CheckedCrd {
        name: name.unwrap_or_default().to_owned(),
        versions: versions.map_or(0, Vec::len),
        findings: check::validate_and_lint(&document, minor),
        document,
        nth,
    }
}

/// Adds what only all files together tell.
fn check_together(checked: &mut [CheckedFile]) {
    let crds: Vec<&CheckedCrd> = checked.iter().flat_map(|file| &file.crds).collect();
    let documents: Vec<_> = crds
        .iter()
        .map(|crd| check::Document::decode(&crd.document))
        .collect();
    let clashes = check::name_clashes(&documents);
    let mut crds: Vec<&mut CheckedCrd> =
        checked.iter_mut().flat_map(|file| &mut file.crds).collect();
    for (place, finding) in clashes {
        if let Some(crd) = crds.get_mut(place) {
            crd.findings.push(finding);
        }
    }
}

/// Takes out what is allowed; whether anything denied is left.
fn set_levels(checked: &mut [CheckedFile], lints: &Lints) -> bool {
    let mut denied = false;
    for crd in checked.iter_mut().flat_map(|file| &mut file.crds) {
        crd.findings
            .retain(|finding| lints.level(finding.rule) != Level::Allow);
        let mut levels = crd.findings.iter().map(|finding| lints.level(finding.rule));
        denied |= levels.any(|level| level == Level::Deny);
    }
    denied
}

#[cfg(test)]
mod tests;
