//! Methods of iterators and ranges: which ones continue an iterator, and which ones consume it.

use super::Call;
use crate::eval::machine::{Machine, Run, stop};
use crate::eval::values::iterator::Iter;
use crate::eval::values::value::{Value, Via};
use crd_channels_diagnostics::Span;

/// The methods that leave an iterator where they stop.
const STEPS: [&str; 19] = [
    "next",
    "next_back",
    "nth",
    "nth_back",
    "all",
    "any",
    "find",
    "find_map",
    "position",
    "rposition",
    "try_fold",
    "peek",
    "peek_mut",
    "next_if",
    "next_if_eq",
    "by_ref",
    "rfind",
    "try_for_each",
    "advance_by",
];

impl Machine<'_> {
    /// Calls a method of an iterator, a range, or one that `Iterator` provides to a type of the source.
    pub(super) fn iterator_method(
        &mut self,
        call: &Call<'_>,
        value: Value,
        args: Vec<Value>,
    ) -> Run {
        if let Some(done) = self.range_method(call, &value, &args)? {
            return Ok(done);
        }
        if STEPS.contains(&call.name) {
            return self.step_in_place(call, &value, &args);
        }
        let iter = match call.via {
            Via::Mutable => Iter::At(call.place.clone()),
            _ => self.iterate(value, call.span)?,
        };
        self.consumed(call, iter, &args)
    }

    /// Calls a method of a range; returns `None` for those that it has as an iterator.
    fn range_method(
        &mut self,
        call: &Call<'_>,
        value: &Value,
        args: &[Value],
    ) -> Run<Option<Value>> {
        let Value::Range(start, end, _) = value else {
            return Ok(None);
        };
        let bound = |bound: &Option<Box<Value>>| match bound {
            Some(bound) => Ok(Some(Value::reference(Value::clone(bound)))),
            None => call.unsupported(value),
        };
        match (call.name, args) {
            ("contains", [wanted]) => {
                let wanted = self.load(wanted);
                let is_within = self.is_within(&wanted, value, call.span)?;
                Ok(Some(Value::Bool(is_within)))
            }
            ("start", []) => bound(start),
            ("end", []) => bound(end),
            ("is_empty", []) => {
                let mut iter = self.iterate(value.clone(), call.span)?;
                let first = self.next(&mut iter, call.span)?;
                Ok(Some(Value::Bool(first.is_none())))
            }
            _ => Ok(None),
        }
    }

    /// Continues an iterator in its place.
    fn step_in_place(&mut self, call: &Call<'_>, value: &Value, args: &[Value]) -> Run {
        if call.via == Via::Shared {
            return stop(call.span, "the value that this changes is not known");
        }
        if let Value::Adt(_) = value {
            let mut iter = Iter::At(call.place.clone());
            return self.stepped(call, &mut iter, args);
        }
        if call.name == "by_ref" {
            return Ok(Value::Iter(Box::new(Iter::At(call.place.clone()))));
        }
        let mut iter = self.iterate(value.clone(), call.span)?;
        let given = self.stepped(call, &mut iter, args)?;
        let rest = iter.rest_of(value);
        self.write(call.place, rest, call.span)?;
        Ok(given)
    }

    /// Calls a method that consumes the iterator.
    pub(super) fn consumed(&mut self, call: &Call<'_>, iter: Iter, args: &[Value]) -> Run {
        match self.adapted(call, &iter, args)? {
            Some(adapted) => Ok(Value::Iter(Box::new(adapted))),
            None => self.run_to_end(call, iter, args),
        }
    }

    /// Returns all remaining items.
    pub(super) fn drained(&mut self, mut iter: Iter, span: Span) -> Run<Vec<Value>> {
        let mut items = Vec::new();
        while let Some(item) = self.next(&mut iter, span)? {
            items.push(item);
            self.check_size(items.len(), span)?;
        }
        Ok(items)
    }
}
