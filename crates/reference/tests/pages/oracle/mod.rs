//! What pages have to say, computed from the JSON of CRDs and from nothing else.

mod lives;
mod words;

pub use lives::{Lives, badge, changes, line_about, lives, transitions};

use crate::CHANNELS;
use crd_channels_reference::{Place, Presence};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use words::{facts, type_words};

/// The CRDs of a release, by channel.
pub type Crds = BTreeMap<&'static str, Vec<Value>>;

/// An API over time, as JSON.
pub struct Raw {
    pub releases: Vec<(String, Crds)>,
}

/// A fact: its words, and its value if that is shown as code.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Fact {
    pub words: String,
    pub code: Option<String>,
}

/// What a page says about a place in one channel. Texts are squeezed.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Said {
    /// Its type; `None` where that of the list says it.
    pub ty: Option<String>,
    pub required: bool,
    pub docs: String,
    pub facts: BTreeSet<String>,
    /// The values of its enum, each with its state.
    pub values: BTreeSet<String>,
    /// Its state, if that is not the version's.
    pub badge: String,
    /// Whether it is marked as that of one channel, which its state does not say.
    pub is_marked: bool,
    /// What is known about a version besides its schema.
    pub about: BTreeSet<String>,
}

/// A place of a schema.
#[derive(Clone, Debug)]
pub struct Spot<'s> {
    pub path: String,
    /// The path of what it is inside of.
    pub above: Option<String>,
    pub schema: &'s Value,
    pub required: bool,
}

/// A text without the spaces and marks that its form adds, and without the costs of rules, which have a test of their own.
pub fn squeezed(text: &str) -> String {
    let seen = seen(text);
    let squeezed: String = seen
        .chars()
        .filter(|c| !c.is_whitespace() && !"`:".contains(*c))
        .collect();
    let cost = squeezed.split_once("(maycost").and_then(|(before, rest)| {
        let (_, after) = rest.split_once("%ofwhatserversallow)")?;
        Some(format!("{before}{after}"))
    });
    cost.unwrap_or(squeezed)
}

/// A text with its invisible characters written out.
pub fn seen(text: &str) -> String {
    let mut seen = String::new();
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\n' | '\t' => seen.push(c),
            c if c.is_control()
                || "\u{200b}\u{2028}\u{202e}\u{2066}\u{feff}\u{e0041}".contains(c) =>
            {
                seen.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
            }
            c => seen.push(c),
        }
    }
    seen
}

/// The id of a place.
pub fn id(version: &str, path: &str) -> String {
    fn encoded(text: &str, kept: &str) -> String {
        let keeps = |c: char| c.is_ascii_alphanumeric() || kept.contains(c) || !c.is_ascii();
        let mut id = String::new();
        for c in text.chars() {
            match keeps(c) && seen(&c.to_string()) == c.to_string() {
                true => id.push(c),
                false => c
                    .to_string()
                    .bytes()
                    .for_each(|byte| id.push_str(&format!("~{byte:02x}"))),
            }
        }
        id
    }
    let dot = if path.is_empty() || path.starts_with(['[', '{']) {
        ""
    } else {
        "."
    };
    let parts: Vec<String> = path
        .split("{}")
        .map(|part| encoded(part, "._-[]"))
        .collect();
    format!("{}{dot}{}", encoded(version, "-"), parts.join("{}"))
}

fn texts<'v>(value: &'v Value, key: &str) -> Vec<&'v str> {
    let all = value.get(key).and_then(Value::as_array);
    all.into_iter()
        .flatten()
        .map(|it| it.as_str().unwrap())
        .collect()
}

pub fn text<'v>(value: &'v Value, pointer: &str) -> Option<&'v str> {
    value.pointer(pointer).and_then(Value::as_str)
}

