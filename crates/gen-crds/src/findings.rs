//! Writes findings, for people and for programs.

use crd_channels_diagnostics::report::{self, Format};
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sources, terminal};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Writes findings for people.
pub fn say(findings: &[Diagnostic], sources: &Sources) {
    say_as(findings, sources, Format::Human);
}

/// Writes findings: for people to stderr; for programs, whose result they are, to stdout.
pub fn say_as(findings: &[Diagnostic], sources: &Sources, format: Format) {
    let color = terminal::is_colored(&std::io::stderr());
    if format.is_for_programs() {
        print!("{}", report::write(findings, sources, format, color));
    } else {
        let text = report::write(&shown(findings), sources, format, color);
        eprint!("{text}");
    }
}

/// Writes findings, for people with their number.
pub fn say_with_summary(findings: &[Diagnostic], sources: &Sources, format: Format) {
    say_as(findings, sources, format);
    let summary = report::summary(&shown(findings)).filter(|_| !format.is_for_programs());
    if let Some(summary) = summary {
        let any = |is: fn(&Diagnostic) -> bool| findings.iter().any(is);
        let ending = if !any(|finding| finding.severity() == Severity::Error) {
            ""
        } else if any(|finding| {
            matches!(
                finding.code,
                Code::ProofDiffers | Code::RecordFailed | Code::RecordGated
            )
        }) {
            // What could be recorded is.
            "; no CRD was written"
        } else {
            "; nothing was written"
        };
        eprintln!("{summary}{ending}");
    }
}

/// Returns the findings to show to people: with `--quiet` only errors.
#[must_use]
pub fn shown(findings: &[Diagnostic]) -> Cow<'_, [Diagnostic]> {
    if !terminal::is_quiet() {
        return findings.into();
    }
    let errors = findings.iter();
    let errors = errors.filter(|finding| finding.severity() == Severity::Error);
    errors.cloned().collect()
}

/// Whether a warning blocks a release, unless it is a lint that the project knows about. Sizes do not: servers have other
/// limits.
#[must_use]
pub fn blocks_release(finding: &Diagnostic) -> bool {
    finding.severity() == Severity::Warning
        && !matches!(finding.code, Code::SizeLimit | Code::SizeBudget)
}

/// Describes the warnings of a run that block a release; `None` if there are none, or errors.
#[must_use]
pub fn blocking(findings: &[Diagnostic]) -> Option<String> {
    let is_error = |finding: &Diagnostic| finding.severity() == Severity::Error;
    if findings.iter().any(is_error) {
        return None;
    }
    let all = || findings.iter().filter(|finding| blocks_release(finding));
    let codes: BTreeSet<&str> = all().map(|finding| finding.record().id).collect();
    let codes: Vec<&str> = codes.into_iter().collect();
    let block = match all().count() {
        0 => return None,
        1 => "1 warning blocks".to_owned(),
        many => format!("{many} warnings block"),
    };
    let baseline = match all().any(|finding| finding.lint.is_some()) {
        true => "; `crd-channels gen-crds --write-baseline` records lints that you keep",
        false => "",
    };
    Some(format!(
        "{block} a release: {}{baseline}",
        list_names(&codes, codes.len())
    ))
}

/// Lists some names for a message, and the number of others.
#[must_use]
pub fn list_names(all: &[impl AsRef<str>], most: usize) -> String {
    let shown: Vec<&str> = all.iter().take(most).map(AsRef::as_ref).collect();
    let more = match all.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("`{}`{more}", shown.join("`, `"))
}
