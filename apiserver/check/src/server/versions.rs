//! The list of versions: names, the storage version, deprecation.

use super::findings::Findings;
use super::printable::is_printable;
use crate::document::model::{Spec, Version};
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_cel::names::dns1035_label;
use crd_channels_validation::path::Path;

/// The maximum length of a warning, in bytes.
const LONGEST_WARNING: usize = 256;

/// Validates the name and the deprecation of one version.
pub(super) fn version(version: &Version<'_>, at: Path<'_>, found: &mut Findings) {
    for fault in dns1035_label(version.name) {
        found.refuse(Rule::VersionName, Reason::Invalid, at.child("name"), fault);
    }
    let Some(warning) = version.deprecation_warning else {
        return;
    };
    let path = at.child("deprecationWarning");
    let mut refuse = |message: String| {
        found.refuse(Rule::DeprecationWarning, Reason::Invalid, path, message);
    };
    if !version.deprecated {
        refuse("the version is not deprecated, so no client is warned".to_owned());
        return;
    }
    match warning.len() {
        0 => refuse("the warning is empty".to_owned()),
        bytes if bytes > LONGEST_WARNING => {
            refuse(format!(
                "the warning has {bytes} bytes, at most {LONGEST_WARNING} are allowed"
            ));
        }
        _ => {}
    }
    if let Some((at, c)) = warning.char_indices().find(|(_, c)| !is_printable(*c)) {
        refuse(format!(
            "the character `{}` at byte {at} is not printable",
            c.escape_unicode()
        ));
    }
}

/// Validates the versions together.
pub(super) fn together(spec: &Spec<'_>, at: Path<'_>, found: &mut Findings) {
    let path = at.child("versions");
    let versions = &spec.versions;
    let repeated = |nth: usize, version: &Version<'_>| {
        versions
            .iter()
            .take(nth)
            .any(|before| before.name == version.name)
    };
    if let Some((_, version)) = versions
        .iter()
        .enumerate()
        .find(|(nth, version)| repeated(*nth, version))
    {
        let message = format!("two versions are named `{}`", version.name);
        found.refuse(Rule::VersionSet, Reason::Invalid, path, message);
    }
    let stored = versions.iter().filter(|version| version.storage).count();
    if stored != 1 {
        let message = format!("{stored} versions are storage versions, exactly one must be");
        found.refuse(Rule::VersionSet, Reason::Invalid, path, message);
    }
    // The server keeps the first version's name in a legacy field, and validates it there too.
    if let Some(first) = versions.first().filter(|first| !first.name.is_empty()) {
        for fault in dns1035_label(first.name) {
            found.refuse(
                Rule::VersionName,
                Reason::Invalid,
                at.child("version"),
                fault,
            );
        }
    }
}

/// Validates the status that the server writes.
pub(super) fn stored(spec: &Spec<'_>, found: &mut Findings) {
    let at = Path::root("status");
    let path = at.child("storedVersions");
    let Some(stored) = spec.versions.iter().find(|version| version.storage) else {
        let message = "no version is the storage version";
        found.refuse(Rule::VersionSet, Reason::Invalid, path, message);
        return;
    };
    // The first version of that name counts, even if another one is the storage version.
    let first = spec
        .versions
        .iter()
        .position(|version| version.name == stored.name);
    for (nth, version) in spec.versions.iter().enumerate() {
        if version.storage && Some(nth) != first {
            let message = format!("`{}` is a second storage version", version.name);
            found.refuse(Rule::VersionSet, Reason::Invalid, path, message);
        }
    }
}
