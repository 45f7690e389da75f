//! What a page about a kind shows, in the order and the words in which it shows it.

use crate::anchor::{explained, href, id};
use crate::api::Example;
use crate::life::status;
use crate::pages::{ColumnShown, FactSaid, FieldRow, KindPage, Said, VersionIn, VersionPage};
use crate::reserved::Reserved;
use crate::site::markdown::summary;
use crd_channels_released::history::{Presence, Transition};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The number of fields up to which all of them are unfolded.
const FEW: usize = 60;

/// The level down to which fields are unfolded where there are more.
const UNFOLDED: usize = 1;

/// The number of characters from which a later version does not repeat what an earlier one says about a field.
const LONG: usize = 90;

/// Something that is shown, with the one channel that has it if the other channel has what is around it, but not this.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Shown<T> {
    pub text: T,
    pub only: Option<&'static str>,
}

/// A kind.
#[derive(Debug, Serialize)]
pub(crate) struct KindView<'p> {
    pub crd: &'p str,
    pub group: &'p str,
    pub kind: &'p str,
    pub plural: &'p str,
    /// The singular and short names.
    pub names: &'p [String],
    pub categories: &'p [String],
    pub namespaced: bool,
    pub channels: &'p [&'static str],
    pub reserved: &'p [Reserved],
    pub examples: &'p [Example],
    pub versions: Vec<VersionView<'p>>,
}

/// A version.
#[derive(Debug, Serialize)]
pub(crate) struct VersionView<'p> {
    pub name: &'p str,
    pub id: String,
    pub href: String,
    pub only: Option<&'static str>,
    /// What channels do with it.
    pub served: Vec<Shown<&'p VersionIn>>,
    /// What the life is, in words.
    pub status: Option<String>,
    pub life: &'p [Transition],
    /// How long its life is drawn; filled by who draws it.
    pub timeline: Option<String>,
    pub columns: Vec<Shown<&'p ColumnShown>>,
    pub selectable: Vec<Shown<&'p str>>,
    pub subresources: Vec<Shown<&'p str>>,
    /// How `kubectl explain` is asked for it.
    pub explain: String,
    /// The object itself.
    pub root: Option<RowView<'p>>,
    pub rows: Vec<RowView<'p>>,
    /// The fields of the first two levels.
    pub contents: Vec<Content<'p>>,
}

/// A field in the contents of a page.
#[derive(Debug, Serialize)]
pub(crate) struct Content<'p> {
    pub name: &'p str,
    pub level: usize,
    pub href: String,
    pub only: Option<&'static str>,
}

/// A mark on a field or a value.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub(crate) struct Badge {
    pub presence: Presence,
    pub text: String,
}

/// A field, or the elements of a list or a map.
#[derive(Debug, Serialize)]
pub(crate) struct RowView<'p> {
    pub path: &'p str,
    pub name: &'p str,
    pub id: String,
    pub href: String,
    /// How many lists of fields it is inside of.
    pub level: usize,
    pub is_element: bool,
    /// Whether fields follow that are inside of it.
    pub opens: bool,
    /// How many fields end after it, it included if it has fields.
    pub closes: usize,
    pub unfolded: bool,
    /// The id of the list of what is inside of it, where nothing is to be said about its elements.
    pub elements_id: Option<String>,
    pub only: Option<&'static str>,
    pub types: Vec<Shown<&'p str>>,
    pub required: Option<Shown<()>>,
    pub badges: Vec<Badge>,
    pub features: &'p [String],
    pub docs: Vec<Shown<&'p str>>,
    pub facts: Vec<FactView<'p>>,
    pub values: Vec<ValueView<'p>>,
    pub explain: Option<String>,
    /// Its line of Rust.
    pub line: Option<&'p str>,
    /// The version that says the same about the field, and a link to it there.
    pub same: Option<(&'p str, String)>,
}

/// A fact.
#[derive(Debug, Serialize)]
pub(crate) struct FactView<'p> {
    pub name: &'static str,
    pub words: &'p str,
    pub code: Option<&'p str>,
    pub only: Option<&'static str>,
}

/// A value of an enum.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ValueView<'p> {
    pub value: &'p str,
    pub only: Option<&'static str>,
    pub badges: Vec<Badge>,
    pub features: &'p [String],
}

/// The channel that alone has something, if what is around it is in more.
fn only(channels: &[&'static str], around: &[&'static str]) -> Option<&'static str> {
    match channels {
        [one] if around.len() > 1 => Some(one),
        _ => None,
    }
}

