//! Restores what was kept, as far as the object still shows what it showed then and its schema accepts it.

use super::lists::{self, by_key, element_key};
use super::restored::Fault;
use super::shapes::KnownShape;
use super::{Lost, LostValue, unions};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// How much JSON is validated at most to find the parts that cannot be restored, in bytes: any writer of an object can write
/// many of them.
pub(super) const VALIDATED: usize = 4 * 1024 * 1024;

/// An object with its restored parts.
#[derive(Debug)]
pub(crate) struct Restored {
    pub(crate) object: Value,
    /// The parts that cannot be restored, and the reason.
    pub(crate) unrestored: Vec<(String, String)>,
    /// Those of them that a program which knows other values may restore later.
    pub(crate) later: Option<Lost>,
}

/// Restores the kept parts of an object, but not those with which `faults` finds more than in the object itself. If the object
/// is `partial`, elements that are not found may be there later. `carried` is it with what is unknown of the other version.
pub(crate) fn restore(
    lost: &Lost,
    plain: &Value,
    carried: Option<&Value>,
    partial: bool,
    shape: KnownShape<'_>,
    faults: &dyn Fn(&Value) -> Vec<Fault>,
) -> Restored {
    let mut lost = lost.clone();
    lost.join(shape);
    let lost = &lost;
    let parts = lost.parts(plain, carried, partial, shape);
    let mut search = Search {
        lost,
        plain,
        shape,
        faults,
        known: None,
        kept: vec![false; parts.len()],
        tries: 0,
    };
    let mut unrestored = Vec::new();
    let mut later: Vec<bool> = parts.iter().map(|part| part.is_for_later).collect();
    let (undecided, all): (Vec<_>, Vec<_>) =
        (0..parts.len()).partition(|part| later.get(*part) == Some(&true));
    for part in undecided.into_iter().filter_map(|part| parts.get(part)) {
        let reason = "fields are missing that tell whether it belongs here";
        unrestored.push((part.to_string(), reason.to_owned()));
    }
    let found = search.add(&all);
    if !found.is_empty() {
        let paths = parts.iter().map(|part| part.to_string().len());
        let size = plain.to_string().len() + paths.sum::<usize>();
        search.tries = VALIDATED / size.max(1);
        // The faults tell which parts to try last, so that a few bad ones do not cost a try for each good one.
        let is_suspect = |part: &usize| {
            let part = parts.get(*part);
            part.is_some_and(|part| {
                found
                    .iter()
                    .any(|fault| part.has(&fault.at) || part.above.starts_with(&fault.at))
            })
        };
        let (suspects, others): (Vec<_>, Vec<_>) = all.iter().copied().partition(is_suspect);
        let mut refused = search.bisect(&others);
        refused.extend(search.bisect(&suspects));
        // What is refused for what is around it may lack a member that the program does not know: they wait together.
        let around = refused.iter().filter_map(|(index, why)| {
            let part = parts.get(*index)?;
            let is_around = why.iter().any(|fault| !part.has_own(fault));
            is_around.then_some(&*part.above)
        });
        let around: HashSet<&[String]> = around.collect();
        let unknown = parts.iter().enumerate();
        let unknown = unknown.filter(|(_, part)| part.is_unknown && around.contains(&*part.above));
        let (unknown, places): (Vec<usize>, HashSet<&[String]>) =
            unknown.map(|(index, part)| (index, &*part.above)).unzip();
        search.set(&unknown, false);
        for index in unknown {
            if let Some(later) = later.get_mut(index) {
                *later = true;
            }
        }
        for (index, why) in refused {
            let Some((part, later)) = parts.get(index).zip(later.get_mut(index)) else {
                continue;
            };
            // A fault of the value itself is one of this program's schema. Others come from an edit of what is around it.
            let is_own = why.iter().any(|fault| part.has_own(fault));
            *later |= is_own || places.contains(&*part.above);
            let why = why.into_iter().next().map(|fault| fault.reason);
            unrestored.push((part.to_string(), why.unwrap_or_default()));
        }
    }
    Restored {
        object: search.object(),
        unrestored,
        later: lost.only(&later),
    }
}

