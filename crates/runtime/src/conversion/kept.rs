//! What a version cannot carry: found, written down, and put back.

use super::lists::{ListMaps, Place, element_key};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// The difference between an object and what comes back when it is converted there and back.
///
/// It is put back only where the object still shows what it showed then: whoever changes the object in the narrower version
/// has the last word.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Kept {
    /// Fields of an object.
    Fields { fields: BTreeMap<String, Kept> },
    /// Elements of a list, by index.
    Items { items: Vec<(usize, Lost)> },
    /// Elements of a list map, by their keys, as JSON.
    Keyed {
        keyed: BTreeMap<String, KeptElement>,
    },
    /// A value that comes back as another, or not at all.
    Value(Lost),
}

/// A value, and what a round trip makes of it. A missing member is a missing value; `null` is one.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Lost {
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    was: Option<Value>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    shown: Option<Value>,
}

/// An element of a list map.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct KeptElement {
    /// Where it stood, if the round trip loses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    #[serde(flatten)]
    kept: Kept,
}

/// Reads a member that is there, even as `null`.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

impl Kept {
    /// What the way there and back makes of an object; nothing if it comes back as it was.
    pub(super) fn of(was: &Value, shown: &Value, lists: &ListMaps) -> Option<Self> {
        lost(Some(was), Some(shown), lists.root())
    }

    /// Puts back what is kept, wherever the object shows what it showed then.
    pub(super) fn put_back(&self, into: &mut Value, lists: &ListMaps) {
        let mut now = Some(std::mem::take(into));
        put_back(self, &mut now, lists.root());
        *into = now.unwrap_or_default();
    }
}

fn lost(was: Option<&Value>, shown: Option<&Value>, place: Place<'_>) -> Option<Kept> {
    if was == shown {
        return None;
    }
    let inner = match (was, shown) {
        (Some(Value::Object(was)), Some(Value::Object(shown))) => Some(fields(was, shown, &place)),
        (Some(Value::Array(was)), Some(Value::Array(shown))) => items(was, shown, &place),
        _ => None,
    };
    Some(inner.unwrap_or_else(|| {
        Kept::Value(Lost {
            was: was.cloned(),
            shown: shown.cloned(),
        })
    }))
}

fn fields(was: &Map<String, Value>, shown: &Map<String, Value>, place: &Place<'_>) -> Kept {
    let all = was.keys().chain(shown.keys());
    let fields = all.filter_map(|name| {
        let kept = lost(was.get(name), shown.get(name), place.field(name))?;
        Some((name.clone(), kept))
    });
    Kept::Fields {
        fields: fields.collect(),
    }
}

fn items(was: &[Value], shown: &[Value], place: &Place<'_>) -> Option<Kept> {
    if let Some(keys) = place.keys()
        && let Some(was) = by_key(was, keys)
        && let Some(shown) = by_key(shown, keys)
        && in_order(&was, &shown)
    {
        let all = was.keys().chain(shown.keys());
        let elements = all.filter_map(|key| {
            let (before, after) = (was.get(key), shown.get(key));
            let index = before.filter(|_| after.is_none()).map(|(index, _)| *index);
            let element =
                |found: Option<&(usize, &'_ Value)>| found.map(|(_, value)| (*value).clone());
            let (before, after) = (element(before), element(after));
            let kept = lost(before.as_ref(), after.as_ref(), place.element())?;
            Some((key.clone(), KeptElement { index, kept }))
        });
        return Some(Kept::Keyed {
            keyed: elements.collect(),
        });
    }
    if was.len() != shown.len() {
        return None;
    }
    let pairs = was.iter().zip(shown).enumerate();
    let differing = pairs.filter(|(_, (was, shown))| was != shown);
    let lost = differing.map(|(index, (was, shown))| {
        let lost = Lost {
            was: Some(was.clone()),
            shown: Some(shown.clone()),
        };
        (index, lost)
    });
    Some(Kept::Items {
        items: lost.collect(),
    })
}

type ByKey<'v> = BTreeMap<String, (usize, &'v Value)>;

/// The elements by their keys; `None` unless each has all of them, and none has those of another.
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

