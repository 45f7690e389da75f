//! One step of an iterator, from the front and from the back.

use super::iter::{Iter, optional};
use super::machine::{Machine, Run, Want, stop};
use super::number::Int;
use super::value::Value;
use crate::diag::Span;

impl Machine<'_> {
    /// `iter.next()`
    pub(crate) fn next(&mut self, iter: &mut Iter, span: Span) -> Run<Option<Value>> {
        self.deeper(span, |machine| machine.next_of(iter, span))
    }

    pub(super) fn next_of(&mut self, iter: &mut Iter, span: Span) -> Run<Option<Value>> {
        match iter {
            Iter::Items(items) => Ok(items.pop_front()),
            Iter::Count(next, end) => {
                if end.is_some_and(|end| next.value >= end.value) {
                    return Ok(None);
                }
                let value = *next;
                match value.operate("+", Int::literal(1)) {
                    Some(more) => *next = more,
                    None => next.value += 1,
                }
                Ok(Some(Value::Int(value)))
            }
            Iter::Repeat(value) => {
                let value = value.clone();
                self.clone_of(&value, span).map(Some)
            }
            Iter::Cycle(whole, current) => match self.next(current, span)? {
                Some(value) => Ok(Some(value)),
                None => {
                    current.clone_from(whole);
                    self.next(current, span)
                }
            },
            Iter::FromFn(function) => {
                let function = function.clone();
                let value = self.apply(&function, Vec::new(), Want::any(), span)?;
                optional(value, span)
            }
            Iter::Successors(next, function) => {
                let Some(value) = next.take() else {
                    return Ok(None);
                };
                let function = function.clone();
                let after = self.apply(
                    &function,
                    vec![Value::reference(value.clone())],
                    Want::any(),
                    span,
                )?;
                *next = optional(after, span)?;
                Ok(Some(value))
            }
            Iter::Map(inner, function) => {
                let function = function.clone();
                match self.next(inner, span)? {
                    Some(value) => self
                        .apply(&function, vec![value], Want::any(), span)
                        .map(Some),
                    None => Ok(None),
                }
            }
            Iter::Filter(inner, function) => {
                let function = function.clone();
                while let Some(value) = self.next(inner, span)? {
                    if self.asks(&function, vec![Value::reference(value.clone())], span)? {
                        return Ok(Some(value));
                    }
                }
                Ok(None)
            }
            Iter::FilterMap(inner, function) => {
                let function = function.clone();
                while let Some(value) = self.next(inner, span)? {
                    let made = self.apply(&function, vec![value], Want::any(), span)?;
                    if let Some(made) = optional(made, span)? {
                        return Ok(Some(made));
                    }
                }
                Ok(None)
            }
            Iter::Flat(outer, function, current) => loop {
                if let Some(inner) = current {
                    if let Some(value) = self.next(inner, span)? {
                        return Ok(Some(value));
                    }
                    *current = None;
                }
                let Some(value) = self.next(outer, span)? else {
                    return Ok(None);
                };
                let list = match function.clone() {
                    Some(function) => self.apply(&function, vec![value], Want::any(), span)?,
                    None => value,
                };
                *current = Some(Box::new(self.iterate(list, span)?));
            },
            Iter::TakeWhile(inner, function, ended) => {
                if *ended {
                    return Ok(None);
                }
                let function = function.clone();
                let Some(value) = self.next(inner, span)? else {
                    return Ok(None);
                };
                if self.asks(&function, vec![Value::reference(value.clone())], span)? {
                    Ok(Some(value))
                } else {
                    *ended = true;
                    Ok(None)
                }
            }
            Iter::SkipWhile(inner, function, started) => {
                let function = function.clone();
                while let Some(value) = self.next(inner, span)? {
                    if *started
                        || !self.asks(&function, vec![Value::reference(value.clone())], span)?
                    {
                        *started = true;
                        return Ok(Some(value));
                    }
                }
                Ok(None)
            }
            Iter::MapWhile(inner, function) => {
                let function = function.clone();
                match self.next(inner, span)? {
                    Some(value) => {
                        let made = self.apply(&function, vec![value], Want::any(), span)?;
                        optional(made, span)
                    }
                    None => Ok(None),
                }
            }
            Iter::Take(inner, count) => match count.checked_sub(1) {
                Some(left) => {
                    *count = left;
                    self.next(inner, span)
                }
                None => Ok(None),
            },
            Iter::Skip(inner, count) => {
                for _ in 0..std::mem::take(count) {
                    if self.next(inner, span)?.is_none() {
                        return Ok(None);
                    }
                }
                self.next(inner, span)
            }
            Iter::StepBy(inner, step, first) => {
                let skipped = if std::mem::take(first) { 0 } else { *step - 1 };
                for _ in 0..skipped {
                    if self.next(inner, span)?.is_none() {
                        return Ok(None);
                    }
                }
                self.next(inner, span)
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
            Iter::Enumerate(inner, index) => {
                let Some(value) = self.next(inner, span)? else {
                    return Ok(None);
                };
                let Some(at) = Value::size(*index) else {
                    return Ok(None);
                };
                *index += 1;
                Ok(Some(Value::Tuple(vec![at, value])))
            }
            Iter::Rev(inner) => self.next_back(inner, span),
            Iter::Peekable(inner, peeked) => match peeked.take() {
                Some(value) => Ok(value),
                None => self.next(inner, span),
            },
            Iter::Scan(inner, state, function) => {
                let (state, function) = (state.clone(), function.clone());
                let Some(value) = self.next(inner, span)? else {
                    return Ok(None);
                };
                let args = vec![Value::Place(state), value];
                let made = self.apply(&function, args, Want::any(), span)?;
                optional(made, span)
            }
            Iter::Inspect(inner, function) => {
                let function = function.clone();
                let value = self.next(inner, span)?;
                if let Some(value) = &value {
                    let args = vec![Value::reference(value.clone())];
                    self.apply(&function, args, Want::any(), span)?;
                }
                Ok(value)
            }
            Iter::Cloned(inner) => match self.next(inner, span)? {
                Some(value) => self.cloned(&value, span).map(Some),
                None => Ok(None),
            },
            Iter::At(place) => {
                let place = place.clone();
                match self.at(&place).cloned() {
                    Some(Value::Iter(mut inner)) => {
                        let value = self.next(&mut inner, span)?;
                        self.write(&place, Value::Iter(inner), span)?;
                        Ok(value)
                    }
                    Some(range @ Value::Range(..)) => {
                        let mut inner = self.iterate(range, span)?;
                        let value = self.next(&mut inner, span)?;
                        let rest = match inner {
                            Iter::Count(next, end) => Value::Range(
                                Some(Box::new(Value::Int(next))),
                                end.map(|end| Box::new(Value::Int(end))),
                                false,
                            ),
                            inner => Value::Iter(Box::new(inner)),
                        };
                        self.write(&place, rest, span)?;
                        Ok(value)
                    }
                    Some(Value::Adt(_)) => {
                        let this = Value::Place(place);
                        let value = self.user_method_at(&this, "next", Vec::new(), span)?;
                        optional(value, span)
                    }
                    _ => stop(span, "this iterator is not known"),
                }
            }
        }
    }

    /// `iter.next_back()`
    pub(crate) fn next_back(&mut self, iter: &mut Iter, span: Span) -> Run<Option<Value>> {
        self.spend(span, 1)?;
        let refused = || stop(span, "this iterator is not gone through from its end");
        match iter {
            Iter::Items(items) => Ok(items.pop_back()),
            Iter::Count(next, Some(end)) => {
                if next.value >= end.value {
                    return Ok(None);
                }
                let last = end.with_value(end.value - 1);
                *end = last;
                Ok(Some(Value::Int(last)))
            }
            Iter::Map(inner, function) => {
                let function = function.clone();
                match self.next_back(inner, span)? {
                    Some(value) => self
                        .apply(&function, vec![value], Want::any(), span)
                        .map(Some),
                    None => Ok(None),
                }
            }
            Iter::Filter(inner, function) => {
                let function = function.clone();
                while let Some(value) = self.next_back(inner, span)? {
                    if self.asks(&function, vec![Value::reference(value.clone())], span)? {
                        return Ok(Some(value));
                    }
                }
                Ok(None)
            }
            Iter::FilterMap(inner, function) => {
                let function = function.clone();
                while let Some(value) = self.next_back(inner, span)? {
                    let made = self.apply(&function, vec![value], Want::any(), span)?;
                    if let Some(made) = optional(made, span)? {
                        return Ok(Some(made));
                    }
                }
                Ok(None)
            }
            Iter::Cloned(inner) => match self.next_back(inner, span)? {
                Some(value) => self.cloned(&value, span).map(Some),
                None => Ok(None),
            },
            Iter::Chain(first, second) => {
                if let Some(value) = self.next_back(second, span)? {
                    return Ok(Some(value));
                }
                match first {
                    Some(first) => self.next_back(first, span),
                    None => Ok(None),
                }
            }
            Iter::Rev(inner) => self.next(inner, span),
            Iter::Enumerate(inner, index) => {
                let Some(left) = inner.exact() else {
                    return refused();
                };
                let at = *index + left;
                match (
                    self.next_back(inner, span)?,
                    at.checked_sub(1).and_then(Value::size),
                ) {
                    (Some(value), Some(at)) => Ok(Some(Value::Tuple(vec![at, value]))),
                    _ => Ok(None),
                }
            }
            Iter::Skip(inner, count) => match inner.exact() {
                Some(left) if left > *count => self.next_back(inner, span),
                Some(_) => Ok(None),
                None => refused(),
            },
            Iter::Take(inner, count) => {
                let Some(left) = inner.exact() else {
                    return refused();
                };
                for _ in *count..left {
                    self.next_back(inner, span)?;
                }
                match count.checked_sub(1) {
                    Some(rest) => {
                        *count = rest.min(left);
                        self.next_back(inner, span)
                    }
                    None => Ok(None),
                }
            }
            Iter::Zip(first, second) => {
                let (Some(left), Some(right)) = (first.exact(), second.exact()) else {
                    return refused();
                };
                for _ in right..left {
                    self.next_back(first, span)?;
                }
                for _ in left..right {
                    self.next_back(second, span)?;
                }
                match (self.next_back(first, span)?, self.next_back(second, span)?) {
                    (Some(left), Some(right)) => Ok(Some(Value::Tuple(vec![left, right]))),
                    _ => Ok(None),
                }
            }
            Iter::At(place) => {
                let place = place.clone();
                match self.at(&place).cloned() {
                    Some(Value::Iter(mut inner)) => {
                        let value = self.next_back(&mut inner, span)?;
                        self.write(&place, Value::Iter(inner), span)?;
                        Ok(value)
                    }
                    _ => refused(),
                }
            }
            _ => refused(),
        }
    }
}
