//! Methods of floats and booleans.

use super::Call;
use crate::eval::machine::{Machine, Run, Want};
use crate::eval::values::number::{Float, Int, U32};
use crate::eval::values::value::Value;
use std::cmp::Ordering;

impl Machine<'_> {
    pub(super) fn float_method(&mut self, call: &Call<'_>, float: Float, args: Vec<Value>) -> Run {
        let refused = || call.unsupported(&Value::Float(float));
        let mut numbers = Vec::with_capacity(args.len());
        for arg in &args {
            numbers.push(self.load(arg));
        }
        let of = |float: Float| Ok(Value::Float(float));
        // Literals adopt the receiver's type.
        let wide = float.wide();
        match (call.name, &numbers[..]) {
            ("abs", []) => of(float.map(f32::abs, f64::abs)),
            ("floor", []) => of(float.map(f32::floor, f64::floor)),
            ("ceil", []) => of(float.map(f32::ceil, f64::ceil)),
            ("round", []) => of(float.map(f32::round, f64::round)),
            ("trunc", []) => of(float.map(f32::trunc, f64::trunc)),
            ("fract", []) => of(float.map(f32::fract, f64::fract)),
            ("sqrt", []) => of(float.map(f32::sqrt, f64::sqrt)),
            ("recip", []) => of(float.map(f32::recip, f64::recip)),
            ("signum", []) => of(float.map(f32::signum, f64::signum)),
            ("round_ties_even", []) => of(float.map(f32::round_ties_even, f64::round_ties_even)),
            ("is_nan", []) => Ok(Value::Bool(wide.is_nan())),
            ("is_infinite", []) => Ok(Value::Bool(wide.is_infinite())),
            ("is_finite", []) => Ok(Value::Bool(wide.is_finite())),
            ("is_sign_negative", []) => Ok(Value::Bool(wide.is_sign_negative())),
            ("is_sign_positive", []) => Ok(Value::Bool(wide.is_sign_positive())),
            ("max", [Value::Float(other)]) => float
                .join(*other, f32::max, f64::max)
                .map_or_else(refused, of),
            ("min", [Value::Float(other)]) => float
                .join(*other, f32::min, f64::min)
                .map_or_else(refused, of),
            ("copysign", [Value::Float(other)]) => float
                .join(*other, f32::copysign, f64::copysign)
                .map_or_else(refused, of),
            ("clamp", [Value::Float(low), Value::Float(high)]) => {
                let at_least = float.join(*low, f32::max, f64::max);
                let within = at_least.and_then(|float| float.join(*high, f32::min, f64::min));
                match (low.compare(*high), wide.is_nan()) {
                    (Some(Some(Ordering::Less | Ordering::Equal)), false) => {
                        within.map_or_else(refused, of)
                    }
                    _ => refused(),
                }
            }
            ("powi", [Value::Int(by)]) => match (i32::try_from(by.value), float) {
                // Small powers are exact products on every platform.
                (Ok(by @ 0..=2), float) => of(float.map(|x| x.powi(by), |x| x.powi(by))),
                _ => refused(),
            },
            ("total_cmp", [Value::Float(other)]) => {
                match (float.with_default_type(), other.with_default_type()) {
                    (Float::F32(own), Float::F32(other)) => {
                        Ok(Value::Ordering(own.total_cmp(&other)))
                    }
                    (Float::F64(own), Float::F64(other)) => {
                        Ok(Value::Ordering(own.total_cmp(&other)))
                    }
                    _ => refused(),
                }
            }
            ("to_bits", []) => match float {
                Float::F32(value) => Ok(Value::Int(Int::new(i128::from(value.to_bits()), U32))),
                _ => refused(),
            },
            _ => refused(),
        }
    }

    pub(super) fn bool_method(&mut self, call: &Call<'_>, value: bool, args: Vec<Value>) -> Run {
        let function = self.only(call, args)?;
        match (call.name, value) {
            ("then", true) => {
                let made = self.apply(&function, Vec::new(), call.want.argument(0), call.span)?;
                Ok(Value::some(made))
            }
            ("then" | "then_some", false) => Ok(Value::Option(None)),
            ("then_some", true) => Ok(Value::some(function)),
            _ => call.unsupported(&Value::Bool(value)),
        }
    }

    pub(super) fn ordering_method(
        &mut self,
        call: &Call<'_>,
        order: Ordering,
        args: Vec<Value>,
    ) -> Run {
        match (call.name, args.first()) {
            ("reverse", None) => Ok(Value::Ordering(order.reverse())),
            ("is_eq", None) => Ok(Value::Bool(order.is_eq())),
            ("is_ne", None) => Ok(Value::Bool(order.is_ne())),
            ("is_lt", None) => Ok(Value::Bool(order.is_lt())),
            ("is_gt", None) => Ok(Value::Bool(order.is_gt())),
            ("is_le", None) => Ok(Value::Bool(order.is_le())),
            ("is_ge", None) => Ok(Value::Bool(order.is_ge())),
            ("then", Some(other)) => Ok(match order {
                Ordering::Equal => other.clone(),
                order => Value::Ordering(order),
            }),
            ("then_with", Some(function)) => match order {
                Ordering::Equal => self.apply(function, Vec::new(), Want::any(), call.span),
                order => Ok(Value::Ordering(order)),
            },
            _ => call.unsupported(&Value::Ordering(order)),
        }
    }
}
