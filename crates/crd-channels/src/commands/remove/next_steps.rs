//! The steps left to a person after a feature is removed: code that names the removed types, unused types, examples that are no
//! longer valid.

use super::uses::texts;
use crate::commands::edited_tree::{Edited, Overlay};
use crate::commands::examples as objects;
use crate::commands::graduate::edits::display_path;
use crate::commands::graduate::verdict::Worktree;
use crate::commands::release::channel_crds;
use crd_channels_diagnostics::{Diagnostic, FileId, Severity, Sink, Sources};
use crd_channels_projection::channel::{Kind, walk};
use crd_channels_ungate::{MentionTarget, RemovedItem, mentions};
use std::collections::BTreeSet;
use std::path::Path;

/// Returns code that names the removed types, and types that are now unused, each with its file and line.
pub fn in_code(
    worktree: &Worktree,
    edited: &Edited,
    overlay: &Overlay,
    gone: &[RemovedItem],
    sources: &Sources,
) -> Vec<String> {
    let wanted: Vec<MentionTarget> = gone.iter().cloned().map(MentionTarget::Member).collect();
    let before = types(&worktree.kinds, sources);
    let after = types(&edited.kinds, sources);
    let unused: BTreeSet<_> = before.difference(&after).collect();
    let mut places = Vec::new();
    for (path, text) in texts(worktree) {
        let text = overlay.text(&path).unwrap_or(&text);
        let shown = display_path(&worktree.setup, &path);
        let mut lines = Vec::new();
        for (line, name) in find_mentions(text, &wanted) {
            lines.push((line, format!("`{name}` may be one of the removed names")));
        }
        for (_, name) in unused.iter().filter(|(file, _)| *file == shown) {
            if let Some(line) = defined(text, name) {
                lines.push((line, format!("no kind uses `{name}` any longer")));
            }
        }
        lines.sort();
        lines.dedup();
        let place = |(line, what)| format!("{shown}:{line}: {what}");
        places.extend(lines.into_iter().map(place));
    }
    places
}

/// Returns the examples that are no longer valid, each with its file and line; `gen-crds` would refuse them.
pub fn in_examples(edited: &Edited, sources: &Sources) -> Vec<String> {
    // Without CRDs, examples are not validated.
    if edited.generated.is_empty() {
        return Vec::new();
    }
    let setup = &edited.setup;
    let crds = objects::Crds {
        texts: &channel_crds::generated_files(&edited.generated),
        kept: &BTreeSet::new(),
        output: Path::new(&*setup.config.bundle.output),
        channels: &channel_crds::channel_names(setup),
        memory: None,
    };
    let mut sink = Sink::default();
    objects::check(setup, crds, sources, &mut sink);
    let place = |finding: &Diagnostic| {
        let span = finding.span?;
        let file = sources.get(span.file)?;
        let line = file.line(span.start)?;
        Some(format!("{}:{line}: {}", file.shown, finding.message))
    };
    let findings = sink.diagnostics().iter();
    let errors = findings.filter(|finding| finding.severity() == Severity::Error);
    errors.filter_map(place).collect()
}

/// Formats the steps as the end of the command's output.
pub fn format_next_steps(left: &[String]) -> String {
    let mut text = "\nnext steps:\n".to_owned();
    for line in left {
        text.push_str(&format!("  {line}\n"));
    }
    text + "  cargo check: this command does not compile the code around the types\n"
}

/// Returns the lines that may name a removed item, each with the name.
fn find_mentions(text: &str, wanted: &[MentionTarget]) -> Vec<(usize, String)> {
    // Files that are not Rust, such as templates, are skipped.
    let found = mentions(text, wanted, FileId(u32::MAX)).unwrap_or_default();
    let line = |start: u32| {
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let before = text.bytes().take(start);
        before.filter(|byte| *byte == b'\n').count() + 1
    };
    let found = found.into_iter();
    found
        .map(|mention| (line(mention.span.start), mention.name))
        .collect()
}

/// Returns the types of this workspace that kinds use, by file and name.
fn types(kinds: &[Kind], sources: &Sources) -> BTreeSet<(String, String)> {
    let all = walk::types(kinds.iter().flat_map(|kind| &kind.versions));
    let own = all.into_iter().filter_map(|ty| {
        let file = sources.get(ty.span?.file).filter(|file| !file.foreign)?;
        let name = ty.name.split('<').next()?.rsplit("::").next()?;
        Some((file.shown.to_string(), name.to_owned()))
    });
    own.collect()
}

/// Returns the line that defines a type.
fn defined(text: &str, name: &str) -> Option<usize> {
    let defines = |line: &str| {
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words: Vec<&str> = words.collect();
        words
            .windows(2)
            .any(|pair| matches!(pair, ["struct" | "enum", defined] if *defined == name))
    };
    text.lines().position(defines).map(|line| line + 1)
}
