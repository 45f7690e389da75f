//! What a page about a kind says: every fact of every channel once, with the channels that have it.

use crate::anchor::above;
use crate::api::{Api, Example};
use crate::costs::RuleCosts;
use crate::facts::{Fact, facts, type_name};
use crate::fields::{Node, nodes};
use crate::life::Lives;
use crate::place::Place;
use crate::reserved::{Reserved, reserved};
use crd_channels_compat::{Channel, Published};
use crd_channels_diagnostics::Span;
use crd_channels_released::history::Transition;
use crd_channels_released::manifest::Feature;
use crd_channels_schema::{Column, Crd, Schema, Scope, Version};
use serde::Serialize;
use std::collections::HashMap;

/// A kind.
#[derive(Clone, Debug, Serialize)]
pub struct KindPage {
    /// The name of its CRD.
    pub crd: String,
    /// Its group.
    pub group: String,
    /// Its name.
    pub kind: String,
    /// Its names in URLs and for kubectl: the plural, the singular, short names.
    pub names: Vec<String>,
    /// Its categories for kubectl.
    pub categories: Vec<String>,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// The channels that have it.
    pub channels: Vec<&'static str>,
    /// The names that it had and does not use again.
    pub reserved: Vec<Reserved>,
    /// Its versions, in the order of the CRD.
    pub versions: Vec<VersionPage>,
    /// Objects that servers accept.
    pub examples: Vec<Example>,
}

/// A version of a kind.
#[derive(Clone, Debug, Serialize)]
pub struct VersionPage {
    /// Its name.
    pub name: String,
    /// What each channel that has it does with it.
    pub channels: Vec<VersionIn>,
    /// Since when it is in which channel.
    pub life: Vec<Transition>,
    /// The columns that `kubectl get` prints.
    pub columns: Vec<Said<ColumnShown>>,
    /// The fields that objects can be selected by.
    pub selectable: Vec<Said<String>>,
    /// Its subresources in words.
    pub subresources: Vec<Said<String>>,
    /// Its places, beginning with the object itself.
    pub fields: Vec<FieldRow>,
}

/// A version in one channel.
#[derive(Clone, Debug, Serialize)]
pub struct VersionIn {
    /// The channel.
    pub channel: &'static str,
    /// Whether servers answer requests for it.
    pub served: bool,
    /// Whether objects are stored in it.
    pub storage: bool,
    /// Whether servers warn of it.
    pub deprecated: bool,
    /// The warning, if it has one of its own.
    pub warning: Option<String>,
}

/// Something that some channels say.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Said<T> {
    /// What they say.
    pub text: T,
    /// The channels that say so.
    pub channels: Vec<&'static str>,
}

/// A printed column.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct ColumnShown {
    /// Its heading.
    pub name: String,
    /// Its type.
    pub ty: String,
    /// The path of what it shows.
    pub path: String,
    /// What it means.
    pub docs: Option<String>,
    /// Whether only `-o wide` shows it.
    pub wide: bool,
}

/// A place: a field, or the elements of a list or a map.
#[derive(Clone, Debug, Serialize)]
pub struct FieldRow {
    /// Its path; empty for the object itself.
    pub path: String,
    /// The last step of the path.
    pub name: String,
    /// How many fields it is inside of.
    pub depth: usize,
    /// Whether it is what a list or a map consists of.
    pub is_element: bool,
    /// The channels that have it.
    pub channels: Vec<&'static str>,
    /// Its type in words.
    pub types: Vec<Said<String>>,
    /// Its description, as Markdown.
    pub docs: Vec<Said<String>>,
    /// The facts about it; the values of an enum are in `values`.
    pub facts: Vec<FactSaid>,
    /// The values of its enum.
    pub values: Vec<FieldValue>,
    /// The features that gate it.
    pub features: Vec<String>,
    /// Since when it is in which channel.
    pub life: Vec<Transition>,
    /// Its line of Rust.
    pub line: Option<String>,
}

/// A fact with its channels.
#[derive(Clone, Debug, Serialize)]
pub struct FactSaid {
    /// The fact.
    #[serde(flatten)]
    pub fact: Fact,
    /// The channels in which it is true.
    pub channels: Vec<&'static str>,
}

/// A value of an enum.
#[derive(Clone, Debug, Serialize)]
pub struct FieldValue {
    /// The value, as JSON.
    pub value: String,
    /// The channels that have it.
    pub channels: Vec<&'static str>,
    /// The features that gate it.
    pub features: Vec<String>,
    /// Since when it is in which channel.
    pub life: Vec<Transition>,
}

