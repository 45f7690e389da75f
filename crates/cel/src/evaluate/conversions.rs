//! `int(..)`, `uint(..)`, `double(..)`, `string(..)`, `bool(..)`.

use super::{Answer, Stop, Val};

/// The bounds of whole numbers as floating-point numbers; the upper one is not a whole number of 64 bits any more.
const LEAST_INT: f64 = -9_223_372_036_854_775_808.0;
const ABOVE_INT: f64 = 9_223_372_036_854_775_808.0;
const ABOVE_UINT: f64 = 18_446_744_073_709_551_616.0;

/// A conversion. None where it is not one that is known here.
pub(super) fn convert(to: &str, value: &Val) -> Option<Answer> {
    Some(match (to, value) {
        ("dyn", value) => Ok(value.clone()),
        ("int", value) => int(value),
        ("uint", value) => uint(value),
        ("double", Val::String(text)) if is_decimal(text) => {
            text.parse().map(Val::Double).map_err(|_| Stop::Unknown)
        }
        ("double", value) => value.number().map(Val::Double).ok_or(Stop::Unknown),
        ("string", Val::String(text)) => Ok(Val::String(text.clone())),
        ("string", Val::Int(value)) => Ok(Val::String(value.to_string())),
        ("string", Val::Uint(value)) => Ok(Val::String(value.to_string())),
        ("string", Val::Bool(value)) => Ok(Val::String(value.to_string())),
        ("bool", Val::Bool(value)) => Ok(Val::Bool(*value)),
        ("bool", Val::String(text)) => match text.as_str() {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Val::Bool(true)),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Val::Bool(false)),
            _ => Err(Stop::Error),
        },
        ("string" | "bool", _) => Err(Stop::Unknown),
        _ => return None,
    })
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "fractions are dropped; what does not fit is an error"
)]
fn int(value: &Val) -> Answer {
    match value {
        Val::Int(value) => Ok(Val::Int(*value)),
        Val::Uint(value) => i64::try_from(*value).map(Val::Int).map_err(|_| Stop::Error),
        // The bounds themselves are refused as well.
        Val::Double(value) if *value > LEAST_INT && *value < ABOVE_INT => {
            Ok(Val::Int(*value as i64))
        }
        Val::Double(_) => Err(Stop::Error),
        Val::String(text) => text.parse().map(Val::Int).map_err(|_| Stop::Error),
        _ => Err(Stop::Unknown),
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "fractions are dropped; what does not fit is an error"
)]
fn uint(value: &Val) -> Answer {
    match value {
        Val::Uint(value) => Ok(Val::Uint(*value)),
        Val::Int(value) => u64::try_from(*value)
            .map(Val::Uint)
            .map_err(|_| Stop::Error),
        Val::Double(value) if (0.0..ABOVE_UINT).contains(value) => Ok(Val::Uint(*value as u64)),
        Val::Double(_) => Err(Stop::Error),
        // A sign is an error to the server.
        Val::String(text) if text.starts_with('+') => Err(Stop::Error),
        Val::String(text) => text.parse().map(Val::Uint).map_err(|_| Stop::Error),
        _ => Err(Stop::Unknown),
    }
}

/// Whether a text is a number that every reader of numbers reads alike.
fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(fraction)
}
