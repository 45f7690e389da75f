//! Markdown has every fact that schemas have, and of each channel no other.

use crate::facts::{FULL, head};
use crate::oracle::{
    Fact, Lives, Raw, badge, columns, described, id, lives, places, plain, selectable, served,
    squeezed, subresources, text, told, values, versions,
};
use crate::reader::{Section, sections};
use crate::{Files, api, api_of, raw};
use crd_channels_reference::{Look, Place, markdown};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// ` (stable only)` where one of two channels says something.
pub fn only<T, U>(there: &BTreeMap<&'static str, T>, around: &BTreeMap<&'static str, U>) -> String {
    match there.first_key_value() {
        Some((channel, _)) if there.len() == 1 && around.len() > 1 => format!(" ({channel} only)"),
        _ => String::new(),
    }
}

/// What channels say, each thing with the channels that do.
pub fn joined<T: Ord>(
    all: impl Iterator<Item = (&'static str, Vec<T>)>,
) -> BTreeMap<T, BTreeMap<&'static str, ()>> {
    let mut joined: BTreeMap<T, BTreeMap<&'static str, ()>> = BTreeMap::new();
    for (channel, said) in all {
        for said in said {
            joined.entry(said).or_default().insert(channel, ());
        }
    }
    joined
}

/// Fails unless a text consists of these pieces, in any order.
pub fn assert_made_of(text: &str, pieces: &[String], what: &str) {
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    for piece in pieces {
        assert!(text.contains(&**piece), "{what} lacks {piece}\n{text}");
    }
    assert!(
        letters(text) == letters(&pieces.concat()),
        "{what}: {text}\n{pieces:#?}"
    );
}

/// What Markdown says about a version besides its schema: lines, and lines of tables.
fn version_lines(
    raw: &Raw,
    lives: &Lives,
    crds: &BTreeMap<&'static str, &Value>,
    version: &str,
) -> (Vec<String>, BTreeSet<String>) {
    let there: BTreeMap<&'static str, &Value> = crds
        .iter()
        .filter_map(|(channel, crd)| Some((*channel, versions(crd).find(|it| it.0 == version)?.1)))
        .collect();
    let place = Place {
        version: version.to_owned(),
        path: String::new(),
        value: None,
    };
    let mut lines = vec![
        format!("{version}{}", only(&there, crds)),
        badge(raw, lives, &place, None),
    ];
    let say = |of: &dyn Fn(&Value) -> Vec<String>| {
        let said = joined(
            there
                .iter()
                .map(|(channel, version)| (*channel, of(version))),
        );
        let lines = said
            .into_iter()
            .map(|(said, channels)| (said, only(&channels, &there)));
        lines.collect::<Vec<_>>()
    };
    for (said, only) in say(&|it| vec![served(it)]) {
        let channel = only.replace(" only)", "").replace(" (", "in ");
        lines.push(format!("{channel}{said}"));
    }
    for (said, only) in say(&|it| subresources(it)) {
        lines.push(said.replace("Subresource", "subresource") + &only);
    }
    let paths: Vec<String> = say(&|it| selectable(it).map(str::to_owned).collect())
        .into_iter()
        .map(|(path, only)| path + &only)
        .collect();
    if !paths.is_empty() {
        lines.push("objects can be selected by ".to_owned());
        lines.push(", ".repeat(paths.len() - 1));
        lines.extend(paths);
    }
    let (_, crd) = crds.first_key_value().unwrap();
    let name = |pointer| text(crd, pointer).unwrap();
    let (plural, group) = (name("/spec/names/plural"), name("/spec/group"));
    lines.push(format!(
        "kubectl explain {plural} --api-version={group}/{version}"
    ));
    let columns = say(&|it| columns(it)).into_iter().map(|(row, only)| {
        let (name, rest) = row.split_once('|').unwrap();
        squeezed(&format!("{name}{only}|{rest}"))
    });
    (lines, columns.collect())
}

