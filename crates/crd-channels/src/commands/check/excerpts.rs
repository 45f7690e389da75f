//! The place of a finding in its file.

use super::{CheckedCrd, CheckedFile};
use crd_channels_check::{self as check, Finding};
use crd_channels_diagnostics::lines::Lines;
use crd_channels_diagnostics::report::Region;
use crd_channels_released::places::{self, Places};
use std::ops::Range;

/// The line of a finding and the part of it that the finding is about.
pub(super) struct Excerpt<'t> {
    pub(super) region: Region,
    /// The line, or if it is long the part of it around the finding.
    pub(super) line: &'t str,
    pub(super) is_cut: bool,
    /// The part of the line that the finding is about, in bytes of the line.
    pub(super) bytes: Range<usize>,
}

/// The length of lines that are shown as they are, in bytes.
const LONGEST_LINE: usize = 1000;

/// How much of a longer line is shown on both sides of a finding, and how much of what the finding is about.
const BESIDE: usize = 40;
const MOST_SHOWN: usize = 80;

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
    lines: &Lines<'_>,
    document: &Places,
    finding: &Finding,
) -> Option<Excerpt<'t>> {
    let field = finding.field.clone().unwrap_or_default();
    // Parts that are equal in all versions are shown in the first version.
    let bytes = document.of_field(&check::as_written(&field, 1));
    let (number, whole) = lines.line(bytes.start);
    // A node of several lines is represented by its first line.
    let bytes = bytes.start..bytes.end.min(whole.end);
    let (_, column) = lines.place(bytes.start);
    let (_, end_column) = lines.place(bytes.end);
    let is_cut = whole.len() > LONGEST_LINE;
    let (part, shown) = if is_cut {
        let shown = bytes.start..text.floor_char_boundary(bytes.end.min(bytes.start + MOST_SHOWN));
        let start = text.floor_char_boundary(shown.start.saturating_sub(BESIDE));
        let end = text.floor_char_boundary(shown.end + BESIDE);
        (start.max(whole.start)..end.min(whole.end), shown)
    } else {
        (whole, bytes)
    };
    Some(Excerpt {
        region: Region {
            line: number,
            column,
            end_line: number,
            end_column,
        },
        line: text.get(part.clone())?,
        is_cut,
        bytes: shown.start - part.start..shown.end - part.start,
    })
}
