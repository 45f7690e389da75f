//! The methods that change the items of a list or a set.

use super::Call;
use crate::eval::machine::{Machine, Run, Want, panics, stop};
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::value::{MutPlace, Seq, Value};
use crd_channels_diagnostics::Span;
use std::cmp::Ordering;
use std::mem::{replace, take};
use std::sync::Arc;

impl Machine<'_> {
    /// Returns the changed items and the method's result; `None` if the method changes nothing.
    pub(super) fn changed_sequence(
        &mut self,
        call: &Call<'_>,
        seq: &Seq,
        args: &[Value],
    ) -> Run<Option<(Vec<Value>, Value)>> {
        let mut items = seq.items.to_vec();
        for change in [
            Self::change_at_end,
            Self::change_at_index,
            Self::change_set,
            Self::change_length,
            Self::take_items_of,
            Self::keep_some,
            Self::sort,
        ] {
            if let Some(given) = change(self, call, seq, &mut items, args)? {
                return Ok(Some((items, given)));
            }
        }
        let given = self.reorder(call, seq, &mut items, args)?;
        Ok(given.map(|given| (items, given)))
    }

    /// Adds or removes an item at an end.
    fn change_at_end(
        &mut self,
        call: &Call<'_>,
        seq: &Seq,
        items: &mut Vec<Value>,
        args: &[Value],
    ) -> Run<Option<Value>> {
        let span = call.span;
        let given = match (call.name, seq.kind, args) {
            ("push", SeqKind::Vec, [value]) | ("push_back", _, [value]) => {
                items.push(self.item_of(seq, value, span)?);
                Value::unit()
            }
            ("push_front", _, [value]) => {
                items.insert(0, self.item_of(seq, value, span)?);
                Value::unit()
            }
            ("push", SeqKind::Heap, [value]) => {
                items.push(self.item_of(seq, value, span)?);
                *items = self.sorted(take(items), span)?;
                self.check_unstable(items, span)?;
                Value::unit()
            }
            ("pop" | "pop_back", kind, []) if !kind.is_set() => Value::option(items.pop()),
            ("pop_front", kind, []) if !kind.is_set() => Value::option(removed_at(items, 0)),
            ("pop_last", SeqKind::Sorted, []) => Value::option(items.pop()),
            ("pop_first", SeqKind::Sorted, []) => Value::option(removed_at(items, 0)),
            _ => return Ok(None),
        };
        Ok(Some(given))
    }

    /// Adds or removes an item of a list at an index.
    fn change_at_index(
        &mut self,
        call: &Call<'_>,
        seq: &Seq,
        items: &mut Vec<Value>,
        args: &[Value],
    ) -> Run<Option<Value>> {
        let span = call.span;
        let given = match (call.name, seq.kind, args) {
            ("insert", SeqKind::Vec | SeqKind::Deque, [at, value]) => {
                let at = self.count_of(at, span)?;
                if at > items.len() {
                    return out_of_bounds(span);
                }
                items.insert(at, self.item_of(seq, value, span)?);
                Value::unit()
            }
            ("remove", SeqKind::Vec, [at]) => {
                let at = self.count_of(at, span)?;
                match removed_at(items, at) {
                    Some(removed) => removed,
                    None => return out_of_bounds(span),
                }
            }
            ("remove", SeqKind::Deque, [at]) => {
                let at = self.count_of(at, span)?;
                Value::option(removed_at(items, at))
            }
            ("swap_remove", SeqKind::Vec, [at]) => {
                let at = self.count_of(at, span)?;
                if at >= items.len() {
                    return out_of_bounds(span);
                }
                items.swap_remove(at)
            }
            _ => return Ok(None),
        };
        Ok(Some(given))
    }

    /// Adds or removes an item of a set by its value.
    fn change_set(
        &mut self,
        call: &Call<'_>,
        seq: &Seq,
        items: &mut Vec<Value>,
        args: &[Value],
    ) -> Run<Option<Value>> {
        let span = call.span;
        let [value] = args else {
            return Ok(None);
        };
        if !seq.kind.is_set() {
            return Ok(None);
        }
        let given = match call.name {
            "insert" => {
                let value = self.item_of(seq, value, span)?;
                let free = self.position(seq, &value, span)?.err();
                if let Some(at) = free {
                    items.insert(at, value);
                }
                Value::Bool(free.is_some())
            }
            "replace" => {
                let value = self.item_of(seq, value, span)?;
                match self.position(seq, &value, span)? {
                    Ok(at) => Value::option(items.get_mut(at).map(|old| replace(old, value))),
                    Err(at) => {
                        items.insert(at, value);
                        Value::Option(None)
                    }
                }
            }
            "remove" | "shift_remove" | "take" => {
                let found = self.position(seq, value, span)?;
                // `IndexSet::remove` moves the last item to its place.
                if seq.kind == SeqKind::Indexed && call.name == "remove" {
                    return call.unsupported(&Value::Seq(seq.clone()));
                }
                let removed = found.ok().map(|at| items.remove(at));
                match call.name {
                    "take" => Value::option(removed),
                    _ => Value::Bool(removed.is_some()),
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(given))
    }

    /// Cuts items off, or adds copies of a value.
    fn change_length(
        &mut self,
        call: &Call<'_>,
        seq: &Seq,
        items: &mut Vec<Value>,
        args: &[Value],
    ) -> Run<Option<Value>> {
        let span = call.span;
        let given = match (call.name, seq.kind, args) {
            ("clear", _, []) => {
                items.clear();
                Value::unit()
            }
            ("truncate", kind, [count]) if !kind.is_set() => {
                items.truncate(self.count_of(count, span)?);
                Value::unit()
            }
            ("split_off", SeqKind::Vec | SeqKind::Deque, [at]) => {
                let at = self.count_of(at, span)?;
                if at > items.len() {
                    return out_of_bounds(span);
                }
                Value::seq(seq.kind, items.split_off(at))
            }
            ("drain", SeqKind::Vec | SeqKind::Deque, [range]) => {
                match self.bounds(range, items.len(), span)? {
                    Some((from, to)) => Value::Iter(Box::new(Iter::of(items.drain(from..to)))),
                    None => return panics(span, "this range is out of bounds"),
                }
            }
            ("resize", SeqKind::Vec | SeqKind::Deque, [count, value]) => {
                let count = self.count_of(count, span)?;
                self.check_size(count, span)?;
                let value = self.item_of(seq, value, span)?;
                let more = self.copies(&value, count.saturating_sub(items.len()), span)?;
                items.truncate(count);
                items.extend(more);
                Value::unit()
            }
            ("fill", kind, [value]) if kind.is_slice() => {
                let value = self.item_of(seq, value, span)?;
                *items = self.copies(&value, items.len(), span)?;
                Value::unit()
            }
            _ => return Ok(None),
        };
        Ok(Some(given))
    }

    /// Adds the items of another collection or iterator.
    fn take_items_of(
        &mut self,
        call: &Call<'_>,
        seq: &Seq,
        items: &mut Vec<Value>,
        args: &[Value],
    ) -> Run<Option<Value>> {
        let span = call.span;
        match (call.name, args) {
            ("extend" | "extend_from_slice", [more]) => {
                let mut iter = self.iterate(more.clone(), span)?;
                while let Some(item) = self.next(&mut iter, span)? {
                    let item = self.extending_item(call, seq, item)?;
                    if seq.kind.is_set() {
                        self.put_into(seq.kind, items, item, span)?;
                    } else {
                        items.push(item);
                    }
                    self.check_size(items.len(), span)?;
                }
                if seq.kind == SeqKind::Heap {
                    self.restore_order(call, seq, items)?;
                }
            }
            ("append", [Value::MutPlace(other)]) => {
                let other = other.clone();
                let Some(Value::Seq(more)) = self.at(&other).map(|value| self.load(value)) else {
                    return call.unsupported(&Value::Seq(seq.clone()));
                };
                items.extend(more.items.iter().cloned());
                if seq.kind == SeqKind::Sorted {
                    self.check_one_order(items.clone(), span)?;
                }
                if seq.kind.is_set() || seq.kind == SeqKind::Heap {
                    self.restore_order(call, seq, items)?;
                }
                let empty = Value::Seq(Seq {
                    items: Arc::default(),
                    ..more
                });
                self.write(&other, empty, span)?;
            }
            _ => return Ok(None),
        }
        Ok(Some(Value::unit()))
    }

    /// Returns what `extend` adds for an item: it copies what references lead to.
    fn extending_item(&mut self, call: &Call<'_>, seq: &Seq, item: Value) -> Run {
        let item = match (&item, seq.items.first()) {
            (Value::Ref(inner), _) if call.name == "extend_from_slice" => {
                self.clone_of(&Value::clone(inner), call.span)?
            }
            (Value::Ref(inner), Some(own)) if !matches!(own, Value::Ref(_)) => Value::clone(inner),
            (Value::Ref(inner), None) if seq.item.is_some() => Value::clone(inner),
            _ => item,
        };
        self.item_of(seq, &item, call.span)
    }

    /// Brings the items of a set or heap into the order of its kind.
    fn restore_order(&mut self, call: &Call<'_>, seq: &Seq, items: &mut Vec<Value>) -> Run<()> {
        match self.collection(seq.kind, take(items), call.span)? {
            Value::Seq(seq) => {
                *items = seq.items.to_vec();
                Ok(())
            }
            _ => call.unsupported(&Value::Seq(seq.clone())),
        }
    }

    /// Keeps the items for which a predicate holds, or those that differ from the one before.
    fn keep_some(
        &mut self,
        call: &Call<'_>,
        seq: &Seq,
        items: &mut Vec<Value>,
        args: &[Value],
    ) -> Run<Option<Value>> {
        let span = call.span;
        match (call.name, seq.kind, args) {
            ("retain", _, [function]) => {
                self.check_order(&Value::Seq(seq.clone()), span)?;
                for item in take(items) {
                    if self.asks(function, vec![Value::reference(item.clone())], span)? {
                        items.push(item);
                    }
                }
            }
            ("dedup", SeqKind::Vec, []) => {
                for item in take(items) {
                    let again = match items.last().cloned() {
                        Some(last) => self.same(&last, &item, span)?,
                        None => false,
                    };
                    if !again {
                        items.push(item);
                    }
                }
            }
            ("dedup_by_key", SeqKind::Vec, [function]) => {
                let mut last: Option<Value> = None;
                for item in take(items) {
                    let slot = self.store(item.clone());
                    let arg = Value::MutPlace(MutPlace::of(slot));
                    let key = self.apply(function, vec![arg], Want::any(), span)?;
                    let again = match &last {
                        Some(last) => self.same(last, &key, span)?,
                        None => false,
                    };
                    if !again {
                        items.push(item);
                        last = Some(key);
                    }
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(Value::unit()))
    }

    /// Moves items without comparing them.
    fn reorder(
        &mut self,
        call: &Call<'_>,
        seq: &Seq,
        items: &mut [Value],
        args: &[Value],
    ) -> Run<Option<Value>> {
        let span = call.span;
        match (call.name, seq.kind, args) {
            ("reverse", kind, []) if kind.is_slice() => items.reverse(),
            ("swap", kind, [left, right]) if kind.is_slice() || kind == SeqKind::Deque => {
                let (left, right) = (self.count_of(left, span)?, self.count_of(right, span)?);
                if left.max(right) >= items.len() {
                    return out_of_bounds(span);
                }
                items.swap(left, right);
            }
            ("rotate_left" | "rotate_right", kind, [count]) if !kind.is_set() => {
                let count = self.count_of(count, span)?;
                if count > items.len() {
                    return out_of_bounds(span);
                }
                match call.name {
                    "rotate_left" => items.rotate_left(count),
                    _ => items.rotate_right(count),
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(Value::unit()))
    }

    /// Sorts the items: by their own order, by a function that compares them, or by keys.
    fn sort(
        &mut self,
        call: &Call<'_>,
        seq: &Seq,
        items: &mut Vec<Value>,
        args: &[Value],
    ) -> Run<Option<Value>> {
        let span = call.span;
        if !seq.kind.is_slice() {
            return Ok(None);
        }
        match (call.name, args) {
            ("sort" | "sort_unstable", []) => {
                *items = self.sorted(take(items), span)?;
                if call.name == "sort_unstable" {
                    self.check_unstable(items, span)?;
                }
            }
            ("sort_by", [function]) => {
                let compare = &mut |machine: &mut Self, left: &Value, right: &Value| {
                    machine.ordering_by(function, left, right, span)
                };
                *items =
                    self.unchanging(|machine| machine.sorted_by(take(items), compare, span))?;
            }
            ("sort_by_key" | "sort_by_cached_key", [function]) => {
                let mut keyed = Vec::with_capacity(items.len());
                for item in take(items) {
                    let args = vec![Value::reference(item.clone())];
                    let key = self
                        .unchanging(|machine| machine.apply(function, args, Want::any(), span))?;
                    keyed.push((key, item));
                }
                let sorted = self.sorted_by_key(keyed, span)?;
                *items = sorted.into_iter().map(|(_, item)| item).collect();
            }
            _ => return Ok(None),
        }
        Ok(Some(Value::unit()))
    }

    /// Returns the order of two items that a function determines.
    pub(super) fn ordering_by(
        &mut self,
        function: &Value,
        left: &Value,
        right: &Value,
        span: Span,
    ) -> Run<Ordering> {
        let args = vec![
            Value::reference(left.clone()),
            Value::reference(right.clone()),
        ];
        match self.apply(function, args, Want::any(), span)? {
            Value::Ordering(order) => Ok(order),
            other => stop(span, format!("{} is not an order", other.kind())),
        }
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
}

/// Removes the item at an index, if there is one.
fn removed_at(items: &mut Vec<Value>, at: usize) -> Option<Value> {
    (at < items.len()).then(|| items.remove(at))
}

fn out_of_bounds<T>(span: Span) -> Run<T> {
    panics(span, "this index is out of bounds")
}
