//! Generated files that are not what the types say, as findings for programs.

use crd_channels_diagnostics::{Code, Diagnostic, Sources, Span};
use crd_channels_files::{Change, ChangeKind};

/// In what way a file is not as it should be, in one word.
pub fn state(change: &Change) -> &'static str {
    match change.kind {
        ChangeKind::Missing => "missing",
        ChangeKind::Differs => "stale",
        ChangeKind::Orphan => "orphaned",
    }
}

/// The finding of a file, which messages call `shown`, at its first line that is not as it should be.
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

/// The bytes of the first line of a text that differs from another one's.
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
