//! Methods that leave an iterator where they stop: `next`, `find`, `peek`, `try_fold`.

use super::{Call, argument};
use crate::eval::machine::{Machine, Run, stop};
use crate::eval::traits::into_iterator::optional;
use crate::eval::traits::next_item::End;
use crate::eval::values::iterator::Iter;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;

impl Machine<'_> {
    /// Calls a method that leaves the iterator where it stops.
    pub(super) fn stepped(&mut self, call: &Call<'_>, iter: &mut Iter, args: &[Value]) -> Run {
        let span = call.span;
        let first = argument(args, 0);
        match call.name {
            "next" => self.next(iter, span).map(Value::option),
            "next_back" => self.next_back(iter, span).map(Value::option),
            "nth" => self.nth(iter, End::Front, &first, span),
            "nth_back" => self.nth(iter, End::Back, &first, span),
            "all" => Ok(Value::Bool(!self.reaches(iter, &first, false, span)?)),
            "any" => self.reaches(iter, &first, true, span).map(Value::Bool),
            "find" => self.find(iter, End::Front, &first, span),
            "rfind" => self.find(iter, End::Back, &first, span),
            "find_map" => self.find_map(call, iter, &first),
            "position" => self.position_of(iter, &first, span),
            "rposition" => self.position_from_back(iter, &first, span),
            "peek" => {
                let ahead = self.peeked(iter, span)?;
                Ok(Value::option(ahead.map(Value::reference)))
            }
            "next_if" | "next_if_eq" => self.next_if(call, iter, &first),
            "try_fold" => self.try_fold(call, iter, args),
            "by_ref" => Ok(Value::Iter(Box::new(iter.clone()))),
            // All other methods that `Iterator` provides to a type of the source.
            _ => self.consumed(call, iter.clone(), args),
        }
    }

    fn nth(&mut self, iter: &mut Iter, end: End, count: &Value, span: Span) -> Run {
        for _ in 0..self.count_of(count, span)? {
            if self.advance(iter, end, span)?.is_none() {
                return Ok(Value::Option(None));
            }
        }
        self.advance(iter, end, span).map(Value::option)
    }

    /// Steps until a predicate has a result, and returns whether it ever has.
    fn reaches(
        &mut self,
        iter: &mut Iter,
        function: &Value,
        result: bool,
        span: Span,
    ) -> Run<bool> {
        while let Some(item) = self.next(iter, span)? {
            if self.asks(function, vec![item], span)? == result {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn find(&mut self, iter: &mut Iter, end: End, function: &Value, span: Span) -> Run {
        while let Some(item) = self.advance(iter, end, span)? {
            if self.asks(function, vec![Value::reference(item.clone())], span)? {
                return Ok(Value::some(item));
            }
        }
        Ok(Value::Option(None))
    }

    fn find_map(&mut self, call: &Call<'_>, iter: &mut Iter, function: &Value) -> Run {
        while let Some(item) = self.next(iter, call.span)? {
            let made = self.apply(function, vec![item], call.want, call.span)?;
            if let Some(made) = optional(made, call.span)? {
                return Ok(Value::some(made));
            }
        }
        Ok(Value::Option(None))
    }

    fn position_of(&mut self, iter: &mut Iter, function: &Value, span: Span) -> Run {
        let mut index = 0;
        while let Some(item) = self.next(iter, span)? {
            if self.asks(function, vec![item], span)? {
                return Ok(Value::some(self.size(index, span)?));
            }
            index += 1;
        }
        Ok(Value::Option(None))
    }

    fn position_from_back(&mut self, iter: &mut Iter, function: &Value, span: Span) -> Run {
        let Some(mut index) = iter.exact() else {
            return stop(span, "this iterator is not evaluated from its end");
        };
        while let Some(item) = self.next_back(iter, span)? {
            index -= 1;
            if self.asks(function, vec![item], span)? {
                return Ok(Value::some(self.size(index, span)?));
            }
        }
        Ok(Value::Option(None))
    }

    /// Returns the next item of a peekable iterator, which stays its next item.
    fn peeked(&mut self, iter: &mut Iter, span: Span) -> Run<Option<Value>> {
        let Iter::Peekable(inner, peeked) = iter else {
            return stop(span, "this iterator is not peekable");
        };
        if peeked.is_none() {
            *peeked = Some(self.next(inner, span)?);
        }
        Ok(peeked.clone().flatten())
    }

    fn next_if(&mut self, call: &Call<'_>, iter: &mut Iter, wanted: &Value) -> Run {
        let Some(item) = self.peeked(iter, call.span)? else {
            return Ok(Value::Option(None));
        };
        let taken = match call.name {
            "next_if" => self.asks(wanted, vec![Value::reference(item.clone())], call.span)?,
            _ => self.same(&item, wanted, call.span)?,
        };
        if !taken {
            return Ok(Value::Option(None));
        }
        if let Iter::Peekable(_, peeked) = iter {
            *peeked = None;
        }
        Ok(Value::some(item))
    }

    fn try_fold(&mut self, call: &Call<'_>, iter: &mut Iter, args: &[Value]) -> Run {
        let span = call.span;
        let [start, function] = args else {
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
            (Some(true), _) | (None, Some("Option")) => Ok(Value::some(state)),
            (Some(false), _) | (None, Some("Result")) => Ok(Value::ok(state)),
            _ => stop(span, "the type of this fold is not known"),
        }
    }
}
