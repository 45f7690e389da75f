//! Since when each version, field and value is in which channel, and what each release changed.

use super::{Crds, Raw, id, places, spots, squeezed, text, values, versions};
use crd_channels_reference::{OTHERS, Place, Presence, Transition, status};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The presence of each place in each release.
pub type Lives = BTreeMap<Place, Vec<Presence>>;

/// A place in one channel of a release: its presence, and its values if it has an enum.
#[derive(Clone, Debug)]
struct There {
    presence: Presence,
    values: Option<BTreeSet<String>>,
}

/// What both channels of a release say of a version's places.
type Known = BTreeMap<(String, String), BTreeMap<&'static str, There>>;

fn known(crds: &Crds, name: &str) -> Known {
    let mut all = Known::new();
    let crds = crds
        .iter()
        .flat_map(|(channel, crds)| crds.iter().map(move |crd| (*channel, crd)));
    for (channel, crd) in crds.filter(|(_, crd)| text(crd, "/metadata/name") == Some(name)) {
        for (version, about, schema) in versions(crd) {
            let is = |key: &str| about[key] == true;
            let presence = |is_deprecated: bool| match channel {
                _ if !is("served") => Presence::Unserved,
                _ if is("deprecated") || is_deprecated => Presence::Deprecated,
                "stable" => Presence::Stable,
                _ => Presence::Experimental,
            };
            let mut add = |path: &str, there| {
                let key = (version.to_owned(), path.to_owned());
                all.entry(key).or_default().insert(channel, there);
            };
            add(
                "",
                There {
                    presence: presence(false),
                    values: None,
                },
            );
            for spot in schema.into_iter().flat_map(spots) {
                let mut lines = text(spot.schema, "/description")
                    .unwrap_or_default()
                    .lines();
                let is_deprecated =
                    lines.any(|line| line.starts_with("Deprecated: ")) && !spot.path.is_empty();
                let all: BTreeSet<String> = values(spot.schema).map(Value::to_string).collect();
                let values = Some(all).filter(|all| !all.is_empty());
                add(
                    &spot.path,
                    There {
                        presence: presence(is_deprecated),
                        values,
                    },
                );
            }
        }
    }
    all
}

/// What the channels of a release come to: stable decides, unless only the other one serves it.
fn decisive<'t>(there: impl Fn(&str) -> Option<&'t There>) -> Option<&'t There> {
    let (stable, experimental) = (there("stable"), there("experimental"));
    match (stable, experimental) {
        (Some(stable), Some(_)) if stable.presence == Presence::Unserved => experimental,
        (stable, experimental) => stable.or(experimental),
    }
}

/// The lives of what a CRD has or had.
pub fn lives(raw: &Raw, name: &str) -> Lives {
    let known: Vec<Known> = raw
        .releases
        .iter()
        .map(|(_, crds)| known(crds, name))
        .collect();
    // The values that any enum of a place ever had.
    let mut values: BTreeMap<&(String, String), BTreeSet<&String>> = BTreeMap::new();
    for (key, there) in known.iter().flatten() {
        let all = there.values().filter_map(|it| it.values.as_ref()).flatten();
        values.entry(key).or_default().extend(all);
    }
    let mut lives = Lives::new();
    for (key, values) in values {
        let mut add = |value: Option<&str>, presence: &dyn Fn(&Known) -> Option<Presence>| {
            let place = Place {
                version: key.0.clone(),
                path: key.1.clone(),
                value: value.map(str::to_owned),
            };
            let life = known
                .iter()
                .map(|it| presence(it).unwrap_or(Presence::Removed));
            lives.insert(place, life.collect());
        };
        let of = |known: &Known| Some(decisive(|channel| known.get(key)?.get(channel))?.presence);
        add(None, &of);
        for value in &values {
            // What has no enum allows every value.
            let allows =
                |there: &&There| there.values.as_ref().is_none_or(|all| all.contains(*value));
            add(Some(value), &|known| {
                let there = |channel: &str| known.get(key)?.get(channel).filter(allows);
                Some(decisive(there)?.presence)
            });
        }
        if !values.is_empty() {
            add(Some(OTHERS), &|known| {
                let there = decisive(|channel| known.get(key)?.get(channel))?;
                there.values.is_none().then_some(there.presence)
            });
        }
    }
    lives
}

/// A life as steps.
pub fn transitions(raw: &Raw, life: &[Presence]) -> Vec<Transition> {
    let mut steps: Vec<Transition> = Vec::new();
    for ((release, _), presence) in raw.releases.iter().zip(life) {
        if steps.last().map_or(Presence::Removed, |it| it.presence) != *presence {
            let (release, presence) = (release.clone(), *presence);
            steps.push(Transition { release, presence });
        }
    }
    steps
}

