//! The `[kinds]` tables that an API server needs to serve the kinds, each and together.

use super::choice::KindChoice;
use crd_channels_check::{APPROVAL, is_protected};
use crd_channels_projection::channel::Kind;
use crd_channels_schema::draft::Draft;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the settings without which servers refuse kinds, by CRD name: the storage version of each kind with several, the short
/// names of each kind that shares some with another, and the annotation of each kind of a protected group.
#[must_use]
pub fn needed(kinds: &[Kind]) -> BTreeMap<String, KindChoice> {
    let mut settings: BTreeMap<String, KindChoice> = BTreeMap::new();
    for kind in kinds {
        let (storage, unapproved) = (stored(kind), is_unapproved(kind));
        if storage.is_some() || unapproved {
            let setting = settings.entry(kind.crd_name().to_string()).or_default();
            (setting.storage, setting.unapproved) = (storage, unapproved);
        }
    }
    for (name, names) in short_names(kinds) {
        settings.entry(name).or_default().short_names = Some(names);
    }
    settings
}

/// Whether the group is protected, and no version says who approved it.
fn is_unapproved(kind: &Kind) -> bool {
    let mut versions = kind.versions.iter();
    is_protected(&kind.group) && !versions.any(|draft| draft.annotations.contains_key(APPROVAL))
}

/// Returns the first of several storage versions.
fn stored(kind: &Kind) -> Option<String> {
    let mut stored = kind.versions.iter().filter(|draft| draft.storage);
    let first = stored.next()?;
    stored.next()?;
    Some(first.version.to_string())
}

/// Returns the remaining short names of kinds that share some. Plurals and singulars take precedence, then the first kind.
fn short_names(kinds: &[Kind]) -> BTreeMap<String, Vec<String>> {
    let of = |draft: &Draft| {
        let names = draft.facets.all().flat_map(|facets| &facets.short_names);
        names
            .map(|name| name.value.to_string())
            .collect::<BTreeSet<_>>()
    };
    let mut taken: BTreeMap<(&str, String), String> = BTreeMap::new();
    for kind in kinds {
        for draft in &kind.versions {
            for name in [&draft.plural, &draft.singular] {
                let place = (&*draft.group, name.to_string());
                taken
                    .entry(place)
                    .or_insert_with(|| kind.crd_name().to_string());
            }
        }
    }
    let mut left = BTreeMap::new();
    for kind in kinds {
        let own = kind.crd_name().to_string();
        let names: BTreeSet<String> = kind.versions.iter().flat_map(of).collect();
        let (kept, lost): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| {
            let place = (&*kind.group, name.clone());
            *taken.entry(place).or_insert_with(|| own.clone()) == own
        });
        if !lost.is_empty() {
            left.insert(own, kept);
        }
    }
    left
}