/// What of the kept parts may still be restored later: not what a client has written over.
pub(crate) fn waiting(lost: &Lost, now: &Value, shape: KnownShape<'_>) -> Option<Lost> {
    let parts = lost.parts(now, None, false, shape);
    let waits: Vec<bool> = parts.iter().map(|part| !part.is_over).collect();
    lost.only(&waits)
}

/// The search for the parts that can be restored together.
struct Search<'a> {
    lost: &'a Lost,
    plain: &'a Value,
    shape: KnownShape<'a>,
    faults: &'a dyn Fn(&Value) -> Vec<Fault>,
    /// How often each fault is in the object without any part.
    known: Option<BTreeMap<Fault, usize>>,
    kept: Vec<bool>,
    tries: usize,
}

impl Search<'_> {
    fn object(&self) -> Value {
        let mut object = Some(self.plain.clone());
        if let Some(lost) = self.lost.only(&self.kept) {
            put_back(&lost, &mut object, self.shape);
        }
        object.unwrap_or_default()
    }

    /// The faults of an object, without the indexes of elements, which move.
    fn faults(&self, object: &Value) -> Vec<Fault> {
        let mut found = (self.faults)(object);
        for fault in &mut found {
            without_indexes(&mut fault.at, object, self.shape);
        }
        found
    }

    fn set(&mut self, parts: &[usize], kept: bool) {
        for part in parts {
            if let Some(place) = self.kept.get_mut(*part) {
                *place = kept;
            }
        }
    }

    /// Adds parts to those that are restored, unless this leads to faults, which are returned.
    fn add(&mut self, parts: &[usize]) -> Vec<Fault> {
        self.set(parts, true);
        let mut found = self.faults(&self.object());
        if !found.is_empty() {
            let known = self.known.take().unwrap_or_else(|| self.known());
            let mut left = known.clone();
            found.retain(|fault| match left.get_mut(fault) {
                Some(count @ 1..) => {
                    *count -= 1;
                    false
                }
                _ => true,
            });
            self.known = Some(known);
        }
        if !found.is_empty() {
            self.set(parts, false);
        }
        found
    }

    fn known(&self) -> BTreeMap<Fault, usize> {
        let mut without_nulls = self.plain.clone();
        replace_nulls(&mut without_nulls, self.shape);
        let mut known = BTreeMap::new();
        for object in [self.plain, &without_nulls] {
            let mut counts: BTreeMap<Fault, usize> = BTreeMap::new();
            for fault in self.faults(object) {
                *counts.entry(fault).or_default() += 1;
            }
            for (fault, count) in counts {
                let most: &mut usize = known.entry(fault).or_default();
                *most = count.max(*most);
            }
        }
        known
    }

    /// Adds as many of the parts as possible. Returns the others with their faults.
    fn bisect(&mut self, parts: &[usize]) -> Vec<(usize, Vec<Fault>)> {
        if parts.is_empty() {
            return Vec::new();
        }
        let Some(tries) = self.tries.checked_sub(1) else {
            let fault = Fault {
                at: Vec::new(),
                is_for_later: true,
                reason: "too many other parts cannot be restored".to_owned(),
            };
            return parts
                .iter()
                .map(|part| (*part, vec![fault.clone()]))
                .collect();
        };
        self.tries = tries;
        let found = self.add(parts);
        match parts {
            _ if found.is_empty() => Vec::new(),
            [part] => vec![(*part, found)],
            _ => {
                let (first, second) = parts.split_at(parts.len() / 2);
                let mut refused = self.bisect(first);
                refused.extend(self.bisect(second));
                refused
            }
        }
    }
}

