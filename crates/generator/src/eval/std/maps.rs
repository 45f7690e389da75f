//! Methods of maps, and of their entries.

use super::Call;
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::MapKind;
use crate::eval::values::value::{Map, MutPlace, PlaceElem, Value, Via};
use crd_channels_diagnostics::Span;
use std::sync::Arc;

impl Machine<'_> {
    pub(super) fn map_method(&mut self, call: &Call<'_>, value: Value, args: Vec<Value>) -> Run {
        let Value::Map(map) = value else {
            return call.unsupported(&value);
        };
        let span = call.span;
        let listed = |machine: &mut Self, map: &Map, pick: &dyn Fn(&(Value, Value)) -> Value| {
            machine.check_order(&Value::Map(map.clone()), span)?;
            let items: Vec<Value> = map.entries.iter().map(pick).collect();
            Ok(Value::Iter(Box::new(Iter::of(items))))
        };
        match (call.name, &args[..]) {
            ("len", []) => self.size(map.entries.len(), span),
            ("is_empty", []) => Ok(Value::Bool(map.entries.is_empty())),
            ("reserve" | "shrink_to_fit", _) => Ok(Value::unit()),
            ("iter", []) => {
                let iter = self.iterate(Value::reference(Value::Map(map)), span)?;
                Ok(Value::Iter(Box::new(iter)))
            }
            ("iter_mut", []) => {
                let iter = self.iterate(Value::MutPlace(call.place.clone()), span)?;
                Ok(Value::Iter(Box::new(iter)))
            }
            ("into_iter", []) => {
                let list = match call.via {
                    Via::Owned => Value::Map(map),
                    Via::Shared => Value::reference(Value::Map(map)),
                    Via::Mutable => Value::MutPlace(call.place.clone()),
                };
                let iter = self.iterate(list, span)?;
                Ok(Value::Iter(Box::new(iter)))
            }
            ("keys", []) => listed(self, &map, &|(key, _)| Value::reference(key.clone())),
            ("values", []) => listed(self, &map, &|(_, value)| Value::reference(value.clone())),
            ("into_keys", []) => listed(self, &map, &|(key, _)| key.clone()),
            ("into_values", []) => listed(self, &map, &|(_, value)| value.clone()),
            ("values_mut", []) => {
                self.check_order(&Value::Map(map.clone()), span)?;
                let places = (0..map.entries.len()).map(|at| self.item_place(call, at));
                let places: Vec<Value> = places.collect();
                Ok(Value::Iter(Box::new(Iter::of(places))))
            }
            ("get" | "contains_key" | "get_key_value" | "get_mut", [key]) => {
                let at = self.key_at(&map, key, span)?;
                let found = at.and_then(|at| map.entries.get(at).cloned());
                Ok(match (call.name, at, found) {
                    ("contains_key", at, _) => Value::Bool(at.is_some()),
                    ("get_mut", Some(at), _) => Value::some(self.item_place(call, at)),
                    ("get", _, Some((_, value))) => Value::some(Value::reference(value)),
                    ("get_key_value", _, Some((key, value))) => Value::some(Value::Tuple(vec![
                        Value::reference(key),
                        Value::reference(value),
                    ])),
                    _ => Value::Option(None),
                })
            }
            ("first_key_value" | "last_key_value", []) if map.kind == MapKind::Sorted => {
                let found = match call.name {
                    "first_key_value" => map.entries.first(),
                    _ => map.entries.last(),
                };
                Ok(Value::option(found.map(|(key, value)| {
                    Value::Tuple(vec![
                        Value::reference(key.clone()),
                        Value::reference(value.clone()),
                    ])
                })))
            }
            ("range", [range]) if map.kind == MapKind::Sorted => {
                let range = self.load(range);
                let mut kept = Vec::new();
                for (key, value) in map.entries.iter() {
                    if self.is_within(key, &range, span)? {
                        kept.push(Value::Tuple(vec![
                            Value::reference(key.clone()),
                            Value::reference(value.clone()),
                        ]));
                    }
                }
                Ok(Value::Iter(Box::new(Iter::of(kept))))
            }
            ("entry", [key]) => self.entry(call, &map, key.clone()),
            _ => self.changed_map(call, map, args),
        }
    }

    fn changed_map(&mut self, call: &Call<'_>, map: Map, args: Vec<Value>) -> Run {
        let span = call.span;
        let mut map = map;
        let given = match (call.name, &args[..]) {
            ("insert", [key, value]) => {
                let (key, value) = self.entry_of(&map, key, value, span)?;
                let old = self.insert(&mut map, key, value, span)?;
                self.check_size(map.entries.len(), span)?;
                Value::option(old)
            }
            ("remove" | "shift_remove" | "remove_entry", [key]) => {
                if map.kind == MapKind::Indexed && call.name != "shift_remove" {
                    return call.unsupported(&Value::Map(map));
                }
                let at = self.key_at(&map, key, span)?;
                let entries = Arc::make_mut(&mut map.entries);
                let removed = at.map(|at| entries.remove(at));
                Value::option(removed.map(|(key, value)| match call.name {
                    "remove_entry" => Value::Tuple(vec![key, value]),
                    _ => value,
                }))
            }
            ("pop_first" | "pop_last", []) if map.kind == MapKind::Sorted => {
                let entries = Arc::make_mut(&mut map.entries);
                let removed = match (call.name, entries.is_empty()) {
                    (_, true) => None,
                    ("pop_first", _) => Some(entries.remove(0)),
                    _ => entries.pop(),
                };
                Value::option(removed.map(|(key, value)| Value::Tuple(vec![key, value])))
            }
            ("clear", []) => {
                map.entries = Arc::default();
                Value::unit()
            }
            ("extend", [more]) => {
                self.extend_map(call, &mut map, more)?;
                Value::unit()
            }
            ("append", [Value::MutPlace(other)]) => {
                self.append_map(call, &mut map, &other.clone())?;
                Value::unit()
            }
            ("retain", [function]) => {
                self.retain_entries(&mut map, function, span)?;
                Value::unit()
            }
            _ => return call.unsupported(&Value::Map(map)),
        };
        if call.via == Via::Shared {
            return stop(span, "the value that this changes is not known");
        }
        self.write(call.place, Value::Map(map), span)?;
        Ok(given)
    }

    /// `map.extend(pairs)`
    fn extend_map(&mut self, call: &Call<'_>, map: &mut Map, more: &Value) -> Run<()> {
        let span = call.span;
        let mut iter = self.iterate(more.clone(), span)?;
        while let Some(pair) = self.next(&mut iter, span)? {
            let Value::Tuple(pair) = pair else {
                return call.unsupported(&Value::Map(map.clone()));
            };
            let [key, value] = &pair[..] else {
                return call.unsupported(&Value::Map(map.clone()));
            };
            // `extend` with references copies them.
            let owned = |value: &Value, own: bool| match value {
                Value::Ref(inner) if own => Value::clone(inner),
                value => value.clone(),
            };
            let own = !matches!(
                map.entries.first(),
                Some((Value::Ref(_), _)) | Some((_, Value::Ref(_)))
            ) && (map.types.is_some() || !map.entries.is_empty());
            let (key, value) = (owned(key, own), owned(value, own));
            let (key, value) = self.entry_of(map, &key, &value, span)?;
            self.insert(map, key, value, span)?;
            self.check_size(map.entries.len(), span)?;
        }
        Ok(())
    }

    /// `map.append(&mut other)`
    fn append_map(&mut self, call: &Call<'_>, map: &mut Map, other: &MutPlace) -> Run<()> {
        let span = call.span;
        let Some(Value::Map(more)) = self.at(other).map(|value| self.load(value)) else {
            return call.unsupported(&Value::Map(map.clone()));
        };
        if map.kind == MapKind::Sorted {
            let keys = map.entries.iter().chain(more.entries.iter());
            let keys = keys.map(|(key, _)| key.clone()).collect();
            self.check_one_order(keys, span)?;
        }
        for (key, value) in more.entries.iter() {
            self.insert(map, key.clone(), value.clone(), span)?;
        }
        let empty = Value::Map(Map {
            entries: Arc::default(),
            ..more
        });
        self.write(other, empty, span)
    }

    /// `map.retain(|key, value| ..)`
    fn retain_entries(&mut self, map: &mut Map, function: &Value, span: Span) -> Run<()> {
        self.check_order(&Value::Map(map.clone()), span)?;
        let mut kept = Vec::with_capacity(map.entries.len());
        for (key, value) in map.entries.iter() {
            let slot = self.store(value.clone());
            let args = vec![
                Value::reference(key.clone()),
                Value::MutPlace(MutPlace::of(slot)),
            ];
            if self.asks(function, args, span)? {
                let value = self.slots.get(slot).cloned();
                kept.push((key.clone(), value.unwrap_or_else(Value::unit)));
            }
        }
        map.entries = Arc::new(kept);
        Ok(())
    }

    /// Coerces a key and a value to the types of a map.
    fn entry_of(
        &mut self,
        map: &Map,
        key: &Value,
        value: &Value,
        span: Span,
    ) -> Run<(Value, Value)> {
        let (mut key, mut value) = (key.clone(), value.clone());
        if let Some(types) = map.types.clone() {
            key = self.coerce(key, &types.0, span)?;
            value = self.coerce(value, &types.1, span)?;
        } else if let Some((first, of_first)) = map.entries.first() {
            let mut keys = vec![first.clone(), key];
            self.same_numbers(&mut keys);
            key = keys.pop().unwrap_or_else(Value::unit);
            let mut values = vec![of_first.clone(), value];
            self.same_numbers(&mut values);
            value = values.pop().unwrap_or_else(Value::unit);
        }
        Ok((key, value))
    }

    /// `map.entry(key)`: a value with the map's place and the key.
    fn entry(&mut self, call: &Call<'_>, map: &Map, key: Value) -> Run {
        if call.via == Via::Shared {
            return stop(call.span, "the value that this changes is not known");
        }
        let key = match map.types.clone() {
            Some(types) => self.coerce(key, &types.0, call.span)?,
            None => key,
        };
        Ok(Value::Entry(call.place.clone(), Box::new(key)))
    }

    /// `map.entry(key).or_insert(x)` and the like.
    pub(super) fn entry_method(
        &mut self,
        call: &Call<'_>,
        place: &MutPlace,
        key: Value,
        args: Vec<Value>,
    ) -> Run {
        let span = call.span;
        let Some(Value::Map(map)) = self.at(place).cloned() else {
            return stop(span, "the value that this changes is not known");
        };
        let at = self.key_at(&map, &key, span)?;
        match call.name {
            "or_insert" | "or_insert_with" | "or_default" | "or_insert_with_key" => {
                if at.is_none() {
                    let ty = map.types.as_ref().map(|types| types.1.clone());
                    let value = match (call.name, &args[..]) {
                        ("or_insert", [value]) => value.clone(),
                        ("or_insert_with", [function]) => {
                            self.apply(function, Vec::new(), Want::maybe(ty.as_ref()), span)?
                        }
                        ("or_insert_with_key", [function]) => {
                            let args = vec![Value::reference(key.clone())];
                            self.apply(function, args, Want::maybe(ty.as_ref()), span)?
                        }
                        _ => {
                            let known = ty.or_else(|| {
                                map.entries.first().map(|(_, value)| self.type_of(value))
                            });
                            match known.filter(|ty| !ty.is_open()) {
                                Some(ty) => self.default_of(&ty, span)?,
                                None => {
                                    return stop(span, "the type of these values is not known");
                                }
                            }
                        }
                    };
                    let mut changed = map;
                    let (key, value) = self.entry_of(&changed, &key, &value, span)?;
                    self.insert(&mut changed, key, value, span)?;
                    self.write(place, Value::Map(changed), span)?;
                }
                let Some(Value::Map(map)) = self.at(place).cloned() else {
                    return stop(span, "the value that this changes is not known");
                };
                match self.key_at(&map, &key, span)? {
                    Some(at) => Ok(Value::MutPlace(place.part(PlaceElem::Item(at)))),
                    None => stop(span, "the value that this changes is not known"),
                }
            }
            "and_modify" => {
                if let Some(at) = at {
                    let function = self.only(call, args)?;
                    let item = Value::MutPlace(place.part(PlaceElem::Item(at)));
                    self.apply(&function, vec![item], Want::any(), span)?;
                }
                Ok(Value::Entry(place.clone(), Box::new(key)))
            }
            "key" => Ok(Value::reference(key)),
            "insert_entry" => stop(span, "`.insert_entry()` is not evaluated"),
            _ => stop(
                span,
                format!("`.{}()` on an entry is not evaluated", call.name),
            ),
        }
    }
}
