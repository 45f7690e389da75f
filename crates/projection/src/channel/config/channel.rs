//! `channels/<name>.toml`: one channel.

use super::bundle::{folder, inside};
use super::features::Features;
use super::table::Table;
use crd_channels_check::names::is_label;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Spanned, Text};
use std::collections::BTreeSet;

/// One channel: a set of features, and how its CRDs are published.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The file's name without `.toml`, and the folder of its CRDs.
    pub name: Text,
    /// The enabled features.
    pub features: BTreeSet<Text>,
    /// The value of the annotation `<prefix>/channel`. Default: the name.
    pub annotation: Spanned<Text>,
    /// `alpha`: how alpha versions are served.
    pub alpha: Serving,
    /// `beta`: how beta versions are served.
    pub beta: Serving,
    /// `[descriptions]`
    pub descriptions: Descriptions,
    /// `size-budget`: the maximum size of a CRD as compact JSON, in bytes.
    pub size_budget: Option<Spanned<usize>>,
    /// `components`: the folder of the objects that only this channel has besides CRDs, below the workspace root.
    pub components: Option<Text>,
    /// `crds`: the folder of the CRDs that are the channel's source, below the workspace root. `None`: Rust types are.
    pub crds: Option<Spanned<Text>>,
}

/// How a channel serves versions of one stability.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Serving {
    /// Served, whatever the type says.
    Served,
    /// Not served, whatever the type says.
    Unserved,
    /// Left out.
    Omitted,
    /// As the type says.
    #[default]
    AsWritten,
}

/// The versions that keep their descriptions.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum DescriptionScope {
    /// All versions.
    #[default]
    All,
    /// The storage version only.
    StorageVersion,
    /// No version.
    None,
}

/// How the descriptions of one CRD are shortened.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct DescriptionPolicy {
    /// `policy`: the versions that keep them.
    pub kept: DescriptionScope,
    /// `max-length`: the maximum number of characters; longer descriptions are cut after a sentence.
    pub max_length: Option<usize>,
    /// `budget`: the maximum size of a CRD as compact JSON, in bytes; the deepest descriptions are dropped first.
    pub budget: Option<usize>,
}

/// The description policies of a channel and of single CRDs.
#[derive(Clone, Debug, Default)]
pub struct Descriptions {
    /// For all other CRDs.
    pub default: DescriptionPolicy,
    /// `[descriptions.crds."plural.group"]`: the policies of single CRDs, merged over the default.
    pub crds: Vec<(Spanned<Text>, DescriptionPolicy)>,
}

impl Descriptions {
    /// Returns the policy of the CRD with that name (`plural.group`).
    #[must_use]
    pub fn for_crd(&self, crd: &str) -> DescriptionPolicy {
        let named = self.crds.iter().find(|(name, _)| &*name.value == crd);
        named.map_or(self.default, |(_, policy)| *policy)
    }
}

impl Channel {
    /// Returns a channel with all features that serves everything as written.
    #[must_use]
    pub fn every(features: &Features) -> Self {
        Self::new("every", features.names())
    }

    /// Returns a channel with these features that serves everything as written.
    #[must_use]
    pub fn new<'f>(name: &str, features: impl IntoIterator<Item = &'f str>) -> Self {
        let name = Text::from(name);
        Self {
            annotation: Spanned {
                value: name.clone(),
                span: super::bundle::NOWHERE,
            },
            name,
            features: features.into_iter().map(Text::from).collect(),
            alpha: Serving::AsWritten,
            beta: Serving::AsWritten,
            descriptions: Descriptions::default(),
            size_budget: None,
            components: None,
            crds: None,
        }
    }
}

const SERVING: [(&str, Serving); 4] = [
    ("served", Serving::Served),
    ("unserved", Serving::Unserved),
    ("omitted", Serving::Omitted),
    ("as-written", Serving::AsWritten),
];

const KEPT: [(&str, DescriptionScope); 3] = [
    ("all", DescriptionScope::All),
    ("storage-version", DescriptionScope::StorageVersion),
    ("none", DescriptionScope::None),
];