impl KindPage {
    /// Leaves out what only other channels have.
    pub fn keep_channel(&mut self, channel: &str) {
        // Whether something remains once its channels are reduced to this one.
        fn remains(channels: &mut Vec<&'static str>, channel: &str) -> bool {
            channels.retain(|known| *known == channel);
            !channels.is_empty()
        }
        fn keep<T>(all: &mut Vec<Said<T>>, channel: &str) {
            all.retain_mut(|said| remains(&mut said.channels, channel));
        }
        self.channels.retain(|known| *known == channel);
        self.versions.retain(|version| {
            version
                .channels
                .iter()
                .any(|there| there.channel == channel)
        });
        for version in &mut self.versions {
            version.channels.retain(|there| there.channel == channel);
            keep(&mut version.columns, channel);
            keep(&mut version.selectable, channel);
            keep(&mut version.subresources, channel);
            version
                .fields
                .retain_mut(|row| remains(&mut row.channels, channel));
            for row in &mut version.fields {
                keep(&mut row.types, channel);
                keep(&mut row.docs, channel);
                row.facts
                    .retain_mut(|said| remains(&mut said.channels, channel));
                row.values
                    .retain_mut(|value| remains(&mut value.channels, channel));
            }
        }
    }
}

/// The CRD of one channel.
type InChannel<'a, T> = (Channel, &'a T);

/// Returns the page of a kind of the last release, by the name of its CRD and with the lives of what it has.
#[must_use]
pub fn kind_page(api: &Api, name: &str, lives: &Lives) -> Option<KindPage> {
    let last = api.releases.last()?;
    let channels = last.set.channels.iter();
    let crds: Vec<InChannel<'_, Crd>> = channels
        .filter_map(|(channel, crds)| {
            crds.get(name)
                .map(|Published { written, .. }| (*channel, written))
        })
        .collect();
    let &(_, widest) = crds.last()?;
    let mut versions: Vec<&str> = Vec::new();
    for version in crds.iter().rev().flat_map(|(_, crd)| &crd.versions) {
        if !versions.contains(&&*version.name) {
            versions.push(&version.name);
        }
    }
    let costs = RuleCosts::of(&crds);
    let names = &widest.names;
    let said = [&names.plural, &names.singular];
    Some(KindPage {
        crd: name.to_owned(),
        group: widest.group.to_string(),
        kind: names.kind.to_string(),
        names: said
            .into_iter()
            .chain(&names.short_names)
            .map(ToString::to_string)
            .collect(),
        categories: names.categories.iter().map(ToString::to_string).collect(),
        namespaced: widest.scope == Scope::Namespaced,
        channels: crds.iter().map(|(channel, _)| channel.name()).collect(),
        reserved: reserved(api, &widest.group, &names.kind),
        versions: versions
            .into_iter()
            .map(|version| version_page(version, &crds, &costs, lives, api))
            .collect(),
        examples: api
            .examples
            .iter()
            .filter(|it| (&*it.group, &*it.kind) == (&*widest.group, &*names.kind))
            .cloned()
            .collect(),
    })
}

fn version_page(
    name: &str,
    crds: &[InChannel<'_, Crd>],
    costs: &RuleCosts,
    lives: &Lives,
    api: &Api,
) -> VersionPage {
    let found: Vec<InChannel<'_, Version>> = crds
        .iter()
        .filter_map(|(channel, crd)| {
            let mut versions = crd.versions.iter();
            Some((*channel, versions.find(|version| *version.name == *name)?))
        })
        .collect();
    let schemas: Vec<InChannel<'_, Schema>> = found
        .iter()
        .filter_map(|(channel, version)| Some((*channel, version.schema.as_deref()?)))
        .collect();
    let kind = crds.first().map_or("", |(_, crd)| &*crd.names.kind);
    let context = Context {
        kind,
        version: name,
        costs,
        lives,
        features: api.releases.last().map_or(&[], |last| &*last.features),
        lines: &api.lines,
    };
    let mut columns = Saying::default();
    let mut selectable = Saying::default();
    let mut subresources = Saying::default();
    for &(channel, version) in &found {
        version
            .columns
            .iter()
            .for_each(|column| columns.add(channel, shown(column)));
        let paths = version.selectable_fields.iter();
        paths.for_each(|path| selectable.add(channel, path.to_string()));
        subresource_words(version).for_each(|words| subresources.add(channel, words));
    }
    VersionPage {
        name: name.to_owned(),
        channels: found
            .iter()
            .map(|(channel, version)| VersionIn {
                channel: channel.name(),
                served: version.served,
                storage: version.storage,
                deprecated: version.deprecated,
                warning: version
                    .deprecation_warning
                    .as_ref()
                    .map(ToString::to_string),
            })
            .collect(),
        life: context.life("", None),
        columns: columns.0,
        selectable: selectable.0,
        subresources: subresources.0,
        fields: nodes(&schemas)
            .iter()
            .filter(|node| !node.is_of_every_object())
            .map(|node| field_row(node, &context))
            .collect(),
    }
}

fn shown(column: &Column) -> ColumnShown {
    ColumnShown {
        name: column.name.to_string(),
        ty: match &column.format {
            Some(format) => format!("{} ({format})", column.ty),
            None => column.ty.to_string(),
        },
        path: column.json_path.to_string(),
        docs: column.description.as_ref().map(ToString::to_string),
        wide: column.priority.is_some_and(|priority| priority > 0),
    }
}

fn subresource_words(version: &Version) -> impl Iterator<Item = String> {
    let subresources = version.subresources.as_ref();
    let status = subresources.filter(|subresources| subresources.status);
    let status = status.map(|_| "`status`: only requests to `/status` write it".to_owned());
    let scale = subresources.and_then(|subresources| subresources.scale.as_ref());
    let scale = scale.map(|scale| {
        let selector = match &scale.label_selector_path {
            Some(path) => format!(", the selector of its pods is `{path}`"),
            None => String::new(),
        };
        format!(
            "`scale`: `kubectl scale` and autoscalers write `{}` and read `{}`{selector}",
            scale.spec_replicas_path, scale.status_replicas_path
        )
    });
    status.into_iter().chain(scale)
}

/// What is known about a version's places besides their schemas.
struct Context<'a> {
    kind: &'a str,
    version: &'a str,
    costs: &'a RuleCosts,
    lives: &'a Lives,
    features: &'a [Feature],
    lines: &'a HashMap<Span, String>,
}

