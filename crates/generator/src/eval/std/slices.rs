//! Methods of lists that change nothing.

use super::Call;
use crate::eval::machine::{Machine, Run, Want, panics};
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::value::{Seq, Value};
use std::cmp::Ordering;
use std::sync::Arc;

impl Machine<'_> {
    pub(super) fn slice_method(&mut self, call: &Call<'_>, seq: Seq, args: Vec<Value>) -> Run {
        let span = call.span;
        let refused = || call.unsupported(&Value::Seq(seq.clone()));
        let items = &seq.items;
        let slice = |items: &[Value]| {
            Value::reference(Value::Seq(Seq {
                kind: SeqKind::Slice,
                items: Arc::new(items.to_vec()),
                item: seq.item.clone(),
            }))
        };
        let slices = |parts: Vec<&[Value]>| {
            let parts: Vec<Value> = parts.into_iter().map(slice).collect();
            Ok(Value::Iter(Box::new(Iter::of(parts))))
        };
        let found = |item: Option<&Value>| Ok(Value::option(item.cloned().map(Value::reference)));
        let loaded: Vec<Value> = args.iter().map(|arg| self.load(arg)).collect();
        match (call.name, &loaded[..]) {
            ("first" | "front", []) => found(items.first()),
            ("last" | "back", []) => found(items.last()),
            ("first_mut" | "front_mut" | "last_mut" | "back_mut", []) => {
                let index = match call.name {
                    "first_mut" | "front_mut" => 0,
                    _ => items.len().saturating_sub(1),
                };
                let there = (!items.is_empty()).then(|| self.item_place(call, index));
                Ok(Value::option(there))
            }
            ("get", [Value::Int(at)]) => {
                let at = usize::try_from(at.value).ok();
                found(at.and_then(|at| items.get(at)))
            }
            ("get", [range @ Value::Range(..)]) => {
                let bounds = self.bounds(range, items.len(), span)?;
                let part = bounds.and_then(|(from, to)| items.get(from..to));
                Ok(Value::option(part.map(slice)))
            }
            ("get_mut", [Value::Int(at)]) => {
                let at = usize::try_from(at.value)
                    .ok()
                    .filter(|at| *at < items.len());
                Ok(Value::option(at.map(|at| self.item_place(call, at))))
            }
            ("as_slice", []) => Ok(slice(items)),
            ("to_vec" | "into_vec", []) => {
                let list = Value::Seq(Seq {
                    kind: SeqKind::Vec,
                    ..seq.clone()
                });
                if call.name == "into_vec" {
                    return Ok(list);
                }
                self.clone_of(&list, span)
            }
            ("into_boxed_slice", []) => Ok(Value::Wrapped(
                crate::eval::values::kinds::Wrapper::Box,
                Box::new(Value::Seq(Seq {
                    kind: SeqKind::Slice,
                    ..seq.clone()
                })),
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
            ("concat", []) => {
                if items.iter().all(|item| item.text().is_some()) {
                    let texts: Vec<_> = items
                        .iter()
                        .filter_map(|item| item.text().cloned())
                        .collect();
                    return Ok(Value::string(texts.concat()));
                }
                let mut all = Vec::new();
                for item in items.iter() {
                    match self.load(item) {
                        Value::Seq(inner) if inner.kind.is_slice() => {
                            all.extend(inner.items.iter().cloned());
                        }
                        _ => return refused(),
                    }
                }
                self.check_size(all.len(), span)?;
                let all = Value::seq(SeqKind::Vec, all);
                self.clone_of(&all, span)
            }
            ("repeat", [count]) => {
                let count = self.count_of(count, span)?;
                self.check_size(items.len().saturating_mul(count), span)?;
                let all = std::iter::repeat_n(items.iter().cloned(), count).flatten();
                let all = Value::seq(SeqKind::Vec, all.collect());
                self.clone_of(&all, span)
            }
            ("starts_with" | "ends_with", [Value::Seq(other)]) => {
                let count = other.items.len();
                let part = match call.name {
                    "starts_with" => items.get(..count),
                    _ => items
                        .len()
                        .checked_sub(count)
                        .and_then(|from| items.get(from..)),
                };
                let Some(part) = part else {
                    return Ok(Value::Bool(false));
                };
                for (left, right) in part.iter().zip(other.items.iter()) {
                    if !self.same(left, right, span)? {
                        return Ok(Value::Bool(false));
                    }
                }
                Ok(Value::Bool(true))
            }
            ("windows" | "chunks" | "chunks_exact" | "rchunks", [size]) => {
                let size = self.count_of(size, span)?;
                if size == 0 {
                    return panics(span, "a chunk must have at least one item");
                }
                slices(match call.name {
                    "windows" => items.windows(size).collect(),
                    "chunks" => items.chunks(size).collect(),
                    "rchunks" => items.rchunks(size).collect(),
                    _ => items.chunks_exact(size).collect(),
                })
            }
            ("split_at", [at]) => {
                let at = self.count_of(at, span)?;
                match items.split_at_checked(at) {
                    Some((before, behind)) => Ok(Value::Tuple(vec![slice(before), slice(behind)])),
                    None => panics(span, "this index is out of bounds"),
                }
            }
            ("split_first", []) => Ok(Value::option(items.split_first().map(|(first, rest)| {
                Value::Tuple(vec![Value::reference(first.clone()), slice(rest)])
            }))),
            ("split_last", []) => Ok(Value::option(items.split_last().map(|(last, rest)| {
                Value::Tuple(vec![Value::reference(last.clone()), slice(rest)])
            }))),
            ("split", [_]) => {
                let function = self.only(call, args)?;
                let mut parts = Vec::new();
                let mut start = 0;
                for (index, item) in items.iter().enumerate() {
                    if self.asks(&function, vec![Value::reference(item.clone())], span)? {
                        parts.push(items.get(start..index).unwrap_or_default());
                        start = index + 1;
                    }
                }
                parts.push(items.get(start..).unwrap_or_default());
                slices(parts)
            }
            ("is_sorted", []) => self.is_sorted(items, span).map(Value::Bool),
            ("binary_search", [wanted]) => {
                // `binary_search` may find any of several equal items.
                let mut at = Vec::new();
                let mut before = 0;
                for (index, item) in items.iter().enumerate() {
                    match self.order(item, wanted, span)? {
                        Ordering::Less => before = index + 1,
                        Ordering::Equal => at.push(index),
                        Ordering::Greater => {}
                    }
                }
                match &at[..] {
                    [] => Ok(Value::err(self.size(before, span)?)),
                    [only] => Ok(Value::ok(self.size(*only, span)?)),
                    _ => refused(),
                }
            }
            ("eq_ignore_ascii_case", _) => refused(),
            ("make_contiguous", []) => Ok(Value::MutPlace(call.place.clone())),
            _ => refused(),
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
