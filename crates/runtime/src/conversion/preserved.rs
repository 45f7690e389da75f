//! Finds, preserves and restores what a version cannot represent.

use super::shapes::{KnownShape, element_key};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// The difference between an object and its round trip through another version.
///
/// It is restored only where the object still shows what it showed then: a change in the narrower version takes precedence.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Preserved {
    /// Fields of an object.
    Fields(BTreeMap<String, Preserved>),
    /// Elements of a list, by index, with the visible part of each.
    Items(Vec<(usize, LostValue)>),
    /// Elements of a list map, by their keys, as JSON.
    Keyed(BTreeMap<String, Preserved>),
    /// An element of a list map that a round trip drops, and its index.
    Gone(usize, Value),
    /// A value that a round trip changes or drops.
    Value(LostValue),
}

/// A value and its round trip. A missing member is a missing value; `null` is a value.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct LostValue {
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    was: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    shown: Option<Value>,
    /// The round trip if a server adds the defaults of the other version, if that differs.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    defaulted: Option<Value>,
}

/// Reads an existing member, even `null`.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// A value before a round trip and after it.
#[derive(Clone, Copy)]
struct Trip<'v> {
    was: Option<&'v Value>,
    shown: Option<&'v Value>,
    /// The value after a round trip in which a server adds the defaults of the other version.
    defaulted: Option<&'v Value>,
}

impl<'v> Trip<'v> {
    fn field(self, name: &str) -> Self {
        let of = |value: Option<&'v Value>| value?.get(name);
        Self {
            was: of(self.was),
            shown: of(self.shown),
            defaulted: of(self.defaulted),
        }
    }

    fn lost(self) -> LostValue {
        let defaulted = self.defaulted.filter(|_| self.defaulted != self.shown);
        LostValue {
            was: self.was.cloned(),
            shown: self.shown.cloned(),
            defaulted: defaulted.cloned(),
        }
    }
}

impl LostValue {
    fn is_shown(&self, now: Option<&Value>) -> bool {
        now == self.shown.as_ref() || self.defaulted.is_some() && now == self.defaulted.as_ref()
    }
}

impl Preserved {
    /// Compares an object with its round trip; `None` if they are equal. `defaulted` is the round trip in which a server adds
    /// the defaults of the other version.
    pub(super) fn of(
        was: &Value,
        shown: &Value,
        defaulted: Option<&Value>,
        shape: KnownShape<'_>,
    ) -> Option<Self> {
        let trip = Trip {
            was: Some(was),
            shown: Some(shown),
            defaulted,
        };
        lost(trip, shape)
    }

    /// Restores the preserved parts wherever the object still shows what it showed then.
    pub(super) fn put_back(&self, into: &mut Value, shape: KnownShape<'_>) {
        let mut now = Some(std::mem::take(into));
        put_back(self, &mut now, shape);
        *into = now.unwrap_or_default();
    }

    /// Splits it into parts: one for each field of each field of an object.
    pub(super) fn parts(&self) -> Vec<Self> {
        let one = |name: &String, kept| Self::Fields([(name.clone(), kept)].into());
        let Self::Fields(fields) = self else {
            return vec![self.clone()];
        };
        let mut parts = Vec::new();
        for (name, kept) in fields {
            match kept {
                Self::Fields(inner) => parts.extend(
                    inner
                        .iter()
                        .map(|(below, kept)| one(name, one(below, kept.clone()))),
                ),
                kept => parts.push(one(name, kept.clone())),
            }
        }
        parts
    }
}

fn lost(trip: Trip<'_>, shape: KnownShape<'_>) -> Option<Preserved> {
    if trip.was == trip.shown {
        return None;
    }
    let inner = match (trip.was, trip.shown) {
        _ if shape.is_union() => None,
        (Some(Value::Object(was)), Some(Value::Object(shown))) => {
            Some(fields(trip, was, shown, shape))
        }
        (Some(Value::Array(was)), Some(Value::Array(shown))) => items(trip, was, shown, shape),
        _ => None,
    };
    Some(inner.unwrap_or_else(|| Preserved::Value(trip.lost())))
}

fn fields(
    trip: Trip<'_>,
    was: &Map<String, Value>,
    shown: &Map<String, Value>,
    shape: KnownShape<'_>,
) -> Preserved {
    let all: BTreeSet<&String> = was.keys().chain(shown.keys()).collect();
    let fields = all.into_iter().filter_map(|name| {
        let kept = lost(trip.field(name), shape.field(name))?;
        Some((name.clone(), kept))
    });
    Preserved::Fields(fields.collect())
}

fn items(
    trip: Trip<'_>,
    was: &[Value],
    shown: &[Value],
    shape: KnownShape<'_>,
) -> Option<Preserved> {
    let defaulted = trip.defaulted.and_then(Value::as_array);
    let defaulted = defaulted.map_or(&[][..], Vec::as_slice);
    if let Some(keys) = shape.keys()
        && let Some(was) = by_key(was, keys)
        && let Some(shown) = by_key(shown, keys)
        && in_order(&was, &shown)
    {
        let defaulted = by_key(defaulted, keys).unwrap_or_default();
        let all: BTreeSet<&String> = was.keys().chain(shown.keys()).collect();
        let elements = all.into_iter().filter_map(|key| {
            let element = |of: &ByKey<'_>| of.get(key).map(|(_, value)| (*value).clone());
            let (before, after, defaulted) = (element(&was), element(&shown), element(&defaulted));
            let kept = match (was.get(key), &after) {
                (Some((index, value)), None) => Preserved::Gone(*index, (*value).clone()),
                _ => lost(
                    Trip {
                        was: before.as_ref(),
                        shown: after.as_ref(),
                        defaulted: defaulted.as_ref(),
                    },
                    shape.element(),
                )?,
            };
            Some((key.clone(), kept))
        });
        return Some(Preserved::Keyed(elements.collect()));
    }
    if was.len() != shown.len() {
        return None;
    }
    let pairs = was.iter().zip(shown).enumerate();
    let differing = pairs.filter(|(_, (was, shown))| was != shown);
    let lost = differing.map(|(index, (was, shown))| {
        let trip = Trip {
            was: Some(was),
            shown: Some(shown),
            defaulted: defaulted.get(index),
        };
        (index, trip.lost())
    });
    Some(Preserved::Items(lost.collect()))
}