impl Context<'_> {
    fn life(&self, path: &str, value: Option<&str>) -> Vec<Transition> {
        let place = Place {
            version: self.version.to_owned(),
            path: path.to_owned(),
            value: value.map(ToOwned::to_owned),
        };
        self.lives.get(&place).cloned().unwrap_or_default()
    }

    /// The features that gate a place itself, or one value of its enum.
    fn gates(&self, path: &str, value: Option<&str>) -> Vec<String> {
        let features = self.features.iter().filter(|feature| {
            let mut gates = feature.gates.iter().flatten();
            gates.any(|gate| {
                let is_here = (&*gate.kind, &*gate.version) == (self.kind, self.version);
                let is_it = match value {
                    None => gate.what == "field",
                    Some(value) => gate.what == "value" && value.trim_matches('"') == gate.detail,
                };
                is_here && gate.path == path && is_it && !gate.without
            })
        });
        features.map(|feature| feature.name.clone()).collect()
    }
}

fn field_row(node: &Node<'_>, context: &Context<'_>) -> FieldRow {
    let mut types = Saying::default();
    let mut docs = Saying::default();
    let mut said = Saying::default();
    for there in &node.channels {
        types.add(there.channel, type_name(there.schema));
        if let Some(description) = &there.schema.description
            && !description.trim().is_empty()
        {
            docs.add(there.channel, description.to_string());
        }
        let mut rules = (0..).peekable();
        for mut fact in facts(there.schema, there.is_required && !node.path.is_empty()) {
            let number = rules.next_if(|_: &usize| fact.name == "rule");
            let percent = number.and_then(|number| {
                let costs = context.costs;
                costs.percent(there.channel, context.version, &node.path, number)
            });
            if let Some(percent) = percent {
                fact.words
                    .push_str(&format!(" (may cost {percent} % of what servers allow)"));
            }
            said.add(there.channel, fact);
        }
    }
    let (values, facts): (Vec<_>, Vec<_>) = said
        .0
        .into_iter()
        .partition(|said| said.text.name == "enum");
    let values = values.into_iter().map(|Said { text, channels }| {
        let value = text.code.unwrap_or_default();
        FieldValue {
            life: context.life(&node.path, Some(&value)),
            features: context.gates(&node.path, Some(&value)),
            value,
            channels,
        }
    });
    let facts = facts.into_iter().map(|Said { text, channels }| FactSaid {
        fact: text,
        channels,
    });
    FieldRow {
        name: last_step(&node.path).to_owned(),
        depth: node.depth,
        is_element: node.is_element,
        channels: node
            .channels
            .iter()
            .map(|there| there.channel.name())
            .collect(),
        types: types.0,
        docs: docs.0,
        facts: facts.collect(),
        values: values.collect(),
        features: context.gates(&node.path, None),
        life: match node.path.is_empty() {
            true => Vec::new(),
            false => context.life(&node.path, None),
        },
        line: node
            .channels
            .iter()
            .find_map(|there| context.lines.get(&there.schema.origin.0?).cloned()),
        path: node.path.clone(),
    }
}

/// The last step of a path, such as `timeouts` of `spec.rules[].timeouts`.
fn last_step(path: &str) -> &str {
    let last = above(path).and_then(|above| path.strip_prefix(above));
    last.map_or(path, |last| last.strip_prefix('.').unwrap_or(last))
}

/// What channels say, each different thing once.
struct Saying<T>(Vec<Said<T>>);

impl<T> Default for Saying<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PartialEq> Saying<T> {
    fn add(&mut self, channel: Channel, text: T) {
        let channel = channel.name();
        match self.0.iter_mut().find(|said| said.text == text) {
            Some(said) if !said.channels.contains(&channel) => said.channels.push(channel),
            // A schema may say the same thing twice, which is one fact.
            Some(_) => {}
            None => self.0.push(Said {
                text,
                channels: vec![channel],
            }),
        }
    }
}
