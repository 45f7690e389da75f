//! Writes edits of types and the files generated from them.

use super::Edited;
use crate::commands::graduate::verdict::{Worktree, changes};
use crate::commands::reference::write::refresh;
use crate::commands::release::channel_crds;
use crate::commands::release::output::Output;
use crate::commands::{Outcome, interrupted, released_version};
use crate::release::places::Tree;
use crd_channels_compat::report;
use crd_channels_diagnostics::{Sink, Sources, Span, terminal};
use crd_channels_files::{ChangeKind, Disk, Plan, diff};
use std::collections::BTreeSet;
use std::path::Path;

/// The name of the written files in messages about an interrupted run.
const EDITS: &str = "the edits of the types";

/// Writes edits or shows them.
#[derive(Clone, Copy)]
pub struct Writing<'a> {
    /// The workspace.
    pub root: &'a Path,
    /// The working tree before the edits.
    pub worktree: &'a Worktree,
    /// Write nothing; show all that would change.
    pub dry_run: bool,
}

impl Writing<'_> {
    /// Writes the edits and the files generated from them, and reports what changes for users. `None`, with an error reported,
    /// if that fails.
    pub fn write(self, edited: Edited, sources: &Sources, sink: &mut Sink) -> Option<Outcome> {
        let Self { root, worktree, .. } = self;
        let Edited {
            mut files,
            kinds,
            after,
            generated,
            constants,
            setup,
        } = edited;
        let output = Output {
            root,
            setup: &setup,
        };
        let published = released_version::GeneratedCrds {
            texts: &channel_crds::generated_files(&generated),
            kept: &BTreeSet::new(),
            channels: &channel_crds::channel_names(&setup),
        };
        if !generated.is_empty()
            && let Some(finding) = released_version::rejection(&setup, published, &Disk)
        {
            sink.push(finding);
            return Some(Outcome::Findings);
        }
        // Without generated files, no folder is searched for leftover files.
        let mut made = output.generated(&generated);
        made.extend(constants);
        let plan = if generated.is_empty() {
            Plan::new(EDITS, root.to_path_buf(), files, Vec::new())
        } else {
            files.extend(made.clone());
            output.plan(EDITS, files)
        };
        let edits = match plan.compare(&Disk) {
            Ok(edits) => edits,
            Err(finding) => {
                sink.push(*finding);
                return None;
            }
        };
        if self.dry_run {
            for change in &edits {
                if change.kind == ChangeKind::Orphan {
                    println!("would remove {}", change.path);
                } else if made.contains_key(&change.path) {
                    println!("would change {}", change.path);
                } else {
                    print!("{}", diff(change, None));
                }
            }
        } else {
            if let Err(finding) = interrupted::apply(&plan) {
                sink.push(*finding);
                return None;
            }
            for change in &edits {
                let done = match change.kind {
                    ChangeKind::Orphan => "removed",
                    ChangeKind::Missing | ChangeKind::Differs => "changed",
                };
                status!("{done} {}", change.path);
            }
            let folder = setup.config.bundle.reference_pages.as_deref();
            match refresh(root, folder.filter(|_| !generated.is_empty())) {
                Ok(pages) => {
                    let changed = pages.created.iter().chain(&pages.replaced);
                    changed.for_each(|path| status!("changed {path}"));
                    let removed = pages.removed.iter();
                    removed.for_each(|path| status!("removed {path}"));
                }
                Err(findings) => {
                    findings.into_iter().for_each(|finding| sink.push(finding));
                    return None;
                }
            }
        }
        if !self.dry_run && terminal::is_quiet() {
            return Some(Outcome::Clean);
        }
        println!();
        let place = |span: Span| {
            let file = sources.get(span.file)?;
            Some(format!("{}:{}", file.shown, file.line(span.start)?))
        };
        let mut report = changes(&worktree.now, &after);
        let kinds = &kinds;
        Tree { kinds, sources }.place(&mut report.findings);
        print!("{}", report::human(&report, place));
        if !self.dry_run && generated.is_empty() {
            help!("run `crd-channels gen-crds`");
        }
        Some(Outcome::Clean)
    }
}
