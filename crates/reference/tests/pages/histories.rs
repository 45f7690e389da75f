//! Random histories are told as they are: by sites, by Markdown and by `show`.

use crate::draw::history;
use crate::facts::compare;
use crate::hostile::{is_plain_markdown, is_plain_site, searchable};
use crate::links::{follow_markdown, follow_site};
use crate::markdown::compare_markdown;
use crate::oracle::{Raw, changes, line_about, lives, squeezed, text, transitions};
use crate::reader::{Line, Part, changes as changes_of_site, changes_of_markdown};
use crate::shown::show_some;
use crate::{Files, api_of_raw};
use crd_channels_reference::{
    Api, Lives, Look, OTHERS, Place, Presence, Release, UNRELEASED, lives as lives_of, markdown,
    recorded, site,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A number from the environment.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn random_histories_are_told_as_they_are() {
    let first = number("REFERENCE_SEED").unwrap_or(0);
    let count = number("REFERENCE_CRDS").unwrap_or(16);
    let mut places = 0;
    for seed in first..first + count {
        match catch_unwind(AssertUnwindSafe(|| check(&history(seed)))) {
            Ok(found) => places += found,
            Err(error) => {
                eprintln!("with REFERENCE_SEED={seed} REFERENCE_CRDS=1");
                resume_unwind(error);
            }
        }
    }
    assert!(count < 10 || places > 1000, "{places}");
}

/// Compares everything that is made of a history. Returns how many places its pages have.
fn check(raw: &Raw) -> usize {
    let api = api_of_raw(raw);
    let sites = site(&api, &Look::default()).unwrap();
    let pages = markdown(&api, &Look::default());
    is_plain_site(&sites);
    is_plain_markdown(&pages);
    follow_site(&sites);
    follow_markdown(&pages);
    let places = compare(&sites, raw) + compare_markdown(&pages, raw);
    let names = raw.names_ever();
    for name in &names {
        let lives = lives(raw, name).into_iter();
        let lives = lives.map(|(place, life)| (place, transitions(raw, &life)));
        let lives = lives
            .filter(|(place, life)| place.value.as_deref() != Some(OTHERS) || !life.is_empty());
        let mut found = lives_of(&api, name);
        found.retain(|place, life| place.value.as_deref() != Some(OTHERS) || !life.is_empty());
        assert_eq!(found, lives.collect(), "{name}");
    }
    compare_recorded(&api, &names);
    for name in raw.names() {
        show_some(&api, raw, name);
    }
    match raw.releases.len() {
        1 => assert!(!sites.contains_key("changes.html") && !pages.contains_key("changes.md")),
        _ => {
            let files = files_of(raw, &sites);
            compare_changes(
                raw,
                &names,
                |name| Some(files.get(name)?.clone()),
                &without_work(changes_of_site(&sites["changes.html"])),
            );
            let file = |name: &str| Some(files.get(name)?.replace(".html", ".md"));
            compare_changes(
                raw,
                &names,
                file,
                &without_work(changes_of_markdown(&pages["changes.md"])),
            );
        }
    }
    compare_gone(raw, &names, &sites["search.js"]);
    places
}

/// Checks that a release with what it records tells the same lives as all releases before it, whichever are gone.
fn compare_recorded(api: &Api, names: &BTreeSet<&str>) {
    for first in 1..api.releases.len() {
        let (before, kept) = api.releases.split_at(first);
        // What is not released yet is recorded by no bundle.
        if kept[0].name == UNRELEASED {
            continue;
        }
        let until = |releases: &[Release]| Api {
            releases: releases.to_vec(),
            ..Api::default()
        };
        let mut past = until(before);
        // Half of the releases record what they know from the record of the one before.
        if first % 2 == 0 {
            let (rest, last) = past.releases.split_at_mut(first - 1);
            last[0].history = recorded(&until(&[rest, last].concat()));
            past.releases.drain(..first - 1);
        }
        past.releases.push(kept[0].clone());
        let record = serde_json::to_string(&recorded(&past)).unwrap();
        let mut short = until(kept);
        short.releases[0].history = serde_json::from_str(&record).unwrap();
        for name in names {
            let (found, expected) = (lives_of(&short, name), lives_of(api, name));
            let all: BTreeSet<_> = found.keys().chain(expected.keys()).collect();
            for place in all {
                let of = |lives: &Lives| lives.get(place).cloned().unwrap_or_default();
                let (found, expected) = (of(&found), of(&expected));
                let first = &short.releases[0].name;
                assert_eq!(found, expected, "{name} {place:?} from {first}");
            }
        }
        let known: BTreeSet<_> = short.releases[0]
            .history
            .iter()
            .map(|it| &*it.crd)
            .collect();
        let ever = before
            .iter()
            .chain([&kept[0]])
            .flat_map(|it| it.set.channels.values());
        let ever: BTreeSet<_> = ever
            .flat_map(|crds| crds.keys())
            .map(String::as_str)
            .collect();
        assert_eq!(known, ever);
    }
}

/// Checks that the search finds exactly what the last line about a place says was removed.
fn compare_gone(raw: &Raw, names: &BTreeSet<&str>, script: &str) {
    let [_, gone] = searchable(script);
    // Two CRDs of a group may have the kind, one after the other.
    let mut found = Vec::new();
    for entry in gone.as_array().unwrap() {
        let [_, kind, version, path, value, only, release, newest_first] =
            entry.as_array().unwrap().as_slice()
        else {
            panic!("{entry}");
        };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let number = raw.releases.len() - usize::try_from(newest_first.as_u64().unwrap()).unwrap();
        assert_eq!(Some(&raw.releases[number].0), text(release).as_ref());
        let place = Place {
            version: text(version).unwrap(),
            path: text(path).unwrap(),
            value: text(value),
        };
        found.push((text(kind).unwrap(), place, text(only), number));
    }
    let mut expected = Vec::new();
    for name in names {
        let kind = text(raw.newest(name), "/spec/names/kind").unwrap();
        let lives = lives(raw, name);
        let lines = changes(raw, name, &lives);
        for (place, life) in lives {
            let Some(left) = life.iter().rposition(|it| *it != Presence::Removed) else {
                continue;
            };
            let number = left + 1;
            let line = line_about(&place, "was removed");
            let is_told = |lines: &BTreeSet<Line>| lines.iter().any(|(own, _)| *own == line);
            if place.value.as_deref() != Some(OTHERS) && lines.get(number).is_some_and(is_told) {
                let only =
                    (life[left] == Presence::Experimental).then(|| "experimental".to_owned());
                expected.push((kind.to_owned(), place, only, number));
            }
        }
    }
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

/// The files of the kinds' pages.
fn files_of(raw: &Raw, files: &Files) -> BTreeMap<String, String> {
    let pages = crate::facts::pages(files);
    let names = raw.names();
    names
        .into_iter()
        .map(|name| (name.to_owned(), pages[name].to_owned()))
        .collect()
}

/// What breaks and what else changed is compared in `work`.
fn without_work(mut parts: Vec<Part>) -> Vec<Part> {
    let compared = ["What breaks, or may break", "What else changed"].map(squeezed);
    parts.retain(|(_, (head, _), _)| !compared.contains(head));
    parts
}

/// Compares the lines about releases, newest first.
fn compare_changes(
    raw: &Raw,
    names: &BTreeSet<&str>,
    file: impl Fn(&str) -> Option<String>,
    found: &[Part],
) {
    let mut expected: Vec<Part> = Vec::new();
    for name in names {
        let newest = raw.newest(name);
        let head = [
            text(newest, "/spec/names/kind").unwrap(),
            text(newest, "/spec/group").unwrap(),
        ]
        .concat();
        let lives = lives(raw, name);
        for ((release, _), lines) in raw.releases.iter().zip(changes(raw, name, &lives)) {
            let lines = lines.into_iter().map(|(line, id)| {
                let target = id.and_then(|id| Some(format!("{}#{id}", file(name)?)));
                (line, target)
            });
            let lines: BTreeSet<Line> = lines.collect();
            let release = match &**release {
                "unreleased" => squeezed("Not released yet"),
                release => squeezed(release),
            };
            if !lines.is_empty() {
                expected.push((release, (squeezed(&head), file(name)), lines));
            }
        }
    }
    let sorted = |parts: &[Part]| {
        // Marks around groups are those of each format.
        let plain = |(release, (head, file), lines): &Part| {
            (
                release.clone(),
                head.replace(['(', ')'], ""),
                file.clone(),
                lines.clone(),
            )
        };
        let mut parts: Vec<_> = parts.iter().map(plain).collect();
        parts.sort();
        parts
    };
    assert_eq!(sorted(found), sorted(&expected));
    // Releases are in order, newest first.
    let releases: Vec<String> = raw
        .releases
        .iter()
        .rev()
        .map(|(release, _)| match &**release {
            "unreleased" => squeezed("Not released yet"),
            release => squeezed(release),
        })
        .collect();
    let places: Vec<usize> = found
        .iter()
        .map(|(release, ..)| releases.iter().position(|it| it == release).unwrap())
        .collect();
    assert!(places.is_sorted(), "{places:?}");
}
