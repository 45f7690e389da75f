//! The declared conditions of a version in two bundles: which lists are compared, and with what.

mod reasons;
pub(crate) mod records;
mod types;

use super::stamps;
use super::versions::is_alpha_only;
use crate::findings::verdict::{Channel, Need};
use crate::findings::{Change, Record};
use crate::schemas::pair::{Segment, child, push};
use crate::set::Published;
use crd_channels_released::manifest::{ConditionList, ConditionType};
use crd_channels_schema::Schema;
use crd_channels_schema::path::leads_through;
use records::DECLARED;
use std::collections::BTreeMap;

/// One kind in one channel of both bundles, with the other channel of each.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'a> {
    pub(crate) channel: Channel,
    pub(crate) old: &'a Published,
    pub(crate) new: &'a Published,
    /// `None` if the bundle has no other channel; it may lack the kind.
    pub(crate) beside_old: Option<Option<&'a Published>>,
    pub(crate) beside_new: Option<&'a Published>,
}

/// A change of a declared condition.
pub(crate) struct Found {
    pub(crate) record: &'static Record,
    /// The path of the list or of the condition, such as `status.conditions[Accepted]`.
    pub(crate) path: String,
    pub(crate) change: Change,
    /// Whether the old stable channel has the part that changed.
    pub(crate) stable: bool,
}

/// One list in all sets of a comparison.
#[derive(Clone, Copy)]
struct List<'a> {
    path: &'a str,
    channel: Channel,
    /// Whether new parts must be experimental first.
    on_trial: bool,
    old: &'a [ConditionType],
    new: &'a [ConditionType],
    beside_old: &'a [ConditionType],
    beside_new: &'a [ConditionType],
    bundles: Bundles<'a>,
}

/// The bundles that are compared.
#[derive(Clone, Copy)]
struct Bundles<'a> {
    old: Option<&'a str>,
    new: Option<&'a str>,
}

/// The changes of a version that both bundles have. None if one of the bundles does not record conditions.
pub(crate) fn changes(sides: Sides<'_>, version: &str, schemas: [&Schema; 2]) -> Vec<Found> {
    let (Some(old), Some(new)) = (lists(sides.old, version), lists(sides.new, version)) else {
        return Vec::new();
    };
    let [beside_old, beside_new] = [sides.beside_old.flatten(), sides.beside_new].map(|beside| {
        beside
            .and_then(|beside| lists(beside, version))
            .unwrap_or_default()
    });
    let mut found = Vec::new();
    let paths = old
        .keys()
        .chain(new.keys().filter(|path| !old.contains_key(*path)));
    for path in paths.copied() {
        // A list that was added or removed is reported as a property.
        if !schemas.iter().all(|schema| has(schema, path, "")) {
            continue;
        }
        let list = List {
            path,
            channel: sides.channel,
            on_trial: sides.beside_old.is_some() && !is_alpha_only(&sides.new.crd),
            old: old.get(path).copied().unwrap_or_default(),
            new: new.get(path).copied().unwrap_or_default(),
            beside_old: beside_old.get(path).copied().unwrap_or_default(),
            beside_new: beside_new.get(path).copied().unwrap_or_default(),
            bundles: Bundles {
                old: sides.old.bundle_version().map(|text| &**text),
                new: sides.new.bundle_version().map(|text| &**text),
            },
        };
        if old.contains_key(path) {
            types::compare(list, &mut found);
        } else {
            found.extend(declared(list));
        }
    }
    found
}

/// The lists of one version by path.
type Lists<'a> = BTreeMap<&'a str, &'a [ConditionType]>;

/// The lists of one version; `None` if the bundle does not record conditions.
fn lists<'a>(published: &'a Published, version: &str) -> Option<Lists<'a>> {
    let of_version = published.conditions.as_ref()?.iter();
    let of_version = of_version.filter(|list| list.version == version);
    Some(
        of_version
            .map(|ConditionList { path, types, .. }| (&**path, &**types))
            .collect(),
    )
}

/// Whether a schema has the node at a path.
fn has(schema: &Schema, wanted: &str, at: &str) -> bool {
    if at == wanted {
        return true;
    }
    let properties = schema
        .properties
        .keys()
        .map(|name| Segment::Property(&**name));
    properties
        .chain([Segment::Items, Segment::Values])
        .any(|segment| {
            let mut path = at.to_owned();
            push(&mut path, segment);
            leads_through(wanted, &path)
                && child(schema, segment).is_some_and(|below| has(below, wanted, &path))
        })
}

/// The first declaration for a list that was there before.
fn declared(list: List<'_>) -> Option<Found> {
    let names: Vec<String> = list.new.iter().map(|of| format!("`{}`", of.name)).collect();
    (!names.is_empty()).then(|| Found {
        record: &DECLARED,
        path: list.path.to_owned(),
        change: Change::harmless(
            Need::MINOR,
            format!("declares its conditions: {}", names.join(", ")),
        ),
        stable: list.channel == Channel::Stable || !list.beside_old.is_empty(),
    })
}

impl<'a> Bundles<'a> {
    fn old_name(self) -> &'a str {
        self.old.unwrap_or("the old bundle")
    }

    /// Whether the new bundle may be the given one, or a later one: a tree between two releases may become the next minor.
    fn reach(self, until: &str) -> bool {
        let numbers = |text: &str| stamps::Version::parse(text).map(|version| version.numbers);
        let next = self.old.and_then(numbers);
        let next = next.map(|[major, minor, _]| [major, minor.saturating_add(1), 0]);
        let latest = next.max(self.new.and_then(numbers));
        numbers(until).is_some_and(|until| latest.is_some_and(|latest| until <= latest))
    }
}

/// The type of that name.
fn find_condition<'a>(types: &'a [ConditionType], name: &str) -> Option<&'a ConditionType> {
    types.iter().find(|of| of.name == name)
}
