//! Methods that run an iterator to its end: `collect`, `fold`, `max`, `count`.

use super::{Call, argument};
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;
use std::cmp::Ordering;

/// Why items are not collected.
const NO_TYPE: &str = "the type that this is collected into is not known";

impl Machine<'_> {
    /// Calls a method that runs to the end.
    pub(super) fn run_to_end(&mut self, call: &Call<'_>, mut iter: Iter, args: &[Value]) -> Run {
        let span = call.span;
        let first = argument(args, 0);
        match call.name {
            "collect" => match written_type(call, call.want.ty) {
                Some(ty) => self.collected(iter, &ty, span),
                None => stop(span, NO_TYPE),
            },
            "sum" | "product" => {
                let ty = written_type(call, call.want.ty);
                self.totalled(call, iter, ty)
            }
            "partition" => self.partition(call, iter, &first),
            "unzip" => self.unzip(call, iter),
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
                    self.apply(&first, vec![item], Want::any(), span)?;
                }
                Ok(Value::unit())
            }
            "fold" => self.fold(call, iter, args),
            "rfold" => self.fold_from_back(call, iter, args),
            "reduce" => self.reduce(iter, &first, span),
            "max" | "min" | "max_by" | "min_by" | "max_by_key" | "min_by_key" => {
                self.extreme(call, iter, &first)
            }
            "eq" | "ne" | "cmp" | "partial_cmp" | "lt" | "le" | "gt" | "ge" => {
                let other = self.iterate(first, span)?;
                let left = self.drained(iter, span)?;
                let right = self.drained(other, span)?;
                let left = Value::seq(SeqKind::Vec, left);
                let right = Value::seq(SeqKind::Vec, right);
                self.compared_by_name(call.name, &left, &right, span)
            }
            "is_sorted" => {
                let items = self.drained(iter, span)?;
                self.is_sorted(&items, span).map(Value::Bool)
            }
            _ => call.unsupported(&Value::Iter(Box::new(iter))),
        }
    }

    fn partition(&mut self, call: &Call<'_>, mut iter: Iter, function: &Value) -> Run {
        let span = call.span;
        let Some(ty) = written_type(call, call.want.argument(0).ty) else {
            return stop(span, NO_TYPE);
        };
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        while let Some(item) = self.next(&mut iter, span)? {
            if self.asks(function, vec![Value::reference(item.clone())], span)? {
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

    fn unzip(&mut self, call: &Call<'_>, iter: Iter) -> Run {
        let span = call.span;
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
        let (Some(of_left), Some(of_right)) = (call.want.argument(0).ty, call.want.argument(1).ty)
        else {
            return stop(span, NO_TYPE);
        };
        Ok(Value::Tuple(vec![
            self.collected(Iter::of(left), of_left, span)?,
            self.collected(Iter::of(right), of_right, span)?,
        ]))
    }

    fn fold(&mut self, call: &Call<'_>, mut iter: Iter, args: &[Value]) -> Run {
        let [start, function] = args else {
            return stop(call.span, "this fold takes different arguments");
        };
        let mut state = start.clone();
        if let Some(ty) = call.want.ty {
            state = self.refined(state, ty, call.span)?;
        }
        while let Some(item) = self.next(&mut iter, call.span)? {
            let want = Want::maybe(call.want.ty);
            state = self.apply(function, vec![state, item], want, call.span)?;
        }
        Ok(state)
    }

    fn fold_from_back(&mut self, call: &Call<'_>, mut iter: Iter, args: &[Value]) -> Run {
        let [start, function] = args else {
            return stop(call.span, "this fold takes different arguments");
        };
        let mut state = start.clone();
        while let Some(item) = self.next_back(&mut iter, call.span)? {
            state = self.apply(function, vec![state, item], Want::any(), call.span)?;
        }
        Ok(state)
    }

    fn reduce(&mut self, mut iter: Iter, function: &Value, span: Span) -> Run {
        let Some(mut state) = self.next(&mut iter, span)? else {
            return Ok(Value::Option(None));
        };
        while let Some(item) = self.next(&mut iter, span)? {
            state = self.apply(function, vec![state, item], Want::any(), span)?;
        }
        Ok(Value::some(state))
    }

    /// `max()`, `min_by_key(f)` and the like.
    fn extreme(&mut self, call: &Call<'_>, iter: Iter, function: &Value) -> Run {
        let (name, span) = (call.name, call.span);
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
                "max_by" | "min_by" => self.ordering_by(function, &best_key, &key, span)?,
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

/// Returns the type that the call names with `::<T>`, or else the expected one.
fn written_type(call: &Call<'_>, expected: Option<&Concrete>) -> Option<Concrete> {
    match call.types {
        [ty] if !ty.is_blank() => Some(ty.clone()),
        _ => expected.cloned(),
    }
}
