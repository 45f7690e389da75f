//! The place of a finding in its file.

use super::{CheckedCrd, CheckedFile};
use crd_channels_check::{self as check, Finding};
use crd_channels_diagnostics::report::Region;
use crd_channels_released::places::{self, Places};
use std::ops::Range;

/// The line of a finding and the part of it that the finding is about.
pub(super) struct Excerpt<'t> {
    pub(super) region: Region,
    /// The whole line.
    pub(super) line: &'t str,
    /// The part of the line that the finding is about, in bytes of the line.
    pub(super) bytes: Range<usize>,
}

/// Returns every finding of a file with its CRD and its excerpt; the excerpt is `None` if the finding has no place in the file.
pub(super) fn excerpts(file: &CheckedFile) -> Vec<(&CheckedCrd, &Finding, Option<Excerpt<'_>>)> {
    if file.crds.iter().all(|crd| crd.findings.is_empty()) {
        // Locating nodes takes longer than checking.
        return Vec::new();
    }
    let documents = places::of(&file.text);
    let mut placed = Vec::new();
    for crd in &file.crds {
        let document = documents.as_ref().and_then(|all| all.get(crd.nth));
        for finding in &crd.findings {
            let place = document.and_then(|document| place(&file.text, document, finding));
            placed.push((crd, finding, place));
        }
    }
    placed
}

fn place<'t>(text: &'t str, document: &Places, finding: &Finding) -> Option<Excerpt<'t>> {
    let field = finding.field.clone().unwrap_or_default();
    // Parts that are equal in all versions are shown in the first version.
    let bytes = document.of_field(&check::as_written(&field, 1));
    let (before, rest) = text.split_at_checked(bytes.start)?;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let end = rest.find('\n').map_or(text.len(), |end| bytes.start + end);
    let line = text.get(start..end)?;
    // A node of several lines is represented by its first line.
    let inside = bytes.start - start..bytes.end.min(end) - start;
    let characters = |bytes: Range<usize>| line.get(bytes).map(|text| text.chars().count());
    let number = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = characters(0..inside.start)? + 1;
    Some(Excerpt {
        region: Region {
            line: number,
            column,
            end_line: number,
            end_column: column + characters(inside.clone())?,
        },
        line,
        bytes: inside,
    })
}
