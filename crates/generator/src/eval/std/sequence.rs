//! Mutating methods of lists and sets.

use super::Call;
use crate::eval::machine::{Machine, Run, Want, panics, stop};
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::value::Via;
use crate::eval::values::value::{PlaceElem, Seq, Value};
use crd_channels_diagnostics::Span;
use std::cmp::Ordering;
use std::sync::Arc;

impl Machine<'_> {
    pub(super) fn sequence_method(
        &mut self,
        call: &Call<'_>,
        value: Value,
        args: Vec<Value>,
    ) -> Run {
        let Value::Seq(seq) = value else {
            return call.unsupported(&value);
        };
        match call.name {
            "len" => return self.size(seq.items.len(), call.span),
            "is_empty" => return Ok(Value::Bool(seq.items.is_empty())),
            "reserve" | "shrink_to_fit" | "reserve_exact" | "shrink_to" => return Ok(Value::unit()),
            "iter" => {
                let iter = self.iterate(Value::reference(Value::Seq(seq)), call.span)?;
                return Ok(Value::Iter(Box::new(iter)));
            }
            "iter_mut" => {
                let iter = self.iterate(Value::MutPlace(call.place.clone()), call.span)?;
                return Ok(Value::Iter(Box::new(iter)));
            }
            "into_iter" => {
                let list = match call.via {
                    Via::Owned => Value::Seq(seq),
                    Via::Shared => Value::reference(Value::Seq(seq)),
                    Via::Mutable => Value::MutPlace(call.place.clone()),
                };
                let iter = self.iterate(list, call.span)?;
                return Ok(Value::Iter(Box::new(iter)));
            }
            "contains" => {
                let wanted = self.only(call, args)?;
                return self
                    .contains(&seq.items, &wanted, call.span)
                    .map(Value::Bool);
            }
            _ => {}
        }
        if let Some((changed, given)) = self.changed_sequence(call, &seq, &args)? {
            if call.via == Via::Shared {
                return stop(call.span, "the value that this changes is not known");
            }
            self.check_size(changed.len(), call.span)?;
            let changed = Seq {
                items: Arc::new(changed),
                ..seq
            };
            self.write(call.place, Value::Seq(changed), call.span)?;
            return Ok(given);
        }
        if seq.kind.is_set() {
            return self.set_method(call, seq, args);
        }
        if seq.kind == SeqKind::Heap {
            return match call.name {
                "peek" => Ok(Value::option(
                    seq.items.last().cloned().map(Value::reference),
                )),
                "into_sorted_vec" => Ok(Value::seq(SeqKind::Vec, seq.items.to_vec())),
                _ => call.unsupported(&Value::Seq(seq)),
            };
        }
        self.slice_method(call, seq, args)
    }

    /// Returns the changed list and the method's result; `None` if the method changes nothing.
    fn changed_sequence(
        &mut self,
        call: &Call<'_>,
        seq: &Seq,
        args: &[Value],
    ) -> Run<Option<(Vec<Value>, Value)>> {
        let span = call.span;
        let mut items = seq.items.to_vec();
        let unit = Value::unit;
        let given = match (call.name, seq.kind, args) {
            ("push", SeqKind::Vec, [value]) | ("push_back", _, [value]) => {
                let value = self.item_of(seq, value, span)?;
                items.push(value);
                unit()
            }
            ("push_front", _, [value]) => {
                let value = self.item_of(seq, value, span)?;
                items.insert(0, value);
                unit()
            }
            ("push", SeqKind::Heap, [value]) => {
                let value = self.item_of(seq, value, span)?;
                items.push(value);
                items = self.sorted(items, span)?;
                self.check_unstable(&items, span)?;
                unit()
            }
            ("pop" | "pop_back", kind, []) if !kind.is_set() => Value::option(items.pop()),
            ("pop_front", kind, []) if !kind.is_set() => {
                let first = (!items.is_empty()).then(|| items.remove(0));
                Value::option(first)
            }
            ("pop_last", SeqKind::Sorted, []) => Value::option(items.pop()),
            ("pop_first", SeqKind::Sorted, []) => {
                let first = (!items.is_empty()).then(|| items.remove(0));
                Value::option(first)
            }
            ("clear", _, []) => {
                items.clear();
                unit()
            }
            ("insert", kind, [value]) if kind.is_set() => {
                let value = self.item_of(seq, value, span)?;
                match self.position(seq, &value, span)? {
                    Ok(_) => Value::Bool(false),
                    Err(at) => {
                        items.insert(at, value);
                        Value::Bool(true)
                    }
                }
            }
            ("replace", kind, [value]) if kind.is_set() => {
                let value = self.item_of(seq, value, span)?;
                match self.position(seq, &value, span)? {
                    Ok(at) => {
                        let old = items.get_mut(at).map(|old| std::mem::replace(old, value));
                        Value::option(old)
                    }
                    Err(at) => {
                        items.insert(at, value);
                        Value::Option(None)
                    }
                }
            }
            ("remove" | "shift_remove" | "take", kind, [value]) if kind.is_set() => {
                let found = self.position(seq, value, span)?;
                // `IndexSet::remove` moves the last item to its place.
                if kind == SeqKind::Indexed && call.name == "remove" {
                    return call.unsupported(&Value::Seq(seq.clone()));
                }
                let removed = found.ok().map(|at| items.remove(at));
                match call.name {
                    "take" => Value::option(removed),
                    _ => Value::Bool(removed.is_some()),
                }
            }
            ("insert", SeqKind::Vec | SeqKind::Deque, [at, value]) => {
                let at = self.count_of(at, span)?;
                if at > items.len() {
                    return panics(span, "this index is out of bounds");
                }
                let value = self.item_of(seq, value, span)?;
                items.insert(at, value);
                unit()
            }
            ("remove", SeqKind::Vec, [at]) => {
                let at = self.count_of(at, span)?;
                if at >= items.len() {
                    return panics(span, "this index is out of bounds");
                }
                items.remove(at)
            }
            ("remove", SeqKind::Deque, [at]) => {
                let at = self.count_of(at, span)?;
                let removed = (at < items.len()).then(|| items.remove(at));
                Value::option(removed)
            }
            ("swap_remove", SeqKind::Vec, [at]) => {
                let at = self.count_of(at, span)?;
                if at >= items.len() {
                    return panics(span, "this index is out of bounds");
                }
                items.swap_remove(at)
            }
            ("truncate", kind, [count]) if !kind.is_set() => {
                items.truncate(self.count_of(count, span)?);
                unit()
            }
            ("split_off", SeqKind::Vec | SeqKind::Deque, [at]) => {
                let at = self.count_of(at, span)?;
                if at > items.len() {
                    return panics(span, "this index is out of bounds");
                }
                let rest = items.split_off(at);
                Value::seq(seq.kind, rest)
            }
            ("resize", SeqKind::Vec | SeqKind::Deque, [count, value]) => {
                let count = self.count_of(count, span)?;
                self.check_size(count, span)?;
                let value = self.item_of(seq, value, span)?;
                let more = self.copies(&value, count.saturating_sub(items.len()), span)?;
                items.truncate(count);
                items.extend(more);
                unit()
            }
            ("extend" | "extend_from_slice", _, [more]) => {
                let mut iter = self.iterate(more.clone(), span)?;
                while let Some(item) = self.next(&mut iter, span)? {
                    // `extend` with references copies them.
                    let item = match (&item, seq.items.first()) {
                        (Value::Ref(inner), _) if call.name == "extend_from_slice" => {
                            self.clone_of(&Value::clone(inner), span)?
                        }
                        (Value::Ref(inner), Some(own)) if !matches!(own, Value::Ref(_)) => {
                            Value::clone(inner)
                        }
                        (Value::Ref(inner), None) if seq.item.is_some() => Value::clone(inner),
                        _ => item,
                    };
                    let item = self.item_of(seq, &item, span)?;
                    if seq.kind.is_set() {
                        self.put_into(seq.kind, &mut items, item, span)?;
                    } else {
                        items.push(item);
                    }
                    self.check_size(items.len(), span)?;
                }
                if seq.kind == SeqKind::Heap {
                    match self.collection(seq.kind, items, span)? {
                        Value::Seq(seq) => items = seq.items.to_vec(),
                        _ => return call.unsupported(&Value::Seq(seq.clone())),
                    }
                }
                unit()
            }
            ("append", _, [Value::MutPlace(other)]) => {
                let other = other.clone();
                let Some(Value::Seq(more)) = self.at(&other).map(|value| self.load(value)) else {
                    return call.unsupported(&Value::Seq(seq.clone()));
                };
                items.extend(more.items.iter().cloned());
                if seq.kind == SeqKind::Sorted {
                    self.check_one_order(items.clone(), span)?;
                }
                if seq.kind.is_set() || seq.kind == SeqKind::Heap {
                    match self.collection(seq.kind, items, span)? {
                        Value::Seq(seq) => items = seq.items.to_vec(),
                        _ => return call.unsupported(&Value::Seq(seq.clone())),
                    }
                }
                let empty = Value::Seq(Seq {
                    items: Arc::default(),
                    ..more
                });
                self.write(&other, empty, span)?;
                unit()
            }
            ("retain", _, [function]) => {
                self.check_order(&Value::Seq(seq.clone()), span)?;
                let mut kept = Vec::with_capacity(items.len());
                for item in items {
                    if self.asks(function, vec![Value::reference(item.clone())], span)? {
                        kept.push(item);
                    }
                }
                items = kept;
                unit()
            }
            ("dedup", SeqKind::Vec, []) => {
                let mut kept: Vec<Value> = Vec::with_capacity(items.len());
                for item in items {
                    let again = match kept.last().cloned() {
                        Some(last) => self.same(&last, &item, span)?,
                        None => false,
                    };
                    if !again {
                        kept.push(item);
                    }
                }
                items = kept;
                unit()
            }
            ("dedup_by_key", SeqKind::Vec, [function]) => {
                let mut kept: Vec<(Value, Value)> = Vec::with_capacity(items.len());
                for item in items {
                    let slot = self.store(item.clone());
                    let arg = Value::MutPlace(crate::eval::values::value::MutPlace::of(slot));
                    let key = self.apply(function, vec![arg], Want::any(), span)?;
                    let again = match kept.last().cloned() {
                        Some((_, last)) => self.same(&last, &key, span)?,
                        None => false,
                    };
                    if !again {
                        kept.push((item, key));
                    }
                }
                items = kept.into_iter().map(|(item, _)| item).collect();
                unit()
            }
            ("drain", SeqKind::Vec | SeqKind::Deque, [range]) => {
                match self.bounds(range, items.len(), span)? {
                    Some((from, to)) => {
                        let drained: Vec<Value> = items.drain(from..to).collect();
                        Value::Iter(Box::new(Iter::of(drained)))
                    }
                    None => {
                        return panics(span, "this range is out of bounds");
                    }
                }
            }
            ("reverse", kind, []) if kind.is_slice() => {
                items.reverse();
                unit()
            }
            ("swap", kind, [left, right]) if kind.is_slice() || kind == SeqKind::Deque => {
                let (left, right) = (self.count_of(left, span)?, self.count_of(right, span)?);
                if left.max(right) >= items.len() {
                    return panics(span, "this index is out of bounds");
                }
                items.swap(left, right);
                unit()
            }
            ("rotate_left" | "rotate_right", kind, [count]) if !kind.is_set() => {
                let count = self.count_of(count, span)?;
                if count > items.len() {
                    return panics(span, "this index is out of bounds");
                }
                if call.name == "rotate_left" {
                    items.rotate_left(count);
                } else {
                    items.rotate_right(count);
                }
                unit()
            }
            ("fill", kind, [value]) if kind.is_slice() => {
                let value = self.item_of(seq, value, span)?;
                items = self.copies(&value, items.len(), span)?;
                unit()
            }
            ("sort", kind, []) | ("sort_unstable", kind, []) if kind.is_slice() => {
                items = self.sorted(items, span)?;
                if call.name == "sort_unstable" {
                    self.check_unstable(&items, span)?;
                }
                unit()
            }
            ("sort_by", kind, [function]) if kind.is_slice() => {
                let compare = &mut |machine: &mut Self, left: &Value, right: &Value| {
                    let args = vec![
                        Value::reference(left.clone()),
                        Value::reference(right.clone()),
                    ];
                    match machine.apply(function, args, Want::any(), span)? {
                        Value::Ordering(order) => Ok(order),
                        other => stop(span, format!("{} is not an order", other.kind())),
                    }
                };
                items = self.unchanging(|machine| machine.sorted_by(items, compare, span))?;
                unit()
            }
            ("sort_by_key" | "sort_by_cached_key", kind, [function]) if kind.is_slice() => {
                let mut keyed = Vec::with_capacity(items.len());
                for item in items {
                    let args = vec![Value::reference(item.clone())];
                    let key = self
                        .unchanging(|machine| machine.apply(function, args, Want::any(), span))?;
                    keyed.push((key, item));
                }
                let sorted = self.sorted_by_key(keyed, span)?;
                items = sorted.into_iter().map(|(_, item)| item).collect();
                unit()
            }
            _ => return Ok(None),
        };
        Ok(Some((items, given)))
    }

    /// Coerces a value to the item type of a list.
    fn item_of(&mut self, seq: &Seq, value: &Value, span: Span) -> Run {
        match &seq.item {
            Some(item) => self.coerce(value.clone(), &Arc::clone(item), span),
            None => match seq.items.first() {
                Some(first) => {
                    let mut both = vec![first.clone(), value.clone()];
                    self.same_numbers(&mut both);
                    Ok(both.pop().unwrap_or_else(Value::unit))
                }
                None => Ok(value.clone()),
            },
        }
    }

    /// Returns the index of an item in a set, or where it would be inserted.
    pub(super) fn position(
        &mut self,
        seq: &Seq,
        wanted: &Value,
        span: Span,
    ) -> Run<Result<usize, usize>> {
        for (index, item) in seq.items.iter().enumerate() {
            self.spend(span, 1)?;
            if seq.kind == SeqKind::Sorted {
                match self.order(item, wanted, span)? {
                    Ordering::Less => {}
                    Ordering::Equal => return Ok(Ok(index)),
                    Ordering::Greater => return Ok(Err(index)),
                }
            } else if self.same(item, wanted, span)? {
                return Ok(Ok(index));
            }
        }
        Ok(Err(seq.items.len()))
    }

    /// Returns true if a value is in a range.
    pub(super) fn is_within(&mut self, value: &Value, range: &Value, span: Span) -> Run<bool> {
        let Value::Range(start, end, closed) = range else {
            return stop(span, "this range is not evaluated");
        };
        if let Some(start) = start
            && self
                .partial_compare(value, start, span)?
                .is_none_or(Ordering::is_lt)
        {
            return Ok(false);
        }
        if let Some(end) = end {
            let order = self.partial_compare(value, end, span)?;
            return Ok(match order {
                Some(Ordering::Less) => true,
                Some(Ordering::Equal) => *closed,
                _ => false,
            });
        }
        Ok(true)
    }

    /// Returns the bounds of a range in a list of that length; `None` if it exceeds the list.
    pub(crate) fn bounds(
        &mut self,
        range: &Value,
        length: usize,
        span: Span,
    ) -> Run<Option<(usize, usize)>> {
        let Value::Range(start, end, closed) = self.load(range) else {
            return stop(span, "this range is not evaluated");
        };
        let from = match start {
            Some(start) => self.count_of(&start, span)?,
            None => 0,
        };
        let to = match end {
            Some(end) => self
                .count_of(&end, span)?
                .saturating_add(usize::from(closed)),
            None => length,
        };
        Ok((from <= to && to <= length).then_some((from, to)))
    }

    /// Returns `list[at]` as a value: an item or a part.
    pub(crate) fn indexed(&mut self, base: Value, at: &Value, span: Span) -> Run {
        let at = self.load(at);
        let loaded = self.load(&base);
        match (&loaded, &at) {
            (Value::Seq(seq), Value::Range(..)) if seq.kind.is_slice() => {
                match self.bounds(&at, seq.items.len(), span)? {
                    Some((from, to)) => {
                        let items = seq.items.get(from..to).unwrap_or_default();
                        Ok(Value::Seq(Seq {
                            kind: SeqKind::Slice,
                            items: Arc::new(items.to_vec()),
                            item: seq.item.clone(),
                        }))
                    }
                    None => panics(span, "this range is out of bounds"),
                }
            }
            (Value::Str(text) | Value::String(text), Value::Range(..)) => {
                let bounds = self.bounds(&at, text.len(), span)?;
                match bounds.and_then(|(from, to)| text.get(from..to)) {
                    Some(part) => Ok(Value::str(part)),
                    None => panics(span, "this range is out of bounds"),
                }
            }
            (Value::Seq(seq), Value::Int(index)) if !seq.kind.is_set() => {
                let index = usize::try_from(index.value).ok();
                match index.and_then(|index| seq.items.get(index)) {
                    Some(Value::Unknown(finding)) => Err(finding.clone().into()),
                    Some(item) => Ok(item.clone()),
                    None => panics(span, "this index is out of bounds"),
                }
            }
            (Value::Map(map), key) => match self.key_at(map, key, span)? {
                Some(index) => match map.entries.get(index) {
                    Some((_, value)) => Ok(value.clone()),
                    None => stop(span, "this index cannot be evaluated"),
                },
                None => panics(span, "this key is not in the map"),
            },
            (Value::Pending(pending), key) => self.pending_indexed(pending, key, span),
            (Value::Json(content), key) if matches!(**content, Value::Pending(_)) => stop(
                span,
                format!("`[{}]` on {} is not evaluated", key.kind(), content.kind()),
            ),
            (Value::Json(content), key) => {
                Ok(crate::eval::serde::json_value::indexed(content, key))
            }
            (Value::Adt(_), _) => {
                let made = self.user_method(&loaded, "index", vec![at], Want::any(), span)?;
                Ok(self.load(&made))
            }
            (Value::Wrapped(wrapper, inner), _) if wrapper.derefs() => {
                let inner = Value::clone(inner);
                self.indexed(inner, &at, span)
            }
            _ => stop(span, "this index cannot be evaluated"),
        }
    }

    /// Returns a reference to the place of an item.
    pub(super) fn item_place(&self, call: &Call<'_>, index: usize) -> Value {
        Value::MutPlace(call.place.part(PlaceElem::Item(index)))
    }
}
