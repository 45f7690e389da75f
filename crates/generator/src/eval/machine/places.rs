//! Places: the targets of assignments and of `&mut`.

use super::{Frame, Machine, Run, Want, panics, stop};
use crate::eval::schemas::{Pending, is_group};
use crate::eval::values::kinds::Wrapper;
use crate::eval::values::ty::{Concrete, single};
use crate::eval::values::value::{MutPlace, PlaceElem, Value};
use crd_channels_diagnostics::Span;
use crd_channels_source::tree::{Expr, ExprKind};
use std::sync::Arc;

impl Machine<'_> {
    /// Returns the value at a place. Follows references on the way, but not one at the end.
    pub(crate) fn at(&self, place: &MutPlace) -> Option<&Value> {
        let mut value = self.slots.get(place.slot)?;
        for element in &place.elements {
            while let Value::Ref(inner) = value {
                value = inner;
            }
            while let Value::MutPlace(other) = value {
                value = self.at(other)?;
            }
            value = part(value, element)?;
        }
        Some(value)
    }

    /// Returns the value at a place for a change. `None` behind `&`, or if it is unknown whether the change happens.
    pub(crate) fn at_mut(&mut self, place: &MutPlace) -> Option<&mut Value> {
        let place = self.resolved(place).filter(|place| !place.frozen)?;
        let mut unsure = self.unsure.iter();
        match unsure.all(|unsure| place.slot >= unsure.slots) {
            true => self.at_free(&place),
            false => None,
        }
    }

    /// Does the same for changes that track themselves what they depend on.
    pub(crate) fn at_free(&mut self, place: &MutPlace) -> Option<&mut Value> {
        let place = self.resolved(place).filter(|place| !place.frozen)?;
        let mut value = self.slots.get_mut(place.slot)?;
        for element in &place.elements {
            value = part_mut(value, element)?;
        }
        Some(value)
    }

    /// Returns the place after following each `&mut` on the way.
    pub(crate) fn resolved(&self, place: &MutPlace) -> Option<MutPlace> {
        let mut resolved = MutPlace {
            elements: Vec::new(),
            ..place.clone()
        };
        for element in &place.elements {
            let mut value = self.at(&resolved)?;
            while let Value::MutPlace(other) = value {
                resolved = self.resolved(other)?;
                value = self.at(&resolved)?;
            }
            resolved.elements.push(element.clone());
        }
        Some(resolved)
    }

    /// Returns a value after following all references.
    pub(crate) fn load(&self, value: &Value) -> Value {
        match value {
            Value::Ref(inner) => self.load(inner),
            Value::MutPlace(place) => match self.at(place) {
                Some(value) => self.load(value),
                None => Value::unit(),
            },
            value => value.clone(),
        }
    }

    /// Returns the type of a value, including the target of `&mut`.
    pub(crate) fn type_of(&self, value: &Value) -> Concrete {
        match value {
            Value::MutPlace(place) => {
                let inner = self.at(place).map(|value| self.type_of(value));
                Concrete::Ref(Box::new(inner.unwrap_or(Concrete::Infer)), true)
            }
            Value::Ref(inner) => Concrete::Ref(Box::new(self.type_of(inner)), false),
            value => value.ty(),
        }
    }

    /// Writes a value to a place.
    pub(crate) fn write(&mut self, place: &MutPlace, value: Value, at: Span) -> Run<()> {
        if self.set_group(place, &value, at)? {
            return Ok(());
        }
        match self.at_mut(place) {
            Some(target) => {
                *target = value;
                Ok(())
            }
            None => stop(at, "the value that this changes is not known"),
        }
    }

    /// Returns the place that an expression names; `None` for other expressions, such as calls.
    pub(crate) fn place(&mut self, expr: &Expr, frame: &mut Frame) -> Run<Option<MutPlace>> {
        match &expr.kind {
            ExprKind::Path(path) => {
                let slot = single(path).and_then(|name| frame.local(name));
                Ok(slot.map(MutPlace::of))
            }
            ExprKind::Unary('*', inner) => {
                let Some(place) = self.place(inner, frame)? else {
                    return Ok(match self.expr(inner, frame, Want::any())? {
                        Value::MutPlace(place) => Some(place),
                        value => {
                            let place = MutPlace::of(self.store(value));
                            self.behind(&place, expr.span)?
                        }
                    });
                };
                self.behind(&place, expr.span)
            }
            ExprKind::Field(base, name) => {
                let place = match self.place(base, frame)? {
                    Some(place) => place,
                    None => {
                        let value = self.expr(base, frame, Want::any())?;
                        match value {
                            Value::MutPlace(place) => place,
                            value => MutPlace::of(self.store(value)),
                        }
                    }
                };
                let element = PlaceElem::Field(name.clone());
                let mut next = Some(place);
                while let Some(place) = next {
                    if let Some(found) = self.keyword_place(&place, name) {
                        return Ok(Some(found));
                    }
                    let found = place.part(element.clone());
                    if self.at(&found).is_some() {
                        return Ok(Some(found));
                    }
                    next = self.behind(&place, expr.span)?;
                }
                Ok(None)
            }
            ExprKind::Index(base, at) => {
                let place = match self.place(base, frame)? {
                    Some(place) => place,
                    None => match self.expr(base, frame, Want::any())? {
                        Value::MutPlace(place) => place,
                        value => MutPlace::of(self.store(value)),
                    },
                };
                let at = self.expr(at, frame, Want::any())?;
                let at = self.load(&at);
                let mut next = Some(place.clone());
                while let Some(place) = next {
                    if let Some(part) = self.json_part(&place, &at, false, expr.span)? {
                        return Ok(Some(part));
                    }
                    if let Some(item) = self.item_at(&place, &at, expr.span)? {
                        return Ok(Some(place.part(PlaceElem::Item(item))));
                    }
                    next = self.behind(&place, expr.span)?;
                }
                // A range of a list, a text, or the result of a user's `index`: readable, but not writable.
                let part = self.indexed(Value::MutPlace(place), &at, expr.span)?;
                Ok(Some(MutPlace::frozen(self.store(part))))
            }
            _ => Ok(None),
        }
    }

    /// Returns the index of the item at `list[at]`; `None` if the value is indexed differently.
    fn item_at(&mut self, place: &MutPlace, at: &Value, span: Span) -> Run<Option<usize>> {
        let base = match self.at(place) {
            Some(value) => self.load(value),
            None => return Ok(None),
        };
        match (base, at) {
            (Value::Seq(seq), Value::Int(at)) if !seq.kind.is_set() => {
                let at = usize::try_from(at.value).ok();
                match at.filter(|at| *at < seq.items.len()) {
                    Some(at) => Ok(Some(at)),
                    None => panics(span, "this index is out of bounds"),
                }
            }
            (Value::Map(map), key) => {
                for (index, (known, _)) in map.entries.iter().enumerate() {
                    if self.same(known, key, span)? {
                        return Ok(Some(index));
                    }
                }
                panics(span, "this key is not in the map")
            }
            _ => Ok(None),
        }
    }

    /// Returns the place of `*place`: the target of a reference, or the content of a box. `None` for other values.
    pub(crate) fn behind(&mut self, place: &MutPlace, span: Span) -> Run<Option<MutPlace>> {
        match self.at(place) {
            Some(Value::MutPlace(other)) => Ok(Some(other.clone())),
            Some(Value::Ref(inner)) => {
                let inner = Value::clone(inner);
                Ok(Some(MutPlace::frozen(self.store(inner))))
            }
            Some(Value::Wrapped(wrapper, _)) if wrapper.derefs() => {
                Ok(Some(place.part(PlaceElem::Content)))
            }
            Some(adt @ Value::Adt(_)) => {
                let adt = adt.clone();
                let inner = self.user_deref(&adt, span)?;
                Ok(inner.map(|inner| match inner {
                    Value::Ref(inner) => MutPlace::frozen(self.store(Value::clone(&inner))),
                    Value::MutPlace(place) => place,
                    value => MutPlace::frozen(self.store(value)),
                }))
            }
            _ => Ok(None),
        }
    }
}

