//! Kinds that were added, removed or renamed.

pub(crate) mod columns;
pub(crate) mod crds;
pub(crate) mod lineage;
pub(crate) mod stamps;
pub(crate) mod tombstones;
mod version_pair;
pub(super) mod beside_schema;
pub(crate) mod versions;
pub(crate) mod conditions;

use self::versions::is_alpha_only;
use super::findings::verdict::{Channel, Need, Verdict};
use super::findings::{Change, Finding, Record, Topic};
use super::schemas::renames;
use super::set::channel_pair::ChannelPair;
use super::set::{Crds, Published};
use crd_channels_schema::Crd;

pub(super) const GROUP: Record = Record::new(
    "group-changed",
    Topic::Breaking,
    "The group of a kind changed.",
    "For API servers it is a different kind: existing objects do not belong to it.",
);
pub(super) const PLURAL: Record = Record::new(
    "plural-changed",
    Topic::Breaking,
    "The plural of a kind changed.",
    "The plural is part of the CRD's name and of every URL, and cannot be changed.",
);
pub(super) const KIND: Record = Record::new(
    "kind-renamed",
    Topic::Breaking,
    "The kind of a CRD changed.",
    "API servers reject this once the CRD is established.",
);
pub(super) const ADDED: Record = Record::new(
    "kind-added",
    Topic::Added,
    "A kind was added.",
    "Minor bundles may add one, patches may not.",
);
pub(super) const GRADUATED: Record = Record::new(
    "kind-graduated",
    Topic::Graduated,
    "A kind graduated from experimental to stable.",
    "It was in the experimental channel of the old bundle.",
);
pub(super) const STRAIGHT: Record = Record {
    waivable: true,
    ..Record::new(
        "kind-straight-to-stable",
        Topic::Added,
        "A new kind is stable without having been experimental.",
        "A kind must first be in the experimental channel of an earlier bundle. If that was not possible, a waiver can state why.",
    )
};
pub(super) const REMOVED: Record = Record::new(
    "kind-removed",
    Topic::Removed,
    "A kind was removed.",
    "All its objects are deleted with the CRD. Only a major bundle may remove a stable kind; an experimental one needs a tombstone.",
);
pub(super) const DEMOTED: Record = Record::new(
    "kind-demoted",
    Topic::Removed,
    "A stable kind moved back to experimental.",
    "Users of the stable channel lose it, as if it were removed.",
);

fn group_and_kind(crds: &Crds, group: &str, kind: &str) -> bool {
    crds.values()
        .any(|published| *published.crd.group == *group && *published.crd.names.kind == *kind)
}

/// All findings about the existence of kinds.
pub(super) fn kinds(sides: ChannelPair<'_>) -> Vec<Finding> {
    let gone = sides
        .old
        .iter()
        .filter(|(name, _)| !sides.new.contains_key(*name));
    let only_new = sides
        .new
        .iter()
        .filter(|(name, _)| !sides.old.contains_key(*name));
    let only_new: Vec<&Published> = only_new.map(|(_, published)| published).collect();
    let mut successors: Vec<&Published> = Vec::new();
    let mut findings = Vec::new();
    for (_, old) in gone {
        let successor = only_new
            .iter()
            .find(|new| new.crd.names.kind == old.crd.names.kind);
        let finding = match successor {
            Some(new) => {
                successors.push(new);
                renamed(sides, old, new)
            }
            None => removed(sides, old),
        };
        findings.push(finding);
    }
    for new in only_new {
        let renamed = successors.iter().any(|known| std::ptr::eq(*known, new));
        // Stable kinds are reported in the stable channel.
        let is_stable = sides.channel == Channel::Experimental
            && sides
                .beside_new
                .is_some_and(|beside| beside.contains_key(&new.crd.name()));
        if !renamed && !is_stable {
            findings.push(added(sides, new));
        }
    }
    for (name, old) in sides.old {
        let Some(new) = sides.new.get(name) else {
            continue;
        };
        let (was, is) = (&old.crd.names.kind, &new.crd.names.kind);
        if was != is {
            let change = Change::new(
                [Verdict::No; 3],
                Need::NEVER,
                format!("kind was `{was}` and is `{is}`"),
            );
            findings.push(finding(sides, &old.crd, &KIND, "spec.names.kind", change));
        }
    }
    findings
}