/// Replaces what servers write for the empty rest of an object in a server-side apply.
fn replace_nulls(value: &mut Value, shape: KnownShape<'_>) {
    match value {
        Value::Null if !shape.is_nullable() => *value = Value::Object(Map::new()),
        Value::Object(fields) => fields
            .iter_mut()
            .for_each(|(name, value)| replace_nulls(value, shape.field(name))),
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| replace_nulls(item, shape.element())),
        _ => {}
    }
}

/// Replaces the indexes of elements in a path: those of list maps by their keys, others by the same for all.
fn without_indexes(path: &mut [String], object: &Value, shape: KnownShape<'_>) {
    let mut place = (Some(object), shape);
    for element in path {
        let (value, shape) = place;
        match value {
            Some(Value::Array(items)) => {
                let item = element
                    .parse()
                    .ok()
                    .and_then(|index: usize| items.get(index));
                place = (item, shape.element());
                let key = shape.keys().map(|keys| element_key(item?, keys));
                *element = key.flatten().unwrap_or_else(|| "*".to_owned());
            }
            _ => {
                place = (
                    value.and_then(|value| value.get(&*element)),
                    shape.field(element),
                );
            }
        }
    }
}

/// What is restored at once, or not at all.
#[derive(Clone, Debug, Default)]
struct Part {
    /// The path to the object or the list that it is in.
    above: Vec<String>,
    /// The names of its fields there; none if it is an element that may have moved.
    names: Vec<String>,
    /// The index of the element.
    index: usize,
    is_for_later: bool,
    /// Whether it may be a member of a union that the schema does not know.
    is_unknown: bool,
    /// Whether another value was written in its place. One that is missing may be so because the object is a part.
    is_over: bool,
}

impl Part {
    /// Whether a path may lead to it or below it.
    fn has(&self, path: &[String]) -> bool {
        let below = path.strip_prefix(&*self.above).and_then(<[_]>::first);
        below.is_some_and(|name| self.names.is_empty() || self.names.contains(name))
    }

    /// Whether a fault says that the program does not know the value.
    fn has_own(&self, fault: &Fault) -> bool {
        fault.is_for_later || self.has(&fault.at)
    }
}

/// As a message says it, `/spec/rules/0`.
impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in &self.above {
            write!(out, "/{name}")?;
        }
        match self.names.is_empty() {
            true => write!(out, "/{}", self.index),
            false => write!(out, "/{}", self.names.join(", ")),
        }
    }
}

/// A place in an object, to which kept parts belong.
#[derive(Clone, Copy)]
struct Place<'a> {
    now: Option<&'a Value>,
    /// With what is carried along.
    carried: Option<&'a Value>,
    shape: KnownShape<'a>,
    /// Whether fields of the object are restored later.
    partial: bool,
    /// Whether it, or something above, is not there and may be later: it is a field that the schema lacks, or the object is
    /// partial.
    is_missing: bool,
    is_above_missing: bool,
    /// Whether it may be a member of a union that the schema does not know.
    is_unknown: bool,
}

impl<'a> Place<'a> {
    fn field(self, name: &str) -> Self {
        let there = [self.now, self.carried].map(|there| there?.get(name));
        Self {
            is_unknown: self.shape.may_be_member(name),
            ..self.below(there, self.shape.field(name), self.shape.lacks(name))
        }
    }

