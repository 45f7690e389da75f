//! Generated files that differ from the types, as findings for programs.

use crd_channels_diagnostics::{Code, Diagnostic, Sources, Span};
use crd_channels_files::{Change, ChangeKind};

/// The state of a file, in one word.
pub fn state(change: &Change) -> &'static str {
    match change.kind {
        ChangeKind::Missing => "missing",
        ChangeKind::Differs => "stale",
        ChangeKind::Orphan => "orphaned",
    }
}

/// Returns the finding of a file, at its first line that differs. Messages name the file `shown`.
pub fn finding(change: &Change, shown: &str, sources: &Sources) -> Diagnostic {
    let old = change.old.as_deref().unwrap_or_default();
    let new = change.new.as_deref().unwrap_or_default();
    let (start, end) = first_difference(old, new);
    let span = Span {
        file: sources.add(shown, old),
        start,
        end,
    };
    let message = format!("`{shown}` is {}", state(change));
    let help = "run `crd-channels gen-crds` and commit what it writes";
    Diagnostic::new(Code::StaleFiles, span, message).with_help(help)
}

/// Returns the range of the first line of a text that differs from another text.
fn first_difference(old: &str, new: &str) -> (u32, u32) {
    let bytes = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let mut start = 0;
    let mut others = new.split_inclusive('\n');
    for line in old.split_inclusive('\n') {
        if others.next() != Some(line) {
            return (bytes(start), bytes(start + line.trim_end().len()));
        }
        start += line.len();
    }
    (bytes(start), bytes(start))
}
