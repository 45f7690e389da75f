//! Checks tombstones against the released bundles: that the name existed at that place, and the bundle that removed it.

use super::history::{History, Sets};
use crd_channels_compat::{Crds, NamesInUse, Set, Spot};
use crd_channels_diagnostics::{Code, Diagnostic, Span};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::Tombstones;
use crd_channels_projection::channel::{Kind, reserved_names};
use crd_channels_released::manifest::{self, NameTombstone};
use crd_channels_schema::draft::Tombstone;
use std::collections::{BTreeMap, BTreeSet};

/// The tombstones of the working tree and the context to check them.
#[derive(Clone, Copy)]
pub struct TreeTombstones<'a> {
    /// Its types.
    pub kinds: &'a [Kind],
    /// `channels/tombstones.toml`
    pub configured: &'a Tombstones,
    /// The tombstones of the earlier bundles.
    pub known: &'a manifest::Tombstones,
}

/// A tombstone of the working tree.
struct TreeTombstone<'a> {
    /// The reserved item, as messages name it.
    what: String,
    item: ReservedItem<'a>,
    removed: String,
    span: Span,
    /// Whether a released bundle had it.
    was: Occurrence,
    /// Whether an earlier bundle has the same tombstone.
    is_old: bool,
}

/// The item that a tombstone reserves.
enum ReservedItem<'a> {
    Kind(&'a str, &'a str),
    Version(&'a str, &'a str, &'a str),
    Name(String, Vec<Spot>),
}

impl ReservedItem<'_> {
    /// Whether a bundle has the item: a version if it is served, a name only if every version has it, since a tombstone may
    /// concern some versions.
    fn is_in(&self, bundle: &Set) -> bool {
        let called = NamesInUse::of_sets([bundle].into_iter());
        match self {
            Self::Kind(group, kind) => called.has_kind(group, kind),
            Self::Version(group, kind, version) => {
                let crds = bundle.channels.values().flat_map(Crds::values);
                let mut own = crds
                    .map(|published| &published.crd)
                    .filter(|crd| (&*crd.group, &*crd.names.kind) == (*group, *kind));
                own.any(|crd| {
                    crd.versions
                        .iter()
                        .any(|known| known.served && *known.name == **version)
                })
            }
            Self::Name(name, spots) => spots.iter().any(|spot| called.has_everywhere(name, spot)),
        }
    }
}

/// Where a released bundle had the item that a tombstone reserves.
enum Occurrence {
    There,
    /// Only at another place: the nearest one, and the place of the tombstone.
    Elsewhere(Spot, Spot),
    Nowhere,
}

/// Reports tombstones that name a bundle which is neither released nor this one, and tombstones of names that never existed at
/// their place. Names reserved before the first bundle cannot be checked, and tombstones of earlier bundles stay as they are.
#[must_use]
pub fn check(
    version: &BundleVersion,
    gone: TreeTombstones<'_>,
    (history, sets): (&History, &Sets),
    new: &Set,
) -> Vec<Diagnostic> {
    let called = NamesInUse::of_sets(sets.values());
    let recorded = sets.values().all(Set::records_conditions);
    let oldest = history.bundles.keys().next();
    let mut faults = Vec::new();
    let now = NamesInUse::of_sets([new].into_iter());
    for tombstone in tombstones(gone, &called, recorded, &now) {
        let Ok(removed) = tombstone.removed.parse::<BundleVersion>() else {
            continue;
        };
        let is_older = removed < *oldest.unwrap_or(version);
        if tombstone.is_old || is_older {
            continue;
        }
        let this = version.as_final();
        let is_next = removed == this || (!version.is_final() && removed > this);
        if !is_next && !history.bundles.contains_key(&removed) {
            let message = format!(
                "the tombstone of {} names {removed}, which is neither released nor the next bundle",
                tombstone.what
            );
            let help = format!(
                "write the first bundle without the name, which is `removed = \"{this}\"` if it is removed now"
            );
            faults.push(rejection(&tombstone, message, help));
        } else if sets
            .get(&removed)
            .is_some_and(|bundle| tombstone.item.is_in(bundle))
        {
            let message = format!(
                "{removed} still has {}, but its tombstone lists it as removed",
                tombstone.what
            );
            let help = format!(
                "write the first bundle without it, which is `removed = \"{this}\"` if it is removed now"
            );
            faults.push(rejection(&tombstone, message, help));
        } else if oldest.is_some() {
            faults.extend(never(&tombstone));
        }
    }
    faults
}

/// Returns the diagnostic for a tombstone of an item that never existed.
fn never(tombstone: &TreeTombstone<'_>) -> Option<Diagnostic> {
    let what = &tombstone.what;
    match &tombstone.was {
        Occurrence::There => None,
        Occurrence::Nowhere => {
            let message = format!("no released bundle ever had {what}");
            let help = "remove the tombstone, or write the name as in objects".to_owned();
            Some(rejection(tombstone, message, help))
        }
        Occurrence::Elsewhere(nearest, here) => {
            let Spot { kind, path, .. } = here;
            let message = format!("no released bundle had {what} in `{path}` of `{kind}`");
            let Spot { kind, path, .. } = nearest;
            let help = match path.as_str() {
                "." => format!("remove the tombstone: only the root of `{kind}` had the name"),
                _ => format!(
                    "remove the tombstone, or write it on the type of `{path}` of `{kind}`, which had the name"
                ),
            };
            Some(rejection(tombstone, message, help))
        }
    }
}

fn rejection(tombstone: &TreeTombstone<'_>, message: String, help: String) -> Diagnostic {
    Diagnostic::new(Code::ReleaseRefused, tombstone.span, message).with_help(help)
}