fn renamed(sides: ChannelPair<'_>, old: &Published, new: &Published) -> Finding {
    let (record, path, was, is) = if old.crd.group == new.crd.group {
        (
            &PLURAL,
            "spec.names.plural",
            &old.crd.names.plural,
            &new.crd.names.plural,
        )
    } else {
        (&GROUP, "spec.group", &old.crd.group, &new.crd.group)
    };
    let message = format!("was `{was}` and is `{is}`");
    let change = Change::new([Verdict::No; 3], Need::NEVER, message);
    finding(sides, &old.crd, record, path, change)
}

fn removed(sides: ChannelPair<'_>, old: &Published) -> Finding {
    let still = sides.channel == Channel::Stable
        && sides
            .beside_new
            .is_some_and(|beside| group_and_kind(beside, &old.crd.group, &old.crd.names.kind));
    let (record, message) = if still {
        (&DEMOTED, "kind moved back to experimental")
    } else {
        (&REMOVED, "kind removed")
    };
    let change = Change::new([Verdict::No; 3], Need::VERSION, message);
    finding(sides, &old.crd, record, ".", change)
}

fn added(sides: ChannelPair<'_>, new: &Published) -> Finding {
    let beside = |crds: Option<&Crds>| {
        crds.is_some_and(|crds| group_and_kind(crds, &new.crd.group, &new.crd.names.kind))
    };
    let (record, bump, message) = match sides.channel {
        Channel::Experimental => (&ADDED, Need::MINOR, "experimental kind added".to_owned()),
        Channel::Stable if sides.beside_old.is_none() => {
            (&ADDED, Need::MINOR, "kind added".to_owned())
        }
        Channel::Stable if beside(sides.beside_old) => (
            &GRADUATED,
            Need::MINOR,
            "kind graduated to stable".to_owned(),
        ),
        Channel::Stable => match trial(sides, new) {
            Some(old) => {
                let message = format!("kind graduated to stable; it was `{old}` before");
                (&GRADUATED, Need::MINOR, message)
            }
            None if is_alpha_only(&new.crd) => (
                &ADDED,
                Need::MINOR,
                "kind added, with alpha versions only".to_owned(),
            ),
            None => {
                let message = "kind added to stable without having been experimental".to_owned();
                (&STRAIGHT, Need::NEVER, message)
            }
        },
    };
    let change = Change::harmless(bump, message);
    finding(sides, &new.crd, record, ".", change)
}

/// The experimental kind that preceded a stable one: it was removed, and has nearly the same name (`XRoute` for `Route`) and
/// most of its fields.
fn trial(sides: ChannelPair<'_>, new: &Published) -> Option<String> {
    let fields = |published: &Published| {
        let version = published.crd.versions.first()?;
        let spec = version.schema.as_ref()?.properties.get("spec")?;
        Some(spec.clone())
    };
    let spec = fields(new)?;
    let name = &new.crd.names.kind;
    let mut gone = sides.beside_old?.iter().filter(|(crd, _)| {
        sides
            .beside_new
            .is_none_or(|beside| !beside.contains_key(*crd))
    });
    let (crd, _) = gone.find(|(_, old)| {
        let close = old.crd.names.kind.ends_with(&**name);
        close && fields(old).is_some_and(|old| renames::renamed(name, &old, name, &spec))
    })?;
    Some(crd.clone())
}

fn finding(
    sides: ChannelPair<'_>,
    crd: &Crd,
    record: &'static Record,
    path: &str,
    mut change: Change,
) -> Finding {
    let stable = sides
        .beside_old
        .is_some_and(|beside| beside.contains_key(&crd.name()));
    if sides.channel == Channel::Experimental && !stable {
        change.bump = change.bump.at_most_minor();
    }
    Finding::new(record, sides.channel, path, change).of(crd)
}
