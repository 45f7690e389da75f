//! The output of `pin`: the same facts for people and as JSON.

use super::super::pin_changes::Changes;
use super::update::PinUpdate;
use super::{Pinning, Request};
use crate::consumer::origin::Origin;
use crate::consumer::pinned::Pinned;
use crd_channels_diagnostics::report::{counted, json as json_findings};
use crd_channels_diagnostics::shell;
use crd_channels_diagnostics::{Diagnostic, Sources, terminal};
use serde_json::{Value, json};

/// The version of the JSON format, raised when a key is removed or changes its meaning. In format 1 changes had `path` for
/// `field`, and `may-break`.
const FORMAT: u64 = 2;

/// Prints the changes before anything is written.
pub(super) fn show(pinning: &Pinning, request: &Request) {
    if terminal::is_quiet() && !request.dry_run {
        return;
    }
    for update in &pinning.updates {
        if pinning.several {
            println!("{}:", update.after.name);
        }
        for note in update.notes(request) {
            note!("{note}");
        }
        if let Some(changes) = &update.changes {
            print!("{}", changes.text());
        }
    }
}

/// Prints the new state of the lock.
pub(super) fn print_result(pinning: &Pinning, dry_run: bool) {
    if terminal::is_quiet() && !dry_run {
        return;
    }
    if let Some(gone) = &pinning.removed {
        let written = if dry_run { ", not written" } else { "" };
        println!("`{}` is no longer pinned{written}", gone.name);
        let done = if dry_run { "would remove" } else { "removed" };
        for path in &pinning.removed_files {
            println!("{done}: {path}");
        }
        if !pinning.kept_files.is_empty() {
            let paths: Vec<String> = pinning
                .kept_files
                .iter()
                .map(|path| shell::word(path))
                .collect();
            note!(
                "files of `{}` stay, and nothing updates them; to remove them: `rm {}`",
                gone.name,
                paths.join(" ")
            );
        }
    }
    if pinning.updates.is_empty() && pinning.removed.is_none() {
        println!("every entry of `bundle.lock` is as `crd-channels pin` wrote it");
    }
    for update in &pinning.updates {
        let after = &update.after;
        let done = format!(
            "{} {} of {} for Kubernetes {} and newer: {}",
            after.version,
            after.channel,
            place(&after.source),
            after.kubernetes,
            counted(after.files.len(), "file")
        );
        match (update.is_none(), dry_run) {
            (true, _) => println!("{done}, as it was"),
            (false, true) => println!("{done}, not written"),
            (false, false) => println!("pinned {done}"),
        }
    }
}

/// Describes the place of a bundle.
fn place(source: &Origin) -> String {
    let at = source.tag.as_ref().map(|tag| format!(" at its tag {tag}"));
    format!("`{}`{}", source.display_name(), at.unwrap_or_default())
}

/// Formats the whole result as JSON.
pub(super) fn json(
    pinning: &Pinning,
    findings: &[Diagnostic],
    request: &Request,
    sources: &Sources,
) -> Value {
    let is_new =
        pinning.removed.is_some() || pinning.updates.iter().any(|update| !update.is_none());
    json!({
        "format": FORMAT,
        "written": findings.is_empty() && is_new && !request.dry_run,
        "bundles": pinning.updates.iter().map(|it| update(it, request)).collect::<Vec<_>>(),
        "removed": pinning.removed.as_ref().map(pinned),
        "removedFiles": pinning.removed_files,
        "keptFiles": pinning.kept_files,
        "findings": json_findings(findings, sources),
    })
}

fn update(update: &PinUpdate, request: &Request) -> Value {
    json!({
        "name": update.after.name,
        "before": update.before.as_ref().map(pinned),
        "after": pinned(&update.after),
        "unchanged": update.is_none(),
        "notes": update.notes(request),
        "changes": update.changes.as_ref().map(Changes::json),
    })
}

/// Formats a bundle as in the lock, with the number of its files.
fn pinned(pinned: &Pinned) -> Value {
    // Serializing strings, lists and maps with string keys cannot fail.
    let mut document = serde_json::to_value(pinned).unwrap_or_default();
    document["files"] = json!(pinned.files.len());
    document
}
