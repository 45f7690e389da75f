//! Operations of integers whose names say what an overflow does: `checked_add`, `wrapping_shl`.

use super::Call;
use crate::eval::machine::{Machine, Run, panics};
use crate::eval::values::number::{Int, IntType, U32};
use crate::eval::values::value::Value;

/// The prefixes of these operations.
const PREFIXES: [&str; 5] = [
    "checked_",
    "wrapping_",
    "saturating_",
    "overflowing_",
    "strict_",
];

/// Returns the prefix of a method that says what an overflow does, and the operation behind it.
pub(super) fn overflow_prefix(name: &str) -> Option<(&'static str, &str)> {
    let mut prefixes = PREFIXES.into_iter();
    prefixes.find_map(|prefix| Some((prefix, name.strip_prefix(prefix)?)))
}

/// Returns the result of an operator of `Wrapping<T>`, by the name of the method that it stands for.
pub(crate) fn wrapping(int: Int, name: &str, other: Int) -> Option<Int> {
    let ty = int.ty.or(other.ty)?;
    let (a, b) = (int.of(ty)?.value, other.of(ty)?.value);
    let value = match name {
        "wrapping_add" => a.checked_add(b)?,
        "wrapping_sub" => a.checked_sub(b)?,
        "wrapping_mul" => a.checked_mul(b)?,
        "wrapping_div" => a.checked_div(b)?,
        "wrapping_rem" => a.checked_rem(b)?,
        _ => return None,
    };
    Some(Int::new(ty.truncated(value)?, ty))
}

/// Returns the exact result of an operation, whatever its type; `None` if there is none, such as for a division by zero.
pub(super) fn exact(operation: &str, a: i128, b: i128) -> Option<i128> {
    match operation {
        "add" | "add_signed" | "add_unsigned" => a.checked_add(b),
        "sub" | "sub_unsigned" | "sub_signed" => a.checked_sub(b),
        "mul" => a.checked_mul(b),
        "div" => a.checked_div(b),
        "rem" => a.checked_rem(b),
        "div_euclid" => a.checked_div_euclid(b),
        "rem_euclid" => a.checked_rem_euclid(b),
        "pow" => a.checked_pow(u32::try_from(b).ok()?),
        _ => None,
    }
}

/// Returns true if an operation exists with each prefix.
fn is_prefixed(operation: &str) -> bool {
    matches!(
        operation,
        "add"
            | "sub"
            | "mul"
            | "div"
            | "rem"
            | "div_euclid"
            | "rem_euclid"
            | "pow"
            | "add_signed"
            | "add_unsigned"
            | "sub_unsigned"
            | "sub_signed"
    )
}

/// Returns true if the operand has another type than the receiver. Otherwise a literal adopts the receiver's type.
fn has_own_operand(operation: &str) -> bool {
    matches!(
        operation,
        "pow" | "add_signed" | "add_unsigned" | "sub_unsigned" | "sub_signed"
    )
}

/// `checked_add` and the like.
fn checked(operation: &str, value: i128, other: i128, ty: IntType) -> Value {
    // `MIN % -1` overflows although its result would fit.
    let overflows =
        matches!(operation, "rem" | "rem_euclid") && other == -1 && value == ty.min() && ty.signed;
    // A result beyond `i128` is beyond the type too.
    let exact = exact(operation, value, other).filter(|value| ty.holds(*value) && !overflows);
    Value::option(exact.map(|value| Value::int(value, ty)))
}

/// `wrapping_add` and the like.
fn wrapped(operation: &str, value: i128, other: i128, ty: IntType) -> Option<Value> {
    let wrapped = match (operation, exact(operation, value, other)) {
        ("pow", None) => wrapped_pow(value, other, ty),
        (_, exact) => ty.truncated(exact?),
    };
    Some(Value::int(wrapped?, ty))
}

/// `saturating_add` and the like.
fn saturated(operation: &str, value: i128, other: i128, ty: IntType) -> Value {
    let negative = match operation {
        "mul" => (value < 0) != (other < 0),
        "pow" => value < 0 && other % 2 == 1,
        "sub" | "sub_unsigned" => other > 0,
        _ => other < 0,
    };
    let beyond = if negative { ty.min() } else { ty.max() };
    let exact = exact(operation, value, other);
    Value::int(
        exact.map_or(beyond, |value| value.clamp(ty.min(), ty.max())),
        ty,
    )
}

/// `overflowing_add` and the like.
fn overflowing(operation: &str, value: i128, other: i128, ty: IntType) -> Option<Value> {
    let exact = exact(operation, value, other)?;
    Some(Value::Tuple(vec![
        Value::int(ty.truncated(exact)?, ty),
        Value::Bool(!ty.holds(exact)),
    ]))
}

/// Returns a power truncated to the low bits.
fn wrapped_pow(base: i128, by: i128, ty: IntType) -> Option<i128> {
    if ty.bits > 63 {
        return None;
    }
    let mut result = 1_i128;
    for _ in 0..by.clamp(0, 10_000) {
        result = ty.truncated(result.checked_mul(base)?)?;
    }
    (by <= 10_000).then_some(result)
}

impl Machine<'_> {
    /// Calls a method whose prefix says what an overflow does.
    pub(super) fn prefixed_operation(
        &self,
        call: &Call<'_>,
        (int, ty): (Int, IntType),
        (prefix, operation): (&str, &str),
        other: Int,
    ) -> Run {
        if matches!(operation, "shl" | "shr") {
            return self.shift(call, int, prefix, operation, other);
        }
        let refused = || call.unsupported(&Value::Int(int));
        let fits = has_own_operand(operation) || other.of(ty).is_some();
        let too_wide = ty.bits == 128 && prefix != "checked_";
        if !fits || too_wide || !is_prefixed(operation) {
            return refused();
        }
        let (value, other) = (int.value, other.value);
        let by_zero =
            other == 0 && matches!(operation, "div" | "rem" | "div_euclid" | "rem_euclid");
        match prefix {
            "checked_" => Ok(checked(operation, value, other, ty)),
            _ if by_zero => panics(call.span, "a division by zero"),
            "wrapping_" => wrapped(operation, value, other, ty).map_or_else(refused, Ok),
            "saturating_" => Ok(saturated(operation, value, other, ty)),
            "strict_" => match exact(operation, value, other).filter(|value| ty.holds(*value)) {
                Some(value) => Ok(Value::int(value, ty)),
                None => panics(call.span, "this number overflows"),
            },
            _ => overflowing(operation, value, other, ty).map_or_else(refused, Ok),
        }
    }

    fn shift(&self, call: &Call<'_>, int: Int, prefix: &str, name: &str, by: Int) -> Run {
        let refused = || call.unsupported(&Value::Int(int));
        let (Some(ty), Ok(by)) = (int.ty, u32::try_from(by.value)) else {
            return refused();
        };
        let operator = if name == "shl" { "<<" } else { ">>" };
        let within = by % ty.bits;
        let Some(value) = int.operate(operator, Int::new(i128::from(within), U32)) else {
            return refused();
        };
        let overflows = by >= ty.bits;
        Ok(match prefix {
            "checked_" => Value::option((!overflows).then_some(Value::Int(value))),
            "wrapping_" => Value::Int(value),
            "overflowing_" => Value::Tuple(vec![Value::Int(value), Value::Bool(overflows)]),
            _ => return refused(),
        })
    }
}
