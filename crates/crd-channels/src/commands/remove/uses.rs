//! Finds code that uses the types of kinds to be removed: it has to go first.

use super::rejection;
use crate::commands::graduate::edits::{display_path, local_packages};
use crate::commands::graduate::verdict::Worktree;
use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_files::{Disk, visit};
use crd_channels_schema::draft::Draft;
use crd_channels_ungate::{MentionTarget, RemovedItem, mentions};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Reports code that names the type of a removed version.
pub fn check(
    worktree: &Worktree,
    feature: &str,
    gone: &[RemovedItem],
    sources: &Sources,
    sink: &mut Sink,
) {
    for gone in gone {
        let RemovedItem::Kind { name, span } = gone else {
            continue;
        };
        let drafts = || worktree.kinds.iter().flat_map(|kind| &kind.versions);
        let is_it = |draft: &&Draft| *draft.spec_name == **name && draft.span.start == span.start;
        let Some(draft) = drafts().find(is_it) else {
            continue;
        };
        let same = drafts().filter(|other| other.spec_name == draft.spec_name);
        let is_alone = same.count() == 1;
        let home = sources.get(span.file).map(|file| file.shown.clone());
        for (path, text) in texts(worktree) {
            let shown = display_path(&worktree.setup, &path);
            let is_home = home.as_deref() == Some(&*shown);
            let wanted = wanted(draft, is_home, is_alone);
            let file = sources.add(shown, text.as_str());
            // Files that are not Rust, such as templates, are skipped.
            for mention in mentions(&text, &[wanted], file).unwrap_or_default() {
                let why = format!(
                    "`{}` is used here, but is removed with the feature",
                    mention.name
                );
                let help = "remove this use first, such as an import or an `impl`";
                sink.push(rejection(feature, &why, help).at(Some(mention.span)));
            }
        }
    }
}

fn wanted(draft: &Draft, is_home: bool, is_alone: bool) -> MentionTarget {
    let segments: Vec<String> = draft.module.split("::").map(str::to_owned).collect();
    // Versions of one kind share the modules above their own.
    let shared = if is_alone {
        0
    } else {
        segments.len().saturating_sub(1)
    };
    MentionTarget::Type {
        names: vec![draft.spec_name.to_string(), draft.root_name.to_string()],
        modules: segments.into_iter().skip(shared).collect(),
        home: is_home.then_some(draft.span.start as usize),
        alone: is_home || is_alone,
    }
}

/// The source files of the packages that may be edited.
pub fn texts(worktree: &Worktree) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for package in local_packages(&worktree.setup) {
        // The visitor never stops early.
        let _ = visit(&package, &Disk, &mut |path, is_file| {
            if is_file
                && path.extension().is_some_and(|extension| extension == "rs")
                && let Ok(text) = std::fs::read_to_string(path)
            {
                found.push((path.to_path_buf(), text));
            }
            ControlFlow::Continue(())
        });
    }
    // A package may be inside another one.
    found.sort();
    found.dedup();
    found
}
