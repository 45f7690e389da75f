//! The output of `vendor`: the same facts for people and as JSON.

use super::{Request, Targets, shown};
use crate::consumer::lock;
use crd_channels_diagnostics::report::json as json_findings;
use crd_channels_diagnostics::shell;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_files::Applied;
use serde_json::{Value, json};
use std::path::Path;

/// The version of the JSON format, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

/// The written files, or with `--check`, the files that would be written.
#[derive(Default)]
pub(super) struct Vendored {
    bundles: Vec<Bundle>,
    /// CRDs of bundles that are not pinned, in folders beside those of the pinned ones.
    pub(super) unpinned: Vec<String>,
}

/// The files of one bundle.
struct Bundle {
    name: String,
    version: String,
    channel: String,
    folder: String,
    /// The bundle's description.
    about: String,
    /// A note about parts that are not written.
    note: Option<String>,
    files: Vec<(Change, String)>,
}

/// The change of a file.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Change {
    Created,
    Changed,
    Removed,
}

impl Change {
    fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }

    /// The state of a file before the change.
    fn state(self) -> &'static str {
        match self {
            Self::Created => "missing",
            Self::Changed => "not as pinned",
            Self::Removed => "not pinned",
        }
    }
}

impl Vendored {
    /// Returns the changes below each root, bundle by bundle.
    pub(super) fn of_targets(targets: &Targets<'_>, applied: &[Applied], here: &Path) -> Self {
        let folders = targets.0.iter().zip(applied);
        let bundles = folders.flat_map(|((root, targets), applied)| {
            targets.iter().map(move |target| {
                let own = target.own(applied, targets);
                let files = [
                    (Change::Created, own.created),
                    (Change::Changed, own.replaced),
                    (Change::Removed, own.removed),
                ];
                let files = files.into_iter().flat_map(|(change, paths)| {
                    let paths = paths.into_iter();
                    paths.map(move |path| (change, shown(&root.join(path), here)))
                });
                Bundle {
                    name: target.pinned.name.clone(),
                    version: target.pinned.version.to_string(),
                    channel: target.pinned.channel.clone(),
                    folder: shown(&target.folder, here),
                    about: target.about(here),
                    note: target.left_out(),
                    files: files.collect(),
                }
            })
        });
        Self {
            bundles: bundles.collect(),
            unpinned: Vec::new(),
        }
    }

    fn files(&self) -> impl Iterator<Item = &(Change, String)> {
        self.bundles.iter().flat_map(|bundle| &bundle.files)
    }

    /// Returns a diagnostic for each file that differs from the lock.
    pub(super) fn differences(&self, request: &Request) -> Vec<Diagnostic> {
        let help = format!("run {}", command(request));
        let findings = self.files().map(|(change, path)| {
            let message = format!("`{path}` is {}", change.state());
            Diagnostic::new(Code::NotAsPinned, None, message).with_help(&help)
        });
        findings.collect()
    }

    /// Prints the result for people.
    pub(super) fn show(&self, request: &Request) {
        self.show_files(request);
        // Without any pinned bundle it is an error.
        if !self.unpinned.is_empty() && !self.bundles.is_empty() {
            let paths: Vec<String> = self.unpinned.iter().map(|path| shell::word(path)).collect();
            note!(
                "CRDs of bundles that `{}` does not pin; if a bundle was removed from it: `rm {}`",
                lock::FILE,
                paths.join(" ")
            );
        }
    }

    fn show_files(&self, request: &Request) {
        if request.check {
            // Missing and changed files come before superfluous ones.
            let (orphans, stale): (Vec<_>, Vec<_>) = self
                .files()
                .partition(|(change, _)| *change == Change::Removed);
            for (change, path) in stale.iter().chain(&orphans) {
                println!("{}: {path}", change.state());
            }
            if !stale.is_empty() || !orphans.is_empty() {
                help!("run {}", command(request));
            }
            return;
        }
        for bundle in &self.bundles {
            let removed = bundle.files.iter();
            let removed = removed.filter(|(change, _)| *change == Change::Removed);
            let removed: Vec<&(Change, String)> = removed.collect();
            let written = bundle.files.len() - removed.len();
            status!(
                "{}: {written} written, {} removed",
                bundle.about,
                removed.len()
            );
            for (_, path) in removed {
                status!("removed {path}");
            }
            if let Some(note) = &bundle.note {
                note!("{note}");
            }
        }
    }

    /// Formats the result as JSON.
    pub(super) fn json(
        &self,
        request: &Request,
        findings: &[Diagnostic],
        sources: &Sources,
    ) -> Value {
        let file =
            |(change, path): &(Change, String)| json!({"file": path, "change": change.name()});
        let bundles = self.bundles.iter().map(|bundle| {
            json!({
                "name": bundle.name,
                "version": bundle.version,
                "channel": bundle.channel,
                "folder": bundle.folder,
                "files": bundle.files.iter().map(file).collect::<Vec<_>>(),
                "notes": bundle.note.iter().collect::<Vec<_>>(),
            })
        });
        json!({
            "format": FORMAT,
            "written": !request.check && self.files().next().is_some(),
            "bundles": bundles.collect::<Vec<_>>(),
            "unpinned": self.unpinned,
            "findings": json_findings(findings, sources),
        })
    }
}

/// The command that writes the files.
fn command(request: &Request) -> String {
    let folder = request.folder.as_ref();
    let folder = folder.map(|folder| format!(" {}", folder.display()));
    format!("`crd-channels vendor{}`", folder.unwrap_or_default())
}
