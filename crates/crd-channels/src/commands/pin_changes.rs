//! The changes for users of one channel: for stored objects, writers and readers.

use crd_channels_compat::{Finding, KindLabels, Report, Verdict};
use crd_channels_diagnostics::report::counted;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The changes from one channel's CRDs to another's.
pub(super) struct Changes {
    findings: Vec<Finding>,
}

impl Changes {
    /// Takes the changes of a report. The bumps that may carry them only matter to the bundle's authors.
    pub(super) fn of(report: Report) -> Self {
        let mut findings = report.findings;
        findings.retain(|finding| !is_stamp(&finding.path));
        Self { findings }
    }

    /// Returns the places where stored objects lose data or become invalid, by kind. Removed versions of kinds that `migrated`
    /// confirms are left out.
    pub(super) fn data_losses(&self, migrated: impl Fn(&str, &str) -> bool) -> Vec<String> {
        self.places(|finding| {
            let is_removed = finding.record.id == "version-removed";
            finding.change.stored == Verdict::No
                && !(is_removed && migrated(&finding.kind, &finding.version))
        })
    }

    /// Returns the changes that need more than the vendored files: a webhook that must be running, or an object that a person
    /// must install. `written` says whether the components are vendored.
    pub(super) fn manual_steps(&self, written: bool) -> Vec<String> {
        let needed = self
            .findings
            .iter()
            .filter(|finding| match finding.record.id {
                "conversion-added" | "conversion-client-changed" => true,
                "component-added" | "component-changed" => !written || is_served(&finding.path),
                _ => false,
            });
        let needed: BTreeSet<String> = needed
            .map(|finding| {
                let of = match &*finding.kind {
                    "" => String::new(),
                    kind => format!(" of `{kind}`"),
                };
                format!("`{}`{of}: {}", finding.path, finding.change.message)
            })
            .collect();
        needed.into_iter().collect()
    }

    /// Returns what API servers refuse to change of an installed CRD, or take for another one.
    pub(super) fn refused(&self) -> Vec<String> {
        let ids = [
            "scope-changed",
            "plural-changed",
            "kind-renamed",
            "group-changed",
        ];
        let refused = self
            .findings
            .iter()
            .filter(|it| ids.contains(&it.record.id));
        let refused = refused.map(|it| format!("`{}`: {}", it.kind, it.change.message));
        let refused: BTreeSet<String> = refused.collect();
        refused.into_iter().collect()
    }

    /// Returns the places where clients break that read or write.
    pub(super) fn broken_clients(&self) -> Vec<String> {
        self.places(|Finding { change, .. }| {
            change.writers == Verdict::No || change.readers == Verdict::No
        })
    }

    /// Returns the places where stored objects, or manifests and writing clients, lose data or become invalid.
    pub(super) fn harm(&self) -> Vec<String> {
        self.places(|Finding { change, .. }| {
            change.stored == Verdict::No || change.writers == Verdict::No
        })
    }

    fn places(&self, is_wanted: impl Fn(&Finding) -> bool) -> Vec<String> {
        let wanted = self.findings.iter().filter(|finding| is_wanted(finding));
        let places: BTreeSet<String> = wanted
            .map(|finding| match finding.path.as_str() {
                "." | "" => format!("`{}`", finding.kind),
                path => format!("`{path}` of `{}`", finding.kind),
            })
            .collect();
        places.into_iter().collect()
    }

    /// Formats all changes as JSON, in the order of the comparison.
    pub(super) fn json(&self) -> Value {
        let all = self.findings.iter().map(|finding| {
            json!({
                "code": finding.record.id,
                "group": &*finding.group,
                "kind": &*finding.kind,
                "version": &*finding.version,
                "field": finding.path,
                "message": finding.change.message,
                "breaks": finding.whom(Verdict::No),
                "mayBreak": finding.whom(Verdict::Unknown),
            })
        });
        all.collect()
    }

    /// Formats all changes for people, kind by kind.
    pub(super) fn text(&self) -> String {
        let kinds = KindLabels::of(&self.findings);
        let mut by_kind: BTreeMap<Cow<'_, str>, BTreeMap<String, BTreeSet<&str>>> = BTreeMap::new();
        let mut wording = 0;
        for finding in &self.findings {
            if finding.record.id == "description-changed" {
                wording += 1;
                continue;
            }
            let lines = by_kind.entry(kinds.label(finding)).or_default();
            lines
                .entry(line(finding))
                .or_default()
                .insert(&finding.version);
        }
        let mut text = String::new();
        let mut count = 0;
        for (kind, lines) in by_kind {
            let kind = if kind.is_empty() {
                "the bundle"
            } else {
                &*kind
            };
            let _ = writeln!(text, "{kind}");
            for (line, versions) in lines {
                count += 1;
                let versions: Vec<&str> = versions
                    .into_iter()
                    .filter(|version| !version.is_empty())
                    .collect();
                let versions = match versions.is_empty() {
                    true => String::new(),
                    false => format!("{} ", versions.join(", ")),
                };
                let _ = writeln!(text, "  {versions}{line}");
            }
            text.push('\n');
        }
        text.push_str(&counted(count, "change"));
        if wording > 0 {
            let _ = write!(text, ", {wording} of descriptions");
        }
        text.push('\n');
        text
    }
}

/// Whether a component is one through which API servers call a service, which must be running.
fn is_served(path: &str) -> bool {
    let kinds = [
        "ValidatingWebhookConfiguration",
        "MutatingWebhookConfiguration",
        "APIService",
    ];
    let object = path.strip_prefix("components[").unwrap_or_default();
    let kind = object.split(['.', ' ']).next().unwrap_or_default();
    kinds.contains(&kind)
}

/// Whether a path is an annotation with the bundle's version or channel, which the lock has as well.
fn is_stamp(path: &str) -> bool {
    let annotation = path.strip_prefix("metadata.annotations[");
    annotation.is_some_and(|name| {
        ["/bundle-version]", "/channel]"]
            .iter()
            .any(|end| name.ends_with(end))
    })
}

/// Describes a change and whom it affects.
fn line(finding: &Finding) -> String {
    let place = match finding.path.as_str() {
        "." | "" => String::new(),
        path => format!("{path}: "),
    };
    let mut line = format!("{place}{}", finding.change.message);
    for (verdict, says) in [(Verdict::No, "breaks"), (Verdict::Unknown, "may break")] {
        let who = finding.whom(verdict);
        if !who.is_empty() {
            let _ = write!(line, "\n      {says}: {}", who.join("; "));
        }
    }
    line
}
