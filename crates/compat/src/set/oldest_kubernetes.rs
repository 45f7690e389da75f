//! The oldest Kubernetes that a set needs, given its fields, formats and rules.

use super::{Published, Set};
use crate::findings::verdict::{Channel, Need, Verdict};
use crate::findings::{Change, Finding, Gate, Record, Topic};
use crd_channels_cel::Text;
use crd_channels_check::{Document, Lack, OLDEST};
use crd_channels_schema::Crd;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

pub(crate) const RAISED: Record = Record {
    id: "kubernetes-raised",
    topic: Topic::Changed,
    gate: Gate::Absolute,
    waivable: false,
    summary: "The set needs a newer Kubernetes than before.",
    explanation: "Older API servers reject it, or drop unknown fields.",
};

/// A part of a set that needs a minor version of Kubernetes 1, and its place.
struct Required {
    minor: u32,
    what: String,
    group: Text,
    kind: Text,
    channel: Channel,
}

/// Reports a minor version that the new set needs and the old one did not. Declared versions count only if both sets declare
/// one.
pub(crate) fn check(old: &Set, new: &Set) -> Option<Finding> {
    let declared = old.kubernetes.zip(new.kubernetes);
    let (declared_before, declared_after) = declared.unwrap_or((BASE, BASE));
    // What is as before needs nothing that was not needed before.
    let required = most(new, Some(old));
    let needed = required.as_ref().map_or(BASE, |required| required.minor);
    let after = needed.max(declared_after);
    let first = new.channels.keys().next()?;
    // What every known server has needs no newer one.
    if old.channels.is_empty() || after <= declared_before.max(OLDEST) {
        return None;
    }
    // Most often its kind needed it before, and no other has to be looked at.
    let was = required.as_ref().and_then(|required| {
        let crds = old.channels.get(&required.channel)?;
        let is_it = |old: &&Published| {
            (&old.crd.group, &old.crd.names.kind) == (&required.group, &required.kind)
        };
        needs(required.channel, crds.values().find(is_it)?)
    });
    if was.is_some_and(|was| was.minor >= after) {
        return None;
    }
    let before = most(old, None).map_or(BASE, |required| required.minor);
    let before = before.max(declared_before);
    if after <= before {
        return None;
    }
    let finding = |channel, message| {
        let verdicts = [Verdict::Unknown, Verdict::Ok, Verdict::Ok];
        let change = Change::new(verdicts, Need::MINOR, message);
        Finding::new(&RAISED, channel, ".", change)
    };
    Some(match required.filter(|required| required.minor == after) {
        Some(Required {
            what,
            group,
            kind,
            channel,
            ..
        }) => {
            let message = format!("needs Kubernetes 1.{after} for `{what}`; 1.{before} was enough");
            finding(channel, message).of_kind(group, kind)
        }
        None => {
            let message = format!("is for Kubernetes 1.{after} and newer; 1.{before} was enough");
            finding(*first, message)
        }
    })
}

/// The oldest Kubernetes that a set works on, as the minor version of 1: the declared one, or a newer one if its parts need it.
#[must_use]
pub fn oldest_kubernetes(set: &Set) -> u32 {
    let needed = most(set, None).map_or(BASE, |required| required.minor);
    needed.max(set.kubernetes.unwrap_or(BASE))
}

/// `v1` CRDs exist since this minor.
const BASE: u32 = 16;

/// The part that needs the newest Kubernetes, the first of several; with another set only of CRDs that differ there.
fn most(set: &Set, other: Option<&Set>) -> Option<Required> {
    let all: Vec<(Channel, &Published)> = set
        .channels
        .iter()
        .flat_map(|(channel, crds)| {
            let others = other.and_then(|other| other.channels.get(channel));
            let differs = move |id, published: &Published| {
                let other = others.and_then(|others| others.get(id));
                other.is_none_or(|other| !need_the_same(&published.crd, &other.crd))
            };
            let crds = crds
                .iter()
                .filter(move |(id, published)| differs(*id, published));
            crds.map(|(_, published)| (*channel, published))
        })
        .collect();
    let required = all
        .par_iter()
        .filter_map(|(channel, published)| needs(*channel, published));
    let required: Vec<Required> = required.collect();
    required
        .into_iter()
        .rev()
        .max_by_key(|required| required.minor)
}

/// The part of a CRD that needs the newest Kubernetes.
fn needs(channel: Channel, published: &Published) -> Option<Required> {
    let name = published.crd.name();
    let Lack { since, what } = Document::of_typed_crd(&published.crd, &name).needs()?;
    Some(Required {
        minor: since,
        what,
        group: published.crd.group.clone(),
        kind: published.crd.names.kind.clone(),
        channel,
    })
}

/// Whether two CRDs are equal, except for what every server takes.
fn need_the_same(one: &Crd, other: &Crd) -> bool {
    let Crd {
        annotations: _,
        labels: _,
        group,
        names,
        scope,
        conversion,
        versions,
    } = one;
    (group, names, scope, conversion, versions)
        == (
            &other.group,
            &other.names,
            &other.scope,
            &other.conversion,
            &other.versions,
        )
}
