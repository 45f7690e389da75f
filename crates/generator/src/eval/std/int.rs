//! Methods of integers.

use super::Call;
use crate::eval::machine::{Machine, Run, panics};
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::number::{I32, Int, IntType, U32};
use crate::eval::values::value::Value;

/// `wrapping_add` and the like.
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
fn exact(operation: &str, a: i128, b: i128) -> Option<i128> {
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

impl Machine<'_> {
    pub(super) fn int_method(&mut self, call: &Call<'_>, int: Int, args: Vec<Value>) -> Run {
        let refused = || call.unsupported(&Value::Int(int));
        let Some(ty) = int.ty.or_else(|| {
            call.want
                .ty
                .and_then(|ty| ty.external_name())
                .and_then(IntType::from_name)
                .filter(|_| matches!(call.name, "pow" | "abs"))
        }) else {
            // The width may matter.
            return match (call.name, &args[..]) {
                ("pow", [Value::Int(by)]) => match exact("pow", int.value, by.value) {
                    Some(value) if int.of(I32).is_some() && I32.holds(value) => {
                        Ok(Value::Int(Int::new(value, I32)))
                    }
                    _ => refused(),
                },
                _ => refused(),
            };
        };
        let Some(int) = int.of(ty) else {
            return refused();
        };
        let mut numbers = Vec::with_capacity(args.len());
        for arg in &args {
            match self.load(arg) {
                Value::Int(other) => numbers.push(other),
                _ => return refused(),
            }
        }
        let value = int.value;
        let of = |value: i128| Ok(Value::Int(Int::new(value, ty)));
        let overflow = || panics(call.span, "this number overflows");
        let checked = |value: Option<i128>| value.filter(|value| ty.holds(*value));
        let u32_of = |value: u32| Ok(Value::int(i128::from(value), U32));
        if let [other] = &numbers[..] {
            // Literals adopt the receiver's type, unless the method defines another.
            let other_value = other.value;
            const PREFIXES: [&str; 5] = [
                "checked_",
                "wrapping_",
                "saturating_",
                "overflowing_",
                "strict_",
            ];
            let mut prefixes = PREFIXES.into_iter();
            let split = prefixes.find_map(|prefix| Some((prefix, call.name.strip_prefix(prefix)?)));
            if let Some((prefix, operation)) = split {
                if matches!(operation, "shl" | "shr") {
                    return self.shift(call, int, prefix, operation, *other);
                }
                let fits = matches!(
                    operation,
                    "pow" | "add_signed" | "add_unsigned" | "sub_unsigned" | "sub_signed"
                ) || other.of(ty).is_some();
                if !fits || ty.bits == 128 && prefix != "checked_" {
                    return refused();
                }
                let known = matches!(
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
                );
                if !known {
                    return refused();
                }
                let by_zero = other_value == 0
                    && matches!(operation, "div" | "rem" | "div_euclid" | "rem_euclid");
                let exact = exact(operation, value, other_value);
                return match prefix {
                    // A result beyond `i128` is beyond the type too.
                    "checked_" => {
                        // `MIN % -1` overflows although its result would fit.
                        let overflows = matches!(operation, "rem" | "rem_euclid")
                            && other_value == -1
                            && value == ty.min()
                            && ty.signed;
                        let exact = checked(exact).filter(|_| !overflows);
                        Ok(Value::option(exact.map(|value| Value::int(value, ty))))
                    }
                    _ if by_zero => panics(call.span, "a division by zero"),
                    "wrapping_" => match (operation, exact) {
                        ("pow", None) => {
                            wrapped_pow(value, other_value, ty).map_or_else(refused, of)
                        }
                        (_, Some(value)) => ty.truncated(value).map_or_else(refused, of),
                        (_, None) => refused(),
                    },
                    "saturating_" => {
                        let negative = match operation {
                            "mul" => (value < 0) != (other_value < 0),
                            "pow" => value < 0 && other_value % 2 == 1,
                            "sub" | "sub_unsigned" => other_value > 0,
                            _ => other_value < 0,
                        };
                        let beyond = if negative { ty.min() } else { ty.max() };
                        of(exact.map_or(beyond, |value| value.clamp(ty.min(), ty.max())))
                    }
                    "strict_" => checked(exact).map_or_else(overflow, of),
                    _ => match exact {
                        Some(value) => {
                            let Some(low) = ty.truncated(value) else {
                                return refused();
                            };
                            Ok(Value::Tuple(vec![
                                Value::int(low, ty),
                                Value::Bool(!ty.holds(value)),
                            ]))
                        }
                        None => refused(),
                    },
                };
            }
        }
        let bits = match ty.bits {
            128 => None,
            _ => ty_bits(value, ty),
        };
        match (call.name, &numbers[..]) {
            ("pow", [by]) => checked(exact("pow", value, by.value)).map_or_else(overflow, of),
            ("abs", []) if ty.signed => checked(value.checked_abs()).map_or_else(overflow, of),
            ("checked_abs", []) => Ok(Value::option(
                checked(value.checked_abs()).map(|value| Value::int(value, ty)),
            )),
            ("wrapping_abs", []) => of(checked(value.checked_abs()).unwrap_or(value)),
            ("saturating_abs", []) => of(checked(value.checked_abs()).unwrap_or_else(|| ty.max())),
            ("unsigned_abs", []) if ty.bits < 128 => {
                let unsigned = IntType {
                    signed: false,
                    ..ty
                };
                Ok(Value::int(value.abs(), unsigned))
            }
            ("checked_neg", []) => Ok(Value::option(
                checked(value.checked_neg()).map(|value| Value::int(value, ty)),
            )),
            ("wrapping_neg", []) => match value.checked_neg().and_then(|value| ty.truncated(value))
            {
                Some(value) => of(value),
                None => refused(),
            },
            ("abs_diff", [other]) if ty.bits < 128 => {
                let unsigned = IntType {
                    signed: false,
                    ..ty
                };
                Ok(Value::int((value - other.value).abs(), unsigned))
            }
            ("signum", []) => of(value.signum()),
            ("is_positive", []) => Ok(Value::Bool(value > 0)),
            ("is_negative", []) => Ok(Value::Bool(value < 0)),
            ("div_euclid" | "rem_euclid", [other]) => {
                checked(exact(call.name, value, other.value)).map_or_else(overflow, of)
            }
            ("div_ceil", [other]) if !ty.signed && other.value > 0 => {
                of((value + other.value - 1) / other.value)
            }
            ("next_multiple_of", [other]) if !ty.signed && other.value > 0 => {
                let ceiled = (value + other.value - 1) / other.value * other.value;
                checked(Some(ceiled)).map_or_else(overflow, of)
            }
            ("is_multiple_of", [other]) if !ty.signed => Ok(Value::Bool(match other.value {
                0 => value == 0,
                other => value % other == 0,
            })),
            ("isqrt", []) if value >= 0 => of(value.isqrt()),
            ("is_power_of_two", []) if !ty.signed => {
                Ok(Value::Bool(value > 0 && value & (value - 1) == 0))
            }
            ("next_power_of_two", []) if !ty.signed && ty.bits < 128 => {
                let next = value.max(1).unsigned_abs().next_power_of_two();
                checked(i128::try_from(next).ok()).map_or_else(overflow, of)
            }
            ("ilog2", []) if value > 0 => u32_of(value.ilog2()),
            ("ilog10", []) if value > 0 => u32_of(value.ilog10()),
            ("midpoint", [other]) if !ty.signed => of((value + other.value) / 2),
            (name, numbers) => match bits {
                Some(bits) => self.bits_method(call, (name, bits), ty, numbers),
                None => refused(),
            },
        }
    }

    /// Calls a method on the bits of an integer.
    fn bits_method(
        &mut self,
        call: &Call<'_>,
        (name, bits): (&str, u64),
        ty: IntType,
        numbers: &[Int],
    ) -> Run {
        let refused = || call.unsupported(&Value::Int(Int::new(0, ty)));
        let width = ty.bits;
        let unused = 64 - width;
        let u32_of = |value: u32| Ok(Value::int(i128::from(value), U32));
        let back = |bits: u64| match ty.truncated(i128::from(bits)) {
            Some(value) => Ok(Value::int(value, ty)),
            None => refused(),
        };
        let mask = u64::MAX >> unused;
        match (name, numbers) {
            ("count_ones", []) => u32_of(bits.count_ones()),
            ("count_zeros", []) => u32_of(width - bits.count_ones()),
            ("leading_zeros", []) => u32_of(bits.leading_zeros() - unused),
            ("leading_ones", []) => u32_of((bits << unused).leading_ones().min(width)),
            ("trailing_zeros", []) => u32_of(bits.trailing_zeros().min(width)),
            ("trailing_ones", []) => u32_of(bits.trailing_ones()),
            ("rotate_left" | "rotate_right", [by]) => {
                let Ok(by) = u32::try_from(by.value) else {
                    return refused();
                };
                let by = by % width;
                let by = if name == "rotate_left" {
                    by
                } else {
                    (width - by) % width
                };
                back(if by == 0 {
                    bits
                } else {
                    ((bits << by) | (bits >> (width - by))) & mask
                })
            }
            ("swap_bytes", []) => back((bits << unused).swap_bytes() & mask),
            ("reverse_bits", []) => back((bits << unused).reverse_bits() & mask),
            ("to_be_bytes" | "to_le_bytes", []) => {
                let size = usize::try_from(width / 8).unwrap_or(8);
                let mut bytes: Vec<u8> = bits.to_le_bytes().into_iter().take(size).collect();
                if name == "to_be_bytes" {
                    bytes.reverse();
                }
                let bytes = bytes
                    .into_iter()
                    .map(|byte| Value::int(i128::from(byte), crate::eval::values::number::U8));
                Ok(Value::seq(SeqKind::Array, bytes.collect()))
            }
            (name, []) if width == 8 && !ty.signed => {
                let Ok(byte) = u8::try_from(bits) else {
                    return refused();
                };
                ascii(name, byte).map_or_else(refused, Ok)
            }
            _ => refused(),
        }
    }

    fn shift(&mut self, call: &Call<'_>, int: Int, prefix: &str, name: &str, by: Int) -> Run {
        let refused = || call.unsupported(&Value::Int(int));
        let (Some(ty), Ok(by)) = (int.ty, u32::try_from(by.value)) else {
            return refused();
        };
        let operator = if name == "shl" { "<<" } else { ">>" };
        let inside = by % ty.bits;
        let Some(value) = int.operate(operator, Int::new(i128::from(inside), U32)) else {
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

/// Returns the bits of an integer with at most 64.
fn ty_bits(value: i128, ty: IntType) -> Option<u64> {
    let mask = u64::MAX >> (64 - ty.bits);
    let low = value & i128::from(mask);
    u64::try_from(low).ok()
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

/// Classifies or converts a byte as ASCII.
fn ascii(name: &str, byte: u8) -> Option<Value> {
    let u8_of = |byte: u8| Value::int(i128::from(byte), crate::eval::values::number::U8);
    Some(match name {
        "is_ascii" => Value::Bool(byte.is_ascii()),
        "is_ascii_alphabetic" => Value::Bool(byte.is_ascii_alphabetic()),
        "is_ascii_alphanumeric" => Value::Bool(byte.is_ascii_alphanumeric()),
        "is_ascii_control" => Value::Bool(byte.is_ascii_control()),
        "is_ascii_digit" => Value::Bool(byte.is_ascii_digit()),
        "is_ascii_graphic" => Value::Bool(byte.is_ascii_graphic()),
        "is_ascii_hexdigit" => Value::Bool(byte.is_ascii_hexdigit()),
        "is_ascii_lowercase" => Value::Bool(byte.is_ascii_lowercase()),
        "is_ascii_punctuation" => Value::Bool(byte.is_ascii_punctuation()),
        "is_ascii_uppercase" => Value::Bool(byte.is_ascii_uppercase()),
        "is_ascii_whitespace" => Value::Bool(byte.is_ascii_whitespace()),
        "to_ascii_lowercase" => u8_of(byte.to_ascii_lowercase()),
        "to_ascii_uppercase" => u8_of(byte.to_ascii_uppercase()),
        _ => return None,
    })
}
