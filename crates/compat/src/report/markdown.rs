//! The report as release notes.

use crate::findings::verdict::{Channel, Verdict};
use crate::findings::{Finding, KindLabels, Report, Topic};
use crate::kinds::tombstones::reason_of_removal;
use crd_channels_diagnostics::report::counted;
use crd_channels_released::manifest::Tombstones;
use std::collections::HashMap;
use std::fmt::Write;

/// The introduction to breaking changes that a waiver permits.
const WAIVED: &str = "\
These changes can break users, and the versioning rules do not allow them in this bundle. A waiver permits each of them, for the
reason after the dash.";

/// The report as Markdown: a section for each topic that there is something to say about. What was removed is listed with the
/// reason that its tombstone gives.
#[must_use]
pub fn markdown(report: &Report, tombstones: &Tombstones) -> String {
    let mut text = String::new();
    let experimental = |finding: &&Finding| finding.channel == Channel::Experimental;
    let of = |topic: Topic| {
        let findings = report.findings.iter();
        findings
            .filter(move |finding| finding.topic() == topic)
            .collect::<Vec<_>>()
    };
    let (announced, breaking): (Vec<&Finding>, Vec<&Finding>) =
        of(Topic::Breaking).into_iter().partition(experimental);
    let (waived, breaking): (Vec<&Finding>, Vec<&Finding>) = breaking
        .into_iter()
        .partition(|finding| finding.waived.is_some());
    section(&mut text, "Breaking", breaking);
    if !waived.is_empty() {
        let _ = writeln!(text, "### Breaking (waived)\n\n{WAIVED}\n");
        write_list(&mut text, waived, Finding::waiver_reason);
    }
    removed(&mut text, "Breaking (experimental)", announced, tombstones);
    section(&mut text, "Graduated to stable", of(Topic::Graduated));
    let (new, stable): (Vec<&Finding>, Vec<&Finding>) =
        of(Topic::Added).into_iter().partition(experimental);
    section(&mut text, "Added", stable);
    section(&mut text, "Added (experimental)", new);
    section(&mut text, "Loosened", of(Topic::Loosened));
    section(&mut text, "Deprecated", of(Topic::Deprecated));
    let (tried, stable): (Vec<&Finding>, Vec<&Finding>) =
        of(Topic::Removed).into_iter().partition(experimental);
    removed(&mut text, "Removed", stable, tombstones);
    removed(&mut text, "Removed (experimental)", tried, tombstones);
    section(&mut text, "Changed", of(Topic::Changed));
    let (wording, fixed): (Vec<&Finding>, Vec<&Finding>) = of(Topic::Fixed)
        .into_iter()
        .partition(|finding| finding.record.id == "description-changed");
    section(&mut text, "Fixed", fixed);
    if !wording.is_empty() {
        let _ = writeln!(
            text,
            "Descriptions changed in {}.\n",
            counted(wording.len(), "place")
        );
    }
    let accept = report.findings.iter().filter(|finding| {
        finding.record.topic == Topic::Loosened && finding.change.readers != Verdict::Ok
    });
    section(
        &mut text,
        "What implementations must now accept",
        accept.collect(),
    );
    if text.is_empty() {
        text.push_str("Nothing changed.\n");
    }
    text
}

fn section(text: &mut String, title: &str, findings: Vec<&Finding>) {
    explained(text, title, findings, Finding::waiver_reason);
}

/// A section whose changes have the reasons of tombstones. One that a waiver permits keeps the waiver's.
fn removed<'r>(
    text: &mut String,
    title: &str,
    findings: Vec<&'r Finding>,
    tombstones: &'r Tombstones,
) {
    explained(text, title, findings, |finding| {
        let waived = finding.waiver_reason();
        let (code, kind, version, path) = finding.place();
        let of = (Some(&*finding.group), kind);
        let place = [version, path, &*finding.change.message];
        waived.or_else(|| reason_of_removal(code, of, place, tombstones))
    });
}

fn explained<'r>(
    text: &mut String,
    title: &str,
    findings: Vec<&'r Finding>,
    reason: impl Fn(&'r Finding) -> Option<&'r str>,
) {
    if findings.is_empty() {
        return;
    }
    let _ = writeln!(text, "### {title}\n");
    write_list(text, findings, reason);
}

/// One line for each change, with its reason; versions with the same change share it.
fn write_list<'r>(
    text: &mut String,
    findings: Vec<&'r Finding>,
    reason: impl Fn(&'r Finding) -> Option<&'r str>,
) {
    let mut lines: Vec<(String, Vec<&str>, &'r Finding)> = Vec::new();
    let mut places = HashMap::new();
    let kinds = KindLabels::of(findings.iter().copied());
    for finding in findings {
        let place = match (&*kinds.label(finding), finding.path.as_str()) {
            ("", path) => format!("`{path}`"),
            (kind, ".") => kind.to_owned(),
            (kind, path) => format!("{kind} `{path}`"),
        };
        let line = format!("{place}: {}", finding.change.message);
        let place = *places.entry(line.clone()).or_insert(lines.len());
        match lines.get_mut(place) {
            Some((_, versions, _)) => versions.push(&finding.version),
            None => lines.push((line, vec![&finding.version], finding)),
        }
    }
    for (line, versions, finding) in lines {
        let versions = versions.join(", ");
        let versions = if versions.is_empty() {
            versions
        } else {
            format!(" ({versions})")
        };
        let reason = reason(finding).map_or_else(String::new, |reason| format!(" — {reason}"));
        let _ = writeln!(text, "- {line}{versions}{reason}");
    }
    text.push('\n');
}
