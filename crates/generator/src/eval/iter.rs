//! Iterators: lazy, as std's are, so that what closures change on the way changes in the program's order.

use super::machine::{Machine, Run, Want, stop};
use super::number::Int;
use super::value::{MapKind, Place, SeqKind, Step, Value};
use crate::diag::Span;
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
    Scan(Box<Iter>, Place, Value),
    /// `inspect(f)`
    Inspect(Box<Iter>, Value),
    /// `cloned()`, `copied()`
    Cloned(Box<Iter>),
    /// Another name of the iterator at a place: `&mut iter`, `by_ref()`; one of a type of the source, too.
    At(Place),
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
}

impl Machine<'_> {
    /// `x.into_iter()`, as `for` calls it.
    ///
    /// # Errors
    /// `not-constant` where the order of the items is not the program's to tell, and where there are none.
    pub(crate) fn iterate(&mut self, value: Value, span: Span) -> Run<Iter> {
        match value {
            Value::Iter(iter) => Ok(*iter),
            Value::Seq(seq) => {
                self.check_order(&Value::Seq(seq.clone()), span)?;
                Ok(Iter::of(seq.items.iter().cloned()))
            }
            Value::Map(map) => {
                self.check_order(&Value::Map(map.clone()), span)?;
                let pairs = map.entries.iter();
                Ok(Iter::of(pairs.map(|(key, value)| {
                    Value::Tuple(vec![key.clone(), value.clone()])
                })))
            }
            Value::Option(inner) => Ok(Iter::of(inner.map(|inner| *inner))),
            Value::Result(inner) => Ok(Iter::of(inner.ok().map(|inner| *inner))),
            Value::Range(start, end, closed) => self.count(start, end, closed, span),
            Value::Wrapped(wrapper, inner) if wrapper.derefs() => match *inner {
                Value::Iter(iter) => Ok(*iter),
                Value::Seq(seq) if wrapper == super::value::Wrapper::Box => {
                    Ok(Iter::of(seq.items.iter().cloned()))
                }
                other => stop(
                    span,
                    format!("a loop over {} is not evaluated", other.kind()),
                ),
            },
            Value::Ref(inner) => self.iterate_shared(&inner, span),
            Value::Place(place) => self.iterate_mutable(&place, span),
            adt @ Value::Adt(_) => {
                let own = adt.ty();
                if !self.reader.blocks_with(&own, "next").is_empty() {
                    let slot = self.store(adt);
                    return Ok(Iter::At(Place::of(slot)));
                }
                let made = self.user_method(&adt, "into_iter", Vec::new(), Want::any(), span)?;
                self.iterate(made, span)
            }
            other => stop(
                span,
                format!("a loop over {} is not evaluated", other.kind()),
            ),
        }
    }

    fn iterate_shared(&mut self, value: &Value, span: Span) -> Run<Iter> {
        match value {
            Value::Seq(seq) => {
                self.check_order(value, span)?;
                Ok(Iter::of(seq.items.iter().cloned().map(Value::reference)))
            }
            Value::Map(map) => {
                self.check_order(value, span)?;
                let pairs = map.entries.iter();
                Ok(Iter::of(pairs.map(|(key, value)| {
                    Value::Tuple(vec![
                        Value::reference(key.clone()),
                        Value::reference(value.clone()),
                    ])
                })))
            }
            Value::Option(inner) => {
                let inner = inner.as_deref().cloned();
                Ok(Iter::of(inner.map(Value::reference)))
            }
            Value::Result(inner) => {
                let inner = inner.as_ref().ok().map(|inner| Value::clone(inner));
                Ok(Iter::of(inner.map(Value::reference)))
            }
            Value::Ref(inner) => self.iterate_shared(&Value::clone(inner), span),
            Value::Wrapped(wrapper, inner) if wrapper.derefs() => self.iterate_shared(inner, span),
            Value::Place(_) => {
                let inner = self.load(value);
                self.iterate_shared(&inner, span)
            }
            Value::Adt(_) => {
                let reference = Value::reference(value.clone());
                let made = self.items_of_reference(reference, span)?;
                self.iterate(made, span)
            }
            other => stop(
                span,
                format!("a loop over {} is not evaluated", other.kind()),
            ),
        }
    }

    fn iterate_mutable(&mut self, place: &Place, span: Span) -> Run<Iter> {
        let Some(value) = self.at(place).cloned() else {
            return stop(span, "what stands here cannot be told");
        };
        match &value {
            Value::Place(other) => {
                let other = other.clone();
                self.iterate_mutable(&other, span)
            }
            Value::Ref(inner) => self.iterate_shared(&Value::clone(inner), span),
            Value::Iter(_) => Ok(Iter::At(place.clone())),
            Value::Range(..) => Ok(Iter::At(place.clone())),
            Value::Seq(seq) if !seq.kind.is_set() => {
                self.check_order(&value, span)?;
                let places = (0..seq.items.len()).map(|index| place.step(Step::Item(index)));
                Ok(Iter::of(places.map(Value::Place)))
            }
            Value::Map(map) => {
                self.check_order(&value, span)?;
                let entries = map.entries.iter().enumerate();
                Ok(Iter::of(entries.map(|(index, (key, _))| {
                    Value::Tuple(vec![
                        Value::reference(key.clone()),
                        Value::Place(place.step(Step::Item(index))),
                    ])
                })))
            }
            Value::Option(inner) => {
                let inside = inner.is_some().then(|| place.step(Step::Inside));
                Ok(Iter::of(inside.map(Value::Place)))
            }
            Value::Adt(_) => {
                let own = value.ty();
                if self.reader.blocks_with(&own, "next").is_empty() {
                    let made = self.items_of_reference(Value::Place(place.clone()), span)?;
                    return self.iterate(made, span);
                }
                Ok(Iter::At(place.clone()))
            }
            other => stop(
                span,
                format!("a loop over {} is not evaluated", other.kind()),
            ),
        }
    }

    /// `(&x).into_iter()` of a type of the source.
    fn items_of_reference(&mut self, reference: Value, span: Span) -> Run {
        let own = self.type_of(&reference);
        let blocks = self.reader.blocks_with(&own, "into_iter");
        match &blocks[..] {
            [block] => self.call_block(block, "into_iter", vec![reference], Want::any(), span),
            _ => stop(span, "a loop over a reference to a struct is not evaluated"),
        }
    }

    /// Refuses to go through what has no order.
    pub(crate) fn check_order(&self, value: &Value, span: Span) -> Run<()> {
        let unordered = match value {
            Value::Seq(seq) => {
                matches!(seq.kind, SeqKind::Hashed | SeqKind::Heap) && seq.items.len() > 1
            }
            Value::Map(map) => map.kind == MapKind::Hashed && map.entries.len() > 1,
            _ => false,
        };
        if unordered {
            return stop(
                span,
                format!("the order of {} cannot be told", value.kind()),
            );
        }
        Ok(())
    }

    fn count(
        &mut self,
        start: Option<Box<Value>>,
        end: Option<Box<Value>>,
        closed: bool,
        span: Span,
    ) -> Run<Iter> {
        let start = start.map(|start| self.load(&start));
        let end = end.map(|end| self.load(&end));
        match (start, end) {
            (Some(Value::Int(start)), None) => Ok(Iter::Count(start, None)),
            (Some(Value::Int(start)), Some(Value::Int(end))) => {
                let ty = start.ty.or(end.ty);
                let (start, end) = match ty {
                    Some(ty) => match (start.of(ty), end.of(ty)) {
                        (Some(start), Some(end)) => (start, end),
                        _ => return stop(span, "the ends of this range are of two types"),
                    },
                    None => (start, end),
                };
                let end = if closed {
                    end.with_value(end.value + 1)
                } else {
                    end
                };
                Ok(Iter::Count(start, Some(end)))
            }
            (Some(Value::Char(start)), Some(Value::Char(end))) => {
                let items: Vec<Value> = if closed {
                    (start..=end).map(Value::Char).collect()
                } else {
                    (start..end).map(Value::Char).collect()
                };
                self.check_size(items.len(), span)?;
                Ok(Iter::of(items))
            }
            _ => stop(span, "this range is not evaluated"),
        }
    }

    /// `iter.next()`
    pub(crate) fn next(&mut self, iter: &mut Iter, span: Span) -> Run<Option<Value>> {
        self.deeper(span, |machine| machine.next_of(iter, span))
    }

    fn next_of(&mut self, iter: &mut Iter, span: Span) -> Run<Option<Value>> {
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

    /// What a function answers, yes or no.
    pub(crate) fn asks(&mut self, function: &Value, args: Vec<Value>, span: Span) -> Run<bool> {
        let value = self.apply(function, args, Want::any(), span)?;
        super::exprs::truth(&value, span)
    }

    /// `x.clone()`
    pub(crate) fn cloned(&mut self, value: &Value, span: Span) -> Run {
        let value = match value {
            Value::Ref(inner) => Value::clone(inner),
            Value::Place(_) => self.load(value),
            value => value.clone(),
        };
        self.clone_of(&value, span)
    }

    /// So many of a value: all but the last are clones.
    pub(crate) fn copies(&mut self, value: &Value, count: usize, span: Span) -> Run<Vec<Value>> {
        self.check_size(count, span)?;
        if !has_adt(value) {
            return Ok(vec![value.clone(); count]);
        }
        let mut items = Vec::with_capacity(count);
        for _ in 1..count {
            items.push(self.clone_of(value, span)?);
        }
        if count > 0 {
            items.push(value.clone());
        }
        Ok(items)
    }

    /// A clone of a value, by its type's own `clone` where that is written by hand.
    pub(crate) fn clone_of(&mut self, value: &Value, span: Span) -> Run {
        match value {
            Value::Adt(adt) => {
                if super::derives::derives(&self.reader, &adt.of, crate::source::Derive::Clone) {
                    let fields = adt.fields.iter().map(|(_, value)| value.clone());
                    let fields: Vec<Value> = fields.collect();
                    let mut cloned = Vec::with_capacity(fields.len());
                    for ((name, _), value) in adt.fields.iter().zip(fields) {
                        cloned.push((name.clone(), self.clone_of(&value, span)?));
                    }
                    return Ok(Value::Adt(super::value::Adt {
                        fields: std::sync::Arc::new(cloned),
                        ..adt.clone()
                    }));
                }
                let own = value.ty();
                if self.reader.blocks_with(&own, "clone").is_empty() {
                    let name = &adt.of.ty.def.name;
                    return stop(span, format!("how `{name}` is cloned cannot be told"));
                }
                self.user_method(value, "clone", Vec::new(), Want::any(), span)
            }
            Value::Seq(seq) if seq.items.iter().any(has_adt) => {
                let mut items = Vec::with_capacity(seq.items.len());
                for item in seq.items.iter() {
                    items.push(self.clone_of(item, span)?);
                }
                Ok(Value::Seq(super::value::Seq {
                    items: std::sync::Arc::new(items),
                    ..seq.clone()
                }))
            }
            Value::Option(Some(inner)) if has_adt(inner) => {
                self.clone_of(inner, span).map(Value::some)
            }
            Value::Tuple(items) if items.iter().any(has_adt) => {
                let mut cloned = Vec::with_capacity(items.len());
                for item in items {
                    cloned.push(self.clone_of(item, span)?);
                }
                Ok(Value::Tuple(cloned))
            }
            Value::Map(map)
                if map
                    .entries
                    .iter()
                    .any(|(key, value)| has_adt(key) || has_adt(value)) =>
            {
                let mut entries = Vec::with_capacity(map.entries.len());
                for (key, value) in map.entries.iter() {
                    entries.push((self.clone_of(key, span)?, self.clone_of(value, span)?));
                }
                Ok(Value::Map(super::value::Map {
                    entries: std::sync::Arc::new(entries),
                    ..map.clone()
                }))
            }
            Value::Wrapped(super::value::Wrapper::Box, inner) if has_adt(inner) => {
                let inner = self.clone_of(inner, span)?;
                Ok(Value::Wrapped(super::value::Wrapper::Box, Box::new(inner)))
            }
            value => Ok(value.clone()),
        }
    }
}

/// Whether a value holds one of a type of the source, which may be cloned by hand.
fn has_adt(value: &Value) -> bool {
    match value {
        Value::Adt(_) => true,
        Value::Seq(seq) => seq.items.iter().any(has_adt),
        Value::Tuple(items) => items.iter().any(has_adt),
        Value::Option(Some(inner)) | Value::Wrapped(_, inner) => has_adt(inner),
        Value::Map(map) => map
            .entries
            .iter()
            .any(|(key, value)| has_adt(key) || has_adt(value)),
        _ => false,
    }
}

/// What an `Option` holds.
pub(crate) fn optional(value: Value, span: Span) -> Run<Option<Value>> {
    match value {
        Value::Option(inner) => Ok(inner.map(|inner| *inner)),
        Value::Unknown(finding) => Err(finding.into()),
        other => stop(
            span,
            format!("an option is needed here, not {}", other.kind()),
        ),
    }
}