/// Whether the elements that are in both lists stand in the same order.
fn in_order(was: &ByKey<'_>, shown: &ByKey<'_>) -> bool {
    let mut both: Vec<(usize, usize)> = was
        .iter()
        .filter_map(|(key, (before, _))| Some((*before, shown.get(key)?.0)))
        .collect();
    both.sort_unstable();
    both.is_sorted_by_key(|(_, after)| *after)
}

fn put_back(kept: &Kept, now: &mut Option<Value>, place: Place<'_>) {
    match (kept, now) {
        (Kept::Value(lost), now) if *now == lost.shown => now.clone_from(&lost.was),
        (Kept::Fields { fields }, Some(Value::Object(object))) => {
            for (name, kept) in fields {
                let mut value = object.remove(name);
                put_back(kept, &mut value, place.field(name));
                if let Some(value) = value {
                    object.insert(name.clone(), value);
                }
            }
        }
        (Kept::Items { items }, Some(Value::Array(list))) => put_back_items(items, list),
        (Kept::Keyed { keyed }, Some(Value::Array(list))) => {
            put_back_elements(keyed, list, &place);
        }
        _ => {}
    }
}

/// An element gets back what it lost where it stood, or wherever the same element stands now.
fn put_back_items(items: &[(usize, Lost)], list: &mut [Value]) {
    let mut found: BTreeMap<usize, &Value> = BTreeMap::new();
    let mut moved = Vec::new();
    for (index, lost) in items {
        let (Some(was), Some(shown)) = (&lost.was, &lost.shown) else {
            continue;
        };
        match list.get(*index) == Some(shown) {
            true => drop(found.insert(*index, was)),
            false => moved.push((was, shown)),
        }
    }
    // By their text, since whoever writes the object decides how long both lists are.
    let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
    if !moved.is_empty() {
        let free = (0..)
            .zip(&*list)
            .filter(|(index, _)| !found.contains_key(index));
        for (index, now) in free {
            places.entry(now.to_string()).or_default().push_back(index);
        }
    }
    for (was, shown) in moved {
        let place = places.get_mut(&shown.to_string());
        if let Some(index) = place.and_then(VecDeque::pop_front) {
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
    elements: &BTreeMap<String, KeptElement>,
    list: &mut Vec<Value>,
    place: &Place<'_>,
) {
    let Some(keys) = place.keys() else { return };
    let there: BTreeMap<String, usize> = (0..)
        .zip(&*list)
        .filter_map(|(index, now)| Some((element_key(now, keys)?, index)))
        .collect();
    let mut now: Vec<Option<Value>> = std::mem::take(list).into_iter().map(Some).collect();
    let mut gone: Vec<(usize, Value)> = Vec::new();
    for (key, element) in elements {
        if let Some(now) = there.get(key).and_then(|index| now.get_mut(*index)) {
            put_back(&element.kept, now, place.element());
            continue;
        }
        let mut value = None;
        put_back(&element.kept, &mut value, place.element());
        gone.extend(value.map(|value| (element.index.unwrap_or(usize::MAX), value)));
    }
    gone.sort_by_key(|(index, _)| *index);
    let mut rest = now.into_iter().flatten();
    for (index, value) in gone {
        let before = index.saturating_sub(list.len());
        list.extend(rest.by_ref().take(before));
        list.push(value);
    }
    list.extend(rest);
}

/// An object as it is and as its type writes it: what the type does not know stays, and what the type adds or writes
/// differently counts as the same.
pub(super) fn observed(object: &Value, written: Value) -> Value {
    match (object, written) {
        (Value::Object(object), Value::Object(mut written)) => {
            for (name, value) in object {
                match written.get_mut(name) {
                    Some(known) => *known = observed(value, std::mem::take(known)),
                    None if value.is_null() => {}
                    None => {
                        written.insert(name.clone(), value.clone());
                    }
                }
            }
            Value::Object(written)
        }
        (Value::Array(object), Value::Array(written)) if object.len() == written.len() => {
            let pairs = object.iter().zip(written);
            Value::Array(
                pairs
                    .map(|(object, written)| observed(object, written))
                    .collect(),
            )
        }
        (_, written) => written,
    }
}
