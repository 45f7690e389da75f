//! What becomes of what features gate is what became of those places.

use crate::api_of_raw;
use crate::dice::Dice;
use crate::draw::history;
use crate::hostile::{is_plain_markdown, is_plain_site};
use crate::links::{follow_markdown, follow_site};
use crate::oracle::{id, lives, places, text, transitions};
use crd_channels_reference::{Look, OTHERS, Place, UNRELEASED, feature_history, markdown, site};
use crd_channels_released::manifest::{Feature, Gate};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const NAMES: [&str; 3] = ["Retries", "Weights", "Odd`|<b>Name"];

/// The gate on a place, as manifests write it.
fn gate((group, kind): (&str, &str), place: &Place, dice: &mut Dice) -> Option<Gate> {
    let detail = match &place.value {
        Some(value) => serde_json::from_str(value).ok()?,
        None => String::new(),
    };
    let what = match (place.path.as_str(), &place.value) {
        ("", _) => "version",
        (_, Some(_)) => "value",
        _ if dice.chance(1, 6) => "rule",
        _ => "field",
    };
    // Bundles of older tools do not record it.
    let group = if dice.chance(3, 4) { group } else { "" };
    Some(Gate {
        group: group.to_owned(),
        kind: kind.to_owned(),
        version: place.version.clone(),
        path: match place.path.is_empty() {
            true => ".".to_owned(),
            false => place.path.clone(),
        },
        what: what.to_owned(),
        detail,
        without: dice.chance(1, 8),
    })
}

#[test]
fn gates_live_as_what_they_are_on() {
    let (mut alive, mut unknown) = (0, 0);
    for seed in 0..24 {
        let raw = history(seed);
        let mut dice = Dice::new(&format!("features {seed}"));
        let names = raw.names_ever().into_iter();
        let kinds: BTreeMap<&str, &Value> = names.map(|name| (name, raw.newest(name))).collect();
        let kind_of = |crd: &Value| {
            let part = |path| text(crd, path).unwrap().to_owned();
            (part("/spec/group"), part("/spec/names/kind"))
        };
        let lives: BTreeMap<&str, _> = kinds
            .keys()
            .map(|name| (*name, lives(&raw, name)))
            .collect();
        // Some gates are on what is nowhere, as those of a manifest that somebody wrote by hand.
        let mut all: Vec<((String, String), Place)> = Vec::new();
        for (name, crd) in &kinds {
            let places = lives[name].keys().cloned();
            let mut places: Vec<Place> = places
                .filter(|place| place.value.as_deref() != Some(OTHERS))
                .collect();
            places.push(Place {
                version: "v9".to_owned(),
                path: "spec.nowhere".to_owned(),
                value: None,
            });
            all.extend(places.into_iter().map(|place| (kind_of(crd), place)));
        }
        let mut api = api_of_raw(&raw);
        let mut last: BTreeMap<&str, (Option<Vec<Gate>>, usize)> = BTreeMap::new();
        let mut first: BTreeMap<&str, &str> = BTreeMap::new();
        for (number, release) in api.releases.iter_mut().enumerate() {
            for name in &NAMES {
                if dice.chance(1, 3) {
                    continue;
                }
                let drawn = (0..dice.roll(6)).filter_map(|_| {
                    let ((group, kind), place) = dice.pick(&all)?.clone();
                    gate((&group, &kind), &place, &mut dice)
                });
                let drawn: Vec<Gate> = drawn.collect();
                let gates = Some(drawn).filter(|_| dice.chance(5, 6));
                last.insert(name, (gates.clone(), number));
                if release.name != UNRELEASED {
                    first.entry(name).or_insert(&raw.releases[number].0);
                }
                release.features.push(Feature {
                    name: (*name).to_owned(),
                    summary: format!("In {number}."),
                    owner: None,
                    link: None,
                    since: None,
                    gates,
                });
            }
        }
        let found = feature_history(&api);
        assert_eq!(
            found.iter().map(|it| &*it.name).collect::<BTreeSet<_>>(),
            last.keys().copied().collect()
        );
        for feature in &found {
            let (gates, number) = &last[&*feature.name];
            assert_eq!(feature.summary, format!("In {number}."));
            assert_eq!(feature.since.as_deref(), first.get(&*feature.name).copied());
            let ended = raw.releases.get(number + 1).map(|(name, _)| name);
            assert_eq!(feature.ended.as_ref(), ended, "{}", feature.name);
            assert_eq!(feature.gates.is_none(), gates.is_none());
            let pairs = feature.gates.iter().flatten().zip(gates.iter().flatten());
            for (history, gate) in pairs {
                let place = Place {
                    version: gate.version.clone(),
                    path: gate.path.trim_start_matches('.').to_owned(),
                    value: (gate.what == "value").then(|| Value::from(&*gate.detail).to_string()),
                };
                let is_of = |(_, crd): &(&&str, &&Value)| {
                    let (group, kind) = kind_of(crd);
                    kind == gate.kind && (gate.group.is_empty() || gate.group == group)
                };
                let own: Vec<_> = kinds.iter().filter(is_of).collect();
                let expected = own.into_iter().map(|(name, crd)| {
                    let life = lives[name].get(&place).filter(|_| gate.what != "rule");
                    let life = life.map(|life| transitions(&raw, life)).unwrap_or_default();
                    match life.is_empty() {
                        true => unknown += 1,
                        false => alive += 1,
                    }
                    let crds = raw.last(name);
                    let is_there = places(&crds, &place.version).contains_key(&place.path);
                    let id = is_there.then(|| id(&place.version, &place.path));
                    let group = text(crd, "/spec/group").unwrap().to_owned();
                    format!("{:?}", (group, !crds.is_empty(), id, life))
                });
                let mut expected: Vec<String> = expected.collect();
                let places = history.places.iter();
                let places = places
                    .map(|it| format!("{:?}", (&it.group, it.file.is_some(), &it.id, &it.life)));
                let mut found: Vec<String> = places.collect();
                // A kind whose plural changed is there twice.
                expected.sort();
                found.sort();
                assert_eq!(found, expected, "seed {seed} {gate:?}");
            }
        }
        let (files, pages) = (
            site(&api, &Look::default()).unwrap(),
            markdown(&api, &Look::default()),
        );
        is_plain_site(&files);
        is_plain_markdown(&pages);
        follow_site(&files);
        follow_markdown(&pages);
    }
    assert!(alive > 100 && unknown > 10, "{alive} {unknown}");
}
