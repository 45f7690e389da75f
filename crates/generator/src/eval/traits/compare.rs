//! Equality and order: derived ones, those that blocks implement, and std's.

use super::derives::derives;
use crate::eval::machine::{Machine, Run, Want, stop, truth};
use crate::eval::serde::json_value::concrete_json;
use crate::eval::values::kinds::{MapKind, SeqKind, Wrapper};
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::{Adt, Map, Seq, Value};
use crd_channels_diagnostics::Span;
use crd_channels_source::Derive;
use serde_json::Value as Json;
use std::cmp::Ordering;
use std::sync::Arc;

impl Machine<'_> {
    /// `a == b`
    ///
    /// # Errors
    ///
    /// `not-constant` if a part of them is unknown, or how their type compares.
    pub(crate) fn same(&mut self, left: &Value, right: &Value, span: Span) -> Run<bool> {
        let (left, right) = (self.load(left), self.load(right));
        self.deeper(span, |machine| machine.same_loaded(&left, &right, span))
    }

    /// `a != b`
    pub(crate) fn differs(&mut self, left: &Value, right: &Value, span: Span) -> Run<bool> {
        let loaded = self.load(left);
        if let Value::Adt(adt) = &loaded {
            let own = Concrete::Def(Arc::clone(&adt.of));
            if !self.reader.known_blocks(&own, "ne").is_empty() {
                return stop(span, "a hand-written `!=` is not evaluated");
            }
        }
        self.same(left, right, span).map(|same| !same)
    }

    fn same_loaded(&mut self, left: &Value, right: &Value, span: Span) -> Run<bool> {
        match (left, right) {
            (Value::Unknown(finding), _) | (_, Value::Unknown(finding)) => {
                Err(finding.clone().into())
            }
            (Value::Bool(left), Value::Bool(right)) => Ok(left == right),
            (Value::Char(left), Value::Char(right)) => Ok(left == right),
            (Value::Int(left), Value::Int(right)) => match left.compare(*right) {
                Some(order) => Ok(order == Ordering::Equal),
                None => stop(span, "integers of different types cannot be compared"),
            },
            (Value::Float(left), Value::Float(right)) => match left.compare(*right) {
                Some(order) => Ok(order == Some(Ordering::Equal)),
                None => stop(span, "floats of different types cannot be compared"),
            },
            (Value::Str(left) | Value::String(left), Value::Str(right) | Value::String(right)) => {
                Ok(left == right)
            }
            (Value::Tuple(left), Value::Tuple(right)) => self.all_same(left, right, span),
            (Value::Option(left), Value::Option(right)) => match (left, right) {
                (Some(left), Some(right)) => self.same(left, right, span),
                (left, right) => Ok(left.is_none() && right.is_none()),
            },
            (Value::Result(left), Value::Result(right)) => match (left, right) {
                (Ok(left), Ok(right)) | (Err(left), Err(right)) => self.same(left, right, span),
                _ => Ok(false),
            },
            (Value::Seq(left), Value::Seq(right)) => self.same_lists(left, right, span),
            (Value::Map(left), Value::Map(right)) => {
                if left.entries.len() != right.entries.len() {
                    return Ok(false);
                }
                for (key, value) in left.entries.iter() {
                    let Some(at) = self.key_at(right, key, span)? else {
                        return Ok(false);
                    };
                    let other = right.entries.get(at).map(|(_, value)| value.clone());
                    let Some(other) = other else { return Ok(false) };
                    if !self.same(value, &other, span)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Adt(own), _) => self.same_adts(own, left, right, span),
            (Value::Range(start, end, closed), Value::Range(other_start, other_end, other)) => {
                let mut same = closed == other;
                for (left, right) in [(start, other_start), (end, other_end)] {
                    same &= match (left, right) {
                        (Some(left), Some(right)) => self.same(left, right, span)?,
                        (left, right) => left.is_none() && right.is_none(),
                    };
                }
                Ok(same)
            }
            (Value::Wrapped(wrapper, left), Value::Wrapped(other, right))
                if wrapper == other || (wrapper.derefs() && other.derefs()) =>
            {
                self.same(left, right, span)
            }
            // `Cow<str>` and `Box<str>` are compared with text too.
            (Value::Wrapped(wrapper, inner), Value::Str(_) | Value::String(_))
                if wrapper.derefs() =>
            {
                self.same(inner, right, span)
            }
            (Value::Str(_) | Value::String(_), Value::Wrapped(wrapper, inner))
                if wrapper.derefs() =>
            {
                self.same(left, inner, span)
            }
            (Value::Ordering(left), Value::Ordering(right)) => Ok(left == right),
            (Value::Duration(left), Value::Duration(right)) => Ok(left == right),
            (Value::Ip(left, _), Value::Ip(right, _)) => Ok(left == right),
            (Value::Socket(left), Value::Socket(right)) => Ok(left == right),
            (Value::Json(own), Value::Json(other)) => {
                match (concrete_json(own), concrete_json(other)) {
                    (Some(own), Some(other)) => Ok(own == other),
                    _ => incomparable(left, right, span),
                }
            }
            (Value::Json(json), other) | (other, Value::Json(json)) => {
                match (concrete_json(json), other) {
                    (Some(Json::String(text)), Value::Str(other) | Value::String(other)) => {
                        Ok(*text == **other)
                    }
                    (Some(_), Value::Str(_) | Value::String(_)) => Ok(false),
                    (Some(Json::Bool(value)), Value::Bool(other)) => Ok(value == *other),
                    (Some(_), Value::Bool(_)) => Ok(false),
                    (Some(Json::Number(number)), Value::Int(int)) => {
                        Ok(number.as_i128() == Some(int.value))
                    }
                    (Some(_), Value::Int(_)) => Ok(false),
                    _ => incomparable(left, right, span),
                }
            }
            (Value::Named(path, left), Value::Named(other, right)) if path == other => {
                Ok(left == right)
            }
            (Value::Unit(left), Value::Unit(right)) if left == right => Ok(true),
            _ => incomparable(left, right, span),
        }
    }

    fn all_same(&mut self, left: &[Value], right: &[Value], span: Span) -> Run<bool> {
        if left.len() != right.len() {
            return Ok(false);
        }
        for (left, right) in left.iter().zip(right) {
            if !self.same(left, right, span)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn same_lists(&mut self, left: &Seq, right: &Seq, span: Span) -> Run<bool> {
        let lists = !left.kind.is_set() && !right.kind.is_set();
        if lists && left.kind != SeqKind::Heap && right.kind != SeqKind::Heap {
            return self.all_same(&left.items, &right.items, span);
        }
        if !left.kind.is_set() || left.kind != right.kind {
            return stop(span, "these two collections are not compared");
        }
        if left.items.len() != right.items.len() {
            return Ok(false);
        }
        for item in left.items.iter() {
            if !self.contains(&right.items, item, span)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn same_adts(&mut self, own: &Adt, left: &Value, right: &Value, span: Span) -> Run<bool> {
        let ty = Concrete::Def(Arc::clone(&own.of));
        let mut blocks = self.reader.known_blocks(&ty, "eq");
        let derived = derives(&self.reader, &own.of, Derive::PartialEq);
        if let (true, Value::Adt(other)) = (derived, right)
            && Arc::ptr_eq(&own.of.ty.def, &other.of.ty.def)
        {
            if own.variant != other.variant {
                return Ok(false);
            }
            for ((_, left), (_, right)) in own.fields.iter().zip(other.fields.iter()) {
                if !self.same(left, right, span)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let args = [
            Value::reference(left.clone()),
            Value::reference(right.clone()),
        ];
        if blocks.len() > 1 {
            blocks = self.by_arguments(blocks, "eq", &args, Want::any())?;
        }
        let [block] = &blocks[..] else {
            let name = &own.of.ty.def.name;
            return stop(span, format!("whether two `{name}` are equal is not known"));
        };
        let value = self.call_block(block, "eq", args.to_vec(), Want::any(), span)?;
        truth(&value, span)
    }

    /// Returns true if a list contains an item.
    pub(crate) fn contains(&mut self, items: &[Value], wanted: &Value, span: Span) -> Run<bool> {
        for item in items {
            self.spend(span, 1)?;
            if self.same(item, wanted, span)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the index of a key's entry.
    pub(crate) fn key_at(&mut self, map: &Map, key: &Value, span: Span) -> Run<Option<usize>> {
        for (index, (known, _)) in map.entries.iter().enumerate() {
            self.spend(span, 1)?;
            let found = match map.kind {
                MapKind::Sorted => self.order(known, key, span)? == Ordering::Equal,
                _ => self.same(known, key, span)?,
            };
            if found {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// `a.partial_cmp(&b)`
    pub(crate) fn partial_compare(
        &mut self,
        left: &Value,
        right: &Value,
        span: Span,
    ) -> Run<Option<Ordering>> {
        self.compared(left, right, "partial_cmp", span)
    }

    /// `a.cmp(&b)`
    pub(crate) fn order(&mut self, left: &Value, right: &Value, span: Span) -> Run<Ordering> {
        match self.compared(left, right, "cmp", span)? {
            Some(order) => Ok(order),
            None => stop(span, "these values have no order"),
        }
    }

    fn compared(
        &mut self,
        left: &Value,
        right: &Value,
        by: &str,
        span: Span,
    ) -> Run<Option<Ordering>> {
        let (left, right) = (self.load(left), self.load(right));
        self.deeper(span, |machine| {
            machine.compared_loaded(&left, &right, by, span)
        })
    }

    fn compared_loaded(
        &mut self,
        left: &Value,
        right: &Value,
        by: &str,
        span: Span,
    ) -> Run<Option<Ordering>> {
        let unknown = || {
            stop(
                span,
                format!(
                    "the order of {} and {} is not known",
                    left.kind(),
                    right.kind()
                ),
            )
        };
        match (left, right) {
            (Value::Unknown(finding), _) | (_, Value::Unknown(finding)) => {
                Err(finding.clone().into())
            }
            (Value::Bool(left), Value::Bool(right)) => Ok(Some(left.cmp(right))),
            (Value::Char(left), Value::Char(right)) => Ok(Some(left.cmp(right))),
            (Value::Int(left), Value::Int(right)) => match left.compare(*right) {
                Some(order) => Ok(Some(order)),
                None => unknown(),
            },
            (Value::Float(left), Value::Float(right)) if by == "partial_cmp" => {
                match left.compare(*right) {
                    Some(order) => Ok(order),
                    None => unknown(),
                }
            }
            (Value::Str(left) | Value::String(left), Value::Str(right) | Value::String(right)) => {
                Ok(Some(left.cmp(right)))
            }
            (Value::Tuple(left), Value::Tuple(right)) if left.len() == right.len() => {
                self.lexical(left.iter().zip(right.iter()), by, span)
            }
            (Value::Option(left), Value::Option(right)) => match (left, right) {
                (Some(left), Some(right)) => self.compared(left, right, by, span),
                (left, right) => Ok(Some(left.is_some().cmp(&right.is_some()))),
            },
            (Value::Result(left), Value::Result(right)) => match (left, right) {
                (Ok(left), Ok(right)) | (Err(left), Err(right)) => {
                    self.compared(left, right, by, span)
                }
                (left, right) => Ok(Some(left.is_err().cmp(&right.is_err()))),
            },
            (Value::Seq(own), Value::Seq(other)) if ordered(own.kind) && ordered(other.kind) => {
                let first = self.lexical(own.items.iter().zip(other.items.iter()), by, span)?;
                Ok(match first {
                    Some(Ordering::Equal) => Some(own.items.len().cmp(&other.items.len())),
                    order => order,
                })
            }
            (Value::Map(own), Value::Map(other))
                if own.kind == MapKind::Sorted && other.kind == MapKind::Sorted =>
            {
                for ((key, value), (other_key, other_value)) in
                    own.entries.iter().zip(other.entries.iter())
                {
                    for (left, right) in [(key, other_key), (value, other_value)] {
                        let order = self.compared(left, right, by, span)?;
                        if order != Some(Ordering::Equal) {
                            return Ok(order);
                        }
                    }
                }
                Ok(Some(own.entries.len().cmp(&other.entries.len())))
            }
            (Value::Wrapped(Wrapper::Reverse, left), Value::Wrapped(Wrapper::Reverse, right)) => {
                self.compared(right, left, by, span)
            }
            (Value::Wrapped(own, left), Value::Wrapped(other, right)) if own == other => {
                self.compared(left, right, by, span)
            }
            (Value::Ordering(left), Value::Ordering(right)) => Ok(Some(left.cmp(right))),
            (Value::Duration(left), Value::Duration(right)) => Ok(Some(left.cmp(right))),
            (Value::Ip(left, _), Value::Ip(right, _)) => Ok(Some(left.cmp(right))),
            (Value::Socket(left), Value::Socket(right)) => Ok(Some(left.cmp(right))),
            (Value::Adt(own), _) => self.compared_adts(own, (left, right), by, span),
            _ => unknown(),
        }
    }

    fn lexical<'v>(
        &mut self,
        pairs: impl Iterator<Item = (&'v Value, &'v Value)>,
        by: &str,
        span: Span,
    ) -> Run<Option<Ordering>> {
        for (left, right) in pairs {
            let order = self.compared(left, right, by, span)?;
            if order != Some(Ordering::Equal) {
                return Ok(order);
            }
        }
        Ok(Some(Ordering::Equal))
    }

    fn compared_adts(
        &mut self,
        own: &Adt,
        (left, right): (&Value, &Value),
        by: &str,
        span: Span,
    ) -> Run<Option<Ordering>> {
        let ty = Concrete::Def(Arc::clone(&own.of));
        let name = &own.of.ty.def.name;
        let derive = if by == "cmp" {
            Derive::Ord
        } else {
            Derive::PartialOrd
        };
        let derived = derives(&self.reader, &own.of, derive);
        if let (true, Value::Adt(other)) = (derived, right)
            && Arc::ptr_eq(&own.of.ty.def, &other.of.ty.def)
        {
            if own.variant != other.variant {
                let all = self.discriminants(&Arc::clone(&own.of), span)?;
                let of = |variant: Option<usize>| variant.and_then(|index| all.get(index).copied());
                return Ok(Some(of(own.variant).cmp(&of(other.variant))));
            }
            let own = own.fields.iter().map(|(_, value)| value);
            let other = other.fields.iter().map(|(_, value)| value);
            return self.lexical(own.zip(other), by, span);
        }
        let blocks = self.reader.known_blocks(&ty, by);
        let [block] = &blocks[..] else {
            return stop(span, format!("the order of two `{name}` is not known"));
        };
        let args = vec![
            Value::reference(left.clone()),
            Value::reference(right.clone()),
        ];
        let order = self.call_block(block, by, args, Want::any(), span)?;
        match (by, order) {
            ("cmp", Value::Ordering(order)) => Ok(Some(order)),
            (_, Value::Option(None)) => Ok(None),
            (_, Value::Option(Some(order))) => match *order {
                Value::Ordering(order) => Ok(Some(order)),
                other => stop(span, format!("{} is not an order", other.kind())),
            },
            (_, other) => stop(span, format!("{} is not an order", other.kind())),
        }
    }
}

fn ordered(kind: SeqKind) -> bool {
    !matches!(kind, SeqKind::Hashed | SeqKind::Indexed | SeqKind::Heap)
}

fn incomparable<T>(left: &Value, right: &Value, span: Span) -> Run<T> {
    stop(
        span,
        format!(
            "whether {} and {} are equal is not known",
            left.kind(),
            right.kind()
        ),
    )
}