type ByKey<'v> = BTreeMap<String, (usize, &'v Value)>;

/// Returns the elements by their keys; `None` if one lacks a key or two have the same.
fn by_key<'v>(elements: &'v [Value], keys: &[String]) -> Option<ByKey<'v>> {
    let mut found = BTreeMap::new();
    for (index, element) in elements.iter().enumerate() {
        let key = element_key(element, keys)?;
        if found.insert(key, (index, element)).is_some() {
            return None;
        }
    }
    Some(found)
}

/// Whether the elements that are in both lists have the same order.
fn in_order(was: &ByKey<'_>, shown: &ByKey<'_>) -> bool {
    let mut both: Vec<(usize, usize)> = was
        .iter()
        .filter_map(|(key, (before, _))| Some((*before, shown.get(key)?.0)))
        .collect();
    both.sort_unstable();
    both.is_sorted_by_key(|(_, after)| *after)
}

fn put_back(kept: &Preserved, now: &mut Option<Value>, shape: KnownShape<'_>) {
    match (kept, now) {
        (Preserved::Value(lost), now) if lost.is_shown(now.as_ref()) => now.clone_from(&lost.was),
        (Preserved::Fields(fields), Some(Value::Object(object))) => {
            for (name, kept) in fields {
                let mut value = object.remove(name);
                put_back(kept, &mut value, shape.field(name));
                if let Some(value) = value {
                    object.insert(name.clone(), value);
                }
            }
        }
        (Preserved::Items(items), Some(Value::Array(list))) => put_back_items(items, list),
        (Preserved::Keyed(elements), Some(Value::Array(list))) => {
            put_back_elements(elements, list, shape);
        }
        _ => {}
    }
}

/// Restores the elements of a list at their index, or wherever the same element is now.
fn put_back_items(items: &[(usize, LostValue)], list: &mut [Value]) {
    let mut found: BTreeMap<usize, &Value> = BTreeMap::new();
    let mut moved = Vec::new();
    for (index, lost) in items {
        let Some(was) = &lost.was else { continue };
        let now = list.get(*index);
        match now.is_some() && lost.is_shown(now) {
            true => drop(found.insert(*index, was)),
            false => moved.push((was, lost)),
        }
    }
    // Compare texts in a map, since the writer of the object controls the length of both lists.
    let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
    if !moved.is_empty() {
        let all = (0..).zip(&*list);
        for (index, now) in all.filter(|(index, _)| !found.contains_key(index)) {
            places.entry(now.to_string()).or_default().push_back(index);
        }
    }
    for (was, lost) in moved {
        let shown = [&lost.shown, &lost.defaulted].into_iter().flatten();
        let at = shown
            .into_iter()
            .find_map(|shown| places.get_mut(&shown.to_string())?.pop_front());
        if let Some(index) = at {
            found.insert(index, was);
        }
    }
    for (index, was) in found {
        if let Some(now) = list.get_mut(index) {
            now.clone_from(was);
        }
    }
}

fn put_back_elements(
    elements: &BTreeMap<String, Preserved>,
    list: &mut Vec<Value>,
    shape: KnownShape<'_>,
) {
    let Some(keys) = shape.keys() else { return };
    let there: BTreeMap<String, usize> = (0..)
        .zip(&*list)
        .filter_map(|(index, now)| Some((element_key(now, keys)?, index)))
        .collect();
    let mut now: Vec<Option<Value>> = std::mem::take(list).into_iter().map(Some).collect();
    let mut gone: Vec<(usize, &Value)> = Vec::new();
    for (key, kept) in elements {
        match (there.get(key).and_then(|index| now.get_mut(*index)), kept) {
            (None, Preserved::Gone(index, value)) => gone.push((*index, value)),
            (Some(now), kept) => put_back(kept, now, shape.element()),
            (None, _) => {}
        }
    }
    gone.sort_by_key(|(index, _)| *index);
    let mut rest = now.into_iter().flatten();
    for (index, value) in gone {
        let before = index.saturating_sub(list.len());
        list.extend(rest.by_ref().take(before));
        list.push(value.clone());
    }
    list.extend(rest);
}

/// Returns an object with the additions of its type, which may not know all fields or may write them differently.
pub(super) fn observed(object: &Value, written: &Value) -> Value {
    match (object, written) {
        (Value::Object(object), Value::Object(written)) => {
            let mut all: Map<String, Value> = object
                .iter()
                .map(|(name, value)| match written.get(name) {
                    Some(written) => (name.clone(), observed(value, written)),
                    None => (name.clone(), value.clone()),
                })
                .collect();
            for (name, value) in written {
                if !all.contains_key(name) {
                    all.insert(name.clone(), value.clone());
                }
            }
            Value::Object(all)
        }
        (Value::Array(object), Value::Array(written)) if object.len() == written.len() => {
            let pairs = object.iter().zip(written);
            Value::Array(
                pairs
                    .map(|(object, written)| observed(object, written))
                    .collect(),
            )
        }
        (object, _) => object.clone(),
    }
}