/// The places of a schema.
pub fn spots(schema: &Value) -> Vec<Spot<'_>> {
    let mut all = vec![Spot {
        path: String::new(),
        above: None,
        schema,
        required: false,
    }];
    let mut next = 0;
    while let Some(Spot { path, schema, .. }) = all.get(next).cloned() {
        let mut add = |step: String, inner, required| {
            let above = Some(path.clone());
            let path = match path.is_empty() {
                true => step.trim_start_matches('.').to_owned(),
                false => format!("{path}{step}"),
            };
            all.push(Spot {
                path,
                above,
                schema: inner,
                required,
            });
        };
        if let Some(items) = schema.get("items") {
            add("[]".to_owned(), items, false);
        }
        if let Some(values) = schema
            .get("additionalProperties")
            .filter(|it| it.is_object())
        {
            add("{}".to_owned(), values, false);
        }
        let required = texts(schema, "required");
        for (name, inner) in schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-$".contains(c);
            let step = match !name.is_empty() && name.chars().all(is_plain) {
                true => format!(".{name}"),
                false => format!("['{name}']"),
            };
            add(step, inner, required.contains(&&**name));
        }
        next += 1;
    }
    all
}

impl Raw {
    /// The CRDs of a name in the last release, by channel.
    pub fn last(&self, name: &str) -> BTreeMap<&'static str, &Value> {
        let crds = &self.releases.last().unwrap().1;
        let found = crds.iter().filter_map(|(channel, crds)| {
            let mut crds = crds.iter();
            Some((
                *channel,
                crds.find(|crd| text(crd, "/metadata/name") == Some(name))?,
            ))
        });
        found.collect()
    }

    /// The names of the CRDs of the last release.
    pub fn names(&self) -> BTreeSet<&str> {
        let crds = self.releases.last().unwrap().1.values().flatten();
        crds.map(|crd| text(crd, "/metadata/name").unwrap())
            .collect()
    }

    /// The names of the CRDs of all releases.
    pub fn names_ever(&self) -> BTreeSet<&str> {
        let releases = self.releases.iter();
        let crds = releases.flat_map(|(_, crds)| crds.values().flatten());
        crds.map(|crd| text(crd, "/metadata/name").unwrap())
            .collect()
    }

    /// The CRD of a name in the last release that has it.
    pub fn newest(&self, name: &str) -> &Value {
        let newest = self.releases.iter().rev().find_map(|(_, crds)| {
            let mut crds = CHANNELS.iter().flat_map(|(_, channel)| &crds[channel]);
            crds.find(|crd| text(crd, "/metadata/name") == Some(name))
        });
        newest.unwrap()
    }
}

/// The versions of a CRD, with their schemas.
pub fn versions(crd: &Value) -> impl Iterator<Item = (&str, &Value, Option<&Value>)> {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    versions.into_iter().flatten().map(|version| {
        let schema = version.pointer("/schema/openAPIV3Schema");
        (text(version, "/name").unwrap(), version, schema)
    })
}

/// The places of a version in each channel that has them, without those that every object has.
pub fn places<'r>(
    crds: &BTreeMap<&'static str, &'r Value>,
    version: &str,
) -> BTreeMap<String, BTreeMap<&'static str, Spot<'r>>> {
    let mut places: BTreeMap<String, BTreeMap<&'static str, Spot<'r>>> = BTreeMap::new();
    for (channel, crd) in crds {
        let schemas = versions(crd).filter(|(name, ..)| *name == version);
        for spot in schemas.filter_map(|(.., schema)| schema).flat_map(spots) {
            places
                .entry(spot.path.clone())
                .or_default()
                .insert(channel, spot);
        }
    }
    places.retain(|path, there| {
        let ty = match &**path {
            "apiVersion" | "kind" => "string",
            "metadata" => "object",
            _ => return true,
        };
        there.values().any(|spot| {
            let mut rest = spot.schema.as_object().unwrap().clone();
            rest.remove("description");
            Value::Object(rest) != serde_json::json!({ "type": ty })
        })
    });
    places
}

