//! Compares an object with its round trip through another version.

use super::lists::{self, element_key};
use super::shapes::KnownShape;
use super::{Again, Lost, LostValue, Trip, unions};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

impl<'v> Trip<'v> {
    pub(super) fn field(self, name: &str) -> Self {
        let inside = |value: Option<&'v Value>| value?.get(name);
        Self {
            was: inside(self.was),
            shown: inside(self.shown),
            defaulted: inside(self.defaulted),
            carried: inside(self.carried),
        }
    }

    pub(super) fn lost(self) -> LostValue {
        let defaulted = self.defaulted.filter(|_| self.defaulted != self.shown);
        LostValue {
            was: self.was.cloned(),
            shown: self.shown.cloned(),
            defaulted: defaulted.cloned(),
        }
    }
}

/// Returns what a round trip changes of a value; `None` if that is nothing.
pub(super) fn lost_in(
    trip: Trip<'_>,
    shape: KnownShape<'_>,
    again: Again<'_>,
    pointer: &str,
) -> Option<Lost> {
    if trip.was == trip.shown {
        return None;
    }
    let inner = match (trip.was, trip.shown) {
        (Some(Value::Object(was)), Some(Value::Object(shown))) => {
            Some(fields(trip, was, shown, shape, again, pointer))
        }
        (Some(Value::Array(was)), Some(Value::Array(shown))) => {
            keyed(trip, was, shown, shape, again, pointer).or_else(|| {
                let defaulted = trip.defaulted.and_then(Value::as_array);
                let defaulted = defaulted.map(Vec::as_slice);
                let alone = || again.alone(pointer, was);
                Some(Lost::Items(lists::lost(was, shown, defaulted, &alone)))
            })
        }
        _ => None,
    };
    Some(inner.unwrap_or_else(|| Lost::Value(trip.lost())))
}

fn fields(
    trip: Trip<'_>,
    was: &Map<String, Value>,
    shown: &Map<String, Value>,
    shape: KnownShape<'_>,
    again: Again<'_>,
    pointer: &str,
) -> Lost {
    let all: BTreeSet<&String> = was.keys().chain(shown.keys()).collect();
    let fields = all.into_iter().filter_map(|name| {
        let pointer = pointer_below(pointer, name);
        let lost = lost_in(trip.field(name), shape.field(name), again, &pointer)?;
        Some((name.clone(), lost))
    });
    let mut fields: BTreeMap<String, Lost> = fields.collect();
    let unions = unions::lost(&mut fields, trip, shape);
    match unions.is_empty() {
        true => Lost::Fields(fields),
        false => Lost::Members(unions, fields),
    }
}

/// The lost parts of a list map; `None` if the list is none, or if the order of its elements changes.
fn keyed(
    trip: Trip<'_>,
    was: &[Value],
    shown: &[Value],
    shape: KnownShape<'_>,
    again: Again<'_>,
    pointer: &str,
) -> Option<Lost> {
    let keys = shape.keys()?;
    let (was, shown) = (by_key(was, keys)?, by_key(shown, keys)?);
    if !in_order(&was, &shown) {
        return None;
    }
    let [defaulted, carried] = [trip.defaulted, trip.carried].map(|other| {
        let other = other.and_then(Value::as_array);
        other
            .and_then(|other| by_key(other, keys))
            .unwrap_or_default()
    });
    let all: BTreeSet<&String> = was.keys().chain(shown.keys()).collect();
    let elements = all.into_iter().filter_map(|key| {
        let lost = match (was.get(key), shown.get(key)) {
            (Some((index, value)), None) => Lost::Gone(*index, (*value).clone()),
            (was, shown) => {
                let index = was.map(|(index, _)| *index).unwrap_or_default();
                let trip = Trip {
                    was: was.map(|(_, value)| *value),
                    shown: shown.map(|(_, value)| *value),
                    defaulted: defaulted.get(key).map(|(_, value)| *value),
                    carried: carried.get(key).map(|(_, value)| *value),
                };
                let pointer = pointer_below(pointer, &index.to_string());
                lost_in(trip, shape.element(), again, &pointer)?
            }
        };
        Some((key.clone(), lost))
    });
    Some(Lost::Keyed(elements.collect()))
}

/// The pointer to a field or an element.
fn pointer_below(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
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
