//! The report for people: by kind, with a line for each change and a line for its meaning.

use super::lowest;
use crate::findings::verdict::{Bump, Need, Verdict};
use crate::findings::{Finding, Report};
use crd_channels_diagnostics::Span;
use crd_channels_diagnostics::report::counted;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Longer values are not shown.
const LONGEST_VALUE: usize = 160;

/// The report as text. `place` formats a span in Rust as `file:line`.
#[must_use]
pub fn human(report: &Report, place: impl Fn(Span) -> Option<String>) -> String {
    let mut text = String::new();
    let mut by_kind: BTreeMap<(&str, String), Vec<&Finding>> = BTreeMap::new();
    let mut wording = 0;
    for finding in &report.findings {
        if finding.record.id == "description-changed" {
            wording += 1;
            continue;
        }
        let kind = (&*finding.kind, finding.channel_name());
        by_kind.entry(kind).or_default().push(finding);
    }
    for ((kind, channel), findings) in by_kind {
        let kind = if kind.is_empty() { "the bundle" } else { kind };
        let _ = writeln!(text, "{kind} ({channel})");
        for (finding, versions) in merged(findings) {
            one(&mut text, finding, &versions, &place);
        }
        text.push('\n');
    }
    if wording > 0 {
        let _ = writeln!(
            text,
            "{} changed (patch)\n",
            counted(wording, "description")
        );
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let _ = writeln!(text, "{}", summary(report));
    text
}

/// Merges equal findings in several versions into one entry.
fn merged(findings: Vec<&Finding>) -> Vec<(&Finding, Vec<&str>)> {
    let mut entries: Vec<(&Finding, Vec<&str>)> = Vec::new();
    let mut places = HashMap::new();
    for finding in findings {
        let key = (finding.record.id, &finding.path, &finding.change.message);
        let place = *places.entry(key).or_insert(entries.len());
        match entries.get_mut(place) {
            Some((_, versions)) => versions.push(&finding.version),
            None => entries.push((finding, vec![&finding.version])),
        }
    }
    entries
}

fn one(
    text: &mut String,
    finding: &Finding,
    versions: &[&str],
    place: &impl Fn(Span) -> Option<String>,
) {
    let change = &finding.change;
    let versions = versions.join(", ");
    let versions = if versions.is_empty() {
        versions
    } else {
        format!("{versions} ")
    };
    let _ = writeln!(
        text,
        "  {}[{}]: {versions}{}: {}",
        change.bump, finding.record.id, finding.path, change.message
    );
    let audiences = [
        ("stored objects", change.stored),
        ("writers", change.writers),
        ("readers", change.readers),
    ];
    let affected: Vec<String> = audiences
        .into_iter()
        .filter(|(_, verdict)| *verdict != Verdict::Ok)
        .map(|(audience, verdict)| format!("{audience}: {verdict}"))
        .collect();
    if !affected.is_empty() {
        let _ = writeln!(text, "      {}", affected.join(", "));
    }
    if let Some(value) = &change.rejected {
        let value = value.to_string();
        // Messages on rules have it already.
        if value.chars().count() <= LONGEST_VALUE && !change.message.contains(&value) {
            let _ = writeln!(text, "      rejects `{value}`");
        }
    }
    if let Some(place) = finding.origin.and_then(place) {
        let _ = writeln!(text, "      at {place}");
    }
    if let Some(reason) = finding.waiver_reason() {
        let _ = writeln!(text, "      waived: {reason}");
    }
}

fn summary(report: &Report) -> String {
    let number = report.findings.len();
    let doubtful = report
        .findings
        .iter()
        .filter(|finding| matches!(finding.change.bump, Need::Unknown | Need::Unclassified))
        .count();
    let doubt = match doubtful {
        0 => String::new(),
        number => {
            format!(" ({number} cannot be determined and count as a new API version until waived)")
        }
    };
    let bump = match report.bump() {
        Bump::None => "no change needs a new version".to_owned(),
        Bump::Patch => "allowed in a patch bundle".to_owned(),
        Bump::Minor => "needs a minor bundle".to_owned(),
        Bump::NewApiVersion => {
            "needs a new API version, or a major bundle if changed in place".to_owned()
        }
        Bump::Never => "not allowed in any bundle".to_owned(),
    };
    let version = match lowest(report) {
        Some(version) if report.bump() > Bump::None => format!("; lowest legal version: {version}"),
        _ => String::new(),
    };
    format!("{}: {bump}{doubt}{version}", counted(number, "finding"))
}
