//! Methods of integers.

use super::Call;
use super::int_overflow::{exact, overflow_prefix};
use crate::eval::machine::{Machine, Run, panics};
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::number::{I32, Int, IntType, U8, U32};
use crate::eval::values::value::Value;

impl Machine<'_> {
    pub(super) fn int_method(&mut self, call: &Call<'_>, int: Int, args: Vec<Value>) -> Run {
        let refused = || call.unsupported(&Value::Int(int));
        let Some(ty) = int.ty.or_else(|| expected_type(call)) else {
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
        if let [other] = &numbers[..]
            && let Some(prefixed) = overflow_prefix(call.name)
        {
            return self.prefixed_operation(call, (int, ty), prefixed, *other);
        }
        self.arithmetic_method(call, int, ty, &numbers)
    }

    /// Calls a method whose result follows from the number rather than from its bits.
    fn arithmetic_method(
        &mut self,
        call: &Call<'_>,
        int: Int,
        ty: IntType,
        numbers: &[Int],
    ) -> Run {
        let refused = || call.unsupported(&Value::Int(int));
        let value = int.value;
        let unsigned = IntType {
            signed: false,
            ..ty
        };
        let of = |value: i128| Ok(Value::Int(Int::new(value, ty)));
        let overflow = || panics(call.span, "this number overflows");
        let checked = |value: Option<i128>| value.filter(|value| ty.holds(*value));
        let u32_of = |value: u32| Ok(Value::int(i128::from(value), U32));
        match (call.name, numbers) {
            ("pow", [by]) => checked(exact("pow", value, by.value)).map_or_else(overflow, of),
            ("abs", []) if ty.signed => checked(value.checked_abs()).map_or_else(overflow, of),
            ("checked_abs", []) => Ok(Value::option(
                checked(value.checked_abs()).map(|value| Value::int(value, ty)),
            )),
            ("wrapping_abs", []) => of(checked(value.checked_abs()).unwrap_or(value)),
            ("saturating_abs", []) => of(checked(value.checked_abs()).unwrap_or_else(|| ty.max())),
            ("unsigned_abs", []) if ty.bits < 128 => Ok(Value::int(value.abs(), unsigned)),
            ("checked_neg", []) => Ok(Value::option(
                checked(value.checked_neg()).map(|value| Value::int(value, ty)),
            )),
            ("wrapping_neg", []) => match value.checked_neg().and_then(|value| ty.truncated(value))
            {
                Some(value) => of(value),
                None => refused(),
            },
            ("abs_diff", [other]) if ty.bits < 128 => {
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
            (name, numbers) => match bits_of(value, ty) {
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
                    .map(|byte| Value::int(i128::from(byte), U8));
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
}

/// Returns the type that the context expects, for methods that return the receiver's type.
fn expected_type(call: &Call<'_>) -> Option<IntType> {
    let expected = call.want.ty.and_then(|ty| ty.external_name());
    expected
        .and_then(IntType::from_name)
        .filter(|_| matches!(call.name, "pow" | "abs"))
}

/// Returns the bits of an integer with at most 64.
fn bits_of(value: i128, ty: IntType) -> Option<u64> {
    if ty.bits > 64 {
        return None;
    }
    let mask = u64::MAX >> (64 - ty.bits);
    let low = value & i128::from(mask);
    u64::try_from(low).ok()
}

/// Classifies or converts a byte as ASCII.
fn ascii(name: &str, byte: u8) -> Option<Value> {
    let u8_of = |byte: u8| Value::int(i128::from(byte), U8);
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
