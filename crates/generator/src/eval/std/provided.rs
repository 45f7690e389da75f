//! Methods that std's traits provide to any type that implements them: `clone`, `into`, `to_string`, `max`.

use super::Call;
use crate::eval::machine::{Machine, Run, Want, panics, stop};
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::{Seq, Value, Via};
use crd_channels_diagnostics::{Span, Text};
use std::cmp::Ordering;

/// Why a value is not converted.
const NO_TARGET: &str = "the type that this converts into is not known";

impl Machine<'_> {
    /// Calls a method of a std trait.
    pub(super) fn provided_method(
        &mut self,
        call: &Call<'_>,
        value: Value,
        args: Vec<Value>,
    ) -> Run {
        let span = call.span;
        let first = || args.first().cloned().unwrap_or_else(Value::unit);
        match (call.name, args.len()) {
            ("clone", 0) => self.clone_of(&value, span),
            ("to_owned", 0) => self.owned(value, span),
            ("to_string", 0) => self.displayed(&value, span).map(Value::string),
            ("into", 0) => match call.want.ty {
                Some(ty) => self.converted(received(call, value), &ty.clone(), span),
                None => stop(span, NO_TARGET),
            },
            ("try_into", 0) => match call.want.argument(0).ty.cloned() {
                Some(ty) => self.try_from(received(call, value), &ty, span),
                None => stop(span, NO_TARGET),
            },
            ("eq" | "ne" | "cmp" | "partial_cmp" | "lt" | "le" | "gt" | "ge", 1) => {
                self.compared_by_name(call.name, &value, &first(), span)
            }
            ("max" | "min", 1) => self.greater_or_less(call, value, first()),
            ("clamp", 2) => self.clamped(value, &args, span),
            ("borrow" | "as_ref", 0) => Ok(as_reference(value, call.want)),
            ("as_mut" | "borrow_mut", 0) => Ok(Value::MutPlace(call.place.clone())),
            ("fmt", 1) => {
                let target = first();
                let kind = self.format_kind(&value);
                self.formatted(&value, &target, kind, call)
            }
            ("serialize", 1) => self
                .json(&value, span)
                .map(|json| Value::ok(Value::json(&json))),
            (name, _) if matches!(value, Value::Adt(_)) => {
                let own = self.type_of(&value);
                if self.reader.known_blocks(&own, "next").is_empty() {
                    return stop(span, format!("`.{name}()` on `{own}` is not evaluated"));
                }
                self.iterator_method(call, value, args)
            }
            _ => call.unsupported(&value),
        }
    }

    /// Returns the format of a value: `Display` if it has that, else `Debug`.
    fn format_kind(&mut self, value: &Value) -> &'static str {
        match value {
            Value::Adt(adt) => {
                let own = value.ty();
                let of = TraitKey::Known("std::fmt::Display".into());
                let blocks = self.reader.trait_blocks(&own, &of, adt.of.ty.module);
                if blocks.is_empty() { "?" } else { "" }
            }
            Value::Option(_) | Value::Seq(_) | Value::Map(_) | Value::Tuple(_) => "?",
            _ => "",
        }
    }

    /// `x.to_owned()`
    fn owned(&mut self, value: Value, span: Span) -> Run {
        match value {
            Value::Str(text) => Ok(Value::String(text)),
            Value::Seq(seq) if seq.kind == SeqKind::Slice => {
                let list = Value::Seq(Seq {
                    kind: SeqKind::Vec,
                    ..seq
                });
                self.clone_of(&list, span)
            }
            value => self.clone_of(&value, span),
        }
    }

    /// `a.max(b)`, `a.min(b)`
    fn greater_or_less(&mut self, call: &Call<'_>, own: Value, other: Value) -> Run {
        let mut both = [own, other];
        self.same_numbers(&mut both);
        let [own, other] = both;
        let order = self.order(&own, &other, call.span)?;
        // Of equal values, `max` returns the last and `min` the first.
        let own_first = match call.name {
            "max" => order.is_gt(),
            _ => order.is_le(),
        };
        Ok(if own_first { own } else { other })
    }

    /// `x.clamp(low, high)`
    fn clamped(&mut self, own: Value, bounds: &[Value], span: Span) -> Run {
        let [low, high] = bounds else {
            return stop(span, "this is not compared");
        };
        let mut all = [own, low.clone(), high.clone()];
        self.same_numbers(&mut all);
        let [own, low, high] = all;
        if self.order(&low, &high, span)?.is_gt() {
            return panics(span, "these bounds are reversed");
        }
        if self.order(&own, &low, span)?.is_lt() {
            return Ok(low);
        }
        if self.order(&own, &high, span)?.is_gt() {
            return Ok(high);
        }
        Ok(own)
    }

    /// `a.eq(&b)`, `a.cmp(&b)`, `a.lt(&b)`
    pub(super) fn compared_by_name(
        &mut self,
        name: &str,
        left: &Value,
        right: &Value,
        span: Span,
    ) -> Run {
        let order = |order: Option<Ordering>| match name {
            "lt" => order == Some(Ordering::Less),
            "gt" => order == Some(Ordering::Greater),
            "le" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        };
        Ok(match name {
            "eq" => Value::Bool(self.same(left, right, span)?),
            "ne" => Value::Bool(self.differs(left, right, span)?),
            "cmp" => Value::Ordering(self.order(left, right, span)?),
            "partial_cmp" => {
                let order = self.partial_compare(left, right, span)?;
                Value::option(order.map(Value::Ordering))
            }
            _ => Value::Bool(order(self.partial_compare(left, right, span)?)),
        })
    }

    /// Calls `T::default()`, `T::from(x)`, `T::clone(&x)`, which a derive or std provides unless a block implements them.
    pub(crate) fn call_provided(
        &mut self,
        (own, of, name): (&Concrete, Option<&TraitKey>, &Text),
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        if let Some(TraitKey::Source(_)) = of {
            return stop(span, format!("`{own}::{name}` is not evaluated here"));
        }
        if let (Concrete::External(path, types), Some(_)) = (own, of) {
            let path = format!("{path}::{name}");
            return self.call_known(&path, (types, &[]), args, want, span);
        }
        let mut args = args.into_iter();
        match (&**name, args.next(), args.len()) {
            ("default", None, _) => self.default_of(own, span),
            ("from", Some(value), 0) => self.converted(value, own, span),
            ("try_from", Some(value), 0) => self.try_from(value, own, span),
            ("from_str", Some(value), 0) => match value.text() {
                Some(text) => self.parsed(&text.clone(), own, want, span),
                None => stop(span, "only text is parsed"),
            },
            ("from_iter", Some(value), 0) => {
                let iter = self.iterate(value, span)?;
                self.collected(iter, own, span)
            }
            (name, Some(this), _) => {
                let loaded = self.load(&this);
                if super::names::has_method(&self.reader, &loaded, name) {
                    return self.method_by_name(this, name, &[], args.collect(), want, span);
                }
                stop(span, format!("`{own}::{name}` is not evaluated here"))
            }
            (name, None, _) => stop(span, format!("`{own}::{name}` is not evaluated here")),
        }
    }
}

/// Returns the receiver of a conversion as the program has it: a value, or a reference.
fn received(call: &Call<'_>, value: Value) -> Value {
    match call.via {
        Via::Shared => Value::reference(value),
        _ => value,
    }
}

/// `x.as_ref()`, `x.borrow()`
fn as_reference(value: Value, want: Want<'_>) -> Value {
    match value {
        Value::Str(_) => value,
        Value::String(text) => match want.ty {
            Some(Concrete::Ref(inner, _)) if inner.external_name() == Some("str") => {
                Value::Str(text)
            }
            None => Value::Str(text),
            _ => Value::reference(Value::String(text)),
        },
        Value::Wrapped(wrapper, inner) if wrapper.derefs() => Value::reference(*inner),
        value => Value::reference(value),
    }
}
