//! The place of a finding in its file.

use super::{CheckedCrd, CheckedFile};
use crd_channels_check::{self as check, Finding};
use crd_channels_diagnostics::lines::{LONGEST_SHOWN, Lines, to_render};
use crd_channels_diagnostics::report::Region;
use crd_channels_released::places::{self, Places};
use std::ops::Range;

/// The line of a finding and the part of it that the finding is about.
pub(super) struct Excerpt<'t> {
    pub(super) region: Region,
    /// The whole line, with its end.
    pub(super) line: &'t str,
    /// Whether it is too long to be shown with each finding.
    pub(super) is_long: bool,
    /// The part of the line that the finding is about, in bytes of the line.
    pub(super) bytes: Range<usize>,
}

/// A finding with its CRD and its excerpt; the excerpt is `None` if the finding has no place in the file.
type Placed<'f> = (&'f CheckedCrd, &'f Finding, Option<Excerpt<'f>>);

/// Returns every finding of a file.
pub(super) fn excerpts(file: &CheckedFile) -> Vec<Placed<'_>> {
    if file.crds.iter().all(|crd| crd.findings.is_empty()) {
        // Locating nodes takes longer than checking.
        return Vec::new();
    }
    let lines = Lines::of(&file.text);
    let mut placed = Vec::new();
    let mut crds = file.crds.iter().peekable();
    // Without an answer the text is JSON with escapes that YAML lacks, whose findings have no place.
    let _ = places::each(&file.text, |nth, document| {
        if let Some(crd) = crds.next_if(|crd| crd.nth == nth) {
            let found = crd.findings.iter();
            placed.extend(found.map(|finding| {
                let place = place(&file.text, &lines, &document, finding);
                (crd, finding, place)
            }));
        }
    });
    let without_place =
        crds.flat_map(|crd| crd.findings.iter().map(move |finding| (crd, finding, None)));
    placed.extend(without_place);
    placed
}

fn place<'t>(
    text: &'t str,
    lines: &Lines,
    document: &Places,
    finding: &Finding,
) -> Option<Excerpt<'t>> {
    let field = finding.field.clone().unwrap_or_default();
    // Parts that are equal in all versions are shown in the first version.
    let bytes = document.of_field(&check::as_written(&field, 1));
    let (number, whole) = lines.line(bytes.start);
    // A node of several lines is represented by its first line.
    let bytes = bytes.start..bytes.end.min(whole.end);
    let (_, column) = lines.place(text, bytes.start);
    let (_, end_column) = lines.place(text, bytes.end);
    Some(Excerpt {
        region: Region {
            line: number,
            column,
            end_line: number,
            end_column,
        },
        line: to_render(text, &whole),
        is_long: whole.len() > LONGEST_SHOWN,
        bytes: bytes.start - whole.start..bytes.end - whole.start,
    })
}
