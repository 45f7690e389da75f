//! Names of properties and values that are used again: in a version that a tombstone keeps them out of, or after the version
//! that they went with.

use super::{REUSED, finding, is_same, named, reused};
use crate::called::{KindNames, Name, Names, is_below};
use crate::finding::Finding;
use crate::lineage::Lineage;
use crate::set::Set;
use crd_channels_cel::Text;
use crd_channels_released::manifest::{GoneName, GoneVersion, Tombstones};

pub(super) fn check(
    lineage: Lineage<'_>,
    (old, before): (&Set, &Tombstones),
    (is, now): (&Names<'_>, &Tombstones),
) -> Vec<Finding> {
    let fresh = now.names.iter().filter(|grave| !has(before, grave));
    let graves = before.names.iter().chain(fresh);
    let buried = graves.filter_map(|grave| {
        let kind = is.kind(&grave.group, &grave.kind)?;
        of_name(lineage, (old, before), kind, grave)
    });
    let mut findings: Vec<Finding> = buried.collect();
    for grave in &before.versions {
        let Some(kind) = is.kind(&grave.group, &grave.kind) else {
            continue;
        };
        for name in with_version(lineage, old, kind, grave) {
            let found = gone_with(grave, &name);
            // One cause: its own tombstone says more, and versions go together.
            if !findings.iter().any(|known| is_about(known, &found)) {
                findings.push(found);
            }
        }
    }
    findings
}

/// Whether two findings are about the same name.
fn is_about(one: &Finding, other: &Finding) -> bool {
    (&one.kind, &one.path, &one.change.member) == (&other.kind, &other.path, &other.change.member)
}

/// A tombstone holds for every version but those that have had the name all along: since before it was written.
fn of_name(
    lineage: Lineage<'_>,
    (old, before): (&Set, &Tombstones),
    is: &KindNames<'_>,
    grave: &GoneName,
) -> Option<Finding> {
    let name = (grave.path.clone(), grave.name.clone());
    let mut users = is
        .versions
        .keys()
        .filter(|version| is.has_in(version, &name));
    users.clone().next()?;
    // Where bundles lie between the two, the last of them is what the new one follows.
    let last = lineage.between.last().map_or(old, |bundle| bundle.set);
    let last = KindNames::of(last, &grave.group, &grave.kind);
    let is_dead = |version: &str| {
        let lacks = |set| !KindNames::of(set, &grave.group, &grave.kind).has_in(version, &name);
        let bundles = with_tombstones(lineage, (old, before));
        let mut buried = bundles.filter(|(_, stones)| has(stones, grave));
        !last.has_in(version, &name) || buried.any(|(set, _)| lacks(set))
    };
    let others_have_it = !users.clone().all(|version| is_dead(version));
    let version = users.find(|version| is_dead(version))?;
    let what = format!("the name `{}`", grave.name);
    let mut found = reused(&grave.kind, &grave.path, &what, &grave.removed);
    if others_have_it {
        found.version = Text::from(*version);
    }
    Some(named(found, &grave.name))
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

fn has(stones: &Tombstones, grave: &GoneName) -> bool {
    stones.names.iter().any(|known| is_same(known, grave))
}

/// The names that only a removed version had when it went, and that came only now.
fn with_version(
    lineage: Lineage<'_>,
    old: &Set,
    is: &KindNames<'_>,
    grave: &GoneVersion,
) -> Vec<Name> {
    let before = lineage.before.into_iter().flatten();
    let chain: Vec<&Set> = before.map(|bundle| bundle.set).chain([old]).collect();
    let mut went = chain.windows(2).rev().filter_map(|pair| match pair {
        [had, left] => {
            let of = |set| KindNames::of(set, &grave.group, &grave.kind);
            let had = of(had).versions.remove(&*grave.version)?;
            let left = of(left);
            (!left.versions.contains_key(&*grave.version)).then_some((had, left))
        }
        _ => None,
    });
    let (Some((had, left)), false) = (went.next(), is.versions.contains_key(&*grave.version))
    else {
        return Vec::new();
    };
    let was = KindNames::of(old, &grave.group, &grave.kind);
    let back = had
        .iter()
        .filter(|name| is.has(name) && !left.has(name) && !was.has(name));
    let back: Vec<&Name> = back.collect();
    // What stands below a name that is back came with it.
    let is_top = |name: &&&Name| {
        !back
            .iter()
            .any(|above| above != *name && is_below(&name.0, above))
    };
    let top = back.iter().filter(is_top);
    top.map(|name| (**name).clone()).collect()
}

fn gone_with(grave: &GoneVersion, (path, name): &Name) -> Finding {
    let GoneVersion {
        version, removed, ..
    } = grave;
    let message =
        format!("the name `{name}` was removed with `{version}` in {removed} and is used again");
    named(finding(&REUSED, &grave.kind, path, message), name)
}
