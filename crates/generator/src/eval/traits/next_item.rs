//! The next item of an iterator, from the front or the back.

use super::into_iterator::optional;
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::iterator::Iter;
use crate::eval::values::number::Int;
use crate::eval::values::value::{MutPlace, Value};
use crd_channels_diagnostics::Span;

/// The end of an iterator or text to take from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum End {
    /// Its first item.
    Front,
    /// Its last item.
    Back,
}

impl End {
    fn other(self) -> Self {
        match self {
            End::Front => End::Back,
            End::Back => End::Front,
        }
    }
}

impl Machine<'_> {
    /// `iter.next()`
    pub(crate) fn next(&mut self, iter: &mut Iter, span: Span) -> Run<Option<Value>> {
        self.advance(iter, End::Front, span)
    }

    /// `iter.next_back()`
    pub(crate) fn next_back(&mut self, iter: &mut Iter, span: Span) -> Run<Option<Value>> {
        self.advance(iter, End::Back, span)
    }

    fn advance(&mut self, iter: &mut Iter, end: End, span: Span) -> Run<Option<Value>> {
        self.deeper(span, |machine| machine.advance_one(iter, end, span))
    }

    fn advance_one(&mut self, iter: &mut Iter, end: End, span: Span) -> Run<Option<Value>> {
        let refused = || stop(span, "this iterator is not evaluated from its end");
        match (iter, end) {
            (Iter::Map(inner, function), _) => match self.advance(inner, end, span)? {
                Some(value) => {
                    let made = self.apply(function, vec![value], Want::any(), span)?;
                    Ok(Some(made))
                }
                None => Ok(None),
            },
            (Iter::Filter(inner, function), _) => {
                while let Some(value) = self.advance(inner, end, span)? {
                    if self.asks(function, vec![Value::reference(value.clone())], span)? {
                        return Ok(Some(value));
                    }
                }
                Ok(None)
            }
            (Iter::FilterMap(inner, function), _) => {
                while let Some(value) = self.advance(inner, end, span)? {
                    let made = self.apply(function, vec![value], Want::any(), span)?;
                    if let Some(made) = optional(made, span)? {
                        return Ok(Some(made));
                    }
                }
                Ok(None)
            }
            (Iter::Cloned(inner), _) => match self.advance(inner, end, span)? {
                Some(value) => self.cloned(&value, span).map(Some),
                None => Ok(None),
            },
            (Iter::Rev(inner), _) => self.advance(inner, end.other(), span),
            (Iter::At(place), _) => self.advance_at(&place.clone(), end, span),
            (Iter::Items(items), End::Front) => Ok(items.pop_front()),
            (Iter::Count(next, end), End::Front) => {
                if end.is_some_and(|end| next.value >= end.value) {
                    return Ok(None);
                }
                let value = *next;
                *next = match (value.operate("+", Int::literal(1)), end) {
                    (Some(more), _) => more,
                    (None, Some(_)) => value.with_value(value.value + 1),
                    // Whether the last value of its type is yielded depends on how the program is compiled.
                    (None, None) => {
                        return stop(span, "this range exceeds its type");
                    }
                };
                Ok(Some(Value::Int(value)))
            }
            (Iter::Repeat(value), End::Front) => {
                let value = value.clone();
                self.clone_of(&value, span).map(Some)
            }
            (Iter::Cycle(whole, current), End::Front) => match self.next(current, span)? {
                Some(value) => Ok(Some(value)),
                None => {
                    current.clone_from(whole);
                    self.next(current, span)
                }
            },
            (Iter::FromFn(function), End::Front) => {
                let function = function.clone();
                let value = self.apply(&function, Vec::new(), Want::any(), span)?;
                optional(value, span)
            }
            (Iter::Successors(next, function), End::Front) => {
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
            (Iter::Flat(outer, function, current), End::Front) => loop {
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
            (Iter::TakeWhile(inner, function, ended), End::Front) => {
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
            (Iter::SkipWhile(inner, function, started), End::Front) => {
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
            (Iter::MapWhile(inner, function), End::Front) => {
                let function = function.clone();
                match self.next(inner, span)? {
                    Some(value) => {
                        let made = self.apply(&function, vec![value], Want::any(), span)?;
                        optional(made, span)
                    }
                    None => Ok(None),
                }
            }
            (Iter::Take(inner, count), End::Front) => match count.checked_sub(1) {
                Some(left) => {
                    *count = left;
                    self.next(inner, span)
                }
                None => Ok(None),
            },
            (Iter::Skip(inner, count), End::Front) => {
                for _ in 0..std::mem::take(count) {
                    if self.next(inner, span)?.is_none() {
                        return Ok(None);
                    }
                }
                self.next(inner, span)
            }
            (Iter::StepBy(inner, step, first), End::Front) => {
                let skipped = if std::mem::take(first) { 0 } else { *step - 1 };
                for _ in 0..skipped {
                    if self.next(inner, span)?.is_none() {
                        return Ok(None);
                    }
                }
                self.next(inner, span)
            }
            (Iter::Zip(first, second), End::Front) => {
                let Some(left) = self.next(first, span)? else {
                    return Ok(None);
                };
                let right = self.next(second, span)?;
                Ok(right.map(|right| Value::Tuple(vec![left, right])))
            }
            (Iter::Chain(first, second), End::Front) => {
                if let Some(inner) = first {
                    if let Some(value) = self.next(inner, span)? {
                        return Ok(Some(value));
                    }
                    *first = None;
                }
                self.next(second, span)
            }
            (Iter::Enumerate(inner, index), End::Front) => {
                let Some(value) = self.next(inner, span)? else {
                    return Ok(None);
                };
                let Some(at) = Value::size(*index) else {
                    return Ok(None);
                };
                *index += 1;
                Ok(Some(Value::Tuple(vec![at, value])))
            }
            (Iter::Peekable(inner, peeked), End::Front) => match peeked.take() {
                Some(value) => Ok(value),
                None => self.next(inner, span),
            },
            (Iter::Scan(inner, state, function), End::Front) => {
                let (state, function) = (state.clone(), function.clone());
                let Some(value) = self.next(inner, span)? else {
                    return Ok(None);
                };
                let args = vec![Value::MutPlace(state), value];
                let made = self.apply(&function, args, Want::any(), span)?;
                optional(made, span)
            }
            (Iter::Inspect(inner, function), End::Front) => {
                let function = function.clone();
                let value = self.next(inner, span)?;
                if let Some(value) = &value {
                    let args = vec![Value::reference(value.clone())];
                    self.apply(&function, args, Want::any(), span)?;
                }
                Ok(value)
            }
            (Iter::Items(items), End::Back) => Ok(items.pop_back()),
            (Iter::Count(next, Some(end)), End::Back) => {
                if next.value >= end.value {
                    return Ok(None);
                }
                let last = end.with_value(end.value - 1);
                *end = last;
                Ok(Some(Value::Int(last)))
            }
            (Iter::Chain(first, second), End::Back) => {
                if let Some(value) = self.next_back(second, span)? {
                    return Ok(Some(value));
                }
                match first {
                    Some(first) => self.next_back(first, span),
                    None => Ok(None),
                }
            }
            (Iter::Enumerate(inner, index), End::Back) => {
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
            (Iter::Skip(inner, count), End::Back) => match inner.exact() {
                Some(left) if left > *count => self.next_back(inner, span),
                Some(_) => Ok(None),
                None => refused(),
            },
            (Iter::Take(inner, count), End::Back) => {
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
            (Iter::Zip(first, second), End::Back) => {
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
            (_, End::Back) => refused(),
        }
    }

    /// Advances the iterator at a place.
    fn advance_at(&mut self, place: &MutPlace, end: End, span: Span) -> Run<Option<Value>> {
        match self.at(place).cloned() {
            Some(Value::Iter(mut inner)) => {
                let value = self.advance(&mut inner, end, span)?;
                self.write(place, Value::Iter(inner), span)?;
                Ok(value)
            }
            Some(range @ Value::Range(..)) => {
                let mut inner = self.iterate(range.clone(), span)?;
                let value = self.advance(&mut inner, end, span)?;
                self.write(place, inner.rest_of(&range), span)?;
                Ok(value)
            }
            Some(Value::Adt(_)) => {
                let name = match end {
                    End::Front => "next",
                    End::Back => "next_back",
                };
                let this = Value::MutPlace(place.clone());
                let value = self.user_method_at(&this, name, Vec::new(), span)?;
                optional(value, span)
            }
            _ => stop(span, "this iterator is not known"),
        }
    }
}
