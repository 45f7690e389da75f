//! The tombstones that a removed feature leaves: those that `release` would require. Unreleased names need none.

use super::{Request, rejection};
use crate::commands::edited_tree::{Edited, Overlay};
use crate::commands::graduate::verdict::{TOMBSTONE_MISSING, Worktree};
use crate::release::places::Tree;
use crate::release::remedies::{in_crd, table};
use crd_channels_compat::{Finding, Set};
use crd_channels_diagnostics::{Sink, Sources, Span, Text};
use crd_channels_files::{Disk, Read};
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_ungate::{NewTombstone, add_tombstones};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The names that the removal reserves.
#[derive(Default)]
pub struct ReservedNames {
    /// Names in objects, by the type that had them.
    names: BTreeMap<Span, BTreeSet<String>>,
    /// Kinds and versions: group, kind, and the version.
    whole: BTreeSet<(Text, Text, Option<String>)>,
}

/// Returns the names that are removed without a tombstone.
fn missing(worktree: &Worktree, then: &Set) -> Vec<Finding> {
    let Some((before, then)) = worktree.since_release(then) else {
        return Vec::new();
    };
    let found = then.beyond(&before);
    let asked =
        |finding: &&Finding| finding.record.id == TOMBSTONE_MISSING && finding.waived.is_none();
    found.filter(asked).cloned().collect()
}

/// Returns the names whose tombstones the working tree lacks.
pub fn reserved_names(
    worktree: &Worktree,
    edited: &Edited,
    feature: &str,
    sources: &Sources,
    sink: &mut Sink,
) -> ReservedNames {
    let tree = Tree {
        kinds: &edited.kinds,
        sources,
    };
    let mut reserved_names = ReservedNames::default();
    for finding in missing(worktree, &edited.after) {
        let Some(name) = &finding.change.member else {
            let version = in_crd(&finding.path).map(str::to_owned);
            let whole = (finding.group.clone(), finding.kind.clone(), version);
            reserved_names.whole.insert(whole);
            continue;
        };
        match tree.holder(&finding).map(|holder| holder.span) {
            Some(span) => drop(
                reserved_names
                    .names
                    .entry(span)
                    .or_default()
                    .insert(name.to_string()),
            ),
            None => {
                let why = format!(
                    "`{}` `{}` has no type in this workspace for the tombstone of `{name}`",
                    finding.kind, finding.path
                );
                let help = "add a waiver to `channels/waivers.toml`, and try again";
                sink.push(rejection(feature, &why, help));
            }
        }
    }
    reserved_names
}

/// Returns a name whose tombstone is still missing after all were written.
pub fn lacking(worktree: &Worktree, edited: &Edited) -> Option<String> {
    let found = missing(worktree, &edited.after).into_iter().next()?;
    Some(match &found.change.member {
        Some(name) => format!("`{name}` at `{}` of `{}`", found.path, found.kind),
        None => format!("`{}`", found.kind),
    })
}

impl ReservedNames {
    /// Whether no released name is removed.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.whole.is_empty()
    }

    /// Writes the tombstones. `None`, with an error reported, if one has no place.
    pub fn dig(
        &self,
        root: &Path,
        worktree: &Worktree,
        request: &Request,
        sources: &Sources,
        overlay: &mut Overlay,
        sink: &mut Sink,
    ) -> Option<()> {
        let removed = worktree.bundle.as_ref()?.as_final().to_string();
        // From last to first, so that spans stay valid.
        for (span, names) in self.names.iter().rev() {
            let stones: Vec<NewTombstone> = names
                .iter()
                .map(|name| NewTombstone {
                    name: name.clone(),
                    removed: removed.clone(),
                    reason: request.reason.clone(),
                })
                .collect();
            let Some((path, text)) = with_stones(root, *span, &stones, sources, overlay) else {
                let why = "the tombstone cannot be written on this type";
                let help = "remove the gated code by hand";
                sink.push(rejection(&request.feature, why, help).at(Some(*span)));
                return None;
            };
            overlay.0.insert(path, text);
        }
        if !self.whole.is_empty() {
            let path = Disk
                .canonical(&root.join(FOLDER))
                .ok()?
                .join("tombstones.toml");
            let text = self.ledger(&path, &removed, &request.reason, overlay);
            overlay.0.insert(path, text);
        }
        Some(())
    }

    /// Returns the text of `channels/tombstones.toml` with additional entries.
    fn ledger(&self, path: &Path, removed: &str, reason: &str, overlay: &Overlay) -> String {
        let known = overlay.read(path).ok();
        let mut text = known
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .unwrap_or_default();
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(newline);
        }
        for (group, kind, version) in &self.whole {
            let mut entries = vec![("group", &**group), ("kind", &**kind)];
            entries.extend(version.iter().map(|version| ("version", version.as_str())));
            entries.extend([("removed", removed), ("reason", reason)]);
            let name = version.as_ref().map_or("kinds", |_| "versions");
            let entry = table(name, &entries).replace('\n', newline);
            let gap = if text.is_empty() { "" } else { newline };
            text.push_str(&format!("{gap}{entry}{newline}"));
        }
        text
    }
}

/// Returns the path and the text of a type's file, with tombstones added to the type.
fn with_stones(
    root: &Path,
    span: Span,
    stones: &[NewTombstone],
    sources: &Sources,
    overlay: &Overlay,
) -> Option<(std::path::PathBuf, String)> {
    let file = sources.get(span.file)?;
    let path = Disk.canonical(&root.join(&*file.shown)).ok()?;
    let text = String::from_utf8(overlay.read(&path).ok()?).ok()?;
    let at = usize::try_from(span.start).ok()?;
    Some((path, add_tombstones(&text, at, stones)?))
}
