//! Separates the new findings of a run from the warnings that the project knows about.

use super::Request;
use super::generate::RunFacts;
use super::results::status;
use crate::known_warnings::{self, KnownWarnings, NewFindings};
use crate::seen_deprecations::without_seen_deprecations;
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Diagnostic, Sink, Sources, once_each};
use std::path::Path;

/// Returns the findings of a run without the known warnings; without any warnings if they are to be recorded.
pub fn new_findings(
    sink: Sink,
    request: &Request,
    facts: &RunFacts,
    sources: &Sources,
) -> Vec<Diagnostic> {
    let has_errors = sink.has_errors();
    let mut findings = sink.into_diagnostics();
    if let Some(root) = &facts.root {
        findings = without_seen_deprecations(findings, root);
        if request.write_baseline && !has_errors {
            return record(findings, root, request, sources);
        }
    }
    let whole = !has_errors && request.channels.is_empty();
    let NewFindings { findings, known } = facts.known_warnings.apply(findings, whole, sources);
    let known = once_each(known).len();
    if known > 0 && !request.format.is_for_programs() && !request.rustc_json {
        note!(
            "{} and not shown, see `{}`",
            are_known(known),
            known_warnings::display_path()
        );
    }
    findings
}

/// Records the warnings as known. Returns all findings and an error if that fails.
fn record(
    mut findings: Vec<Diagnostic>,
    root: &Path,
    request: &Request,
    sources: &Sources,
) -> Vec<Diagnostic> {
    match KnownWarnings::from_findings(&findings, sources).write(root) {
        Ok(()) => {
            let known = are_known(once_each(findings).len());
            let path = known_warnings::display_path();
            status(&format!("{path}: {known} from now on"), request);
            Vec::new()
        }
        Err(finding) => {
            findings.push(*finding);
            findings
        }
    }
}

/// Formats `1 warning is known`.
fn are_known(number: usize) -> String {
    let are = if number == 1 { "is" } else { "are" };
    format!("{} {are} known", counted(number, "warning"))
}
