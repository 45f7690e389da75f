//! Methods of lists that change nothing.

use super::Call;
use crate::eval::machine::{Machine, Run, Want, panics};
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::{SeqKind, Wrapper};
use crate::eval::values::value::{Seq, Value};
use crd_channels_diagnostics::Span;
use std::cmp::Ordering;
use std::sync::Arc;

/// Returns a part of a list, as a reference to a slice.
fn part_of(seq: &Seq, items: &[Value]) -> Value {
    Value::reference(Value::Seq(Seq {
        kind: SeqKind::Slice,
        items: Arc::new(items.to_vec()),
        item: seq.item.clone(),
    }))
}

/// Returns an iterator over parts of a list.
fn parts_of<'v>(seq: &Seq, parts: impl IntoIterator<Item = &'v [Value]>) -> Value {
    let parts = parts.into_iter().map(|part| part_of(seq, part));
    Value::Iter(Box::new(Iter::of(parts)))
}

/// Returns a list of another kind with the same items.
fn of_kind(seq: &Seq, kind: SeqKind) -> Value {
    Value::Seq(Seq {
        kind,
        ..seq.clone()
    })
}

/// Returns an item and the items beside it.
fn item_and_rest(seq: &Seq, split: Option<(&Value, &[Value])>) -> Value {
    Value::option(
        split.map(|(item, rest)| {
            Value::Tuple(vec![Value::reference(item.clone()), part_of(seq, rest)])
        }),
    )
}

