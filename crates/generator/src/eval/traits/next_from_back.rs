//! The next item of an iterator from its back.

use crate::eval::machine::{Machine, Run, stop};
use crate::eval::values::iterator::Iter;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;

impl Machine<'_> {
    /// Returns the last item of an iterator that differs from its first in how it is taken.
    pub(super) fn next_from_back(&mut self, iter: &mut Iter, span: Span) -> Run<Option<Value>> {
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
            Iter::Chain(first, second) => {
                if let Some(value) = self.next_back(second, span)? {
                    return Ok(Some(value));
                }
                match first {
                    Some(first) => self.next_back(first, span),
                    None => Ok(None),
                }
            }
            Iter::Enumerate(inner, index) => self.last_enumerated(inner, *index, span),
            Iter::Skip(inner, count) => match inner.exact() {
                Some(left) if left > *count => self.next_back(inner, span),
                Some(_) => Ok(None),
                None => refused(span),
            },
            Iter::Take(inner, count) => self.last_taken(inner, count, span),
            Iter::Zip(first, second) => self.last_zipped(first, second, span),
            _ => refused(span),
        }
    }

    /// The last item of `enumerate()`.
    fn last_enumerated(
        &mut self,
        inner: &mut Iter,
        index: usize,
        span: Span,
    ) -> Run<Option<Value>> {
        let Some(left) = inner.exact() else {
            return refused(span);
        };
        let at = (index + left).checked_sub(1).and_then(Value::size);
        match (self.next_back(inner, span)?, at) {
            (Some(value), Some(at)) => Ok(Some(Value::Tuple(vec![at, value]))),
            _ => Ok(None),
        }
    }

    /// The last item of `take(..)`.
    fn last_taken(
        &mut self,
        inner: &mut Iter,
        count: &mut usize,
        span: Span,
    ) -> Run<Option<Value>> {
        let Some(left) = inner.exact() else {
            return refused(span);
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

    /// The last item of `zip(..)`.
    fn last_zipped(
        &mut self,
        first: &mut Iter,
        second: &mut Iter,
        span: Span,
    ) -> Run<Option<Value>> {
        let (Some(left), Some(right)) = (first.exact(), second.exact()) else {
            return refused(span);
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
}

fn refused<T>(span: Span) -> Run<T> {
    stop(span, "this iterator is not evaluated from its end")
}