/// Returns a part of a value.
fn part<'v>(value: &'v Value, element: &PlaceElem) -> Option<&'v Value> {
    match (value, element) {
        (Value::Adt(adt), PlaceElem::Field(name)) => adt.field(name),
        (Value::Record(record), PlaceElem::Field(name)) => {
            let found = record.fields.iter().find(|(field, _)| field == name);
            found.map(|(_, value)| value)
        }
        (Value::Pending(pending), PlaceElem::Field(name)) => match &**pending {
            // Its keywords are in the schema itself.
            Pending::Schema(_) if is_group(name) => Some(value),
            Pending::Schema(schema) => schema.keyword(name),
            _ => None,
        },
        (Value::Tuple(items), PlaceElem::Field(name)) => items.get(name.parse::<usize>().ok()?),
        (Value::Range(start, _, _), PlaceElem::Field(name)) if &**name == "start" => {
            start.as_deref()
        }
        (Value::Range(_, end, _), PlaceElem::Field(name)) if &**name == "end" => end.as_deref(),
        (Value::Wrapped(Wrapper::Reverse | Wrapper::Wrapping, inner), PlaceElem::Field(name))
            if &**name == "0" =>
        {
            Some(inner)
        }
        (Value::Seq(seq), PlaceElem::Item(index)) => seq.items.get(*index),
        (Value::Map(map), PlaceElem::Item(index)) => {
            map.entries.get(*index).map(|(_, value)| value)
        }
        (Value::Option(Some(inner)), PlaceElem::Content)
        | (Value::Result(Ok(inner) | Err(inner)), PlaceElem::Content)
        | (
            Value::Wrapped(_, inner) | Value::Json(inner) | Value::Schema(inner),
            PlaceElem::Content,
        ) => Some(inner),
        _ => None,
    }
}

