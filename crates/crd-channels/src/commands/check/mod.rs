//! `check`: reports what an API server would refuse in CRDs, and what their users would regret.

pub(super) mod files;
mod excerpts;
mod released_past;
mod report;

use super::{Outcome, say_as};
use crd_channels_check::{self as check, ClaimedNames, Finding, Level, Rule};
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::{Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, shown_path};
use crd_channels_projection::channel::config::{Bundle, FOLDER, Kubernetes, Lints};
use crd_channels_released::documents;
use files::{PathTarget, Unread};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The arguments of `check`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files and folders; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// The format of the findings.
    pub format: Format,
    /// The oldest Kubernetes version that the CRDs are for; overrides the configuration.
    pub kubernetes: Option<Kubernetes>,
    /// The levels of lints; override the configuration.
    pub levels: Vec<(Rule, Level)>,
}

/// A file and its findings.
struct CheckedFile {
    file: String,
    text: String,
    crds: Vec<CheckedCrd>,
    /// The number of documents that are not CRDs.
    others: usize,
}

/// A CRD and its findings.
struct CheckedCrd {
    /// The index of the document in its file.
    nth: usize,
    name: String,
    versions: usize,
    findings: Vec<Finding>,
    names: ClaimedNames,
}

impl CheckedFile {
    /// Whether a server accepts every CRD of the file.
    fn is_accepted(&self) -> bool {
        let mut findings = self.crds.iter().flat_map(|crd| &crd.findings);
        !findings.any(Finding::refuses)
    }
}

/// Checks files and prints the findings to stdout.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(options) = check_options(request) else {
        return Outcome::CouldNotRun;
    };
    let mut unread_files = Vec::new();
    let mut failed = |file: Unread| {
        if request.format != Format::Json {
            error!("{}", file.message);
        }
        unread_files.push(file);
    };
    let mut checked = Vec::new();
    for path in &request.paths {
        let (before, mut unread) = (checked.len(), false);
        for found in files::files_at(path) {
            let file = match found {
                Ok(PathTarget::File(file)) => check_text(file.name, file.text, &options),
                Ok(PathTarget::Template(name)) => {
                    note!("`{name}` is skipped, because it is a template of a Helm chart");
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
            let name = shown_path(path);
            let message = format!(
                "{} has no CRDs to check; `crd-channels validate` checks objects",
                files::shown(&name)
            );
            failed(Unread { name, message });
        }
    }
    find_name_clashes(&mut checked);
    let lints = &options.lints;
    let denied = set_levels(&mut checked, lints);
    let written = report::write(&checked, &unread_files, lints, request.format);
    print!("{written}");
    if !checked.is_empty() {
        for note in report::notes(&checked) {
            note!("{note}");
        }
    }
    match (unread_files.is_empty(), denied) {
        (false, _) => Outcome::CouldNotRun,
        (true, true) => Outcome::Findings,
        (true, false) => Outcome::Clean,
    }
}

/// The JSON document of a run that could not begin.
pub(crate) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    report::failed(findings, sources)
}

/// How CRDs are checked.
struct CheckOptions {
    lints: Lints,
    /// The oldest minor of Kubernetes that the CRDs are for.
    minor: u32,
    /// The nearest folder that may have released bundles.
    root: Option<PathBuf>,
}

/// Reads the options from the nearest `channels/bundle.toml` around the current folder, and overrides them with the request's.
/// `None`, with an error reported, if that file is invalid.
fn check_options(request: &Request) -> Option<CheckOptions> {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let here = std::env::current_dir().unwrap_or_default();
    let configured = here
        .ancestors()
        .find(|folder| folder.join("channels/bundle.toml").is_file());
    let root = here
        .ancestors()
        .find(|folder| folder.join(FOLDER).is_dir())
        .map(Path::to_path_buf);
    let bundle = configured.map(|root| Bundle::read(&Disk, root, &sources, &mut sink));
    if sink.has_errors() {
        let findings = sink.into_diagnostics();
        match request.format {
            Format::Json => println!("{}", report::failed(&findings, &sources)),
            format => say_as(&findings, &sources, format),
        }
        return None;
    }
    let configured = bundle.as_ref().map(|bundle| bundle.kubernetes);
    let oldest = request.kubernetes.or(configured);
    let unknown = oldest.and_then(|it| check::of_unknown_minor(it, it.of_major_1()));
    if let Some(unknown) = unknown {
        note!("{unknown}");
    }
    let mut lints = bundle.map(|bundle| bundle.lints).unwrap_or_default();
    let asked = request.levels.iter();
    asked.for_each(|(rule, level)| lints.set(*rule, *level));
    Some(CheckOptions {
        lints,
        minor: oldest.map_or(check::NEWEST, Kubernetes::of_major_1),
        root,
    })
}

/// Reads a file and checks one CRD after the other, so that not all of them need memory.
fn check_text(file: String, text: String, options: &CheckOptions) -> Result<CheckedFile, Unread> {
    let mut crds = Vec::new();
    let mut documents = 0;
    let parsed = documents::each(&text, |document| {
        if is_crd(&document) {
            crds.push(checked(documents, &document, options));
        }
        documents += 1;
    });
    if let Err(error) = parsed {
        let message = format!("{}: {error}", files::shown(&file));
        return Err(Unread {
            name: file,
            message,
        });
    }
    Ok(CheckedFile {
        file,
        text,
        others: documents - crds.len(),
        crds,
    })
}

fn is_crd(document: &Value) -> bool {
    let kind = document.get("kind").and_then(Value::as_str);
    kind == Some("CustomResourceDefinition")
}

fn checked(nth: usize, document: &Value, options: &CheckOptions) -> CheckedCrd {
    let name = document.pointer("/metadata/name").and_then(Value::as_str);
    let name = name.unwrap_or_default();
    let versions = document.pointer("/spec/versions").and_then(Value::as_array);
    let decoded = check::Document::decode(document);
    let mut findings = decoded.validate_and_lint(document, options.minor);
    released_past::drop_seen_deprecations(&mut findings, name, document, options.root.as_deref());
    CheckedCrd {
        nth,
        name: name.to_owned(),
        versions: versions.map_or(0, Vec::len),
        findings,
        names: decoded.claimed_names(),
    }
}

/// Finds what only all CRDs together show.
fn find_name_clashes(checked: &mut [CheckedFile]) {
    let crds = checked.iter().flat_map(|file| &file.crds);
    let found = check::name_clashes(crds.map(|crd| &crd.names));
    let mut crds: Vec<_> = checked.iter_mut().flat_map(|file| &mut file.crds).collect();
    for (place, finding) in found {
        if let Some(crd) = crds.get_mut(place) {
            crd.findings.push(finding);
        }
    }
}

/// Removes findings of allowed rules. Returns whether any denied finding is left.
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
