//! Builds std's collections: which ones sort, and which ones drop duplicates.

use crate::eval::machine::{Machine, Run, stop};
use crate::eval::traits::into_iterator::has_adt;
use crate::eval::values::kinds::{MapKind, SeqKind};
use crate::eval::values::value::{Map, Value};
use crd_channels_diagnostics::Span;
use std::cmp::Ordering;
use std::sync::Arc;

impl Machine<'_> {
    /// Sorts items by an order of the program. std guarantees no result if that is not a total order.
    pub(crate) fn sorted_by<T>(
        &mut self,
        items: Vec<T>,
        compare: &mut dyn FnMut(&mut Self, &T, &T) -> Run<Ordering>,
        span: Span,
    ) -> Run<Vec<T>> {
        let sorted = self.merged_by(items, compare)?;
        let (mut ranks, mut rank) = (Vec::with_capacity(sorted.len()), 0);
        for (index, item) in sorted.iter().enumerate() {
            if let Some(before) = index.checked_sub(1).and_then(|before| sorted.get(before))
                && compare(self, before, item)? != Ordering::Equal
            {
                rank += 1;
            }
            ranks.push((rank, item));
        }
        for (left_rank, left) in &ranks {
            for (right_rank, right) in &ranks {
                if compare(self, left, right)? != left_rank.cmp(right_rank) {
                    return stop(span, "this is not a total order");
                }
            }
        }
        Ok(sorted)
    }

    /// Runs what std calls an unspecified number of times: it must not change anything.
    pub(crate) fn unchanging<T>(&mut self, run: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        self.under(&Value::unit(), run)
    }

    /// A merge sort, stable like std's.
    fn merged_by<T>(
        &mut self,
        items: Vec<T>,
        compare: &mut dyn FnMut(&mut Self, &T, &T) -> Run<Ordering>,
    ) -> Run<Vec<T>> {
        if items.len() < 2 {
            return Ok(items);
        }
        let mut left = items;
        let right = left.split_off(left.len() / 2);
        let left = self.merged_by(left, compare)?;
        let right = self.merged_by(right, compare)?;
        let mut merged = Vec::with_capacity(left.len() + right.len());
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        while let (Some(own), Some(other)) = (left.peek(), right.peek()) {
            let takes_right = compare(self, own, other)? == Ordering::Greater;
            merged.extend(if takes_right {
                right.next()
            } else {
                left.next()
            });
        }
        merged.extend(left);
        merged.extend(right);
        Ok(merged)
    }

    /// Sorts values in their own order.
    pub(crate) fn sorted(&mut self, items: Vec<Value>, span: Span) -> Run<Vec<Value>> {
        self.sorted_on(items, |item| item, span)
    }

    /// Sorts pairs by their keys.
    pub(crate) fn sorted_by_key(
        &mut self,
        pairs: Vec<(Value, Value)>,
        span: Span,
    ) -> Run<Vec<(Value, Value)>> {
        self.sorted_on(pairs, |(key, _)| key, span)
    }

    /// Sorts items by their keys, whose order the program defines for its own types.
    fn sorted_on<T>(
        &mut self,
        items: Vec<T>,
        key: impl Fn(&T) -> &Value,
        span: Span,
    ) -> Run<Vec<T>> {
        let are_own = items.iter().any(|item| has_adt(key(item)));
        let compare = &mut |machine: &mut Self, left: &T, right: &T| {
            machine.spend(span, 1)?;
            machine.order(key(left), key(right), span)
        };
        match are_own {
            true => self.sorted_by(items, compare, span),
            false => self.merged_by(items, compare),
        }
    }

    /// Returns true if no item is greater than the next, and all are comparable.
    pub(crate) fn is_sorted(&mut self, items: &[Value], span: Span) -> Run<bool> {
        for pair in items.windows(2) {
            if let [left, right] = pair
                && self
                    .partial_compare(left, right, span)?
                    .is_none_or(Ordering::is_gt)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Builds a collection from items in the order of their insertion.
    pub(crate) fn collection(&mut self, kind: SeqKind, items: Vec<Value>, span: Span) -> Run {
        self.check_size(items.len(), span)?;
        let mut items = items;
        self.same_numbers(&mut items);
        let items = match kind {
            SeqKind::Sorted => {
                // Like std: of equal neighbours, as `==` defines it rather than their order, the last is kept.
                let mut kept: Vec<Value> = Vec::with_capacity(items.len());
                for item in self.sorted(items, span)? {
                    if let Some(last) = kept.last().cloned()
                        && self.same(&last, &item, span)?
                    {
                        kept.pop();
                    }
                    kept.push(item);
                }
                kept
            }
            SeqKind::Hashed | SeqKind::Indexed => {
                let mut kept: Vec<Value> = Vec::with_capacity(items.len());
                for item in items {
                    if !self.contains(&kept, &item, span)? {
                        kept.push(item);
                    }
                }
                kept
            }
            SeqKind::Heap => {
                let sorted = self.sorted(items, span)?;
                self.check_unstable(&sorted, span)?;
                sorted
            }
            _ => items,
        };
        Ok(Value::seq(kind, items))
    }

    /// Inserts an item into a set, unless its order finds it there.
    pub(crate) fn put_into(
        &mut self,
        kind: SeqKind,
        items: &mut Vec<Value>,
        item: Value,
        span: Span,
    ) -> Run<()> {
        if kind != SeqKind::Sorted {
            if !self.contains(items, &item, span)? {
                items.push(item);
            }
            return Ok(());
        }
        for index in 0..items.len() {
            self.spend(span, 1)?;
            let Some(known) = items.get(index).cloned() else {
                break;
            };
            match self.order(&known, &item, span)? {
                Ordering::Less => {}
                Ordering::Equal => return Ok(()),
                Ordering::Greater => {
                    items.insert(index, item);
                    return Ok(());
                }
            }
        }
        items.push(item);
        Ok(())
    }

    /// Refuses an unstable sort of structs that are equal by their order, since they may differ otherwise.
    pub(crate) fn check_unstable(&mut self, sorted: &[Value], span: Span) -> Run<()> {
        for pair in sorted.windows(2) {
            if let [left, right] = pair
                && has_adt(left)
                && self.order(left, right, span)? == Ordering::Equal
            {
                return stop(span, "the order of equal items is not known");
            }
        }
        Ok(())
    }

    /// Refuses to combine sets with items that are equal by their order but differ otherwise: std does not specify which is
    /// kept.
    pub(crate) fn check_one_order(&mut self, items: Vec<Value>, span: Span) -> Run<()> {
        if !items.iter().any(has_adt) {
            return Ok(());
        }
        for pair in self.sorted(items, span)?.windows(2) {
            if let [left, right] = pair
                && self.order(left, right, span)? == Ordering::Equal
                && !self.same(left, right, span)?
            {
                return stop(span, "the kept one of several equal items is not known");
            }
        }
        Ok(())
    }

    /// Builds a map from entries in the order of their insertion: the last entry of a key is kept.
    pub(crate) fn mapping(
        &mut self,
        kind: MapKind,
        entries: Vec<(Value, Value)>,
        span: Span,
    ) -> Run {
        let mut map = Map {
            kind,
            entries: Arc::default(),
            types: None,
        };
        self.check_size(entries.len(), span)?;
        if kind == MapKind::Sorted {
            map.entries = Arc::new(self.sorted_entries(entries, span)?);
            return Ok(Value::Map(map));
        }
        for (key, value) in entries {
            self.insert(&mut map, key, value, span)?;
        }
        Ok(Value::Map(map))
    }

    /// Returns the entries of a sorted map as std builds it: of neighbours with equal keys the last is kept.
    fn sorted_entries(
        &mut self,
        entries: Vec<(Value, Value)>,
        span: Span,
    ) -> Run<Vec<(Value, Value)>> {
        let mut kept: Vec<(Value, Value)> = Vec::with_capacity(entries.len());
        for (key, value) in self.sorted_by_key(entries, span)? {
            if let Some((last, _)) = kept.last() {
                let last = last.clone();
                if self.same(&last, &key, span)? {
                    kept.pop();
                }
            }
            kept.push((key, value));
        }
        Ok(kept)
    }

    /// Inserts an entry into a map; returns the previous value of its key.
    pub(crate) fn insert(
        &mut self,
        map: &mut Map,
        key: Value,
        value: Value,
        span: Span,
    ) -> Run<Option<Value>> {
        let mut at = map.entries.len();
        for (index, (known, _)) in map.entries.iter().enumerate() {
            self.spend(span, 1)?;
            let (known, key) = (known.clone(), &key);
            if map.kind == MapKind::Sorted {
                match self.order(&known, key, span)? {
                    Ordering::Less => {}
                    Ordering::Equal => {
                        let entry = Arc::make_mut(&mut map.entries).get_mut(index);
                        return Ok(entry.map(|(_, old)| std::mem::replace(old, value)));
                    }
                    Ordering::Greater => {
                        at = index;
                        break;
                    }
                }
            } else if self.same(&known, key, span)? {
                let entry = Arc::make_mut(&mut map.entries).get_mut(index);
                return Ok(entry.map(|(_, old)| std::mem::replace(old, value)));
            }
        }
        Arc::make_mut(&mut map.entries).insert(at, (key, value));
        Ok(None)
    }
}
