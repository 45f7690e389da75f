//! `diff OLD NEW`: reports what changed between two sets of CRDs, and the version bump that the changes need.

pub(crate) mod unread;
pub(crate) mod origin;
mod on_disk;
mod types;
pub(crate) mod side;

use super::bundle_chain::BundleChain;

use super::{Outcome, say};
use crate::release::lifecycle::Ancestry;
use crd_channels_compat::report::{self, Format};
use crd_channels_compat::{Bump, Lineage, Report, compare_along, waivers};
use crd_channels_diagnostics::report::json as as_json;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use serde_json::Value;
use side::Side;
use std::path::PathBuf;
use unread::Unread;

/// The arguments of `diff`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The old set.
    pub old: String,
    /// The new set.
    pub new: String,
    /// The format of the report.
    pub format: Format,
    /// The highest bump that is not reported as a finding.
    pub against: Option<Bump>,
    /// The file of waivers to read instead of `channels/waivers.toml`.
    pub waivers: Option<PathBuf>,
    /// The packages whose build decides which features are on; empty means as configured.
    pub packages: Vec<String>,
}

/// Compares two sets.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    match differ(request) {
        Ok(outcome) => outcome,
        Err(unread) => {
            report_unread(&unread, request.format);
            unread.outcome
        }
    }
}

/// Reports why the sets cannot be compared, as JSON in an object with the keys of a report.
fn report_unread(unread: &Unread, format: Format) {
    let Unread {
        message,
        findings,
        sources,
        ..
    } = unread;
    let help = "name a released bundle, a folder or file of CRDs, `.` or `git:REV`";
    if format != Format::Json {
        say(findings, sources);
        error!("{message}");
        if findings.is_empty() {
            help!("{help}");
        }
        return;
    }
    let errors = unread.errors(|alone| alone.with_help(help));
    println!("{:#}", failed(&errors, sources));
}

/// The JSON document of a run that could not compare anything.
pub(crate) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    let mut whole = report::json(&Report::default());
    whole["bump"] = Value::Null;
    whole["findings"] = as_json(findings, sources);
    whole
}

/// The first file number of the new side.
const NEW: u32 = 1 << 31;

fn differ(request: &Request) -> Result<Outcome, Unread> {
    let (old, new) = rayon::join(
        || Side::read(&request.old, &request.packages, 0),
        || Side::read(&request.new, &request.packages, NEW),
    );
    let (old, new) = (old?, new?);
    if request.against.is_some() {
        new.follows_what_was_released()?;
    }
    let chain = new.chain();
    let known = chain.as_ref().ok().and_then(Option::as_ref);
    let past = known.map(BundleChain::past);
    let lineage = Lineage {
        recorded: known.map_or(&[], BundleChain::recorded),
        ..lineage(&old, past.as_ref())
    };
    let mut report = compare_along(lineage, &old.set, &new.set);
    let unread = [&old, &new].map(|side| side.note.clone());
    report.notes.extend(unread.into_iter().flatten());
    report.notes.extend(across(lineage));
    report.notes.extend(chain.as_ref().err().map(|unread| {
        let first = unread.findings.first();
        let why = first.map_or(&unread.message, |finding| &finding.message);
        format!(
            "bundles before {} cannot be read, so their contents are not considered: {why}",
            new.name
        )
    }));
    old.locate(&mut report.findings);
    new.locate(&mut report.findings);
    if let Some(text) = waivers_for(request, &new)? {
        let waivers = waivers::parse(&text).map_err(|error| format!("waivers: {error}"))?;
        waivers::apply(&waivers, new.set.bundle_version().as_deref(), &mut report);
    }
    let place = |span| new.place(span).or_else(|| old.place(span));
    match request.format {
        Format::Human => print!("{}", report::human(&report, place)),
        Format::Json => {
            let none = Sources::default();
            let sources = [&new, &old].into_iter().find_map(Side::files_on_disk);
            let sources = sources.unwrap_or(&none);
            let mut whole = report::json(&report);
            whole["findings"] = as_json(&not_allowed(&report, request.against, sources), sources);
            println!("{whole:#}");
        }
        Format::Markdown => {
            let tombstones = new.set.tombstones.clone().unwrap_or_default();
            print!("{}", report::markdown(&report, &tombstones));
        }
    }
    let Some(against) = request.against.filter(|against| report.bump() > *against) else {
        return Ok(Outcome::Clean);
    };
    if request.format != Format::Json {
        error!(
            "these changes are not allowed in a {} bundle",
            asked(against)
        );
    }
    Ok(Outcome::Findings)
}

/// Returns the changes that need more than `--against` allows, as diagnostics for programs; with places if these are in
/// `sources`.
fn not_allowed(report: &Report, against: Option<Bump>, sources: &Sources) -> Vec<Diagnostic> {
    let Some(against) = against else {
        return Vec::new();
    };
    let findings = report.findings.iter();
    let beyond = findings.filter(|finding| finding.counts_as() > against);
    let diagnostics = beyond.map(|finding| {
        let message = format!(
            "{}: {}, but `--against` allows a {} bundle",
            finding.described(),
            finding.counts_as().requirement(),
            asked(against)
        );
        let place = finding.origin;
        let place = place.filter(|span| sources.get(span.file).is_some());
        let diagnostic = Diagnostic::new(Code::ReleaseRefused, place, message);
        diagnostic.with_help(format!(
            "`crd-channels explain {}` explains the rule",
            finding.record.id
        ))
    });
    diagnostics.collect()
}

/// Returns the lineage of the old side, if it is a bundle of the past or was made after one.
fn lineage<'p>(old: &Side, past: Option<&'p Ancestry<'p>>) -> Lineage<'p> {
    let version = old.set.bundle_version();
    let version = version.and_then(|version| version.parse().ok());
    let known = past.zip(version);
    known.map_or_else(Lineage::default, |(past, version)| {
        Lineage::from_chain(&past.bundles, &version)
    })
}

/// Returns a note about the bundles between the two sides, if there are any.
fn across(lineage: Lineage<'_>) -> Option<String> {
    let between = lineage.between.iter();
    let versions: Vec<String> = between
        .map(|bundle| bundle.manifest.version.to_string())
        .collect();
    (!versions.is_empty()).then(|| {
        format!(
            "{} between the two: each change is checked step by step",
            match versions.as_slice() {
                [one] => format!("{one} is"),
                _ => format!("{} are", versions.join(", ")),
            }
        )
    })
}

fn asked(bump: Bump) -> &'static str {
    match bump {
        Bump::None | Bump::Patch => "patch",
        Bump::Minor => "minor",
        Bump::NewApiVersion | Bump::Never => "major",
    }
}

fn waivers_for(request: &Request, new: &Side) -> Result<Option<String>, Unread> {
    let Some(path) = &request.waivers else {
        return new.waivers();
    };
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("`{}`: {error}", path.display()))?;
    Ok(Some(text))
}
