//! The warning that users of a deprecated version see, where its author wrote none.

use crate::Text;
use crate::schema::draft::Draft;

/// `deprecationWarning` may have so many bytes.
pub const LONGEST_WARNING: usize = 256;

/// A warning that names what replaces the version and the release that removes it; none where neither is known, since
/// the server's own text then says as much.
#[must_use]
pub fn warning(draft: &Draft) -> Option<Text> {
    let Draft {
        group,
        version,
        kind,
        removed_in,
        replaced_by,
        ..
    } = draft;
    let subject = format!("{group}/{version} {kind} is deprecated");
    match (replaced_by, removed_in) {
        (None, None) => None,
        (Some(replacement), None) => Some(format!("{subject}; use {replacement}").into()),
        (None, Some(release)) => Some(format!("{subject} and will be removed in {release}").into()),
        (Some(replacement), Some(release)) => {
            Some(format!("{subject} and will be removed in {release}; use {replacement}").into())
        }
    }
}
