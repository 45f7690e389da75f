//! `show` says of each place what the CRDs say, of all channels or of one.

use crate::markdown::{assert_made_of, joined, only};
use crate::oracle::{
    Lives, Raw, Spot, described, lives, places, squeezed, text, told, transitions, values, versions,
};
use crd_channels_reference::{Api, Place, Shown, kind_page, lives as lives_of, show, status};
use serde_json::Value;
use std::collections::BTreeMap;

/// A version in the channels that are shown.
struct Version<'a> {
    raw: &'a Raw,
    lives: &'a Lives,
    name: &'a str,
    around: BTreeMap<&'static str, ()>,
    places: BTreeMap<String, BTreeMap<&'static str, Spot<'a>>>,
}

impl Version<'_> {
    fn place(&self, path: &str, value: Option<String>) -> Place {
        let (version, path) = (self.name.to_owned(), path.to_owned());
        Place {
            version,
            path,
            value,
        }
    }

    fn status(&self, place: &Place) -> String {
        status(&transitions(self.raw, &self.lives[place])).unwrap()
    }

    /// The words for the state of a place, where it differs from that of the place around it, and the mark if only one channel has it.
    fn state(&self, place: &Place, around: &Place, only: String) -> String {
        let status = self.status(place);
        let is_said = only
            .strip_prefix(" (")
            .and_then(|it| it.strip_suffix(" only)"));
        match self.lives[place] == self.lives[around] {
            true => only,
            false if is_said.is_some_and(|channel| status.starts_with(channel)) => {
                format!(", {status}")
            }
            false => format!(", {status}{only}"),
        }
    }

    /// A field in one line.
    fn heading(&self, path: &str, name: &str) -> String {
        let there = &self.places[path];
        let types = there
            .iter()
            .rev()
            .map(|(channel, spot)| (*channel, told(spot.schema).0));
        let mut types: Vec<(&str, String)> = types.collect();
        types.dedup_by(|one, other| one.1 == other.1);
        let is_one = types.len() == 1;
        let types = types.into_iter().map(|(channel, ty)| match is_one {
            true => ty,
            false => format!("{ty} ({channel} only)"),
        });
        let types = types.collect::<Vec<_>>().join(" or ");
        let required = there.iter().filter(|(_, spot)| spot.required);
        let required: BTreeMap<&'static str, ()> =
            required.map(|(channel, _)| (*channel, ())).collect();
        let required = match required.is_empty() {
            true => String::new(),
            false => format!(", required{}", only(&required, there)),
        };
        let only = only(there, &self.around);
        let state = self.state(&self.place(path, None), &self.place("", None), only);
        format!("{name} <{types}>{required}{state}")
    }

    /// The paths of the next fields inside of a place.
    fn inside(&self, path: &str) -> Vec<&String> {
        let above = |path: &str| self.places.get(path)?.values().next()?.above.clone();
        let is_element = |path: &str| path.ends_with("[]") || path.ends_with("{}");
        let inside = self.places.keys().filter(|field| {
            let mut around = above(field).filter(|_| !is_element(field));
            while around
                .as_deref()
                .is_some_and(|around| around != path && is_element(around))
            {
                around = around.and_then(|around| above(&around));
            }
            around.as_deref() == Some(path)
        });
        inside.collect()
    }

    fn compare(&self, path: &str, found: &str, head: &str) {
        let mut parts = BTreeMap::new();
        let mut heading = String::new();
        for line in found.lines() {
            match line.starts_with(' ') || line.is_empty() {
                true => {
                    let part: &mut String = parts.entry(heading.clone()).or_default();
                    part.push_str(&squeezed(line));
                }
                false => {
                    heading = squeezed(line);
                    parts.entry(heading.clone()).or_default();
                }
            }
        }
        let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut add = |heading: &str, line: String| {
            expected
                .entry(squeezed(heading))
                .or_default()
                .push(squeezed(&line));
        };
        let mut at = path.to_owned();
        loop {
            let of = match at == path {
                true => String::new(),
                false => format!(" OF {at}"),
            };
            let there = &self.places[&at];
            let docs = there
                .iter()
                .filter_map(|(channel, spot)| Some((*channel, vec![described(spot.schema)?])));
            for (docs, channels) in joined(docs) {
                add(
                    &format!("DESCRIPTION{of}{}:", only(&channels, there)),
                    docs.to_owned(),
                );
            }
            let facts = joined(
                there
                    .iter()
                    .map(|(channel, spot)| (*channel, told(spot.schema).1)),
            );
            for (fact, channels) in facts {
                let code = fact.code.unwrap_or_default();
                add(
                    &format!("FACTS{of}:"),
                    format!("{}{code}{}", fact.words, only(&channels, there)),
                );
            }
            let all = there.iter().map(|(channel, spot)| {
                (
                    *channel,
                    values(spot.schema).map(Value::to_string).collect(),
                )
            });
            for (value, channels) in joined(all) {
                let place = self.place(&at, Some(value.clone()));
                let state = self.state(&place, &self.place(&at, None), only(&channels, there));
                add(&format!("VALUES{of}:"), format!("{value}{state}"));
            }
            let elements = ["[]", "{}"].map(|suffix| format!("{at}{suffix}"));
            let is_element = |it: &&String| {
                let above = self.places.get(*it).map(there_above);
                above == Some(&at)
            };
            match elements.iter().find(is_element) {
                Some(element) => at.clone_from(element),
                None => break,
            }
        }
        for field in self.inside(path) {
            let above = there_above(&self.places[field]);
            let name = field.strip_prefix(above).unwrap();
            add(
                "FIELDS:",
                self.heading(field, name.strip_prefix('.').unwrap_or(name)),
            );
        }
        let mut head = format!(
            "{head}VERSION:  {} ({})\n",
            self.name,
            self.status(&self.place("", None))
        );
        if !path.is_empty() {
            head.push_str(&format!("FIELD:    {}\n", self.heading(path, path)));
        }
        let start: String = parts
            .keys()
            .filter(|it| !expected.contains_key(*it))
            .map(|it| squeezed(it))
            .collect();
        let lines: Vec<String> = head.lines().map(squeezed).collect();
        assert_made_of(&start, &lines, path);
        for (heading, lines) in expected {
            assert_made_of(&parts[&heading], &lines, &format!("{path} {heading}"));
        }
    }
}

