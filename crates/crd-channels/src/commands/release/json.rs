//! The JSON output of `release`.

use super::{Done, Prepared};
use crd_channels_compat::report;
use crd_channels_diagnostics::report::json as json_findings;
use crd_channels_diagnostics::{Diagnostic, Sources};
use crd_channels_files::ChangeKind;
use serde_json::{Value, json};

/// The version of the JSON format, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

/// Formats the result of a run. Without `prepared` the bundle is unknown; without `done` nothing was written or shown.
pub(super) fn document(
    prepared: Option<&Prepared>,
    done: Option<&Done>,
    findings: &[Diagnostic],
    sources: &Sources,
) -> Value {
    let choice = prepared.map(|prepared| &prepared.choice);
    let baseline = choice.and_then(|choice| choice.baseline.as_ref());
    let report = prepared.map(|prepared| prepared.report.clone());
    // The same keys as in `diff`.
    let mut whole = report::json(&report.unwrap_or_default());
    if prepared.is_none() {
        whole["bump"] = Value::Null;
    }
    let own = json!({
        "format": FORMAT,
        "version": choice.map(|choice| choice.version.to_string()),
        "baseline": baseline.map(ToString::to_string),
        "written": matches!(done, Some(Done::Written(_))),
        "files": done.map(files).unwrap_or_default(),
        "notes": prepared.map(|prepared| prepared.notes.as_slice()).unwrap_or_default(),
        "next": prepared.filter(|_| done.is_some()).map(|prepared| &*prepared.next_steps).unwrap_or_default(),
        "findings": json_findings(findings, sources),
    });
    if let (Value::Object(whole), Value::Object(own)) = (&mut whole, own) {
        whole.extend(own);
    }
    whole
}

fn files(done: &Done) -> Vec<Value> {
    let mut files: Vec<(&String, &str)> = match done {
        Done::Shown(changes) => {
            let changes = changes.iter().map(|change| {
                let name = match change.kind {
                    ChangeKind::Missing => "created",
                    ChangeKind::Differs => "changed",
                    ChangeKind::Orphan => "removed",
                };
                (&change.path, name)
            });
            changes.collect()
        }
        Done::Written(applied) => {
            let all = [
                (&applied.created, "created"),
                (&applied.replaced, "changed"),
                (&applied.removed, "removed"),
            ];
            let all = all.into_iter();
            let all = all.flat_map(|(paths, change)| paths.iter().map(move |path| (path, change)));
            all.collect()
        }
    };
    files.sort();
    let files = files.into_iter();
    files
        .map(|(path, change)| json!({"file": path, "change": change}))
        .collect()
}
