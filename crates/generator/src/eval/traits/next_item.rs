//! The next item of an iterator, from the front or the back.

use super::into_iterator::optional;
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::iterator::Iter;
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

    /// Takes an item from an end.
    pub(in crate::eval) fn advance(
        &mut self,
        iter: &mut Iter,
        end: End,
        span: Span,
    ) -> Run<Option<Value>> {
        self.deeper(span, |machine| machine.advance_one(iter, end, span))
    }

    fn advance_one(&mut self, iter: &mut Iter, end: End, span: Span) -> Run<Option<Value>> {
        match iter {
            Iter::Map(inner, function) => match self.advance(inner, end, span)? {
                Some(value) => {
                    let made = self.apply(function, vec![value], Want::any(), span)?;
                    Ok(Some(made))
                }
                None => Ok(None),
            },
            Iter::Filter(inner, function) => self.advance_filter(inner, function, end, span),
            Iter::FilterMap(inner, function) => self.advance_filter_map(inner, function, end, span),
            Iter::Cloned(inner) => match self.advance(inner, end, span)? {
                Some(value) => self.cloned(&value, span).map(Some),
                None => Ok(None),
            },
            Iter::Rev(inner) => self.advance(inner, end.other(), span),
            Iter::At(place) => self.advance_at(&place.clone(), end, span),
            iter => match end {
                End::Front => self.next_from_front(iter, span),
                End::Back => self.next_from_back(iter, span),
            },
        }
    }

    fn advance_filter(
        &mut self,
        inner: &mut Iter,
        function: &Value,
        end: End,
        span: Span,
    ) -> Run<Option<Value>> {
        while let Some(value) = self.advance(inner, end, span)? {
            if self.asks(function, vec![Value::reference(value.clone())], span)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn advance_filter_map(
        &mut self,
        inner: &mut Iter,
        function: &Value,
        end: End,
        span: Span,
    ) -> Run<Option<Value>> {
        while let Some(value) = self.advance(inner, end, span)? {
            let made = self.apply(function, vec![value], Want::any(), span)?;
            if let Some(made) = optional(made, span)? {
                return Ok(Some(made));
            }
        }
        Ok(None)
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