fn part_mut<'v>(value: &'v mut Value, element: &PlaceElem) -> Option<&'v mut Value> {
    match element {
        PlaceElem::Field(name) => match value {
            Value::Adt(adt) => {
                let fields = Arc::make_mut(&mut adt.fields);
                let found = fields.iter_mut().find(|(field, _)| field == name);
                found.map(|(_, value)| value)
            }
            Value::Record(record) => {
                let fields = Arc::make_mut(&mut record.fields);
                let found = fields.iter_mut().find(|(field, _)| field == name);
                found.map(|(_, value)| value)
            }
            Value::Pending(_) if is_group(name) => Some(value),
            Value::Pending(pending) => match &mut **pending {
                Pending::Schema(schema) => schema.keyword_mut(name),
                _ => None,
            },
            Value::Tuple(items) => items.get_mut(name.parse::<usize>().ok()?),
            Value::Wrapped(Wrapper::Reverse | Wrapper::Wrapping, inner) => Some(&mut **inner),
            _ => None,
        },
        PlaceElem::Item(index) => match value {
            Value::Seq(seq) => Arc::make_mut(&mut seq.items).get_mut(*index),
            Value::Map(map) => {
                let entry = Arc::make_mut(&mut map.entries).get_mut(*index);
                entry.map(|(_, value)| value)
            }
            _ => None,
        },
        PlaceElem::Content => match value {
            Value::Option(Some(inner))
            | Value::Wrapped(_, inner)
            | Value::Json(inner)
            | Value::Schema(inner) => Some(&mut **inner),
            Value::Result(Ok(inner) | Err(inner)) => Some(&mut **inner),
            _ => None,
        },
    }
}
