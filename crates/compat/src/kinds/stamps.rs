//! The annotations with a CRD's bundle and channel.

use crate::findings::verdict::{Channel, Need, Verdict};
use crate::findings::{Change, Finding, Gate, Record, Topic};
use crate::set::{Crds, Published, Set};
use crd_channels_cel::Text;
use crd_channels_schema::Crd;
use std::cmp::Ordering;

pub(crate) const STALE: Record = Record {
    id: "bundle-version-stale",
    topic: Topic::Breaking,
    gate: Gate::Absolute,
    waivable: false,
    summary: "The bundle changed, but its version was not raised.",
    explanation: "Every bundle has a version of its own, on every CRD. Users and installers read it to determine what is installed. A version that ends in `-dev` is between bundles and need not change.",
};

/// The suffix of versions between bundles.
const DEVELOPMENT: &str = "-dev";

pub(crate) const MIXED: Record = Record {
    id: "bundle-mixed",
    topic: Topic::Breaking,
    gate: Gate::Absolute,
    waivable: false,
    summary: "The CRDs of one set do not agree on their bundle or channel.",
    explanation: "A set is installed as a whole, so all of its CRDs carry the same annotations.",
};

pub(crate) const RENAMED: Record = Record {
    id: "stamp-changed",
    topic: Topic::Changed,
    gate: Gate::Absolute,
    waivable: false,
    summary: "The annotations with the bundle and its channel have another prefix, or the channel has another value.",
    explanation: "Implementations and installers read these annotations, and so do the policies of bundles that are installed: from now on they find no value or a different one. Keep `annotation-prefix` and the channel's `annotation`, or tell users before.",
};

/// All findings about the annotations of the new set.
pub(crate) fn check(old: &Set, new: &Set) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (channel, crds) in &new.channels {
        if let Some(before) = old.channel(*channel) {
            findings.extend(stale(*channel, before, crds));
            findings.extend(renamed(*channel, before, crds));
        }
        // Problems that existed before are not this bundle's.
        let before = old
            .channel(*channel)
            .map(|crds| mixed(*channel, crds))
            .unwrap_or_default();
        let known: Vec<&str> = before.iter().map(|finding| finding.path.as_str()).collect();
        let now = mixed(*channel, crds).into_iter();
        findings.extend(now.filter(|finding| !known.contains(&finding.path.as_str())));
    }
    // One cause, in any number of channels.
    let mut seen: Vec<(&str, String)> = Vec::new();
    findings.retain(|finding| {
        let key = (finding.record.id, finding.change.message.clone());
        let new = !seen.contains(&key);
        seen.push(key);
        new
    });
    findings
}

fn finding(channel: Channel, record: &'static Record, path: String, message: String) -> Finding {
    let verdicts = [Verdict::Ok, Verdict::Ok, Verdict::No];
    Finding::new(
        record,
        channel,
        path,
        Change::new(verdicts, Need::NEVER, message),
    )
}

fn most<'a>(crds: &'a Crds, suffix: &str) -> Option<(&'a Text, &'a Text)> {
    let all: Vec<_> = crds
        .values()
        .filter_map(|crd| crd.annotation(suffix))
        .collect();
    let count = |wanted: &Text| all.iter().filter(|(_, value)| *value == wanted).count();
    all.iter().copied().max_by_key(|(_, value)| count(value))
}

fn stale(channel: Channel, old: &Crds, new: &Crds) -> Option<Finding> {
    let (_, was) = most(old, "/bundle-version")?;
    let (name, is) = most(new, "/bundle-version")?;
    let fault = match order(was, is)? {
        Ordering::Less => return None,
        // Between bundles the development version stays the same.
        Ordering::Equal if is.ends_with(DEVELOPMENT) => return None,
        Ordering::Equal => "still",
        Ordering::Greater => "lower:",
    };
    let bytes = |crds: &Crds| -> Vec<Published> { crds.values().map(unstamped).collect() };
    let differ = {
        let (old, new) = (bytes(old), bytes(new));
        old.len() != new.len()
            || old
                .iter()
                .zip(&new)
                .any(|(old, new)| old.crd != new.crd || old.unknown != new.unknown)
    };
    let path = format!("metadata.annotations[{name}]");
    let message = match fault {
        "still" => format!("the bundle changed and its version is still `{is}`"),
        _ => format!("the bundle's version went from `{was}` down to `{is}`"),
    };
    differ.then(|| finding(channel, &STALE, path, message))
}

