//! The lowest version that a bundle may have after the old one.

use crate::findings::Report;
use crate::findings::verdict::Bump;
use crate::kinds::stamps::Version;

/// `v1.2.3` and the bump; `None` if no version covers the changes, or if the old version is unknown.
#[must_use]
pub fn lowest(report: &Report) -> Option<String> {
    let text = report.old_version.as_deref()?;
    let Version {
        numbers: [major, minor, patch],
        pre,
    } = Version::parse(text)?;
    let next = match report.bump() {
        Bump::None => return Some(text.to_owned()),
        // A pre-release of the old version is not released yet.
        Bump::Patch if pre.is_some() => [major, minor, patch],
        Bump::Patch => [major, minor, patch + 1],
        Bump::Minor => [major, minor + 1, 0],
        Bump::NewApiVersion => [major + 1, 0, 0],
        Bump::Never => return None,
    };
    Some(format!("v{}.{}.{}", next[0], next[1], next[2]))
}
