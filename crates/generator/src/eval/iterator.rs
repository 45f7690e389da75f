//! Iterators as values: what each gives next is kept, not computed.

use super::number::Int;
use super::value::{MutPlace, Value};
use std::collections::VecDeque;

/// An iterator.
#[derive(Clone, Debug)]
pub(crate) enum Iter {
    /// Values one after the other.
    Items(VecDeque<Value>),
    /// Integers from one to before another, or without end.
    Count(Int, Option<Int>),
    /// `repeat(x)`
    Repeat(Value),
    /// `cycle()`: what it starts again with, and where it is.
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
    /// `flat_map(f)`, `flatten()`: what is left of the inner one.
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
    /// `step_by(n)`, and whether the first is still to come.
    StepBy(Box<Iter>, usize, bool),
    /// `zip(other)`
    Zip(Box<Iter>, Box<Iter>),
    /// `chain(other)`; none where the first has ended.
    Chain(Option<Box<Iter>>, Box<Iter>),
    /// `enumerate()`
    Enumerate(Box<Iter>, usize),
    /// `rev()`
    Rev(Box<Iter>),
    /// `peekable()`, and what was looked at.
    Peekable(Box<Iter>, Option<Option<Value>>),
    /// `scan(state, f)`: where the state is.
    Scan(Box<Iter>, MutPlace, Value),
    /// `inspect(f)`
    Inspect(Box<Iter>, Value),
    /// `cloned()`, `copied()`
    Cloned(Box<Iter>),
    /// Another name of the iterator at a place: `&mut iter`, `by_ref()`; one of a type of the source, too.
    At(MutPlace),
}

impl Iter {
    /// Values one after the other.
    pub(crate) fn of(items: impl IntoIterator<Item = Value>) -> Self {
        Self::Items(items.into_iter().collect())
    }

    /// How many are left, where that can be told without asking the program.
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

    /// The value of a variable after some of its items were taken: a range stays a range.
    pub(crate) fn rest_of(self, taken: &Value) -> Value {
        match (taken, self) {
            // A closed range that was gone through is neither open nor closed.
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
