//! Iterators as values: they keep what yields the next item, and compute it lazily.

use super::number::Int;
use super::value::{MutPlace, Value};
use std::collections::VecDeque;

/// An iterator.
#[derive(Clone, Debug)]
pub(crate) enum Iter {
    /// Values in order.
    Items(VecDeque<Value>),
    /// Integers from one up to another (exclusive), or without end.
    Count(Int, Option<Int>),
    /// `repeat(x)`
    Repeat(Value),
    /// `cycle()`: the iterator to restart with, and the current one.
    Cycle(Box<Iter>, Box<Iter>),
    /// `from_fn(f)`
    FromFn(Value),
    /// `successors(first, f)`
    Successors(Option<Value>, Value),
    /// `map(f)`
    Map(Box<Iter>, Value),
    /// `filter(f)`
    Filter(Box<Iter>, Value),
    /// `filter_map(f)`
    FilterMap(Box<Iter>, Value),
    /// `flat_map(f)`, `flatten()`, with the rest of the inner one.
    Flat(Box<Iter>, Option<Value>, Option<Box<Iter>>),
    /// `take_while(f)`, and whether it has ended.
    TakeWhile(Box<Iter>, Value, bool),
    /// `skip_while(f)`, and whether it has started.
    SkipWhile(Box<Iter>, Value, bool),
    /// `map_while(f)`
    MapWhile(Box<Iter>, Value),
    /// `take(n)`
    Take(Box<Iter>, usize),
    /// `skip(n)`
    Skip(Box<Iter>, usize),
    /// `step_by(n)`, and whether the first item is still to come.
    StepBy(Box<Iter>, usize, bool),
    /// `zip(other)`
    Zip(Box<Iter>, Box<Iter>),
    /// `chain(other)`; `None` once the first has ended.
    Chain(Option<Box<Iter>>, Box<Iter>),
    /// `enumerate()`
    Enumerate(Box<Iter>, usize),
    /// `rev()`
    Rev(Box<Iter>),
    /// `peekable()`, and the peeked item.
    Peekable(Box<Iter>, Option<Option<Value>>),
    /// `scan(state, f)`, with the place of the state.
    Scan(Box<Iter>, MutPlace, Value),
    /// `inspect(f)`
    Inspect(Box<Iter>, Value),
    /// `cloned()`, `copied()`
    Cloned(Box<Iter>),
    /// A reference to the iterator at a place: `&mut iter`, `by_ref()`; also to one of a type of the source.
    At(MutPlace),
}

impl Iter {
    /// Returns an iterator over values.
    pub(crate) fn of(items: impl IntoIterator<Item = Value>) -> Self {
        Self::Items(items.into_iter().collect())
    }

    /// Returns the number of remaining items, if it is known without running the program.
    pub(crate) fn exact(&self) -> Option<usize> {
        match self {
            Self::Items(items) => Some(items.len()),
            Self::Count(next, Some(end)) => usize::try_from(end.value - next.value)
                .ok()
                .or((end.value < next.value).then_some(0)),
            Self::Map(inner, _)
            | Self::Cloned(inner)
            | Self::Enumerate(inner, _)
            | Self::Rev(inner)
            | Self::Inspect(inner, _) => inner.exact(),
            Self::Take(inner, count) => Some(inner.exact().map_or(*count, |left| left.min(*count))),
            Self::Skip(inner, count) => inner.exact().map(|left| left.saturating_sub(*count)),
            Self::Zip(first, second) => Some(first.exact()?.min(second.exact()?)),
            Self::Chain(Some(first), second) => Some(first.exact()? + second.exact()?),
            Self::Chain(None, second) => second.exact(),
            _ => None,
        }
    }

    /// Returns the value of a variable after some of its items were taken: a range stays a range.
    pub(crate) fn rest_of(self, taken: &Value) -> Value {
        match (taken, self) {
            // An exhausted `a..=b` equals no other range.
            (Value::Range(_, _, closed), Iter::Count(next, end))
                if !closed || end.is_some_and(|end| next.value < end.value) =>
            {
                let last = |end: Int| end.with_value(end.value - i128::from(*closed));
                let end = end.map(|end| Box::new(Value::Int(last(end))));
                Value::Range(Some(Box::new(Value::Int(next))), end, *closed)
            }
            (_, iter) => Value::Iter(Box::new(iter)),
        }
    }
}
