//! Since when each version, field and value of a kind is in which channel.

use crate::anchor::above;
use crate::api::{Api, Release, UNRELEASED};
use crate::facts::enum_value;
use crate::fields::nodes;
use crd_channels_compat::Channel;
use crd_channels_schema::{Crd, deprecation};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// What has a life of its own, in a kind.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Place {
    /// The version.
    pub version: String,
    /// The path, such as `spec.rules[]`; empty for the version itself.
    pub path: String,
    /// A value of its enum, as JSON.
    pub value: Option<String>,
}

/// Whether and how a release has something.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// Served in the experimental channel only.
    Experimental,
    /// Served in the stable channel.
    Stable,
    /// Served, but not to be used any more.
    Deprecated,
    /// Not served, only kept for objects that may be stored in it.
    Unserved,
    /// In no channel.
    Removed,
}

impl fmt::Display for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Experimental => "experimental",
            Self::Stable => "stable",
            Self::Deprecated => "deprecated",
            Self::Unserved => "unserved",
            Self::Removed => "removed",
        })
    }
}

/// A change of presence.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Transition {
    /// The first release that has it so.
    pub release: String,
    /// How it has it.
    pub presence: Presence,
}

impl fmt::Display for Transition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&*self.release, self.presence) {
            (UNRELEASED, presence) => write!(f, "{presence}, not released yet"),
            (release, Presence::Removed) => write!(f, "removed in {release}"),
            (release, presence) => write!(f, "{presence} since {release}"),
        }
    }
}

/// The last state of a life in words, with the one before it: `stable since v0.3.0, before that experimental since v0.2.0`.
#[must_use]
pub fn status(life: &[Transition]) -> Option<String> {
    let (last, before) = life.split_last()?;
    Some(match before.last() {
        Some(before) => format!("{last}, before that {before}"),
        None => last.to_string(),
    })
}

/// The transitions of everything that a kind has or had.
pub type Lives = BTreeMap<Place, Vec<Transition>>;

/// Returns the lives of a kind's versions, fields and values, by the name of its CRD.
#[must_use]
pub fn lives(api: &Api, crd: &str) -> Lives {
    let mut lives = Lives::new();
    for release in &api.releases {
        let now = presences(release, crd);
        for (place, life) in &mut lives {
            let is_gone = life
                .last()
                .is_some_and(|last| last.presence != Presence::Removed);
            if is_gone && !now.contains_key(place) {
                life.push(transition(release, Presence::Removed));
            }
        }
        for (place, presence) in now {
            let life: &mut Vec<Transition> = lives.entry(place).or_default();
            if life.last().is_none_or(|last| last.presence != presence) {
                life.push(transition(release, presence));
            }
        }
    }
    lives
}

fn transition(release: &Release, presence: Presence) -> Transition {
    Transition {
        release: release.name.clone(),
        presence,
    }
}

fn presences(release: &Release, crd: &str) -> BTreeMap<Place, Presence> {
    let mut all = BTreeMap::new();
    // Stable comes last, since it decides.
    for channel in [Channel::Experimental, Channel::Stable] {
        let published = release.set.channel(channel).and_then(|crds| crds.get(crd));
        if let Some(published) = published {
            add_presences(&published.written, channel, &mut all);
        }
    }
    all
}

fn add_presences(crd: &Crd, channel: Channel, all: &mut BTreeMap<Place, Presence>) {
    for version in &crd.versions {
        let how = |is_deprecated| match channel {
            _ if !version.served => Presence::Unserved,
            _ if version.deprecated || is_deprecated => Presence::Deprecated,
            Channel::Stable => Presence::Stable,
            Channel::Experimental => Presence::Experimental,
        };
        let mut add = |path: &str, value, presence| {
            let place = Place {
                version: version.name.to_string(),
                path: path.to_owned(),
                value,
            };
            // What a stable channel does not serve may still be served by the other one.
            let known = all.entry(place).or_insert(presence);
            if presence != Presence::Unserved {
                *known = presence;
            }
        };
        add("", None, how(false));
        let schema = version.schema.as_deref();
        for node in schema.map_or_else(Vec::new, |schema| nodes(&[(channel, schema)])) {
            for there in &node.channels {
                let description = there.schema.description.as_deref();
                let presence = how(description.is_some_and(|text| deprecation(text).is_some()));
                if !node.path.is_empty() {
                    add(&node.path, None, presence);
                }
                for value in &there.schema.enum_values {
                    add(&node.path, Some(enum_value(value)), presence);
                }
            }
        }
    }
}

/// Returns the latest change of a life if it is one of these releases.
#[must_use]
pub fn change_in<'l>(life: &'l [Transition], releases: &[&str]) -> Option<&'l Transition> {
    life.last()
        .filter(|last| releases.contains(&&*last.release))
}

/// Whether a step of a place is only that of what it is inside of: a new version need not list its fields.
#[must_use]
pub fn is_of_above(place: &Place, step: &Transition, lives: &Lives) -> bool {
    let path = match &place.value {
        Some(_) => Some(&*place.path),
        None => above(&place.path),
    };
    let Some(path) = path else {
        return false;
    };
    let above = Place {
        version: place.version.clone(),
        path: path.to_owned(),
        value: None,
    };
    lives.get(&above).is_some_and(|life| life.contains(step))
}
