//! The next item of an iterator from its front.

use super::into_iterator::optional;
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::iterator::Iter;
use crate::eval::values::number::Int;
use crate::eval::values::value::{MutPlace, Value};
use crd_channels_diagnostics::Span;
use std::mem::take;

impl Machine<'_> {
    /// Returns the first item of an iterator that differs from its last in how it is taken.
    pub(super) fn next_from_front(&mut self, iter: &mut Iter, span: Span) -> Run<Option<Value>> {
        match iter {
            Iter::Items(items) => Ok(items.pop_front()),
            Iter::Count(next, end) => next_integer(next, *end, span),
            Iter::Repeat(value) => self.clone_of(value, span).map(Some),
            Iter::Cycle(whole, current) => match self.next(current, span)? {
                Some(value) => Ok(Some(value)),
                None => {
                    current.clone_from(whole);
                    self.next(current, span)
                }
            },
            Iter::FromFn(function) => {
                let value = self.apply(function, Vec::new(), Want::any(), span)?;
                optional(value, span)
            }
            Iter::Successors(next, function) => self.next_successor(next, function, span),
            Iter::Flat(outer, function, current) => {
                self.next_of_inner(outer, function.as_ref(), current, span)
            }
            Iter::TakeWhile(inner, function, ended) => {
                self.next_while(inner, function, ended, span)
            }
            Iter::SkipWhile(inner, function, started) => {
                self.next_after(inner, function, started, span)
            }
            Iter::MapWhile(inner, function) => match self.next(inner, span)? {
                Some(value) => {
                    let made = self.apply(function, vec![value], Want::any(), span)?;
                    optional(made, span)
                }
                None => Ok(None),
            },
            Iter::Take(inner, count) => match count.checked_sub(1) {
                Some(left) => {
                    *count = left;
                    self.next(inner, span)
                }
                None => Ok(None),
            },
            Iter::Skip(inner, count) => self.next_skipping(inner, take(count), span),
            Iter::StepBy(inner, step, first) => {
                let skipped = if take(first) { 0 } else { *step - 1 };
                self.next_skipping(inner, skipped, span)
            }
            Iter::Zip(first, second) => {
                let Some(left) = self.next(first, span)? else {
                    return Ok(None);
                };
                let right = self.next(second, span)?;
                Ok(right.map(|right| Value::Tuple(vec![left, right])))
            }
            Iter::Chain(first, second) => {
                if let Some(inner) = first {
                    if let Some(value) = self.next(inner, span)? {
                        return Ok(Some(value));
                    }
                    *first = None;
                }
                self.next(second, span)
            }
            Iter::Enumerate(inner, index) => self.next_enumerated(inner, index, span),
            Iter::Peekable(inner, peeked) => match peeked.take() {
                Some(value) => Ok(value),
                None => self.next(inner, span),
            },
            Iter::Scan(inner, state, function) => self.next_scanned(inner, state, function, span),
            Iter::Inspect(inner, function) => {
                let value = self.next(inner, span)?;
                if let Some(value) = &value {
                    let args = vec![Value::reference(value.clone())];
                    self.apply(function, args, Want::any(), span)?;
                }
                Ok(value)
            }
            // These take either end in the same way.
            Iter::Map(..)
            | Iter::Filter(..)
            | Iter::FilterMap(..)
            | Iter::Cloned(_)
            | Iter::Rev(_)
            | Iter::At(_) => self.next(iter, span),
        }
    }

    /// Returns the next item after skipping some.
    fn next_skipping(
        &mut self,
        inner: &mut Iter,
        skipped: usize,
        span: Span,
    ) -> Run<Option<Value>> {
        for _ in 0..skipped {
            if self.next(inner, span)?.is_none() {
                return Ok(None);
            }
        }
        self.next(inner, span)
    }

    /// The next item of `successors(..)`.
    fn next_successor(
        &mut self,
        next: &mut Option<Value>,
        function: &Value,
        span: Span,
    ) -> Run<Option<Value>> {
        let Some(value) = next.take() else {
            return Ok(None);
        };
        let args = vec![Value::reference(value.clone())];
        let after = self.apply(function, args, Want::any(), span)?;
        *next = optional(after, span)?;
        Ok(Some(value))
    }

    /// The next item of `flat_map(..)` or `flatten()`.
    fn next_of_inner(
        &mut self,
        outer: &mut Iter,
        function: Option<&Value>,
        current: &mut Option<Box<Iter>>,
        span: Span,
    ) -> Run<Option<Value>> {
        loop {
            if let Some(inner) = current {
                if let Some(value) = self.next(inner, span)? {
                    return Ok(Some(value));
                }
                *current = None;
            }
            let Some(value) = self.next(outer, span)? else {
                return Ok(None);
            };
            let list = match function {
                Some(function) => self.apply(function, vec![value], Want::any(), span)?,
                None => value,
            };
            *current = Some(Box::new(self.iterate(list, span)?));
        }
    }

    /// The next item of `take_while(..)`.
    fn next_while(
        &mut self,
        inner: &mut Iter,
        function: &Value,
        ended: &mut bool,
        span: Span,
    ) -> Run<Option<Value>> {
        if *ended {
            return Ok(None);
        }
        let Some(value) = self.next(inner, span)? else {
            return Ok(None);
        };
        if self.asks(function, vec![Value::reference(value.clone())], span)? {
            return Ok(Some(value));
        }
        *ended = true;
        Ok(None)
    }

    /// The next item of `skip_while(..)`.
    fn next_after(
        &mut self,
        inner: &mut Iter,
        function: &Value,
        started: &mut bool,
        span: Span,
    ) -> Run<Option<Value>> {
        while let Some(value) = self.next(inner, span)? {
            if *started || !self.asks(function, vec![Value::reference(value.clone())], span)? {
                *started = true;
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// The next item of `enumerate()`.
    fn next_enumerated(
        &mut self,
        inner: &mut Iter,
        index: &mut usize,
        span: Span,
    ) -> Run<Option<Value>> {
        let Some(value) = self.next(inner, span)? else {
            return Ok(None);
        };
        let Some(at) = Value::size(*index) else {
            return Ok(None);
        };
        *index += 1;
        Ok(Some(Value::Tuple(vec![at, value])))
    }

    /// The next item of `scan(..)`.
    fn next_scanned(
        &mut self,
        inner: &mut Iter,
        state: &MutPlace,
        function: &Value,
        span: Span,
    ) -> Run<Option<Value>> {
        let Some(value) = self.next(inner, span)? else {
            return Ok(None);
        };
        let args = vec![Value::MutPlace(state.clone()), value];
        let made = self.apply(function, args, Want::any(), span)?;
        optional(made, span)
    }
}

/// The next integer of a range.
fn next_integer(next: &mut Int, end: Option<Int>, span: Span) -> Run<Option<Value>> {
    if end.is_some_and(|end| next.value >= end.value) {
        return Ok(None);
    }
    let value = *next;
    *next = match (value.operate("+", Int::literal(1)), end) {
        (Some(more), _) => more,
        (None, Some(_)) => value.with_value(value.value + 1),
        // Whether the last value of its type is yielded depends on how the program is compiled.
        (None, None) => return stop(span, "this range exceeds its type"),
    };
    Ok(Some(Value::Int(value)))
}
