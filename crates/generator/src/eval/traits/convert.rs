//! Conversions: `From`, `Into`, `TryFrom`.

use super::impls::{Bound, Fit, unify};
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::number::{IntType, U8};
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;
use serde_json::Value as Json;

impl Machine<'_> {
    /// `x.into()`, `T::from(x)`
    ///
    /// # Errors
    ///
    /// `not-constant` if no conversion is known, or several may be meant.
    pub(crate) fn converted(&mut self, value: Value, target: &Concrete, span: Span) -> Run {
        if let Value::Override(_) = value {
            return Ok(value);
        }
        if target.is_blank() {
            return stop(span, "the type that this converts into is not known");
        }
        let from = TraitKey::Known("std::convert::From".into());
        let module = crd_channels_source::ModuleId(0);
        let own = self.type_of(&value);
        let near = match (target, &own) {
            (Concrete::Def(instance), _) | (_, Concrete::Def(instance)) => instance.ty.module,
            _ => module,
        };
        let mut blocks = match (target, own.peel_references()) {
            (Concrete::Def(_), _) => self.reader.trait_blocks(target, &from, near),
            (_, Concrete::Def(_)) => self.reader.trait_blocks(target, &from, near),
            _ => Vec::new(),
        };
        if !blocks.is_empty() {
            blocks =
                self.by_arguments(blocks, "from", std::slice::from_ref(&value), Want::any())?;
        }
        let of_itself = unify(target, &own, &mut Bound::new());
        match &blocks[..] {
            [] => {}
            [block] if of_itself == Fit::No || !self.is_literal(&value) => {
                return self.call_block(block, "from", vec![value], Want::of(target), span);
            }
            _ => {
                return stop(
                    span,
                    format!(
                        "several conversions of {} to `{target}` are possible",
                        value.kind()
                    ),
                );
            }
        }
        // `impl Into<T> for X`
        let into = self.reader.known_blocks(own.peel_references(), "into");
        let mut fitting = Vec::new();
        for block in into {
            let args = self.trait_arguments(&block)?;
            let fits = args
                .first()
                .is_some_and(|arg| unify(arg, target, &mut Bound::new()) != Fit::No);
            if fits {
                fitting.push(block);
            }
        }
        if let [block] = &fitting[..] {
            return self.call_block(block, "into", vec![value], Want::of(target), span);
        }
        if of_itself != Fit::No && !matches!(value, Value::MutPlace(_)) {
            return self.coerce(value, target, span);
        }
        match self.converted_by_std(&value, target, span)? {
            Some(value) => self.coerce(value, target, span),
            None => stop(
                span,
                format!(
                    "the conversion of {} to `{target}` is not evaluated",
                    value.kind()
                ),
            ),
        }
    }

    fn is_literal(&self, value: &Value) -> bool {
        match value {
            Value::Int(int) => int.ty.is_none(),
            Value::Float(float) => float.type_name().is_none(),
            _ => false,
        }
    }

    /// Returns the pairs of a list of tuples.
    pub(crate) fn pairs(&mut self, items: &[Value], span: Span) -> Run<Vec<(Value, Value)>> {
        let mut pairs = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Value::Tuple(pair) => match &pair[..] {
                    [key, value] => pairs.push((key.clone(), value.clone())),
                    _ => return stop(span, "this is not a list of pairs"),
                },
                _ => return stop(span, "this is not a list of pairs"),
            }
        }
        Ok(pairs)
    }

    /// `T::try_from(x)`, `x.try_into()`
    pub(crate) fn try_from(&mut self, value: Value, target: &Concrete, span: Span) -> Run {
        if let Concrete::Def(_) = target {
            let of = TraitKey::Known("std::convert::TryFrom".into());
            let Concrete::Def(instance) = target else {
                return stop(span, "this conversion is not evaluated");
            };
            let blocks = self.reader.trait_blocks(target, &of, instance.ty.module);
            let blocks = self.by_arguments(
                blocks,
                "try_from",
                std::slice::from_ref(&value),
                Want::any(),
            )?;
            return match &blocks[..] {
                [block] => self.call_block(block, "try_from", vec![value], Want::any(), span),
                [] => self.converted(value, target, span).map(Value::ok),
                _ => stop(
                    span,
                    format!(
                        "several conversions of {} to `{target}` are possible",
                        value.kind()
                    ),
                ),
            };
        }
        let loaded = self.load(&value);
        let error = |path: &str| Value::err(Value::Named(path.into(), Json::Null));
        match (target, &loaded) {
            (Concrete::External(path, _), Value::Int(int))
                if IntType::from_name(path).is_some() =>
            {
                let Some(ty) = IntType::from_name(path) else {
                    return stop(span, "this conversion is not evaluated");
                };
                let Some(int) = int.with_default_type() else {
                    return stop(span, "the type of this integer is not known");
                };
                Ok(if ty.holds(int.value) {
                    Value::ok(Value::int(int.value, ty))
                } else {
                    error("std::num::TryFromIntError")
                })
            }
            (Concrete::External(path, _), Value::Int(int)) if &**path == "char" => {
                let c = u32::try_from(int.value).ok().and_then(char::from_u32);
                Ok(match c {
                    Some(c) => Value::ok(Value::Char(c)),
                    None => error("std::char::CharTryFromError"),
                })
            }
            (Concrete::Array(_, length), Value::Seq(seq)) if seq.kind.is_slice() => {
                let fits = u64::try_from(seq.items.len()).ok() == Some(*length);
                Ok(if fits {
                    Value::ok(Value::seq(SeqKind::Array, seq.items.to_vec()))
                } else {
                    error("std::array::TryFromSliceError")
                })
            }
            _ => self.converted(value, target, span).map(Value::ok),
        }
    }
}

impl Concrete {
    /// Returns the type behind references.
    pub(crate) fn peel_references(&self) -> &Concrete {
        let mut ty = self;
        while let Concrete::Ref(inner, _) = ty {
            ty = inner;
        }
        ty
    }
}

/// Returns the bytes of a text.
pub(in crate::eval) fn bytes_of(text: &str) -> Value {
    let bytes = text.bytes();
    let bytes = bytes.map(|byte| Value::int(i128::from(byte), U8));
    Value::seq(SeqKind::Vec, bytes.collect())
}