    fn element(self, there: [Option<&'a Value>; 2]) -> Self {
        self.below(there, self.shape.element(), false)
    }

    fn below(
        self,
        [now, carried]: [Option<&'a Value>; 2],
        shape: KnownShape<'a>,
        is_lacking: bool,
    ) -> Self {
        let may_be_later = self.partial || is_lacking;
        Self {
            now,
            carried,
            shape,
            partial: self.partial,
            is_missing: self.is_missing || now.is_none() && may_be_later,
            is_above_missing: self.is_missing,
            is_unknown: false,
        }
    }
}

impl Lost {
    /// Joins what belongs to one union.
    fn join(&mut self, shape: KnownShape<'_>) {
        if let Self::Members(all, _) = self {
            unions::join(all, shape);
        }
        match self {
            Self::Fields(fields) | Self::Members(_, fields) => {
                for (name, lost) in fields {
                    lost.join(shape.field(name));
                }
            }
            Self::Keyed(elements) => elements
                .values_mut()
                .for_each(|lost| lost.join(shape.element())),
            Self::Items(_) | Self::Gone(..) | Self::Value(_) => {}
        }
    }

    fn parts(
        &self,
        now: &Value,
        carried: Option<&Value>,
        partial: bool,
        shape: KnownShape<'_>,
    ) -> Vec<Part> {
        let root = Place {
            now: Some(now),
            carried,
            shape,
            partial,
            is_above_missing: false,
            is_missing: false,
            is_unknown: false,
        };
        let mut parts = Vec::new();
        self.collect(&mut Vec::new(), root, &mut parts);
        parts
    }

    /// The parts that are restored one by one, in the order of [`Lost::only`].
    fn collect(&self, path: &mut Vec<String>, place: Place<'_>, parts: &mut Vec<Part>) {
        let part = |above: &[String], names: Vec<String>| Part {
            above: above.to_owned(),
            names,
            is_for_later: place.is_missing,
            ..Part::default()
        };
        if let Self::Members(unions, _) = self {
            let empty = Map::new();
            parts.extend(unions.iter().map(|union| {
                let object = place.now.map(|now| now.as_object().unwrap_or(&empty));
                let is_for_later =
                    object.is_some_and(|now| union.is_for_later(now, place.carried, place.shape));
                let names = union.members().map(str::to_owned);
                Part {
                    is_for_later: place.is_missing || is_for_later,
                    is_over: object.is_some_and(|now| union.is_over(now, place.shape)),
                    is_unknown: union.members().any(|name| place.shape.may_be_member(name)),
                    ..part(path, names.collect())
                }
            }));
        }
        match self {
            Self::Fields(fields) | Self::Members(_, fields) => {
                for (name, lost) in fields {
                    path.push(name.clone());
                    lost.collect(path, place.field(name), parts);
                    path.pop();
                }
            }
            Self::Keyed(elements) => {
                let there = [place.now, place.carried].map(|there| {
                    let there = there.and_then(Value::as_array).zip(place.shape.keys());
                    there
                        .map(|(there, keys)| by_key(there, keys))
                        .unwrap_or_default()
                });
                for (key, lost) in elements {
                    path.push(key.clone());
                    lost.collect(
                        path,
                        place.element(there.each_ref().map(|there| there.get(key).copied())),
                        parts,
                    );
                    path.pop();
                }
            }
            Self::Items(items) => {
                let now = place.now.filter(|_| place.partial);
                let now = now.and_then(Value::as_array).into_iter().flatten();
                let now = now.map(Value::to_string).collect();
                let now = place.partial.then_some(&now);
                parts.extend(items.iter().map(|(index, item)| Part {
                    index: *index,
                    is_for_later: place.is_missing || item.is_for_later(now, place.shape.element()),
                    ..part(path, Vec::new())
                }));
            }
            Self::Gone(..) | Self::Value(_) => {
                // What was not shown then is missing as it should be.
                let is_shown = matches!(self, Self::Value(LostValue { shown: Some(_), .. }));
                let above = path.split_last();
                let own = above.map(|(name, above)| part(above, vec![name.clone()]));
                parts.push(Part {
                    is_for_later: place.is_above_missing || place.is_missing && is_shown,
                    is_unknown: place.is_unknown,
                    is_over: place.now.is_some_and(|now| match self {
                        Self::Value(lost) => !now.is_null() && !lost.is_shown(Some(now)),
                        _ => true,
                    }),
                    ..own.unwrap_or_default()
                });
            }
        }
    }

    /// The parts that are marked, in the order of [`Lost::collect`]; `None` if there are none.
    fn only(&self, marked: &[bool]) -> Option<Self> {
        self.take(&mut marked.iter().copied())
    }

    fn take(&self, marked: &mut dyn Iterator<Item = bool>) -> Option<Self> {
        let mut next = || marked.next().unwrap_or_default();
        match self {
            Self::Gone(..) | Self::Value(_) => next().then(|| self.clone()),
            Self::Items(items) => {
                let taken: Vec<_> = items.iter().filter(|_| next()).cloned().collect();
                (!taken.is_empty()).then_some(Self::Items(taken))
            }
            Self::Members(unions, fields) => {
                let unions: Vec<_> = unions.iter().filter(|_| next()).cloned().collect();
                let fields = take_each(fields, marked);
                match (unions.is_empty(), fields.is_empty()) {
                    (true, true) => None,
                    (true, false) => Some(Self::Fields(fields)),
                    (false, _) => Some(Self::Members(unions, fields)),
                }
            }
            Self::Fields(fields) => {
                let fields = take_each(fields, marked);
                (!fields.is_empty()).then_some(Self::Fields(fields))
            }
            Self::Keyed(elements) => {
                let elements = take_each(elements, marked);
                (!elements.is_empty()).then_some(Self::Keyed(elements))
            }
        }
    }
}

fn take_each(
    all: &BTreeMap<String, Lost>,
    marked: &mut dyn Iterator<Item = bool>,
) -> BTreeMap<String, Lost> {
    let taken = all
        .iter()
        .filter_map(|(name, lost)| Some((name.clone(), lost.take(marked)?)));
    taken.collect()
}

fn put_back(lost: &Lost, now: &mut Option<Value>, shape: KnownShape<'_>) {
    match (lost, now) {
        (Lost::Value(LostValue { was, .. }), now) => {
            if let Lost::Value(lost) = lost
                && lost.is_shown(now.as_ref())
            {
                now.clone_from(was);
            }
        }
        // Servers write `null` for the empty rest of an object in a server-side apply.
        (lost, now @ Some(Value::Null)) if !shape.is_nullable() => {
            let empty = Some(Map::new().into());
            let mut object = empty.clone();
            put_back(lost, &mut object, shape);
            if object != empty {
                *now = object;
            }
        }
        (Lost::Fields(fields), Some(Value::Object(object))) => {
            put_back_fields(fields, object, shape);
        }
        (Lost::Members(unions, fields), Some(Value::Object(object))) => {
            unions::put_back(unions, object, shape);
            put_back_fields(fields, object, shape);
        }
        (Lost::Items(items), Some(Value::Array(list))) => lists::put_back(items, list),
        (Lost::Keyed(elements), Some(Value::Array(list))) => {
            put_back_elements(elements, list, shape);
        }
        _ => {}
    }
}

fn put_back_fields(
    fields: &BTreeMap<String, Lost>,
    object: &mut Map<String, Value>,
    shape: KnownShape<'_>,
) {
    for (name, lost) in fields {
        let mut value = object.remove(name);
        put_back(lost, &mut value, shape.field(name));
        if let Some(value) = value {
            object.insert(name.clone(), value);
        }
    }
}

fn put_back_elements(
    elements: &BTreeMap<String, Lost>,
    list: &mut Vec<Value>,
    shape: KnownShape<'_>,
) {
    let Some(keys) = shape.keys() else { return };
    let mut there: BTreeMap<String, usize> = BTreeMap::new();
    for (index, now) in list.iter().enumerate() {
        if let Some(key) = element_key(now, keys) {
            // Of elements with the same key, which the schema refuses, the first is the known one.
            there.entry(key).or_insert(index);
        }
    }
    let mut now: Vec<Option<Value>> = std::mem::take(list).into_iter().map(Some).collect();
    let mut gone: Vec<(usize, &Value)> = Vec::new();
    for (key, lost) in elements {
        match (there.get(key).and_then(|index| now.get_mut(*index)), lost) {
            (None, Lost::Gone(index, value)) => gone.push((*index, value)),
            (Some(now), lost) => put_back(lost, now, shape.element()),
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