/// Compares Markdown with what the CRDs of the last release say. Returns how many places it has.
pub fn compare_markdown(files: &Files, raw: &Raw) -> usize {
    let mut count = 0;
    for name in raw.names() {
        let line = format!("- CRD: `{name}`\n");
        let page = files.values().find(|page| page.contains(&line)).unwrap();
        let (start, _) = page.split_once("\n<a id=").unwrap();
        let crds = raw.last(name);
        let kind = text(crds.first_key_value().unwrap().1, "/spec/names/kind").unwrap();
        let group = text(crds.first_key_value().unwrap().1, "/spec/group").unwrap();
        let start = squeezed(&start.replace("\n- ", "\n").replace('\\', ""));
        assert_eq!(
            start,
            squeezed(&format!("# {kind}Group: {group}")) + &head(&crds)
        );
        let lives = lives(raw, name);
        // What comes after the versions is compared in `reserved`.
        let page = page.split("\n## Reserved names\n").next().unwrap();
        let mut page = sections(page);
        let all: BTreeSet<&str> = crds
            .values()
            .flat_map(|crd| versions(crd))
            .map(|it| it.0)
            .collect();
        for version in all {
            let place = |path: &str, value: Option<String>| Place {
                version: version.to_owned(),
                path: path.to_owned(),
                value,
            };
            let (mut lines, mut rows) = version_lines(raw, &lives, &crds, version);
            let places = places(&crds, version);
            if !rows.is_empty() {
                lines.push("Columns".to_owned());
            }
            if places.len() > 1 {
                lines.push("Fields".to_owned());
            }
            let around: BTreeMap<&'static str, ()> = crds
                .iter()
                .filter(|(_, crd)| versions(crd).any(|it| it.0 == version))
                .map(|(channel, _)| (*channel, ()))
                .collect();
            let mut root = page.remove(&id(version, "")).unwrap();
            for (path, there) in &places {
                count += 1;
                let own = place(path, None);
                let badge_of = |value: &Value| {
                    badge(
                        raw,
                        &lives,
                        &place(path, Some(value.to_string())),
                        Some(&own),
                    )
                };
                let mut pieces = Vec::new();
                let types = there
                    .iter()
                    .rev()
                    .map(|(channel, spot)| (*channel, told(spot.schema).0));
                let mut types: Vec<(&str, String)> = types.collect();
                types.dedup_by(|one, other| one.1 == other.1);
                let several = types.len() > 1;
                let types = types.into_iter().map(|(channel, ty)| match several {
                    true => format!("{ty} ({channel} only)"),
                    false => ty,
                });
                let types = types.collect::<Vec<_>>().join(" or ");
                let required: BTreeMap<&'static str, ()> = there
                    .iter()
                    .filter(|(_, spot)| spot.required)
                    .map(|(channel, _)| (*channel, ()))
                    .collect();
                let required = match required.is_empty() {
                    true => String::new(),
                    false => format!("required{}", only(&required, there)),
                };
                let state = match path.is_empty() {
                    true => String::new(),
                    false => badge(raw, &lives, &own, Some(&place("", None))),
                };
                let only_there = only(there, &around);
                let docs = there
                    .iter()
                    .filter_map(|(channel, spot)| Some((*channel, vec![described(spot.schema)?])));
                for (docs, channels) in joined(docs) {
                    if let [channel] = *channels.keys().collect::<Vec<_>>()
                        && there.len() > 1
                    {
                        pieces.push(format!("In {channel}:"));
                    }
                    pieces.push(plain(docs));
                }
                let facts = joined(
                    there
                        .iter()
                        .map(|(channel, spot)| (*channel, told(spot.schema).1)),
                );
                let mut items = Vec::new();
                for (Fact { words, code }, channels) in facts {
                    let code = code.unwrap_or_default();
                    let only = only(&channels, there);
                    match code.trim().contains('\n') {
                        // Which is a block of its own.
                        true => pieces.extend([format!("{words}{only}"), code]),
                        false => items.push(format!("{words}{code}{only}")),
                    }
                }
                let values = joined(there.iter().map(|(channel, spot)| {
                    (
                        *channel,
                        values(spot.schema).map(Value::to_string).collect(),
                    )
                }));
                for (value, channels) in values {
                    let state = match badge_of(&serde_json::from_str(&value).unwrap()) {
                        state if state.is_empty() => state,
                        state => format!("; {state}"),
                    };
                    items.push(format!("value {value}{}{state}", only(&channels, there)));
                }
                let what = format!("{name} {version} {path}");
                let has = |section: &Section, items: &[String]| {
                    for item in items {
                        assert!(
                            section.items.contains(&squeezed(item)),
                            "{what} lacks {item}\n{:#?}",
                            section.items
                        );
                    }
                };
                if path.is_empty() {
                    has(&root, &items);
                    lines.extend(pieces.into_iter().chain(items));
                    continue;
                }
                rows.insert(squeezed(&format!(
                    "{path}{only_there}|{types}|{required}|{state}"
                )));
                let Some(section) = page.remove(&id(version, path)) else {
                    panic!("{what} is not there");
                };
                if section.text.is_empty() && path.ends_with(['}', ']']) {
                    rows.remove(&squeezed(&format!("{path}{only_there}|{types}||{state}")));
                    continue;
                }
                has(&section, &items);
                let comma = if required.is_empty() { "" } else { ", " };
                let semicolon = if state.is_empty() { "" } else { "; " };
                pieces.push(format!(
                    "{path}{types}{comma}{required}{only_there}{semicolon}{state}"
                ));
                pieces.extend(items);
                let pieces: Vec<String> = pieces.iter().map(|it| squeezed(it)).collect();
                assert_made_of(&section.text, &pieces, &what);
            }
            let lines: Vec<String> = lines.iter().map(|it| squeezed(it)).collect();
            assert_made_of(&root.text, &lines, &format!("{name} {version}"));
            // Marks between cells are no part of texts.
            root.rows.remove("");
            assert_eq!(root.rows, rows, "{name} {version}");
        }
        assert!(page.is_empty(), "{name}: {:?}", page.keys());
    }
    count
}

#[test]
fn markdown_has_every_fact_of_each_channel_and_no_other() {
    for (api, least) in [(api(), 150), (api_of(FULL), 15)] {
        let files = markdown(&api, &Look::default());
        assert!(compare_markdown(&files, &raw(&api)) > least);
    }
}
