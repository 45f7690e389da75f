//! Checks the tree before a release as `gen-crds --check` does: the findings of its CRDs, the examples, and the generated files.

use super::candidate::Source;
use super::channel_crds::{channel_names, crds, generated_files};
use super::or_report;
use super::output::Output;
use crate::commands::gen_crds::CRDS;
use crate::commands::known_warnings::{self, KnownWarnings};
use crate::commands::released_version;
use crate::commands::seen_deprecations::without_seen_deprecations;
use crate::commands::{blocks_release, examples};
use crate::release::contents::Crds;
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, once_each};
use crd_channels_files::Disk;
use crd_channels_generator::pipeline::{Setup, accepted};
use crd_channels_workspace::Checked;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Makes the CRDs of the tree and reports their findings, without the known lints. `None` if the known lints cannot be read.
pub fn checked_crds(
    source: Source<'_>,
    root: &Path,
    notes: &mut Vec<String>,
    sink: &mut Sink,
) -> Option<Vec<Crds>> {
    let Source {
        setup,
        kinds,
        stamp,
        sources,
    } = source;
    let mut found = Sink::default();
    let crds = crds(setup, kinds, stamp, sources, &mut found);
    let unseen = without_seen_deprecations(found.into_diagnostics(), root);
    let known = or_report(KnownWarnings::read(root), sink)?;
    let (found, lints) = without_known_lints(unseen, &known, sources);
    if lints > 0 {
        notes.push(format!(
            "{} in `{}`",
            counted(lints, "warning"),
            known_warnings::display_path()
        ));
    }
    sink.append(found);
    Some(crds)
}

/// Returns the findings without the lints that the project knows about, and the number of those. Other warnings block a release
/// even if known.
fn without_known_lints(
    found: Vec<Diagnostic>,
    known: &KnownWarnings,
    sources: &Sources,
) -> (Sink, usize) {
    let is_lint = |finding: &Diagnostic| finding.lint.is_some();
    let (lints, others): (Vec<_>, Vec<_>) = found.into_iter().partition(is_lint);
    let new = known.apply(lints, false, sources);
    let mut sink = Sink::default();
    let all = others.into_iter().chain(new.findings);
    all.for_each(|finding| sink.push(finding));
    (sink, once_each(new.known).len())
}

/// Reports an error if there are warnings that block a release.
pub fn reject_warnings(sink: &mut Sink) {
    let warnings = sink.diagnostics().iter();
    let warnings = warnings.filter(|finding| blocks_release(finding)).cloned();
    // Counts what is shown: a finding of all channels is one.
    let warnings = once_each(warnings.collect()).len();
    if warnings > 0 {
        let are = if warnings == 1 { "is" } else { "are" };
        let message = format!(
            "{} {are} blocking the release",
            counted(warnings, "warning")
        );
        sink.push(
            Diagnostic::new(Code::ReleaseRefused, None, message).with_help(
                "fix them; lints to keep can be recorded as known with `crd-channels gen-crds --write-baseline`",
            ),
        );
    }
}

/// The maximum number of rustc's errors to report.
const MOST_ERRORS: usize = 10;

/// Lets rustc check the types, which were only read so far. A bundle is for ever, so it must not be made from source that never
/// compiled; if nothing can be compiled here, a note says so.
pub fn check_that_they_compile(setup: &Setup, notes: &mut Vec<String>, sink: &mut Sink) {
    let packages = setup.packages.iter();
    let packages: Vec<String> = packages
        .filter_map(|id| setup.workspace.package(*id))
        .map(|package| format!(" -p {}", package.name))
        .collect();
    let command = format!("cargo check{}", packages.concat());
    match accepted::check(setup) {
        Checked::Accepted => {}
        Checked::Unknown(why) => notes.push(format!(
            "the types were not compiled: {why}; run `{command}` where it works before you push"
        )),
        Checked::Rejected(errors) => {
            let more = errors.len().saturating_sub(MOST_ERRORS);
            for error in errors.into_iter().take(MOST_ERRORS) {
                let place = error.place.map(|place| format!("`{place}`: "));
                let message = format!("{}{}", place.unwrap_or_default(), error.message);
                sink.push(does_not_compile(message, &command));
            }
            if more > 0 {
                let message = format!("{} are not shown", counted(more, "more error"));
                sink.push(does_not_compile(message, &command));
            }
        }
    }
}

fn does_not_compile(message: String, command: &str) -> Diagnostic {
    Diagnostic::new(
        Code::ReleaseRefused,
        None,
        format!("rustc rejects the types: {message}"),
    )
    .with_help(format!("run `{command}` and fix what it reports"))
}

/// Validates the examples, and checks that the generated files are those of the types.
pub fn check_files(source: Source<'_>, output: &Output<'_>, crds: &[Crds], sink: &mut Sink) {
    let Source {
        setup,
        kinds,
        stamp,
        sources,
    } = source;
    let texts = generated_files(crds);
    let kept = BTreeSet::new();
    let channels = channel_names(setup);
    let with_examples = examples::Crds {
        texts: &texts,
        kept: &kept,
        output: output.root,
        channels: &channels,
        memory: None,
    };
    let page = examples::check(setup, with_examples, sources, sink);
    let generated = released_version::GeneratedCrds {
        texts: &texts,
        kept: &kept,
        channels: &channels,
    };
    match released_version::rejection(setup, generated, &Disk) {
        Some(finding) => sink.push(finding),
        None => {
            let mut files = output.with_constants(crds, kinds, stamp);
            files.extend(page);
            reject_stale(output, files, sink);
        }
    }
}

fn reject_stale(output: &Output<'_>, files: BTreeMap<String, String>, sink: &mut Sink) {
    match output.plan(CRDS, files).compare(&Disk) {
        Ok(changes) if changes.is_empty() => {}
        Ok(changes) => {
            let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
            let message = format!(
                "these files do not match the types: `{}`",
                paths.join("`, `")
            );
            let finding = Diagnostic::new(Code::StaleFiles, None, message);
            let help = "run `crd-channels gen-crds` and commit what it writes";
            sink.push(finding.with_help(help));
        }
        Err(finding) => sink.push(*finding),
    }
}