pub(super) fn read_channel(name: &Text, declared: &Features, table: &mut Table<'_, '_>) -> Channel {
    if !is_label(name) {
        table.report(
            table.span(),
            format!("`{name}` is not a valid channel name"),
            "name the file with lower case letters, digits and `-`, as in `preview.toml`",
        );
    }
    let features = features(name, declared, table);
    let annotation = table.text("annotation").unwrap_or_else(|| Spanned {
        value: name.clone(),
        span: table.span(),
    });
    let crds = table.text("crds").map(|text| Spanned {
        // A wrong folder is reported, and the source is CRDs all the same.
        value: match inside(table, "crds", &text, "config/crd/experimental") {
            true => text.value,
            false => Text::default(),
        },
        span: text.span,
    });
    let alpha = serving("alpha", crds.is_some(), table);
    let beta = serving("beta", crds.is_some(), table);
    let descriptions = table.table("descriptions", |table| {
        let default = policy(DescriptionPolicy::default(), table);
        let crds = table.table("crds", |table| {
            table.named_tables(|name, table| {
                let name = Spanned {
                    value: name.into(),
                    span: table.span(),
                };
                Some((name, policy(default, table)))
            })
        });
        Descriptions {
            default,
            crds: crds.unwrap_or_default(),
        }
    });
    Channel {
        name: name.clone(),
        features,
        annotation,
        alpha,
        beta,
        descriptions: descriptions.unwrap_or_default(),
        size_budget: length(table.number("size-budget", 1)),
        components: folder(table, "components", "deploy/experimental").map(|folder| folder.value),
        crds,
    }
}

/// Reads how versions are served, which CRDs say themselves.
fn serving(key: &'static str, of_crds: bool, table: &mut Table<'_, '_>) -> Serving {
    let serving = table.choice(key, &SERVING);
    if of_crds && serving.is_some() {
        table.report(
            table.span(),
            format!("`{key}` is for Rust types, but the source of this channel is CRDs"),
            format!("remove `{key}`: the CRDs say which versions are served"),
        );
    }
    serving.unwrap_or_default()
}

fn policy(below: DescriptionPolicy, table: &mut Table<'_, '_>) -> DescriptionPolicy {
    let value = |number| length(number).map(|number| number.value);
    DescriptionPolicy {
        kept: table.choice("policy", &KEPT).unwrap_or(below.kept),
        max_length: value(table.number("max-length", 1)).or(below.max_length),
        budget: value(table.number("budget", 0)).or(below.budget),
    }
}

/// Reads `"none"`, `"all"` or a list. By default `experimental` has all features and every other channel none.
fn features(name: &str, declared: &Features, table: &mut Table<'_, '_>) -> BTreeSet<Text> {
    let all = || declared.names().map(Text::from).collect();
    match table.text_or_texts("features") {
        None if name == "experimental" => all(),
        None => BTreeSet::new(),
        Some(Err(word)) => match &*word.value {
            "all" => all(),
            "none" => BTreeSet::new(),
            other => {
                let help = if declared.has(other) {
                    format!("write `features = [\"{other}\"]`")
                } else {
                    "write `features = \"none\"`, `\"all\"` or a list of names".to_owned()
                };
                table.report(
                    word.span,
                    format!("`{other}` is not a valid value of `features`"),
                    help,
                );
                BTreeSet::new()
            }
        },
        Some(Ok(names)) => {
            let mut on = BTreeSet::new();
            for name in names {
                if !declared.has(&name.value) {
                    table.push(declared.unknown(&name.value, name.span, "this channel"));
                }
                on.insert(name.value);
            }
            on
        }
    }
}

/// Reports channels with the same annotation, which a cluster could not tell apart.
pub(super) fn tell_apart(channels: &[Channel], sink: &mut Sink) {
    for (at, channel) in channels.iter().enumerate() {
        let same = |other: &&Channel| other.annotation.value == channel.annotation.value;
        let Some(first) = channels.iter().take(at).find(same) else {
            continue;
        };
        let (one, two) = (&first.name, &channel.name);
        let value = &channel.annotation.value;
        // The channel with the name of the other one is at fault, whichever comes first.
        let (wrong, right) = match **value == **two {
            true => (first, channel),
            false => (channel, first),
        };
        let own = &wrong.name;
        let is_free = !channels.iter().any(|other| other.annotation.value == *own);
        let help = match is_free {
            true => format!("write `annotation = \"{own}\"`"),
            false => format!("give the channel `{own}` a value of its own"),
        };
        sink.push(
            Diagnostic::new(
                Code::ConfigInvalid,
                wrong.annotation.span,
                format!("the channels `{one}` and `{two}` have the same annotation `{value}`"),
            )
            .with_label(right.annotation.span, "the other channel")
            .with_help(help),
        );
    }
}

/// Converts a number of characters or bytes; one beyond `usize` becomes its maximum.
fn length(number: Option<Spanned<u64>>) -> Option<Spanned<usize>> {
    number.map(|Spanned { value, span }| Spanned {
        value: usize::try_from(value).unwrap_or(usize::MAX),
        span,
    })
}
