//! Names that a kind had and does not use again, and why they are gone.

use crate::api::Api;
use crate::place::Place;
use crd_channels_released::history::UNRELEASED;
use crd_channels_released::manifest::Tombstones;
use crd_channels_schema::path::{Segment, push};
use serde::Serialize;

/// A name that a kind does not use again.
#[derive(Clone, Debug, Serialize)]
pub struct Reserved {
    /// A version, a field, or a value of an enum or a condition.
    pub name: String,
    /// The path of the object or the value that had it; empty for a version and for a field of the object itself.
    pub path: String,
    /// The bundle that removed it.
    pub removed: String,
    /// Why it is gone.
    pub reason: String,
    /// What had it.
    #[serde(skip)]
    place: Removed,
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum Removed {
    Kind,
    Version,
    /// A field or a value: tombstones do not tell which.
    Name,
}

/// Returns the names that a kind does not use again, as the last release with tombstones has them.
pub(crate) fn reserved(api: &Api, group: &str, kind: &str) -> Vec<Reserved> {
    let mut releases = api.releases.iter().rev();
    let last = releases.find_map(|release| release.set.tombstones.as_ref());
    let Some(Tombstones {
        kinds,
        versions,
        names,
        types: _,
    }) = last
    else {
        return Vec::new();
    };
    let reserved = |place, path: &str, name: &str, removed: &str, reason: &str| Reserved {
        name: name.to_owned(),
        path: unrooted(path).to_owned(),
        removed: removed.to_owned(),
        reason: reason.to_owned(),
        place,
    };
    let is_of = |of: (&str, &str)| of == (group, kind);
    let kinds = kinds.iter().filter(|one| is_of((&one.group, &one.kind)));
    let versions = versions.iter().filter(|one| is_of((&one.group, &one.kind)));
    let names = names.iter().filter(|one| is_of((&one.group, &one.kind)));
    kinds
        .map(|one| reserved(Removed::Kind, "", &one.kind, &one.removed, &one.reason))
        .chain(versions.map(|one| {
            reserved(
                Removed::Version,
                "",
                &one.version,
                &one.removed,
                &one.reason,
            )
        }))
        .chain(names.map(|one| {
            reserved(
                Removed::Name,
                &one.path,
                &one.name,
                &one.removed,
                &one.reason,
            )
        }))
        .collect()
}

/// The path as pages have it, where the object itself is empty.
pub(crate) fn unrooted(path: &str) -> &str {
    if path == "." { "" } else { path }
}

/// Why a release removed something of the kind. What came back and was removed again may have had another reason before.
pub(crate) fn reason<'r>(reserved: &'r [Reserved], gone: &Place, release: &str) -> Option<&'r str> {
    // A tombstone is written for the final bundle, and its candidates come first.
    let is_then = |one: &&Reserved| release == UNRELEASED || release.starts_with(&one.removed);
    let is_it = |one: &&Reserved| match (&one.place, &gone.value) {
        (Removed::Kind, None) => gone.path.is_empty(),
        (Removed::Version, None) => gone.path.is_empty() && one.name == gone.version,
        (Removed::Name, None) => {
            let mut path = one.path.clone();
            push(&mut path, Segment::Property(&*one.name));
            path == gone.path
        }
        (Removed::Name, Some(value)) => {
            one.path == gone.path && serde_json::to_string(&one.name).is_ok_and(|it| it == *value)
        }
        (_, Some(_)) => false,
    };
    let mut found = reserved.iter().filter(is_then).filter(is_it);
    // The reason for a version goes before that for its kind.
    found.next_back().map(|one| &*one.reason)
}