/// Returns every tombstone of the working tree, except those of Rust types, whose names no bundle has. `recorded` says whether
/// every bundle records its conditions.
fn tombstones<'a>(
    gone: TreeTombstones<'a>,
    called: &NamesInUse<'_>,
    recorded: bool,
    now: &NamesInUse<'_>,
) -> Vec<TreeTombstone<'a>> {
    let TreeTombstones {
        kinds,
        configured,
        known,
    } = gone;
    let was = |was| {
        if was {
            Occurrence::There
        } else {
            Occurrence::Nowhere
        }
    };
    let of_kinds = configured.kinds.iter().map(|tombstone| TreeTombstone {
        what: format!("the kind `{}`", tombstone.kind.value),
        removed: tombstone.removed.to_string(),
        span: tombstone.kind.span,
        was: was(called.has_kind(&tombstone.group, &tombstone.kind.value)),
        item: ReservedItem::Kind(&tombstone.group, &tombstone.kind.value),
        is_old: known.kinds.iter().any(|old| {
            (&*old.group, &*old.kind, &*old.removed)
                == (
                    &*tombstone.group,
                    &*tombstone.kind.value,
                    &*tombstone.removed,
                )
        }),
    });
    let of_versions = configured.versions.iter().map(|tombstone| TreeTombstone {
        what: format!(
            "the version `{}` of `{}`",
            tombstone.version.value, tombstone.kind
        ),
        removed: tombstone.removed.to_string(),
        span: tombstone.version.span,
        was: was(called.has_version(&tombstone.group, &tombstone.kind, &tombstone.version.value)),
        item: ReservedItem::Version(&tombstone.group, &tombstone.kind, &tombstone.version.value),
        is_old: known.versions.iter().any(|old| {
            (&*old.group, &*old.kind, &*old.version, &*old.removed)
                == (
                    &*tombstone.group,
                    &*tombstone.kind,
                    &*tombstone.version.value,
                    &*tombstone.removed,
                )
        }),
    });
    of_kinds
        .chain(of_versions)
        .chain(of_names(kinds, known, called, now, recorded))
        .collect()
}

/// Returns the tombstones of types, in each place where a type is used, including new places.
fn of_names(
    kinds: &[Kind],
    known: &manifest::Tombstones,
    called: &NamesInUse<'_>,
    now: &NamesInUse<'_>,
    recorded: bool,
) -> Vec<TreeTombstone<'static>> {
    let mut spots: BTreeMap<Span, (Tombstone, Vec<Spot>, bool)> = BTreeMap::new();
    for reserved in reserved_names(kinds) {
        let spot = Spot {
            group: reserved.group.to_string(),
            kind: reserved.kind.to_string(),
            path: reserved.path,
        };
        let of_tombstone = spots.entry(reserved.tombstone.span);
        let is_known = recorded || !reserved.of_condition;
        let (_, spots, _) =
            of_tombstone.or_insert_with(|| (reserved.tombstone, Vec::new(), is_known));
        spots.push(spot);
    }
    let all = spots
        .into_values()
        .map(|(tombstone, spots, is_known)| TreeTombstone {
            what: format!("the name `{}`", tombstone.name),
            removed: tombstone.removed.to_string(),
            span: tombstone.span,
            was: match is_known {
                true => was_at(&tombstone.name, &spots, called, now),
                false => Occurrence::There,
            },
            is_old: known
                .names
                .iter()
                .any(|old| is_old(old, &tombstone, &spots)),
            item: ReservedItem::Name(tombstone.name.to_string(), spots),
        });
    all.collect()
}

/// Whether a tombstone of an earlier bundle is the same one, even if its type has moved since.
fn is_old(old: &NameTombstone, tombstone: &Tombstone, spots: &[Spot]) -> bool {
    let mut spots = spots.iter();
    let is_there = spots
        .any(|spot| (&old.group, &old.kind, &old.path) == (&spot.group, &spot.kind, &spot.path));
    (&*old.name, &*old.removed) == (&*tombstone.name, &*tombstone.removed)
        && (is_there || *old.reason == *tombstone.reason)
}

/// Whether a name was at any of a type's places, or, since types move, at a place that had most of the type's current names.
fn was_at(name: &str, spots: &[Spot], called: &NamesInUse<'_>, now: &NamesInUse<'_>) -> Occurrence {
    let was = called.spots(name);
    let members: BTreeSet<&str> = spots.iter().flat_map(|spot| now.names_at(spot)).collect();
    let is_type = |beside: &BTreeSet<&str>| {
        !members.is_empty() && 2 * members.intersection(beside).count() >= members.len()
    };
    if spots.iter().any(|spot| was.contains_key(spot)) || was.values().any(is_type) {
        return Occurrence::There;
    }
    let Some(here) = spots.first() else {
        return Occurrence::Nowhere;
    };
    let nearest = was.into_keys().min_by_key(|spot| distance(spot, here));
    nearest.map_or(Occurrence::Nowhere, |nearest| {
        Occurrence::Elsewhere(nearest, here.clone())
    })
}

/// Returns the distance between two places; another kind is further than any place of the same kind.
fn distance(one: &Spot, other: &Spot) -> (bool, usize) {
    let steps = |spot: &Spot| -> Vec<String> {
        let steps = spot.path.split('.').filter(|step| !step.is_empty());
        steps.map(ToOwned::to_owned).collect()
    };
    let (a, b) = (steps(one), steps(other));
    let shared = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let is_other = (&one.group, &one.kind) != (&other.group, &other.kind);
    (is_other, a.len() + b.len() - 2 * shared)
}
