//! The report for people: by kind, with a line for each change and a line for its meaning.

use super::lowest;
use crate::findings::verdict::{Bump, Need, Verdict};
use crate::findings::{Finding, KindLabels, Report};
use crd_channels_diagnostics::Span;
use crd_channels_diagnostics::report::counted;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Longer values are not shown.
const LONGEST_VALUE: usize = 160;

/// The report as text. `place` formats a span in Rust as `file:line`.
#[must_use]
pub fn human(report: &Report, place: impl Fn(Span) -> Option<String>) -> String {
    let mut text = String::new();
    let kinds = KindLabels::of(&report.findings);
    let mut by_kind: BTreeMap<(Cow<'_, str>, String), Vec<&Finding>> = BTreeMap::new();
    let mut wording = 0;
    for finding in &report.findings {
        if finding.record.id == "description-changed" {
            wording += 1;
            continue;
        }
        let kind = (kinds.label(finding), finding.channel_name());
        by_kind.entry(kind).or_default().push(finding);
    }
    for ((kind, channel), findings) in by_kind {
        let kind = if kind.is_empty() {
            "the bundle"
        } else {
            &*kind
        };
        let _ = writeln!(text, "{kind} ({channel})");
        for entry in together(merged(findings)) {
            one(&mut text, &entry, &place);
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

/// What is told in one place.
struct Entry<'r> {
    finding: &'r Finding,
    versions: Vec<&'r str>,
    fields: Vec<&'r str>,
}

/// Merges equal findings in several versions into one entry.
fn merged(findings: Vec<&Finding>) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut places = HashMap::new();
    for finding in findings {
        let key = (finding.record.id, &finding.path, &finding.change.message);
        let place = *places.entry(key).or_insert(entries.len());
        match entries.get_mut(place) {
            Some(entry) => entry.versions.push(&finding.version),
            None => entries.push(Entry {
                finding,
                versions: vec![&finding.version],
                fields: vec![&finding.path],
            }),
        }
    }
    entries
}

/// Merges the same change of many fields into one entry: they have one type, which changed.
fn together(all: Vec<Entry<'_>>) -> Vec<Entry<'_>> {
    const MANY: usize = 3;
    let key = |entry: &Entry<'_>| {
        let change = &entry.finding.change;
        let is_node = change.property.is_none() && change.below.is_empty();
        let own = (!is_node).then(|| entry.finding.path.clone());
        let what = (entry.finding.record.id, change.message.clone());
        let versions = entry.versions.join(" ");
        (
            what,
            versions,
            change.bump.to_string(),
            entry.finding.origin,
            own,
        )
    };
    let mut counts = HashMap::new();
    for entry in &all {
        *counts.entry(key(entry)).or_insert(0) += 1;
    }
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut places = HashMap::new();
    for entry in all {
        let key = key(&entry);
        let is_one_of_many = counts.get(&key).is_some_and(|count| *count >= MANY);
        let known = places
            .get(&key)
            .and_then(|place: &usize| entries.get_mut(*place));
        match known.filter(|_| is_one_of_many) {
            Some(known) => known.fields.extend(entry.fields),
            None => {
                places.insert(key, entries.len());
                entries.push(entry);
            }
        }
    }
    entries
}

/// `spec.a`, or `spec.a, spec.b and 8 more fields`.
fn listed(fields: &[&str]) -> String {
    const SHOWN: usize = 2;
    match fields.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        Some(more) => {
            let shown: Vec<&str> = fields.iter().take(SHOWN).copied().collect();
            format!("{} and {}", shown.join(", "), counted(more, "more field"))
        }
        None => fields.join(", "),
    }
}

fn one(text: &mut String, entry: &Entry<'_>, place: &impl Fn(Span) -> Option<String>) {
    let Entry {
        finding,
        versions,
        fields,
    } = entry;
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
        change.bump,
        finding.record.id,
        listed(fields),
        change.message
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