impl Machine<'_> {
    pub(super) fn slice_method(&mut self, call: &Call<'_>, seq: Seq, args: Vec<Value>) -> Run {
        let span = call.span;
        let refused = || call.unsupported(&Value::Seq(seq.clone()));
        let items = &seq.items;
        let found = |item: Option<&Value>| Ok(Value::option(item.cloned().map(Value::reference)));
        let item_place = |machine: &Self, at: Option<usize>| {
            let at = at.filter(|at| *at < items.len());
            Ok(Value::option(at.map(|at| machine.item_place(call, at))))
        };
        let loaded: Vec<Value> = args.iter().map(|arg| self.load(arg)).collect();
        match (call.name, &loaded[..]) {
            ("first" | "front", []) => found(items.first()),
            ("last" | "back", []) => found(items.last()),
            ("first_mut" | "front_mut", []) => item_place(self, Some(0)),
            ("last_mut" | "back_mut", []) => item_place(self, items.len().checked_sub(1)),
            ("get", [Value::Int(at)]) => {
                let at = usize::try_from(at.value).ok();
                found(at.and_then(|at| items.get(at)))
            }
            ("get", [range @ Value::Range(..)]) => {
                let bounds = self.bounds(range, items.len(), span)?;
                let part = bounds.and_then(|(from, to)| items.get(from..to));
                Ok(Value::option(part.map(|part| part_of(&seq, part))))
            }
            ("get_mut", [Value::Int(at)]) => item_place(self, usize::try_from(at.value).ok()),
            ("as_slice", []) => Ok(part_of(&seq, items)),
            ("to_vec", []) => self.clone_of(&of_kind(&seq, SeqKind::Vec), span),
            ("into_vec", []) => Ok(of_kind(&seq, SeqKind::Vec)),
            ("into_boxed_slice", []) => Ok(Value::Wrapped(
                Wrapper::Box,
                Box::new(of_kind(&seq, SeqKind::Slice)),
            )),
            ("map", [_]) if seq.kind == SeqKind::Array => {
                let function = self.only(call, args)?;
                let mut made = Vec::with_capacity(items.len());
                for item in items.iter() {
                    made.push(self.apply(&function, vec![item.clone()], Want::any(), span)?);
                }
                Ok(Value::seq(SeqKind::Array, made))
            }
            ("join", [separator]) | ("connect", [separator]) => self.joined(call, &seq, separator),
            ("concat", []) => self.concatenated(call, &seq),
            ("repeat", [count]) => {
                let count = self.count_of(count, span)?;
                self.check_size(items.len().saturating_mul(count), span)?;
                let all = std::iter::repeat_n(items.iter().cloned(), count).flatten();
                let all = Value::seq(SeqKind::Vec, all.collect());
                self.clone_of(&all, span)
            }
            ("starts_with", [Value::Seq(other)]) => {
                self.same_items(items.get(..other.items.len()), &other.items, span)
            }
            ("ends_with", [Value::Seq(other)]) => {
                let from = items.len().checked_sub(other.items.len());
                let end = from.and_then(|from| items.get(from..));
                self.same_items(end, &other.items, span)
            }
            ("windows" | "chunks" | "chunks_exact" | "rchunks", [size]) => {
                self.chunks(call, &seq, size)
            }
            ("split_at", [at]) => {
                let at = self.count_of(at, span)?;
                match items.split_at_checked(at) {
                    Some((before, behind)) => Ok(Value::Tuple(vec![
                        part_of(&seq, before),
                        part_of(&seq, behind),
                    ])),
                    None => panics(span, "this index is out of bounds"),
                }
            }
            ("split_first", []) => Ok(item_and_rest(&seq, items.split_first())),
            ("split_last", []) => Ok(item_and_rest(&seq, items.split_last())),
            ("split", [_]) => {
                let function = self.only(call, args)?;
                self.split_where(&seq, &function, span)
            }
            ("is_sorted", []) => self.is_sorted(items, span).map(Value::Bool),
            ("binary_search", [wanted]) => self.binary_search(call, &seq, wanted),
            ("make_contiguous", []) => Ok(Value::MutPlace(call.place.clone())),
            _ => refused(),
        }
    }

    /// `[["a"], ["b"]].concat()`
    fn concatenated(&mut self, call: &Call<'_>, seq: &Seq) -> Run {
        let texts: Option<Vec<_>> = seq.items.iter().map(|item| item.text().cloned()).collect();
        if let Some(texts) = texts {
            return Ok(Value::string(texts.concat()));
        }
        let mut all = Vec::new();
        for item in seq.items.iter() {
            match self.load(item) {
                Value::Seq(inner) if inner.kind.is_slice() => {
                    all.extend(inner.items.iter().cloned());
                }
                _ => return call.unsupported(&Value::Seq(seq.clone())),
            }
        }
        self.check_size(all.len(), call.span)?;
        let all = Value::seq(SeqKind::Vec, all);
        self.clone_of(&all, call.span)
    }

    /// Returns whether a part, if it exists, has these items.
    fn same_items(&mut self, part: Option<&[Value]>, others: &[Value], span: Span) -> Run {
        let Some(part) = part else {
            return Ok(Value::Bool(false));
        };
        for (left, right) in part.iter().zip(others) {
            if !self.same(left, right, span)? {
                return Ok(Value::Bool(false));
            }
        }
        Ok(Value::Bool(true))
    }

    /// `list.windows(2)` and the like.
    fn chunks(&self, call: &Call<'_>, seq: &Seq, size: &Value) -> Run {
        let (items, size) = (&seq.items, self.count_of(size, call.span)?);
        if size == 0 {
            return panics(call.span, "a chunk must have at least one item");
        }
        Ok(match call.name {
            "windows" => parts_of(seq, items.windows(size)),
            "chunks" => parts_of(seq, items.chunks(size)),
            "rchunks" => parts_of(seq, items.rchunks(size)),
            _ => parts_of(seq, items.chunks_exact(size)),
        })
    }

    /// `list.split(|item| ..)`
    fn split_where(&mut self, seq: &Seq, function: &Value, span: Span) -> Run {
        let items = &seq.items;
        let mut parts = Vec::new();
        let mut start = 0;
        for (index, item) in items.iter().enumerate() {
            if self.asks(function, vec![Value::reference(item.clone())], span)? {
                parts.push(items.get(start..index).unwrap_or_default());
                start = index + 1;
            }
        }
        parts.push(items.get(start..).unwrap_or_default());
        Ok(parts_of(seq, parts))
    }

    /// `list.binary_search(&x)`, which may find any of several equal items.
    fn binary_search(&mut self, call: &Call<'_>, seq: &Seq, wanted: &Value) -> Run {
        let mut at = Vec::new();
        let mut before = 0;
        for (index, item) in seq.items.iter().enumerate() {
            match self.order(item, wanted, call.span)? {
                Ordering::Less => before = index + 1,
                Ordering::Equal => at.push(index),
                Ordering::Greater => {}
            }
        }
        match &at[..] {
            [] => Ok(Value::err(self.size(before, call.span)?)),
            [only] => Ok(Value::ok(self.size(*only, call.span)?)),
            _ => call.unsupported(&Value::Seq(seq.clone())),
        }
    }

    /// `["a", "b"].join("-")`
    fn joined(&mut self, call: &Call<'_>, seq: &Seq, separator: &Value) -> Run {
        let texts: Vec<_> = seq
            .items
            .iter()
            .filter_map(|item| item.text().cloned())
            .collect();
        let all_texts = texts.len() == seq.items.len();
        match separator.text() {
            Some(separator) if all_texts => {
                let made = texts.join(&**separator);
                self.check_size(made.len(), call.span)?;
                Ok(Value::string(made))
            }
            _ => {
                let mut all: Vec<Value> = Vec::new();
                for (index, item) in seq.items.iter().enumerate() {
                    let Value::Seq(inner) = self.load(item) else {
                        return call.unsupported(&Value::Seq(seq.clone()));
                    };
                    if index > 0 {
                        match separator {
                            Value::Seq(between) => all.extend(between.items.iter().cloned()),
                            item => all.push(item.clone()),
                        }
                    }
                    all.extend(inner.items.iter().cloned());
                }
                self.check_size(all.len(), call.span)?;
                let all = Value::seq(SeqKind::Vec, all);
                self.clone_of(&all, call.span)
            }
        }
    }
}
