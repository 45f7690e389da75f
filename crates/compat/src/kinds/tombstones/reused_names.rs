//! Reused names of properties and values: in a version in which a tombstone reserves them, or after the version that had them
//! was removed.

use super::{REUSED, about_name, finding, is_same, reused};
use crate::findings::Finding;
use crate::kinds::lineage::Lineage;
use crate::set::Set;
use crate::set::names_in_use::{KindNames, Name, Names, is_below};
use crd_channels_cel::Text;
use crd_channels_released::manifest::{NameTombstone, Tombstones, VersionTombstone};

pub(super) fn check(
    lineage: Lineage<'_>,
    (old, before): (&Set, &Tombstones),
    (is, now): (&Names<'_>, &Tombstones),
) -> Vec<Finding> {
    let added = now.names.iter().filter(|tombstone| !has(before, tombstone));
    let tombstones = before.names.iter().chain(added);
    let reused = tombstones.filter_map(|tombstone| {
        let kind = is.kind(&tombstone.group, &tombstone.kind)?;
        of_name(lineage, old, before, kind, tombstone)
    });
    let mut findings: Vec<Finding> = reused.collect();
    for tombstone in &before.versions {
        let Some(kind) = is.kind(&tombstone.group, &tombstone.kind) else {
            continue;
        };
        for name in with_version(lineage, old, kind, tombstone) {
            let found = gone_with(tombstone, &name);
            // One cause: its own tombstone is more precise, and versions are removed as a whole.
            if !findings.iter().any(|known| is_about(known, &found)) {
                findings.push(found);
            }
        }
    }
    findings
}

/// Whether two findings are about the same name.
fn is_about(one: &Finding, other: &Finding) -> bool {
    (&one.group, &one.kind) == (&other.group, &other.kind)
        && (&one.path, &one.change.member) == (&other.path, &other.change.member)
}

/// A tombstone reserves a name in every version except those that have had it since before the tombstone was written.
fn of_name(
    lineage: Lineage<'_>,
    old: &Set,
    before: &Tombstones,
    is: &KindNames<'_>,
    tombstone: &NameTombstone,
) -> Option<Finding> {
    let name = (tombstone.path.clone(), tombstone.name.clone());
    let mut users = is
        .versions
        .keys()
        .filter(|version| is.has_in(version, &name));
    users.clone().next()?;
    // If there are bundles in between, the new one follows the last of them.
    let last = lineage.between.last().map_or(old, |bundle| bundle.set);
    let last = KindNames::of_kind(last, &tombstone.group, &tombstone.kind);
    let is_reserved = |version: &str| {
        let lacks = |set| {
            !KindNames::of_kind(set, &tombstone.group, &tombstone.kind).has_in(version, &name)
        };
        let bundles = with_tombstones(lineage, (old, before));
        let mut reserving = bundles.filter(|(_, tombstones)| has(tombstones, tombstone));
        !last.has_in(version, &name) || reserving.any(|(set, _)| lacks(set))
    };
    let others_have_it = !users.clone().all(|version| is_reserved(version));
    let version = users.find(|version| is_reserved(version))?;
    let what = format!("the name `{}`", tombstone.name);
    let of = (tombstone.group.as_str(), tombstone.kind.as_str());
    let mut found = reused(of, &tombstone.path, &what, &tombstone.removed);
    if others_have_it {
        found.version = Text::from(*version);
    }
    Some(about_name(found, &tombstone.name))
}

/// Every bundle before the new one, with its tombstones.
fn with_tombstones<'a>(
    lineage: Lineage<'a>,
    old: (&'a Set, &'a Tombstones),
) -> impl Iterator<Item = (&'a Set, &'a Tombstones)> {
    let before = lineage.before.into_iter().flatten();
    let others = before.chain(lineage.between).chain(lineage.beside);
    let others = others.map(|bundle| (bundle.set, &bundle.manifest.tombstones));
    others.chain([old])
}

fn has(tombstones: &Tombstones, tombstone: &NameTombstone) -> bool {
    tombstones
        .names
        .iter()
        .any(|known| is_same(known, tombstone))
}

/// The names that only a removed version had when it was removed, and that reappear only now.
fn with_version(
    lineage: Lineage<'_>,
    old: &Set,
    is: &KindNames<'_>,
    tombstone: &VersionTombstone,
) -> Vec<Name> {
    let before = lineage.before.into_iter().flatten();
    let chain: Vec<&Set> = before.map(|bundle| bundle.set).chain([old]).collect();
    let mut only_old = chain.windows(2).rev().filter_map(|pair| match pair {
        [had, left] => {
            let of = |set| KindNames::of_kind(set, &tombstone.group, &tombstone.kind);
            let had = of(had).versions.remove(&*tombstone.version)?;
            let left = of(left);
            (!left.versions.contains_key(&*tombstone.version)).then_some((had, left))
        }
        _ => None,
    });
    let (Some((had, left)), false) = (
        only_old.next(),
        is.versions.contains_key(&*tombstone.version),
    ) else {
        return Vec::new();
    };
    let was = KindNames::of_kind(old, &tombstone.group, &tombstone.kind);
    let back = had
        .iter()
        .filter(|name| is.has(name) && !left.has(name) && !was.has(name));
    let back: Vec<&Name> = back.collect();
    // Names below a reused name came with it.
    let is_top = |name: &&&Name| {
        !back
            .iter()
            .any(|above| above != *name && is_below(&name.0, above))
    };
    let top = back.iter().filter(is_top);
    top.map(|name| (**name).clone()).collect()
}

fn gone_with(tombstone: &VersionTombstone, (path, name): &Name) -> Finding {
    let VersionTombstone {
        version, removed, ..
    } = tombstone;
    let message =
        format!("the name `{name}` was removed with `{version}` in {removed} and is used again");
    let of = (tombstone.group.as_str(), tombstone.kind.as_str());
    about_name(finding(&REUSED, of, path, message), name)
}
