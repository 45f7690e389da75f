//! Methods that std's traits provide to any type that implements them: `clone`, `into`, `to_string`, `max`.

use super::Call;
use crate::eval::machine::{Machine, Run, Want, panics, stop};
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::{Span, Text};
use std::cmp::Ordering;

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
            ("to_owned", 0) => match value {
                Value::Str(text) => Ok(Value::String(text)),
                Value::Seq(seq) if seq.kind == crate::eval::values::kinds::SeqKind::Slice => {
                    let list = Value::Seq(crate::eval::values::value::Seq {
                        kind: crate::eval::values::kinds::SeqKind::Vec,
                        ..seq
                    });
                    self.clone_of(&list, span)
                }
                value => self.clone_of(&value, span),
            },
            ("to_string", 0) => self.displayed(&value, span).map(Value::string),
            ("into", 0) => {
                let given = self.given(call, value);
                match call.want.ty {
                    Some(ty) => self.converted(given, &ty.clone(), span),
                    None => stop(span, "the type that this converts into is not known"),
                }
            }
            ("try_into", 0) => {
                let given = self.given(call, value);
                let ty = match call.want.ty {
                    Some(Concrete::External(_, args)) => args.first().cloned(),
                    _ => None,
                };
                match ty.filter(|ty| !ty.is_blank()) {
                    Some(ty) => self.try_from(given, &ty, span),
                    None => stop(span, "the type that this converts into is not known"),
                }
            }
            ("eq" | "ne" | "cmp" | "partial_cmp" | "lt" | "le" | "gt" | "ge", 1) => {
                self.compared_by_name(call.name, &value, &first(), span)
            }
            ("max" | "min", 1) => {
                let mut both = vec![value, first()];
                self.same_numbers(&mut both);
                let (Some(other), Some(own)) = (both.pop(), both.pop()) else {
                    return stop(span, "this is not compared");
                };
                let order = self.order(&own, &other, span)?;
                // Of equal values, `max` returns the last and `min` the first.
                let own_first = match call.name {
                    "max" => order.is_gt(),
                    _ => order.is_le(),
                };
                Ok(if own_first { own } else { other })
            }
            ("clamp", 2) => {
                let mut all = vec![value];
                all.extend(args.iter().cloned());
                self.same_numbers(&mut all);
                let (Some(high), Some(low), Some(own)) = (all.pop(), all.pop(), all.pop()) else {
                    return stop(span, "this is not compared");
                };
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
            ("borrow" | "as_ref", 0) => match &value {
                Value::Str(_) => Ok(value),
                Value::String(text) => match call.want.ty {
                    Some(Concrete::Ref(inner, _)) if inner.external_name() == Some("str") => {
                        Ok(Value::Str(text.clone()))
                    }
                    None => Ok(Value::Str(text.clone())),
                    _ => Ok(Value::reference(value)),
                },
                Value::Wrapped(wrapper, inner) if wrapper.derefs() => {
                    Ok(Value::reference(Value::clone(inner)))
                }
                _ => Ok(Value::reference(value)),
            },
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

    /// Returns the receiver of a conversion as the program has it: a value, or a reference.
    fn given(&self, call: &Call<'_>, value: Value) -> Value {
        match call.via {
            crate::eval::values::value::Via::Shared => Value::reference(value),
            _ => value,
        }
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
