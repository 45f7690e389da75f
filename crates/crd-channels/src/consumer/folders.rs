//! Compares folders of bundles, however their paths are written.

use super::pinned::{COMPONENTS, POLICIES};
use crd_channels_files::{Disk, Read};
use std::path::{Component, Path, PathBuf};

/// Whether files of two bundles would be written into one folder: both absolute paths lead to the same folder, or one leads to
/// the components or policies of the other. Case is ignored, since the lock may be used on a case-insensitive file system.
#[must_use]
pub fn overlap(one: &Path, other: &Path) -> bool {
    let (one, other) = (caseless(one), caseless(other));
    let is_part = |part: &Path, whole: &Path| {
        [COMPONENTS, POLICIES]
            .iter()
            .any(|name| part == whole.join(name))
    };
    one == other || is_part(&one, &other) || is_part(&other, &one)
}

/// Whether neither folder is inside the other, so that applying one recursively applies nothing of the other. A folder that
/// contains `here` contains everything and does not count.
#[must_use]
pub fn are_apart(one: &Path, other: &Path, here: &Path) -> bool {
    let (inner, outer) = (caseless(one), caseless(other));
    let is_around = caseless(here).starts_with(&outer);
    let nested = inner.starts_with(&outer) || outer.starts_with(&inner);
    !overlap(one, other) && (is_around || !nested)
}

/// Removes `.` and `..` from a path; `None` if it does not end with a name.
#[must_use]
pub fn resolved(folder: &Path) -> Option<PathBuf> {
    let plain: PathBuf = folder.components().collect();
    plain.file_name()?.to_str()?;
    let mut resolved = PathBuf::new();
    for part in plain.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                resolved.pop();
            }
            part => resolved.push(part),
        }
    }
    resolved.parent()?;
    Some(resolved)
}

/// Resolves the links of a path, as far as it exists.
#[must_use]
pub fn place(path: &Path) -> PathBuf {
    let plain = resolved(path).unwrap_or_else(|| path.to_path_buf());
    let there = plain.ancestors().find_map(|above| {
        let rest = plain.strip_prefix(above).ok()?;
        Some(Disk.canonical(above).ok()?.join(rest))
    });
    there.unwrap_or(plain)
}

/// The same in lower case.
fn caseless(path: &Path) -> PathBuf {
    PathBuf::from(place(path).to_string_lossy().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::{are_apart, overlap};
    use std::path::Path;

    #[test]
    fn folders_overlap_where_files_of_both_would_stand() {
        let one = Path::new("/nowhere/crds");
        for (other, expected) in [
            ("/nowhere/crds", true),
            ("/nowhere/x/../crds/.", true),
            ("/nowhere/CRDs", true),
            ("/nowhere/crds/components", true),
            ("/nowhere/crds/Policies", true),
            ("/nowhere", false),
            ("/nowhere/crds/gates", false),
            ("/nowhere/crds/policies/gates", false),
            ("/nowhere/crds-policies", false),
        ] {
            assert_eq!(overlap(one, Path::new(other)), expected, "{other}");
            assert_eq!(overlap(Path::new(other), one), expected, "{other}");
        }
    }

    #[test]
    fn folders_are_apart_where_neither_lies_in_the_other() {
        let one = Path::new("/nowhere/crds");
        for (other, expected) in [
            ("/nowhere/crds", false),
            ("/nowhere/Crds/gates/more", false),
            ("/nowhere/crds-gates", true),
            ("/elsewhere/crds", true),
            // These contain everything.
            ("/nowhere", true),
            ("/nowhere/.", true),
        ] {
            let is = are_apart(one, Path::new(other), Path::new("/nowhere"));
            assert_eq!(is, expected, "{other}");
        }
        assert!(!are_apart(
            Path::new("/nowhere/crds/gates"),
            one,
            Path::new("/nowhere")
        ));
    }
}