/// Annotations that their readers no longer find. A channel that became the other one is reported for each CRD.
fn renamed(channel: Channel, old: &Crds, new: &Crds) -> Vec<Finding> {
    let mut messages = Vec::new();
    for suffix in ["/bundle-version", "/channel"] {
        let (Some((was, old)), Some((is, new))) = (most(old, suffix), most(new, suffix)) else {
            continue;
        };
        let path = format!("metadata.annotations[{is}]");
        let (from, to) = (Channel::from_name(old), Channel::from_name(new));
        let flipped = from.is_some() && to.is_some() && from != to;
        if was != is {
            messages.push((path, format!("the annotation was `{was}` and is `{is}`")));
        } else if suffix == "/channel" && old != new && !flipped {
            messages.push((path, format!("the channel was `{old}` and is `{new}`")));
        }
    }
    let found = messages.into_iter().map(|(path, message)| Finding {
        change: Change::new(
            [Verdict::Ok, Verdict::Ok, Verdict::No],
            Need::MINOR,
            message,
        ),
        ..finding(channel, &RENAMED, path, String::new())
    });
    found.collect()
}

fn unstamped(published: &Published) -> Published {
    let stamp = published
        .annotation("/bundle-version")
        .map(|(name, _)| name.clone());
    let mut annotations = published.crd.annotations.clone();
    if let Some(stamp) = stamp {
        annotations.remove(&stamp);
    }
    Published {
        crd: Crd {
            annotations,
            ..published.crd.clone()
        },
        ..published.clone()
    }
}

fn mixed(channel: Channel, crds: &Crds) -> Vec<Finding> {
    let mut findings = Vec::new();
    for suffix in ["/bundle-version", "/channel"] {
        let Some((annotation, usual)) = most(crds, suffix) else {
            continue;
        };
        for (name, published) in crds {
            let own = published.annotation(suffix).map(|(_, value)| value);
            if own == Some(usual) {
                continue;
            }
            let own = own.map_or("missing".to_owned(), |own| format!("`{own}`"));
            let path = format!("metadata.annotations[{annotation}]");
            let message = format!("`{name}` has {own} and the others have `{usual}`");
            findings.push(finding(channel, &MIXED, path, message).of(&published.crd));
        }
    }
    findings
}

/// The order of two versions, `v1.2.3-rc.1` before `v1.2.3`; `None` if they differ and are not such versions.
pub(crate) fn order(one: &str, other: &str) -> Option<Ordering> {
    if one == other {
        return Some(Ordering::Equal);
    }
    let (one, other) = (Version::parse(one)?, Version::parse(other)?);
    Some(
        one.numbers
            .cmp(&other.numbers)
            .then_with(|| match (one.pre, other.pre) {
                (None, None) => Ordering::Equal,
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (Some(one), Some(other)) => pre_releases(one, other),
            }),
    )
}

/// Part by part: numbers numerically and before words, fewer parts before more.
fn pre_releases(one: &str, other: &str) -> Ordering {
    let key = |text: &str| -> Vec<(bool, u64, String)> {
        text.split('.')
            .map(|part| match part.parse() {
                Ok(number) => (false, number, String::new()),
                Err(_) => (true, 0, part.to_owned()),
            })
            .collect()
    };
    key(one).cmp(&key(other))
}

/// A bundle's version.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Version<'a> {
    pub(crate) numbers: [u64; 3],
    pub(crate) pre: Option<&'a str>,
}

impl<'a> Version<'a> {
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let text = text.split('+').next().unwrap_or(text);
        let (core, pre) = match text.split_once('-') {
            Some((core, pre)) => (core, Some(pre)),
            None => (text, None),
        };
        let mut parts = core.split('.').map(str::parse);
        let mut next = || parts.next()?.ok();
        let numbers = [next()?, next()?, next()?];
        parts.next().is_none().then_some(Self { numbers, pre })
    }
}