fn shown<'p, T, U>(
    said: &'p [Said<T>],
    around: &[&'static str],
    what: impl Fn(&'p T) -> U,
) -> Vec<Shown<U>> {
    let all = said.iter().map(|said| Shown {
        text: what(&said.text),
        only: only(&said.channels, around),
    });
    all.collect()
}

/// What a life says that the life around it does not.
fn badges(life: &[Transition], around: &[Transition], has_history: bool) -> Vec<Badge> {
    let Some(last) = life.last() else {
        return Vec::new();
    };
    let is_known = match has_history {
        true => life == around,
        false => around
            .last()
            .is_some_and(|other| other.presence == last.presence),
    };
    if is_known {
        return Vec::new();
    }
    let text = match has_history {
        true => status(life).unwrap_or_default(),
        false => last.presence.to_string(),
    };
    vec![Badge {
        presence: last.presence,
        text,
    }]
}

impl KindView<'_> {
    /// The first sentence about the first version that is served.
    pub(crate) fn purpose(&self) -> String {
        let mut versions = self.versions.iter();
        let is_served = |version: &&VersionView<'_>| version.served.iter().any(|it| it.text.served);
        let first = versions.find(is_served).or(self.versions.first());
        let docs = first.and_then(|version| version.root.as_ref()?.docs.first());
        docs.map_or_else(String::new, |docs| summary(docs.text))
    }
}

/// Returns what a page shows. `has_history` says whether there are releases to compare.
pub(crate) fn kind_view(page: &KindPage, has_history: bool) -> KindView<'_> {
    let mut said = BTreeMap::new();
    let (plural, names) = page
        .names
        .split_first()
        .map_or(("", page.names.as_slice()), |(plural, rest)| {
            (&**plural, rest)
        });
    let versions = page.versions.iter();
    KindView {
        crd: &page.crd,
        group: &page.group,
        kind: &page.kind,
        plural,
        names,
        categories: &page.categories,
        namespaced: page.namespaced,
        channels: &page.channels,
        reserved: &page.reserved,
        examples: &page.examples,
        versions: versions
            .map(|version| version_view(page, version, plural, has_history, &mut said))
            .collect(),
    }
}

/// What earlier versions say about their fields, by path.
type SaidBefore<'p> = BTreeMap<&'p str, (&'p str, &'p FieldRow, Vec<ValueView<'p>>)>;

fn version_view<'p>(
    page: &'p KindPage,
    version: &'p VersionPage,
    plural: &str,
    has_history: bool,
    said: &mut SaidBefore<'p>,
) -> VersionView<'p> {
    let around: Vec<&'static str> = version.channels.iter().map(|it| it.channel).collect();
    let is_same = |one: &VersionIn, other: &VersionIn| {
        (one.served, one.storage, one.deprecated, &one.warning)
            == (
                other.served,
                other.storage,
                other.deprecated,
                &other.warning,
            )
    };
    let served = match version.channels.as_slice() {
        [one, other] if is_same(one, other) => vec![Shown {
            text: one,
            only: None,
        }],
        all => all
            .iter()
            .map(|there| Shown {
                text: there,
                only: only(&[there.channel], &around),
            })
            .collect(),
    };
    let mut rows = Vec::with_capacity(version.fields.len());
    let mut root = None;
    for field in &version.fields {
        let row = row_view(version, field, &around, plural, has_history, said);
        match field.path.is_empty() {
            true => root = Some(row),
            false => rows.push(row),
        }
    }
    let rows = nested(rows);
    let contents = rows
        .iter()
        .filter(|row| row.level <= 2 && !row.is_element)
        .map(|row| Content {
            name: row.name,
            level: row.level,
            href: row.href.clone(),
            only: row.only,
        })
        .collect();
    let id = id(&version.name, "");
    VersionView {
        name: &version.name,
        href: href(&id),
        id,
        only: only(&around, &page.channels),
        served,
        status: has_history.then(|| status(&version.life)).flatten(),
        life: &version.life,
        timeline: None,
        columns: shown(&version.columns, &around, |column| column),
        selectable: shown(&version.selectable, &around, String::as_str),
        subresources: shown(&version.subresources, &around, String::as_str),
        explain: format!(
            "kubectl explain {plural} --api-version={}/{}",
            page.group, version.name
        ),
        root,
        rows,
        contents,
    }
}

