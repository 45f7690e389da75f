//! Numbers as Go's YAML library reads them and Go's JSON library writes them.

use super::scalars::Scalar;
use serde_json::{Number, Value};

/// Parses a plain scalar as a number.
pub(super) fn parse_number(text: &str) -> Option<Scalar<'static>> {
    match text.bytes().next()? {
        b'.' => grouped(text).then(|| float(&without_groups(text)))?,
        b'0'..=b'9' | b'+' | b'-' => {
            let digits = without_groups(text);
            integer(&digits)
                .or_else(|| float(&digits))
                .or_else(|| signed_inside(&digits))
        }
        _ => None,
    }
}

fn without_groups(text: &str) -> String {
    text.replace('_', "")
}

/// Whether every `_` has digits on both sides.
fn grouped(text: &str) -> bool {
    let inner = text.split('_').count() - 1;
    text.split('_').enumerate().all(|(nth, part)| {
        let starts = nth == 0 || part.starts_with(|c: char| c.is_ascii_digit());
        let ends = nth == inner || part.ends_with(|c: char| c.is_ascii_digit());
        starts && ends
    })
}

/// Parses an integer with the prefixes of Go's literals.
fn integer(text: &str) -> Option<Scalar<'static>> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let magnitude = magnitude(digits)?;
    if text.starts_with('-') {
        let number = 0i64.checked_sub_unsigned(magnitude)?;
        return Some(Scalar::Integer(number));
    }
    match i64::try_from(magnitude) {
        Ok(number) => Some(Scalar::Integer(number)),
        Err(_) => (digits == text).then_some(Scalar::Large(magnitude)),
    }
}

fn magnitude(text: &str) -> Option<u64> {
    let (radix, digits) = match text.as_bytes() {
        [b'0', b'x' | b'X', _, ..] => (16, text.get(2..)?),
        [b'0', b'o' | b'O', _, ..] => (8, text.get(2..)?),
        [b'0', b'b' | b'B', _, ..] => (2, text.get(2..)?),
        [b'0', _, ..] => (8, text.get(1..)?),
        _ => (10, text),
    };
    let known = digits.chars().all(|c| c.is_digit(radix));
    known.then(|| u64::from_str_radix(digits, radix).ok())?
}

/// Parses a decimal number; `None` if it is too large.
fn float(text: &str) -> Option<Scalar<'static>> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let some = !(whole.is_empty() && part.is_empty()) && digits(whole) && digits(part);
    let raised = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    let number: f64 = (some && raised).then(|| text.parse().ok())??;
    number.is_finite().then_some(Scalar::Float(number))
}

/// Go's YAML library also accepts a sign after `0b`.
fn signed_inside(text: &str) -> Option<Scalar<'static>> {
    let behind = text.strip_prefix("0b")?;
    i64::from_str_radix(behind, 2).ok().map(Scalar::Integer)
}

/// Converts a float to JSON; to an integer if Go writes it without a point and an exponent.
pub(super) fn json(number: f64) -> Value {
    let size = number.abs();
    let exponent = size != 0.0 && !(1e-6..1e21).contains(&size);
    let written = number.to_string();
    let integer = || {
        let signed = written.parse::<i64>().ok().map(Value::from);
        signed.or_else(|| written.parse::<u64>().ok().map(Value::from))
    };
    let integer = if exponent { None } else { integer() };
    integer.unwrap_or_else(|| Number::from_f64(number).map_or(Value::Null, Value::Number))
}

/// Formats a float as the text of a key, which Go writes with 32-bit precision.
#[allow(clippy::cast_possible_truncation, reason = "as Go does it")]
pub(super) fn key(number: f64) -> String {
    let number = number as f32;
    if number.is_nan() {
        return ".nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let written = format!("{number:e}");
    let (digits, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..6).contains(&exponent) {
        return number.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
