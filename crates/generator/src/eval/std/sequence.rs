//! Methods of lists and sets, their positions, ranges and indices.

use super::Call;
use crate::eval::machine::{Machine, Run, Want, panics, stop};
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::value::{PlaceElem, Seq, Value, Via};
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