/// The words for the state of a place, where it differs from that of the place around it.
pub fn badge(raw: &Raw, lives: &Lives, place: &Place, around: Option<&Place>) -> String {
    let life = &lives[place];
    let is_said = match (around.map(|around| &lives[around]), raw.releases.len()) {
        (None, releases) => releases > 1,
        (Some(around), 1) => around.last() != life.last(),
        (Some(around), _) => around != life,
    };
    match raw.releases.len() {
        _ if !is_said => String::new(),
        1 => life.last().unwrap().to_string(),
        _ => status(&transitions(raw, life)).unwrap(),
    }
}

fn words(before: &[Presence], was: Presence, is: Presence) -> &'static str {
    use Presence::{Deprecated, Experimental, Removed, Stable, Unserved};
    let is_new = before.iter().all(|it| *it == Removed);
    match (was, is) {
        (Removed, Stable) if is_new => "appeared as stable",
        (Removed, Experimental) if is_new => "appeared as experimental",
        (Removed, Deprecated) if is_new => "appeared as deprecated",
        (Removed, Unserved) if is_new => "appeared, but is not served",
        (Removed, Stable) => "came back as stable",
        (Removed, Experimental) => "came back as experimental",
        (Removed, Deprecated) => "came back as deprecated",
        (Removed, Unserved) => "came back, but is not served",
        (Experimental, Stable) => "became stable",
        (Stable, Experimental) => "is only experimental now",
        (Deprecated, Stable | Experimental) => "is no longer deprecated",
        (Unserved, Stable | Experimental) => "is served again",
        (Unserved, Deprecated) => "is served again, but deprecated",
        (_, Deprecated) => "was deprecated",
        (_, Unserved) => "is no longer served",
        (_, Removed) => "was removed",
        (Stable, Stable) | (Experimental, Experimental) => panic!("no change"),
    }
}

/// The line that says what happened to a place.
pub fn line_about(place: &Place, words: &str) -> String {
    let Place {
        version,
        path,
        value,
    } = place;
    let dot = if path.is_empty() { "" } else { "." };
    let value = value.as_ref().filter(|it| *it != OTHERS);
    let value = value.map_or_else(String::new, |it| format!("value {it}"));
    squeezed(&format!("{version}{dot}{path} {value} {words}"))
}

/// The lines about a kind below each release: what they say, and the id that they lead to.
pub fn changes(raw: &Raw, name: &str, lives: &Lives) -> Vec<BTreeSet<(String, Option<String>)>> {
    let mut all = vec![BTreeSet::new(); raw.releases.len()];
    let crds = raw.last(name);
    let last = known(&raw.releases.last().unwrap().1, name);
    let mut above: BTreeMap<(&str, String), String> = BTreeMap::new();
    for crd in raw
        .releases
        .iter()
        .flat_map(|(_, crds)| crds.values().flatten())
    {
        for (version, _, schema) in versions(crd) {
            for spot in schema.into_iter().flat_map(spots) {
                above.extend(spot.above.map(|it| ((version, spot.path), it)));
            }
        }
    }
    for (place, life) in lives {
        let at = |path: &str, value: Option<&str>| {
            let (path, value) = (path.to_owned(), value.map(str::to_owned));
            let version = place.version.clone();
            lives.get(&Place {
                version,
                path,
                value,
            })
        };
        let around = match &place.value {
            Some(_) => vec![at(&place.path, None), at(&place.path, Some(OTHERS))],
            None => match above.get(&(&*place.version, place.path.clone())) {
                Some(above) => vec![at(above, None)],
                None => Vec::new(),
            },
        };
        for (number, is) in life.iter().enumerate() {
            let state = |life: &[Presence], back: usize| match number.checked_sub(back) {
                Some(number) => life[number],
                None => Presence::Removed,
            };
            let was = state(life, 1);
            let is_step = |life: &Vec<Presence>| state(life, 1) != *is && state(life, 0) == *is;
            let words = if place.value.as_deref() == Some(OTHERS) {
                let field = at(&place.path, None).unwrap();
                let is_there = [0, 1].map(|back| state(field, back) != Presence::Removed);
                match (is_there, was == Presence::Removed, *is == Presence::Removed) {
                    ([true, true], true, false) => "is no longer limited to values",
                    ([true, true], false, true) => "became limited to values",
                    _ => continue,
                }
            } else if was == *is || around.iter().flatten().any(|life| is_step(life)) {
                continue;
            } else {
                words(&life[..number], was, *is)
            };
            let Place { version, path, .. } = place;
            let is_shown = match path.is_empty() {
                // The object itself is shown by its schema.
                true => crds
                    .values()
                    .flat_map(|crd| versions(crd))
                    .any(|it| it.0 == version && it.2.is_some()),
                false => places(&crds, version).contains_key(path),
            };
            let is_shown = is_shown && last.contains_key(&(version.clone(), path.clone()));
            all[number].insert((
                line_about(place, words),
                is_shown.then(|| id(version, path)),
            ));
        }
    }
    all
}
