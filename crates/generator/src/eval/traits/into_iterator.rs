//! Iterators. They are lazy like std's, so that side effects of closures happen in the program's order.

use crate::eval::machine::{Machine, Run, Want, stop, truth};
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::{MapKind, SeqKind, Wrapper};
use crate::eval::values::value::{Adt, Map, MutPlace, PlaceElem, Seq, Value};
use crd_channels_diagnostics::Span;

impl Machine<'_> {
    /// `x.into_iter()`, as `for` calls it.
    ///
    /// # Errors
    ///
    /// `not-constant` if the order of the items is unspecified, or the value is not iterable.
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
                Value::Seq(seq) if wrapper == Wrapper::Box => {
                    Ok(Iter::of(seq.items.iter().cloned()))
                }
                other => stop(
                    span,
                    format!("a loop over {} is not evaluated", other.kind()),
                ),
            },
            Value::Ref(inner) => self.iterate_shared(&inner, span),
            Value::MutPlace(place) => self.iterate_mutable(&place, span),
            adt @ Value::Adt(_) => {
                let own = adt.ty();
                if !self.reader.known_blocks(&own, "next").is_empty() {
                    let slot = self.store(adt);
                    return Ok(Iter::At(MutPlace::of(slot)));
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
            Value::MutPlace(_) => {
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

    fn iterate_mutable(&mut self, place: &MutPlace, span: Span) -> Run<Iter> {
        let Some(value) = self.at(place).cloned() else {
            return stop(span, "the value of this place is not known");
        };
        match &value {
            Value::MutPlace(other) => {
                let other = other.clone();
                self.iterate_mutable(&other, span)
            }
            Value::Ref(inner) => self.iterate_shared(&Value::clone(inner), span),
            Value::Iter(_) => Ok(Iter::At(place.clone())),
            Value::Range(..) => Ok(Iter::At(place.clone())),
            Value::Seq(seq) if !seq.kind.is_set() => {
                self.check_order(&value, span)?;
                let places = (0..seq.items.len()).map(|index| place.part(PlaceElem::Item(index)));
                Ok(Iter::of(places.map(Value::MutPlace)))
            }
            Value::Map(map) => {
                self.check_order(&value, span)?;
                let entries = map.entries.iter().enumerate();
                Ok(Iter::of(entries.map(|(index, (key, _))| {
                    Value::Tuple(vec![
                        Value::reference(key.clone()),
                        Value::MutPlace(place.part(PlaceElem::Item(index))),
                    ])
                })))
            }
            Value::Option(inner) => {
                let content = inner.is_some().then(|| place.part(PlaceElem::Content));
                Ok(Iter::of(content.map(Value::MutPlace)))
            }
            Value::Adt(_) => {
                let own = value.ty();
                if self.reader.known_blocks(&own, "next").is_empty() {
                    let made = self.items_of_reference(Value::MutPlace(place.clone()), span)?;
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

    /// `(&x).into_iter()` for a type of the source.
    fn items_of_reference(&mut self, reference: Value, span: Span) -> Run {
        let own = self.type_of(&reference);
        let blocks = self.reader.known_blocks(&own, "into_iter");
        match &blocks[..] {
            [block] => self.call_block(block, "into_iter", vec![reference], Want::any(), span),
            _ => stop(span, "a loop over a reference to a struct is not evaluated"),
        }
    }

    /// Refuses to iterate over a collection without an order.
    pub(crate) fn check_order(&self, value: &Value, span: Span) -> Run<()> {
        let unordered = match value {
            Value::Seq(seq) => {
                matches!(seq.kind, SeqKind::Hashed | SeqKind::Heap) && seq.items.len() > 1
            }
            Value::Map(map) => {
                matches!(map.kind, MapKind::Hashed | MapKind::Json) && map.entries.len() > 1
            }
            _ => false,
        };
        if unordered {
            return stop(span, format!("the order of {} is not known", value.kind()));
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
                        _ => return stop(span, "the ends of this range have different types"),
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

    /// Calls a predicate.
    pub(crate) fn asks(&mut self, function: &Value, args: Vec<Value>, span: Span) -> Run<bool> {
        let value = self.apply(function, args, Want::any(), span)?;
        truth(&value, span)
    }

    /// `x.clone()`
    pub(crate) fn cloned(&mut self, value: &Value, span: Span) -> Run {
        let value = match value {
            Value::Ref(inner) => Value::clone(inner),
            Value::MutPlace(_) => self.load(value),
            value => value.clone(),
        };
        self.clone_of(&value, span)
    }

    /// Returns copies of a value: all except the last are clones.
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

    /// Clones a value, with its type's `clone` if that is written by hand.
    pub(crate) fn clone_of(&mut self, value: &Value, span: Span) -> Run {
        match value {
            Value::Adt(adt) => {
                if super::derives::derives(
                    &self.reader,
                    &adt.of,
                    crd_channels_source::Derive::Clone,
                ) {
                    let fields = adt.fields.iter().map(|(_, value)| value.clone());
                    let fields: Vec<Value> = fields.collect();
                    let mut cloned = Vec::with_capacity(fields.len());
                    for ((name, _), value) in adt.fields.iter().zip(fields) {
                        cloned.push((name.clone(), self.clone_of(&value, span)?));
                    }
                    return Ok(Value::Adt(Adt {
                        fields: std::sync::Arc::new(cloned),
                        ..adt.clone()
                    }));
                }
                let own = value.ty();
                if self.reader.known_blocks(&own, "clone").is_empty() {
                    let name = &adt.of.ty.def.name;
                    return stop(span, format!("`Clone` of `{name}` is not known"));
                }
                self.user_method(value, "clone", Vec::new(), Want::any(), span)
            }
            Value::Seq(seq) if seq.items.iter().any(has_adt) => {
                let mut items = Vec::with_capacity(seq.items.len());
                for item in seq.items.iter() {
                    items.push(self.clone_of(item, span)?);
                }
                Ok(Value::Seq(Seq {
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
                Ok(Value::Map(Map {
                    entries: std::sync::Arc::new(entries),
                    ..map.clone()
                }))
            }
            Value::Wrapped(Wrapper::Box, inner) if has_adt(inner) => {
                let inner = self.clone_of(inner, span)?;
                Ok(Value::Wrapped(Wrapper::Box, Box::new(inner)))
            }
            value => Ok(value.clone()),
        }
    }
}

/// Returns true if a value contains one of a type of the source, whose `clone` may be written by hand.
pub(crate) fn has_adt(value: &Value) -> bool {
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

/// Returns the content of an `Option`.
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
