//! Since when each version, field and value of a kind is in which channel.

use crate::anchor::above;
use crate::api::{Api, Release};
use crate::facts::enum_value;
use crate::fields::{NodeIn, nodes};
use crate::place::{OTHERS, Place, UNLISTED};
use crate::recorded::{Before, as_recorded, by_place, listed_at};
use crd_channels_compat::Channel;
use crd_channels_released::history::{KindHistory, PlaceHistory, Presence, Transition};
use crd_channels_schema::{Schema, Version, deprecation};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

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
    let mut lives = all_lives(api, crd);
    lives.retain(|place, _| place.value.as_deref() != Some(UNLISTED));
    lives
}

/// Returns the lives of a kind, also those of [`UNLISTED`] values.
fn all_lives(api: &Api, crd: &str) -> Lives {
    let recorded = api.recorded().iter().find(|kind| kind.crd == crd);
    let recorded = recorded.map_or_else(BTreeMap::new, by_place);
    lives_after(recorded, &api.releases, crd)
}

/// Returns what became of what is recorded, and of what came with releases after that. The first of them may be the last that the
/// record is about.
fn lives_after(recorded: Before<'_>, releases: &[Release], crd: &str) -> Lives {
    let mut versions: BTreeMap<&str, Vec<At<'_>>> = BTreeMap::new();
    for (number, release) in releases.iter().enumerate() {
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
        // Whether the first release has a place.
        let mut first: BTreeSet<Place> = BTreeSet::new();
        let mut add = |path: &str, value: Option<&str>, decided: Vec<Option<State>>| {
            let place = Place {
                version: name.to_owned(),
                path: path.to_owned(),
                value: value.map(ToOwned::to_owned),
            };
            let mut before = None;
            if !recorded.is_empty() {
                if decided.first().is_some_and(Option::is_some) {
                    first.insert(place.clone());
                }
                let like = |place: &Place| as_recorded(place, |place| first.contains(place));
                let mut like = std::iter::successors(Some(place.clone()), like);
                before = like.find_map(|place| recorded.get(&place).copied());
            }
            let before = before.unwrap_or_default();
            // Names with brackets and quotes can spell the path of another field; the first one has it.
            lives
                .entry(place)
                .or_insert_with(|| life(releases, before, decided));
        };
        // A root that is deprecated by its description does not deprecate the version.
        let decided = decided(releases, all.iter().map(|at| (*at, None)));
        add("", None, decided);
        let schemas = all
            .iter()
            .filter_map(|at| Some((*at, at.version.schema.as_deref()?)));
        let schemas: Vec<_> = schemas.collect();
        for node in nodes(&schemas) {
            let there = node.channels.iter();
            let decided = self::decided(releases, there.clone().map(NodeIn::said));
            if !node.path.is_empty() {
                add(&node.path, None, decided.clone());
            }
            let enums = there.clone().flat_map(|there| &there.schema.enum_values);
            let enums = enums.map(|value| (enum_value(value), value.clone()));
            // What an enum listed before may be allowed without one now.
            let before = listed_at(&recorded, name, &node.path);
            let values: BTreeMap<String, Value> = enums.chain(before).collect();
            if !values.is_empty() {
                let free = decided.iter();
                let free = free.map(|it| it.filter(|(_, has_enum)| !has_enum));
                add(&node.path, Some(OTHERS), free.collect());
                let has_none = |there: &&NodeIn<'_, At<'_>>| there.schema.enum_values.is_empty();
                let unlisted = there.clone().filter(has_none).map(NodeIn::said);
                add(
                    &node.path,
                    Some(UNLISTED),
                    self::decided(releases, unlisted),
                );
            }
            for (name, value) in values {
                // Without an enum every value is allowed.
                let allows = |there: &&NodeIn<'_, At<'_>>| {
                    let all = &there.schema.enum_values;
                    all.is_empty() || all.contains(&value)
                };
                let decided =
                    self::decided(releases, there.clone().filter(allows).map(NodeIn::said));
                add(&node.path, Some(&name), decided);
            }
        }
    }
    for (place, steps) in recorded {
        lives.entry(place).or_insert_with(|| steps.to_vec());
    }
    lives
}

/// Returns what a bundle records about the last release and those before it: all lives but those that [`lives`] then knows from
/// what places are inside of.
#[must_use]
pub fn recorded(api: &Api) -> Vec<KindHistory> {
    let kinds = api.names().into_iter().map(|crd| {
        let lives = all_lives(api, crd);
        let last = api.releases.last().map_or(&[][..], std::slice::from_ref);
        let now = lives_after(Before::new(), last, crd);
        let is_there = |place: &Place| {
            let last = lives.get(place).and_then(|life| life.last());
            last.is_some_and(|last| last.presence != Presence::Removed)
        };
        let is_own = |(place, life): &(&Place, &Vec<Transition>)| {
            let like = |place: &Place| as_recorded(place, is_there);
            let mut like = std::iter::successors(like(place), like);
            let like = like.find_map(|place| lives.get(&place));
            !now.contains_key(place) || **life != *like.map_or(&[][..], |life| life)
        };
        let places = lives.iter().filter(is_own);
        let places = places.map(|(place, life)| PlaceHistory {
            version: place.version.clone(),
            path: place.path.clone(),
            value: place.value.clone(),
            steps: life.clone(),
        });
        KindHistory {
            crd: crd.to_owned(),
            kind: api.kind(crd).1,
            places: places.collect(),
        }
    });
    kinds.collect()
}

/// What is decisive in each release: the last channel, but what that does not serve may still be served by the other one.
fn decided<'a>(
    releases: &[Release],
    all: impl Iterator<Item = (At<'a>, Option<&'a Schema>)>,
) -> Vec<Option<State>> {
    let mut decided: Vec<Option<State>> = vec![None; releases.len()];
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

fn life(
    releases: &[Release],
    before: &[Transition],
    decided: Vec<Option<State>>,
) -> Vec<Transition> {
    let mut life = before.to_vec();
    let mut was = life.last().map_or(Presence::Removed, |it| it.presence);
    for (release, is) in releases.iter().zip(decided) {
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
