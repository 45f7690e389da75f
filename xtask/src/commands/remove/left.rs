//! What is left to a person once a feature is removed: code that names what is gone, types that nothing uses any more.

use super::uses::texts;
use crate::channel::{Kind, walk};
use crate::commands::edited::{Edited, Overlay};
use crate::commands::graduate::edits::shown;
use crate::commands::graduate::verdict::Ground;
use crate::diag::FileId;
use crate::files::Sources;
use crate::source::{Gone, Wanted, mentions};
use std::collections::BTreeSet;

/// Each with its file and line.
pub fn left(
    ground: &Ground,
    edited: &Edited,
    overlay: &Overlay,
    gone: &[Gone],
    sources: &Sources,
) -> Vec<String> {
    let wanted: Vec<Wanted> = gone.iter().cloned().map(Wanted::Member).collect();
    let before = types(&ground.kinds, sources);
    let after = types(&edited.kinds, sources);
    let unused: BTreeSet<_> = before.difference(&after).collect();
    let mut told = Vec::new();
    for (path, text) in texts(ground) {
        let text = overlay.text(&path).unwrap_or(&text);
        let shown = shown(&ground.setup, &path);
        let mut lines = Vec::new();
        for (line, name) in named(text, &wanted) {
            lines.push((line, format!("`{name}` may be what is gone")));
        }
        for (_, name) in unused.iter().filter(|(file, _)| *file == shown) {
            if let Some(line) = defined(text, name) {
                lines.push((line, format!("no kind uses `{name}` any more")));
            }
        }
        lines.sort();
        lines.dedup();
        let place = |(line, what)| format!("{shown}:{line}: {what}");
        told.extend(lines.into_iter().map(place));
    }
    told
}

/// What is said at the end.
pub fn told(left: &[String]) -> String {
    let mut text = "\nleft to you:\n".to_owned();
    for line in left {
        text.push_str(&format!("  {line}\n"));
    }
    text + "  cargo check: this command does not compile the code around the types\n"
}

/// The lines that may name something that is gone, each with the name.
fn named(text: &str, wanted: &[Wanted]) -> Vec<(usize, String)> {
    // What is not Rust, such as a template, names nothing.
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

/// The types of this workspace that kinds use, by file and name.
fn types(kinds: &[Kind], sources: &Sources) -> BTreeSet<(String, String)> {
    let all = walk::types(kinds.iter().flat_map(|kind| &kind.versions));
    let own = all.into_iter().filter_map(|ty| {
        let file = sources.get(ty.span?.file).filter(|file| !file.foreign)?;
        let name = ty.name.split('<').next()?;
        let name = name.rsplit("::").next()?;
        Some((file.shown.to_string(), name.to_owned()))
    });
    own.collect()
}

/// The line that defines a type.
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
