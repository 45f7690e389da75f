//! Findings as people and programs read them.

use super::{Checked, Judged};
use crate::check::{self, Finding, Level, Reason};
use crate::diag::report::colored;
use annotate_snippets::{Group, Level as Title, Origin, Renderer};
use serde_json::json;

/// One JSON object for each file.
pub(super) fn json(checked: &[Checked]) -> String {
    checked
        .iter()
        .map(|file| {
            let findings: Vec<_> = file
                .crds
                .iter()
                .flat_map(|crd| crd.findings.iter().map(move |finding| (crd, finding)))
                .map(|(crd, finding)| {
                    json!({
                        "code": finding.rule.record().id,
                        "level": finding.rule.record().level.name(),
                        "reason": finding.reason.map(Reason::name),
                        "field": finding.field,
                        "message": message(file, crd, finding),
                    })
                })
                .collect();
            let accept = file.is_accepted();
            let object = json!({"file": file.file, "accept": accept, "findings": findings});
            format!("{object}\n")
        })
        .collect()
}

/// Where a file has several CRDs, its findings say of which they are.
fn message(file: &Checked, crd: &Judged, finding: &Finding) -> String {
    if file.crds.len() > 1 {
        format!("`{}`: {}", crd.name, finding.message)
    } else {
        finding.message.clone()
    }
}

/// Findings as rustc shows its own.
pub(super) fn human(checked: &[Checked]) -> String {
    let renderer = if colored(&std::io::stdout()) {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut written = String::new();
    for file in checked {
        for crd in &file.crds {
            for finding in &crd.findings {
                written.push_str(&one(file, crd, finding, &renderer));
                written.push_str("\n\n");
            }
        }
    }
    written
}

fn one(file: &Checked, crd: &Judged, finding: &Finding, renderer: &Renderer) -> String {
    let record = finding.rule.record();
    let level = match record.level {
        Level::Deny => Title::ERROR,
        Level::Warn | Level::Allow => Title::WARNING,
    };
    let message = message(file, crd, finding);
    let field = finding.field.as_deref().unwrap_or_default();
    let place = match check::as_written(field, crd.versions) {
        field if field.is_empty() => file.file.clone(),
        field => format!("{}: {field}", file.file),
    };
    let group = Group::with_title(level.primary_title(message.as_str()).id(record.id))
        .element(Origin::path(place.as_str()))
        .element(Title::HELP.message(finding.help()));
    renderer.render(&[group])
}

/// What there is to say about the whole.
pub(super) fn notes(checked: &[Checked]) -> Vec<String> {
    let plural = |number: usize, name: &str| {
        format!("{number} {name}{}", if number == 1 { "" } else { "s" })
    };
    let mut notes: Vec<String> = checked
        .iter()
        .filter(|file| file.others > 0)
        .map(|file| {
            let skipped = plural(file.others, "document");
            format!("{}: {skipped} skipped that are no CRDs", file.file)
        })
        .collect();
    let crds: usize = checked.iter().map(|file| file.crds.len()).sum();
    let refused = checked
        .iter()
        .flat_map(|file| &file.crds)
        .filter(|crd| crd.findings.iter().any(Finding::refuses))
        .count();
    let checked = plural(crds, "CRD");
    notes.push(match refused {
        0 => format!("{checked} checked, none refused"),
        refused => format!("{checked} checked, {refused} refused"),
    });
    notes
}
