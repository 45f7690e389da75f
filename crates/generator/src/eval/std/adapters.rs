//! Methods of iterators.

use super::Call;
use crate::eval::machine::{Machine, Run, Want, panics, stop};
use crate::eval::traits::into_iterator::optional;
use crate::eval::values::iterator::Iter;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Via;
use crate::eval::values::value::{MutPlace, Value};
use std::cmp::Ordering;

impl Machine<'_> {
    /// Calls a method of an iterator, a range, or one that `Iterator` provides to a type of the source.
    pub(super) fn iterator_method(
        &mut self,
        call: &Call<'_>,
        value: Value,
        args: Vec<Value>,
    ) -> Run {
        let span = call.span;
        if let (Value::Range(start, end, _), name) = (&value, call.name) {
            match (name, &args[..]) {
                ("contains", [wanted]) => {
                    let wanted = self.load(wanted);
                    return self.is_within(&wanted, &value, span).map(Value::Bool);
                }
                ("start", []) => {
                    return Ok(Value::option(
                        start.as_deref().cloned().map(Value::reference),
                    ))
                    .and_then(|found| match found {
                        Value::Option(Some(found)) => Ok(*found),
                        _ => call.unsupported(&value),
                    });
                }
                ("end", []) => {
                    return match end {
                        Some(end) => Ok(Value::reference(Value::clone(end))),
                        None => call.unsupported(&value),
                    };
                }
                ("is_empty", []) => {
                    let mut iter = self.iterate(value.clone(), span)?;
                    let first = self.next(&mut iter, span)?;
                    return Ok(Value::Bool(first.is_none()));
                }
                _ => {}
            }
        }
        // Some methods continue an iterator in its place, others consume it.
        let moves_on = matches!(
            call.name,
            "next"
                | "next_back"
                | "nth"
                | "nth_back"
                | "all"
                | "any"
                | "find"
                | "find_map"
                | "position"
                | "rposition"
                | "try_fold"
                | "peek"
                | "peek_mut"
                | "next_if"
                | "next_if_eq"
                | "by_ref"
                | "rfind"
                | "try_for_each"
                | "advance_by"
        );
        if moves_on {
            if call.via == Via::Shared {
                return stop(span, "the value that this changes is not known");
            }
            if let Value::Adt(_) = value {
                let mut iter = Iter::At(call.place.clone());
                return self.moved_on(call, &mut iter, args);
            }
            if call.name == "by_ref" {
                return Ok(Value::Iter(Box::new(Iter::At(call.place.clone()))));
            }
            let mut iter = self.iterate(value.clone(), span)?;
            let given = self.moved_on(call, &mut iter, args)?;
            let rest = iter.rest_of(&value);
            self.write(call.place, rest, span)?;
            return Ok(given);
        }
        let iter = match call.via {
            Via::Mutable => Iter::At(call.place.clone()),
            _ => self.iterate(value, span)?,
        };
        self.taken(call, iter, args)
    }

    /// Calls a method that leaves the iterator where it stops.
    fn moved_on(&mut self, call: &Call<'_>, iter: &mut Iter, args: Vec<Value>) -> Run {
        let span = call.span;
        let first = || args.first().cloned().unwrap_or_else(Value::unit);
        Ok(match call.name {
            "next" => Value::option(self.next(iter, span)?),
            "next_back" => Value::option(self.next_back(iter, span)?),
            "nth" => {
                for _ in 0..self.count_of(&first(), span)? {
                    if self.next(iter, span)?.is_none() {
                        return Ok(Value::Option(None));
                    }
                }
                Value::option(self.next(iter, span)?)
            }
            "nth_back" => {
                for _ in 0..self.count_of(&first(), span)? {
                    if self.next_back(iter, span)?.is_none() {
                        return Ok(Value::Option(None));
                    }
                }
                Value::option(self.next_back(iter, span)?)
            }
            "all" | "any" => {
                while let Some(item) = self.next(iter, span)? {
                    if self.asks(&first(), vec![item], span)? == (call.name == "any") {
                        return Ok(Value::Bool(call.name == "any"));
                    }
                }
                Value::Bool(call.name == "all")
            }
            "find" => {
                while let Some(item) = self.next(iter, span)? {
                    if self.asks(&first(), vec![Value::reference(item.clone())], span)? {
                        return Ok(Value::some(item));
                    }
                }
                Value::Option(None)
            }
            "rfind" => {
                while let Some(item) = self.next_back(iter, span)? {
                    if self.asks(&first(), vec![Value::reference(item.clone())], span)? {
                        return Ok(Value::some(item));
                    }
                }
                Value::Option(None)
            }
            "find_map" => {
                while let Some(item) = self.next(iter, span)? {
                    let made = self.apply(&first(), vec![item], call.want, span)?;
                    if let Some(made) = optional(made, span)? {
                        return Ok(Value::some(made));
                    }
                }
                Value::Option(None)
            }
            "position" => {
                let mut index = 0;
                while let Some(item) = self.next(iter, span)? {
                    if self.asks(&first(), vec![item], span)? {
                        return Ok(Value::some(self.size(index, span)?));
                    }
                    index += 1;
                }
                Value::Option(None)
            }
            "rposition" => {
                let Some(mut index) = iter.exact() else {
                    return stop(span, "this iterator is not evaluated from its end");
                };
                while let Some(item) = self.next_back(iter, span)? {
                    index -= 1;
                    if self.asks(&first(), vec![item], span)? {
                        return Ok(Value::some(self.size(index, span)?));
                    }
                }
                Value::Option(None)
            }
            "peek" | "next_if" | "next_if_eq" => {
                let Iter::Peekable(inner, peeked) = iter else {
                    return stop(span, "this iterator is not peekable");
                };
                if peeked.is_none() {
                    *peeked = Some(self.next(inner, span)?);
                }
                let ahead = peeked.clone().flatten();
                if call.name == "peek" {
                    return Ok(Value::option(ahead.map(Value::reference)));
                }
                let Some(item) = ahead else {
                    return Ok(Value::Option(None));
                };
                let taken = match call.name {
                    "next_if" => self.asks(&first(), vec![Value::reference(item.clone())], span)?,
                    _ => self.same(&item, &first(), span)?,
                };
                if taken {
                    *peeked = None;
                    Value::some(item)
                } else {
                    Value::Option(None)
                }
            }
            "try_fold" => {
                let [start, function] = &args[..] else {
                    return stop(span, "this fold takes different arguments");
                };
                let mut state = start.clone();
                let mut made = None;
                while let Some(item) = self.next(iter, span)? {
                    let next = self.apply(function, vec![state, item], call.want, span)?;
                    match next {
                        Value::Option(Some(inner)) => {
                            made = Some(true);
                            state = *inner;
                        }
                        Value::Result(Ok(inner)) => {
                            made = Some(false);
                            state = *inner;
                        }
                        left @ (Value::Option(None) | Value::Result(Err(_))) => return Ok(left),
                        other => {
                            let why = format!("a fold over {} is not evaluated", other.kind());
                            return stop(span, why);
                        }
                    }
                }
                match (made, call.want.ty.and_then(Concrete::external_name)) {
                    (Some(true), _) | (None, Some("Option")) => Value::some(state),
                    (Some(false), _) | (None, Some("Result")) => Value::ok(state),
                    _ => return stop(span, "the type of this fold is not known"),
                }
            }
            "by_ref" => Value::Iter(Box::new(iter.clone())),
            // All other methods that `Iterator` provides to a type of the source.
            _ => return self.taken(call, iter.clone(), args),
        })
    }

    /// Calls a method that consumes the iterator.
    fn taken(&mut self, call: &Call<'_>, iter: Iter, args: Vec<Value>) -> Run {
        let span = call.span;
        let mut given = args.into_iter();
        let mut first = || given.next().unwrap_or_else(Value::unit);
        let boxed = Box::new(iter.clone());
        let made = |iter: Iter| Ok(Value::Iter(Box::new(iter)));
        match call.name {
            "into_iter" | "iter" | "fuse" | "into_inner" => made(iter),
            "map" => made(Iter::Map(boxed, first())),
            "filter" => made(Iter::Filter(boxed, first())),
            "filter_map" => made(Iter::FilterMap(boxed, first())),
            "flat_map" => made(Iter::Flat(boxed, Some(first()), None)),
            "flatten" => made(Iter::Flat(boxed, None, None)),
            "take_while" => made(Iter::TakeWhile(boxed, first(), false)),
            "skip_while" => made(Iter::SkipWhile(boxed, first(), false)),
            "map_while" => made(Iter::MapWhile(boxed, first())),
            "inspect" => made(Iter::Inspect(boxed, first())),
            "cloned" | "copied" => made(Iter::Cloned(boxed)),
            "enumerate" => made(Iter::Enumerate(boxed, 0)),
            "rev" => made(Iter::Rev(boxed)),
            "peekable" => made(Iter::Peekable(boxed, None)),
            "cycle" => made(Iter::Cycle(boxed.clone(), boxed)),
            "take" => {
                let count = self.count_of(&first(), span)?;
                made(Iter::Take(boxed, count))
            }
            "skip" => {
                let count = self.count_of(&first(), span)?;
                made(Iter::Skip(boxed, count))
            }
            "step_by" => match self.count_of(&first(), span)? {
                0 => panics(span, "a step must be at least one"),
                step => made(Iter::StepBy(boxed, step, true)),
            },
            "zip" => {
                let other = self.iterate(first(), span)?;
                made(Iter::Zip(boxed, Box::new(other)))
            }
            "chain" => {
                let other = self.iterate(first(), span)?;
                made(Iter::Chain(Some(boxed), Box::new(other)))
            }
            "scan" => {
                let state = self.store(first());
                made(Iter::Scan(boxed, MutPlace::of(state), first()))
            }
            "collect" => {
                let ty = match (call.types, call.want.ty) {
                    ([ty], wanted) if ty.is_blank() => wanted.cloned(),
                    ([ty], _) => Some(ty.clone()),
                    (_, wanted) => wanted.cloned(),
                };
                match ty {
                    Some(ty) => self.collected(iter, &ty, span),
                    None => stop(span, "the type that this is collected into is not known"),
                }
            }
            "sum" | "product" => {
                let ty = match (call.types, call.want.ty) {
                    ([ty], _) if !ty.is_blank() => Some(ty.clone()),
                    (_, wanted) => wanted.cloned(),
                };
                self.totalled(call, iter, ty)
            }
            "partition" => {
                let function = first();
                let ty = match (call.types, call.want.argument(0).ty) {
                    ([ty], _) if !ty.is_blank() => Some(ty.clone()),
                    (_, wanted) => wanted.cloned(),
                };
                let Some(ty) = ty else {
                    return stop(span, "the type that this is collected into is not known");
                };
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                let mut iter = iter;
                while let Some(item) = self.next(&mut iter, span)? {
                    if self.asks(&function, vec![Value::reference(item.clone())], span)? {
                        yes.push(item);
                    } else {
                        no.push(item);
                    }
                }
                Ok(Value::Tuple(vec![
                    self.collected(Iter::of(yes), &ty, span)?,
                    self.collected(Iter::of(no), &ty, span)?,
                ]))
            }
            "unzip" => {
                let (mut left, mut right) = (Vec::new(), Vec::new());
                for item in self.drained(iter, span)? {
                    match item {
                        Value::Tuple(pair) => match &pair[..] {
                            [first, second] => {
                                left.push(first.clone());
                                right.push(second.clone());
                            }
                            _ => return stop(span, "these are not pairs"),
                        },
                        _ => return stop(span, "these are not pairs"),
                    }
                }
                let (Some(of_left), Some(of_right)) =
                    (call.want.argument(0).ty, call.want.argument(1).ty)
                else {
                    return stop(span, "the type that this is collected into is not known");
                };
                Ok(Value::Tuple(vec![
                    self.collected(Iter::of(left), of_left, span)?,
                    self.collected(Iter::of(right), of_right, span)?,
                ]))
            }
            name => {
                let rest: Vec<Value> = given.collect();
                self.ended(call, name, iter, rest)
            }
        }
    }

    /// Returns all remaining items.
    pub(super) fn drained(
        &mut self,
        mut iter: Iter,
        span: crd_channels_diagnostics::Span,
    ) -> Run<Vec<Value>> {
        let mut items = Vec::new();
        while let Some(item) = self.next(&mut iter, span)? {
            items.push(item);
            self.check_size(items.len(), span)?;
        }
        Ok(items)
    }

    /// Calls a method that runs to the end.
    fn ended(&mut self, call: &Call<'_>, name: &str, mut iter: Iter, args: Vec<Value>) -> Run {
        let span = call.span;
        let first = || args.first().cloned().unwrap_or_else(Value::unit);
        match name {
            "count" => {
                let items = self.drained(iter, span)?;
                self.size(items.len(), span)
            }
            "len" => match iter.exact() {
                Some(length) => self.size(length, span),
                None => call.unsupported(&Value::Iter(Box::new(iter))),
            },
            "last" => {
                let mut last = None;
                while let Some(item) = self.next(&mut iter, span)? {
                    last = Some(item);
                }
                Ok(Value::option(last))
            }
            "for_each" => {
                while let Some(item) = self.next(&mut iter, span)? {
                    self.apply(&first(), vec![item], Want::any(), span)?;
                }
                Ok(Value::unit())
            }
            "fold" => {
                let [start, function] = &args[..] else {
                    return stop(span, "this fold takes different arguments");
                };
                let mut state = start.clone();
                if let Some(ty) = call.want.ty {
                    state = self.refined(state, ty, span)?;
                }
                while let Some(item) = self.next(&mut iter, span)? {
                    let want = Want::maybe(call.want.ty);
                    state = self.apply(function, vec![state, item], want, span)?;
                }
                Ok(state)
            }
            "rfold" => {
                let [start, function] = &args[..] else {
                    return stop(span, "this fold takes different arguments");
                };
                let mut state = start.clone();
                while let Some(item) = self.next_back(&mut iter, span)? {
                    state = self.apply(function, vec![state, item], Want::any(), span)?;
                }
                Ok(state)
            }
            "reduce" => {
                let Some(mut state) = self.next(&mut iter, span)? else {
                    return Ok(Value::Option(None));
                };
                while let Some(item) = self.next(&mut iter, span)? {
                    state = self.apply(&first(), vec![state, item], Want::any(), span)?;
                }
                Ok(Value::some(state))
            }
            "max" | "min" | "max_by" | "min_by" | "max_by_key" | "min_by_key" => {
                self.extreme(call, name, iter, &first())
            }
            "eq" | "ne" | "cmp" | "partial_cmp" | "lt" | "le" | "gt" | "ge" => {
                let other = self.iterate(first(), span)?;
                let left = self.drained(iter, span)?;
                let right = self.drained(other, span)?;
                let left = Value::seq(crate::eval::values::kinds::SeqKind::Vec, left);
                let right = Value::seq(crate::eval::values::kinds::SeqKind::Vec, right);
                self.compared_by_name(name, &left, &right, span)
            }
            "is_sorted" => {
                let items = self.drained(iter, span)?;
                self.is_sorted(&items, span).map(Value::Bool)
            }
            _ => call.unsupported(&Value::Iter(Box::new(iter))),
        }
    }

    fn extreme(&mut self, call: &Call<'_>, name: &str, iter: Iter, function: &Value) -> Run {
        let span = call.span;
        let mut best: Option<(Value, Value)> = None;
        for item in self.drained(iter, span)? {
            let key = match name {
                "max_by_key" | "min_by_key" => {
                    let args = vec![Value::reference(item.clone())];
                    self.apply(function, args, Want::any(), span)?
                }
                _ => item.clone(),
            };
            let Some((best_key, _)) = &best else {
                best = Some((key, item));
                continue;
            };
            let best_key = best_key.clone();
            let order = match name {
                "max_by" | "min_by" => {
                    let args = vec![
                        Value::reference(best_key.clone()),
                        Value::reference(key.clone()),
                    ];
                    match self.apply(function, args, Want::any(), span)? {
                        Value::Ordering(order) => order,
                        other => return stop(span, format!("{} is not an order", other.kind())),
                    }
                }
                _ => self.order(&best_key, &key, span)?,
            };
            // Of equal items, `max` returns the last and `min` the first.
            let better = if name.starts_with("max") {
                order != Ordering::Greater
            } else {
                order == Ordering::Greater
            };
            if better {
                best = Some((key, item));
            }
        }
        Ok(Value::option(best.map(|(_, item)| item)))
    }
}