fn row_view<'p>(
    version: &'p VersionPage,
    field: &'p FieldRow,
    around: &[&'static str],
    plural: &str,
    has_history: bool,
    said: &mut SaidBefore<'p>,
) -> RowView<'p> {
    let own = &field.channels;
    let id = id(&version.name, &field.path);
    let mut required = None;
    let mut facts = Vec::new();
    for FactSaid { fact, channels } in &field.facts {
        let only = only(channels, own);
        if fact.is_required() {
            required = Some(Shown { text: (), only });
            continue;
        }
        facts.push(FactView {
            name: fact.name,
            words: &fact.words,
            code: fact.code.as_deref(),
            only,
        });
    }
    let values = field.values.iter().map(|value| ValueView {
        value: &value.value,
        only: only(&value.channels, own),
        badges: badges(&value.life, &field.life, has_history),
        features: &value.features,
    });
    let values: Vec<ValueView<'p>> = values.collect();
    // The object itself has the life of its version.
    let badges = match field.path.is_empty() {
        true => Vec::new(),
        false => badges(&field.life, &version.life, has_history),
    };
    RowView {
        path: &field.path,
        name: match field.is_element {
            true if field.path.ends_with("{}") => "{}",
            true => "[]",
            false => &field.name,
        },
        href: href(&id),
        id,
        level: field.depth + usize::from(field.is_element),
        is_element: field.is_element,
        opens: false,
        closes: 0,
        unfolded: false,
        elements_id: None,
        only: only(own, around),
        types: shown(&field.types, own, String::as_str),
        required,
        badges,
        features: &field.features,
        docs: shown(&field.docs, own, String::as_str),
        facts,
        explain: explained(plural, &field.path),
        line: field.line.as_deref(),
        same: same(version, field, &values, said),
        values,
    }
}

/// Finds an earlier version that says the same about a field, if that is long.
fn same<'p>(
    version: &'p VersionPage,
    field: &'p FieldRow,
    values: &[ValueView<'p>],
    said: &mut SaidBefore<'p>,
) -> Option<(&'p str, String)> {
    let docs: usize = field.docs.iter().map(|said| said.text.len()).sum();
    let facts = field
        .facts
        .iter()
        .map(|said| said.fact.words.len() + said.fact.code.as_ref().map_or(0, String::len));
    if docs + facts.sum::<usize>() < LONG {
        return None;
    }
    let (before, known, known_values) = said
        .entry(&field.path)
        .or_insert_with(|| (&version.name, field, values.to_vec()));
    let facts = |field: &'p FieldRow| field.facts.iter().map(|it| (&it.fact, &it.channels));
    let is_same = **before != version.name
        && known.docs == field.docs
        && known.channels == field.channels
        && facts(known).eq(facts(field))
        && *known_values == values;
    is_same.then(|| (*before, href(&id(before, &field.path))))
}

/// Says of each row where the lists begin and end that it is part of, and leaves out elements about which there is nothing
/// to say: the type of their list says it.
fn nested(all: Vec<RowView<'_>>) -> Vec<RowView<'_>> {
    let mut rows: Vec<RowView<'_>> = Vec::with_capacity(all.len());
    let mut all = all.into_iter().peekable();
    let mut ids = BTreeSet::new();
    while let Some(row) = all.next() {
        let has_fields = all.peek().is_some_and(|next| next.level == row.level);
        match rows.last_mut() {
            Some(list)
                if row.is_element
                    && has_fields
                    && row.level == list.level + 1
                    && list.elements_id.is_none()
                    && row.has_nothing_to_say_beside(list) =>
            {
                list.elements_id = Some(row.id);
            }
            // Names of fields that contain brackets and quotes can spell the path of another field.
            _ if !ids.insert(row.id.clone()) => rows.push(RowView {
                id: String::new(),
                ..row
            }),
            _ => rows.push(row),
        }
    }
    let levels: Vec<usize> = rows.iter().map(|row| row.level).collect();
    let is_few = rows.len() <= FEW;
    for (number, row) in rows.iter_mut().enumerate() {
        let next = levels.get(number + 1).copied().unwrap_or(1);
        row.opens = next > row.level;
        row.closes = row.level.saturating_sub(next);
        row.unfolded = is_few || row.level <= UNFOLDED;
    }
    rows
}

impl RowView<'_> {
    fn has_nothing_to_say_beside(&self, list: &Self) -> bool {
        self.docs.is_empty()
            && self.facts.is_empty()
            && self.values.is_empty()
            && self.required.is_none()
            && self.badges == list.badges
            && self.features == list.features
            && self.types.len() == 1
            && list.types.len() == 1
    }
}