fn there_above<'s>(there: &'s BTreeMap<&'static str, Spot<'_>>) -> &'s str {
    there.values().next().unwrap().above.as_deref().unwrap()
}

/// How many places of a version are shown.
const SHOWN: usize = 4;

/// Compares what is shown of some places of a kind.
pub fn show_some(api: &Api, raw: &Raw, name: &str) {
    let lives = lives(raw, name);
    let page = kind_page(api, name, &lives_of(api, name)).unwrap();
    for channels in [
        vec!["stable", "experimental"],
        vec!["stable"],
        vec!["experimental"],
    ] {
        let mut page = page.clone();
        if let [channel] = *channels {
            page.keep_channel(channel);
        }
        let mut crds = raw.last(name);
        let (_, widest) = crds.first_key_value().unwrap();
        let (group, kind) = (
            text(widest, "/spec/group").unwrap(),
            text(widest, "/spec/names/kind").unwrap(),
        );
        let head = format!("GROUP:    {group}\nKIND:     {kind}\n");
        let whole = raw.last(name);
        crds.retain(|channel, _| channels.contains(channel));
        for version in &page.versions {
            let around = crds
                .iter()
                .filter(|(_, crd)| versions(crd).any(|it| it.0 == version.name));
            let mut places = places(&whole, &version.name);
            for there in places.values_mut() {
                there.retain(|channel, _| channels.contains(channel));
            }
            places.retain(|_, there| !there.is_empty());
            let shown = Version {
                raw,
                lives: &lives,
                name: &version.name,
                around: around.map(|(channel, _)| (*channel, ())).collect(),
                places,
            };
            let rows: Vec<&String> = version.fields.iter().map(|row| &row.path).collect();
            assert_eq!(rows.len(), shown.places.len(), "{name} {}", version.name);
            let step = version.fields.len().div_ceil(SHOWN).max(1);
            let start = version.fields.len() % step;
            for field in version.fields.iter().skip(start).step_by(step) {
                let found = show(Shown {
                    kind: &page,
                    version,
                    field,
                });
                shown.compare(&field.path, &found, &head);
            }
        }
        assert_eq!(
            page.versions.len(),
            crds.values()
                .flat_map(|crd| versions(crd))
                .map(|it| it.0)
                .collect::<std::collections::BTreeSet<_>>()
                .len()
        );
    }
}
