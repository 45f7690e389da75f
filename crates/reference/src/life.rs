//! Since when each version, field and value of a kind is in which channel.

use crate::anchor::above;
use crate::api::{Api, UNRELEASED};
use crate::facts::enum_value;
use crate::fields::{NodeIn, nodes};
use crd_channels_compat::Channel;
use crd_channels_schema::{Schema, Version, deprecation};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// What has a life of its own, in a kind.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Place {
    /// The version.
    pub version: String,
    /// The path, such as `spec.rules[]`; empty for the version itself.
    pub path: String,
    /// A value of its enum, as JSON, or [`OTHERS`].
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

/// What stands in [`Place::value`] for the values that no enum lists. They live where the channel that decides has the field
/// without an enum. No value has this name, since the name is not JSON.
pub const OTHERS: &str = "others";

/// A version in one channel of a release.
#[derive(Clone, Copy)]
struct At<'a> {
    release: usize,
    channel: Channel,
    version: &'a Version,
}

impl<'a> NodeIn<'a, At<'a>> {
    fn said(&self) -> (At<'a>, Option<&'a Schema>) {
        (self.channel, Some(self.schema))
    }
}

/// How a place is there, and whether it has an enum.
type State = (Presence, bool);

/// Returns the lives of a kind's versions, fields and values, by the name of its CRD.
#[must_use]
pub fn lives(api: &Api, crd: &str) -> Lives {
    let mut versions: BTreeMap<&str, Vec<At<'_>>> = BTreeMap::new();
    for (number, release) in api.releases.iter().enumerate() {
        // Stable comes last, since it decides.
        for channel in [Channel::Experimental, Channel::Stable] {
            let published = release.set.channel(channel).and_then(|crds| crds.get(crd));
            for version in published.iter().flat_map(|it| &it.written.versions) {
                let at = At {
                    release: number,
                    channel,
                    version,
                };
                versions.entry(&version.name).or_default().push(at);
            }
        }
    }
    let mut lives = Lives::new();
    for (name, all) in versions {
        let mut add = |path: &str, value: Option<&str>, life: Vec<Transition>| {
            let place = Place {
                version: name.to_owned(),
                path: path.to_owned(),
                value: value.map(ToOwned::to_owned),
            };
            // Names with brackets and quotes can spell the path of another field; the first one has it.
            lives.entry(place).or_insert(life);
        };
        // A root that is deprecated by its description does not deprecate the version.
        let decided = decided(api, all.iter().map(|at| (*at, None)));
        add("", None, life(api, decided));
        let schemas = all
            .iter()
            .filter_map(|at| Some((*at, at.version.schema.as_deref()?)));
        let schemas: Vec<_> = schemas.collect();
        for node in nodes(&schemas) {
            let there = node.channels.iter();
            let decided = self::decided(api, there.clone().map(NodeIn::said));
            if !node.path.is_empty() {
                add(&node.path, None, life(api, decided.iter().copied()));
            }
            let enums = there.clone().map(|there| &there.schema.enum_values);
            let values: BTreeMap<String, &Value> = enums
                .flatten()
                .map(|value| (enum_value(value), value))
                .collect();
            if !values.is_empty() {
                let free = decided
                    .iter()
                    .map(|it| it.filter(|(_, has_enum)| !has_enum));
                add(&node.path, Some(OTHERS), life(api, free));
            }
            for (name, value) in values {
                // Without an enum every value is allowed.
                let allows = |there: &&NodeIn<'_, At<'_>>| {
                    let all = &there.schema.enum_values;
                    all.is_empty() || all.contains(value)
                };
                let decided = self::decided(api, there.clone().filter(allows).map(NodeIn::said));
                add(&node.path, Some(&name), life(api, decided));
            }
        }
    }
    lives
}

/// What is decisive in each release: the last channel, but what that does not serve may still be served by the other one.
fn decided<'a>(
    api: &Api,
    all: impl Iterator<Item = (At<'a>, Option<&'a Schema>)>,
) -> Vec<Option<State>> {
    let mut decided: Vec<Option<State>> = vec![None; api.releases.len()];
    for (at, schema) in all {
        let description = schema.and_then(|schema| schema.description.as_deref());
        let is_deprecated = description.is_some_and(|text| deprecation(text).is_some());
        let presence = match at.channel {
            _ if !at.version.served => Presence::Unserved,
            _ if at.version.deprecated || is_deprecated => Presence::Deprecated,
            Channel::Stable => Presence::Stable,
            Channel::Experimental => Presence::Experimental,
        };
        if let Some(known) = decided.get_mut(at.release)
            && (known.is_none() || presence != Presence::Unserved)
        {
            let has_enum = schema.is_some_and(|schema| !schema.enum_values.is_empty());
            *known = Some((presence, has_enum));
        }
    }
    decided
}

fn life(api: &Api, decided: impl IntoIterator<Item = Option<State>>) -> Vec<Transition> {
    let mut life = Vec::new();
    let mut was = Presence::Removed;
    for (release, is) in api.releases.iter().zip(decided) {
        let is = is.map_or(Presence::Removed, |(presence, _)| presence);
        if is != was {
            life.push(Transition {
                release: release.name.clone(),
                presence: is,
            });
        }
        was = is;
    }
    life
}

/// Returns the latest change of a life if it is one of these releases.
#[must_use]
pub fn change_in<'l>(life: &'l [Transition], releases: &[&str]) -> Option<&'l Transition> {
    life.last()
        .filter(|last| releases.contains(&&*last.release))
}

/// What a step of the [`OTHERS`] of a field means, in words; nothing if the field comes or goes with it, or changes itself.
#[must_use]
pub fn limited(
    others: &Place,
    was: Option<Presence>,
    step: &Transition,
    lives: &Lives,
) -> Option<&'static str> {
    let field = lives.get(&Place {
        value: None,
        ..others.clone()
    })?;
    let mut before = Presence::Removed;
    for own in field {
        let is_now = own.release == step.release;
        if is_now && (before == Presence::Removed || own.presence == Presence::Removed) {
            return None;
        }
        before = own.presence;
    }
    match (was, step.presence) {
        (_, Presence::Removed) => Some("became limited to values"),
        (None | Some(Presence::Removed), _) => Some("is no longer limited to values"),
        _ => None,
    }
}

/// Whether a step of a place is only that of what it is inside of: a new version need not list its fields, nor a field that gets
/// or loses its enum the values.
#[must_use]
pub fn is_of_above(place: &Place, step: &Transition, lives: &Lives) -> bool {
    let has = |path: &str, value: Option<&str>| {
        let place = Place {
            version: place.version.clone(),
            path: path.to_owned(),
            value: value.map(ToOwned::to_owned),
        };
        lives.get(&place).is_some_and(|life| life.contains(step))
    };
    match &place.value {
        Some(_) => has(&place.path, None) || has(&place.path, Some(OTHERS)),
        None => above(&place.path).is_some_and(|path| has(path, None)),
    }
}