/// What a page has to say where the switch is at a channel, by the ids of places.
pub fn said(raw: &Raw, name: &str, channel: &str, lives: &Lives) -> BTreeMap<String, Said> {
    let crds = raw.last(name);
    let mut all = BTreeMap::new();
    for (version, about, schema) in crds.get(channel).into_iter().flat_map(|crd| versions(crd)) {
        let place = |path: &str, value: Option<String>| Place {
            version: version.to_owned(),
            path: path.to_owned(),
            value,
        };
        let mut own = words::about(crds[channel], about);
        if raw.releases.len() > 1 {
            let life = transitions(raw, &lives[&place("", None)]);
            let steps = life
                .iter()
                .map(|step| match (step.presence, &*step.release) {
                    (presence, "unreleased") => format!("{presence}, not released yet"),
                    (Presence::Removed, release) => format!("removed in {release}"),
                    (presence, release) => format!("{presence} since {release}"),
                });
            let steps: Vec<String> = steps.collect();
            own.insert(squeezed(&format!("{version}: {}", steps.join(", "))));
        }
        let mut root = Said {
            about: own,
            badge: squeezed(&badge(raw, lives, &place("", None), None)),
            ..Said::default()
        };
        for (path, there) in places(&crds, version) {
            let Some(spot) = there.get(channel).filter(|_| schema.is_some()) else {
                continue;
            };
            let around = place("", None);
            let around = Some(&around).filter(|_| !path.is_empty());
            let own = place(&path, None);
            let is_alone = |own: usize, around: usize, badge: &str| {
                own == 1 && around > 1 && !badge.starts_with(channel)
            };
            let value = |value: &Value| {
                let it = place(&path, Some(value.to_string()));
                let badge = badge(raw, lives, &it, Some(&own));
                let has_it = there
                    .values()
                    .filter(|it| values(it.schema).any(|it| it == value));
                let only = match is_alone(has_it.count(), there.len(), &badge) {
                    true => format!("{channel} only"),
                    false => String::new(),
                };
                squeezed(&format!("{value} {badge} {only}"))
            };
            let badge = around.map_or(root.badge.clone(), |around| {
                squeezed(&badge(raw, lives, &own, Some(around)))
            });
            let in_version = crds
                .values()
                .filter(|crd| versions(crd).any(|it| it.0 == version));
            let fact = |Fact { words, code }| squeezed(&(words + code.as_deref().unwrap_or("")));
            let said = Said {
                ty: around.map(|_| squeezed(&type_words(spot.schema, false))),
                required: spot.required,
                docs: squeezed(&plain(described(spot.schema).unwrap_or_default())),
                facts: facts(spot.schema).into_iter().map(fact).collect(),
                values: values(spot.schema).map(value).collect(),
                is_marked: around.is_some() && is_alone(there.len(), in_version.count(), &badge),
                badge,
                about: std::mem::take(&mut root.about),
            };
            all.insert(id(version, &path), said);
        }
        if !root.about.is_empty() {
            all.insert(id(version, ""), root);
        }
    }
    all
}

/// The values of an enum.
pub fn values(schema: &Value) -> impl Iterator<Item = &Value> {
    let values = schema.get("enum").and_then(Value::as_array);
    values.into_iter().flatten()
}

/// The description of a schema that has one.
pub fn described(schema: &Value) -> Option<&str> {
    text(schema, "/description").filter(|text| !text.trim().is_empty())
}

/// A description without its marks, which are those of Markdown.
pub fn plain(description: &str) -> String {
    use pulldown_cmark::{Event, Parser};
    let description = seen(description);
    let events = Parser::new(&description).filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
            Some(text.into_string())
        }
        _ => None,
    });
    events.collect()
}

/// The words of a type and the facts of a schema, as they are.
pub fn told(schema: &Value) -> (String, Vec<Fact>) {
    (type_words(schema, false), facts(schema))
}

pub use words::{columns, selectable, served, subresources};
