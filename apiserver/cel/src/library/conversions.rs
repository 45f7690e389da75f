//! `int(..)`, `uint(..)`, `double(..)`, `string(..)`, `bool(..)`, `bytes(..)`, `type(..)`, `dyn(..)`.

use super::{Answer, Stop, UNFIT, Val};
use crate::time;
use crate::value::float;

/// Servers write an exponent from this power of ten on.
const LARGEST_PLAIN: i32 = 6;
/// The bounds of integers as floating-point numbers; the upper one exceeds 64 bits.
const LEAST_INT: f64 = -9_223_372_036_854_775_808.0;
const ABOVE_INT: f64 = 9_223_372_036_854_775_808.0;
const ABOVE_UINT: f64 = 18_446_744_073_709_551_616.0;

pub(crate) fn dynamic(given: &[Val]) -> Answer {
    let [value] = given else { return UNFIT };
    Ok(value.clone())
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "fractions are dropped; what does not fit is an error"
)]
pub(crate) fn int(given: &[Val]) -> Answer {
    match given {
        [Val::Int(value)] => Ok(Val::Int(*value)),
        [Val::Uint(value)] => i64::try_from(*value).map(Val::Int).map_err(|_| Stop::Error),
        // The bounds themselves are rejected too.
        [Val::Double(value)] if *value > LEAST_INT && *value < ABOVE_INT => {
            Ok(Val::Int(*value as i64))
        }
        [Val::Double(_)] => Err(Stop::Error),
        [Val::String(text)] => text.parse().map(Val::Int).map_err(|_| Stop::Error),
        [Val::Duration(span)] => Ok(Val::Int(*span)),
        [Val::Timestamp(time)] => {
            let seconds = time.nanoseconds.div_euclid(1_000_000_000);
            i64::try_from(seconds)
                .map(Val::Int)
                .map_err(|_| Stop::Unknown)
        }
        _ => UNFIT,
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "fractions are dropped; what does not fit is an error"
)]
pub(crate) fn uint(given: &[Val]) -> Answer {
    match given {
        [Val::Uint(value)] => Ok(Val::Uint(*value)),
        [Val::Int(value)] => u64::try_from(*value)
            .map(Val::Uint)
            .map_err(|_| Stop::Error),
        [Val::Double(value)] if (0.0..ABOVE_UINT).contains(value) => Ok(Val::Uint(*value as u64)),
        [Val::Double(_)] => Err(Stop::Error),
        // A sign is an error to the server.
        [Val::String(text)] if text.starts_with('+') => Err(Stop::Error),
        [Val::String(text)] => text.parse().map(Val::Uint).map_err(|_| Stop::Error),
        _ => UNFIT,
    }
}

pub(crate) fn double(given: &[Val]) -> Answer {
    match given {
        [Val::String(text)] => read_double(text).map(Val::Double),
        [number] => float(number).map(Val::Double).ok_or(Stop::Unknown),
        _ => UNFIT,
    }
}

/// Parses a number as servers do: underscores between digits are allowed, numbers that are too large are errors, and
/// hexadecimal is supported.
fn read_double(text: &str) -> Result<f64, Stop> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if let Some(hex) = unsigned.strip_prefix("0x").or(unsigned.strip_prefix("0X")) {
        let number = hexadecimal(hex)?;
        return Ok(if text.starts_with('-') {
            -number
        } else {
            number
        });
    }
    let is_named = unsigned.starts_with(|c: char| c.is_ascii_alphabetic());
    let plain = without_underscores(text).ok_or(Stop::Error)?;
    let number: f64 = plain.parse().map_err(|_| Stop::Error)?;
    let is_refused = match is_named {
        // Only infinity may have a sign.
        true => number.is_nan() && unsigned.len() < text.len(),
        false => number.is_infinite(),
    };
    if is_refused {
        Err(Stop::Error)
    } else {
        Ok(number)
    }
}

/// The digits and the exponent of a hexadecimal number, such as `1.8p3`.
#[allow(clippy::cast_precision_loss, reason = "no more bits than fit")]
fn hexadecimal(text: &str) -> Result<f64, Stop> {
    let (digits, exponent) = text.split_once(['p', 'P']).ok_or(Stop::Error)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = format!("{whole}{fraction}");
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit());
    let exponent = exponent.parse::<i32>().ok().filter(|_| is_number);
    let exponent = exponent.ok_or(Stop::Error)?;
    // Longer numbers are rounded, and so are very small or large ones.
    let digits = u64::from_str_radix(&digits, 16).ok();
    let digits = digits.filter(|digits| *digits < 1 << 53 && exponent.abs() < 900);
    let digits = digits.ok_or(Stop::Unknown)?;
    let places = i32::try_from(fraction.len()).map_err(|_| Stop::Unknown)?;
    Ok(digits as f64 * 2_f64.powi(exponent - 4 * places))
}

/// A number without the underscores between its digits. `None` if there is one elsewhere.
fn without_underscores(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split('_').collect();
    let between = parts.windows(2).all(|pair| match pair {
        [before, after] => {
            before.ends_with(|c: char| c.is_ascii_digit())
                && after.starts_with(|c: char| c.is_ascii_digit())
        }
        _ => false,
    });
    between.then(|| parts.concat())
}

pub(crate) fn string(given: &[Val]) -> Answer {
    Ok(Val::text(match given {
        [Val::String(text)] => return Ok(Val::String(text.clone())),
        [Val::Int(value)] => value.to_string(),
        [Val::Uint(value)] => value.to_string(),
        [Val::Bool(value)] => value.to_string(),
        [Val::Double(value)] => double_in_words(*value),
        [Val::Timestamp(time)] => time.to_string(),
        [Val::Duration(span)] => time::seconds(*span),
        [Val::Bytes(bytes)] => String::from_utf8(bytes.to_vec()).map_err(|_| Stop::Error)?,
        _ => return UNFIT,
    }))
}

/// A number as servers write it: with the fewest digits that are unique, and an exponent if it is large or small.
fn double_in_words(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..LARGEST_PLAIN).contains(&exponent) {
        return format!("{value}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

pub(crate) fn bool(given: &[Val]) -> Answer {
    match given {
        [Val::Bool(value)] => Ok(Val::Bool(*value)),
        [Val::String(text)] => match &**text {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Val::Bool(true)),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Val::Bool(false)),
            _ => Err(Stop::Error),
        },
        _ => UNFIT,
    }
}

pub(crate) fn bytes(given: &[Val]) -> Answer {
    match given {
        [Val::Bytes(bytes)] => Ok(Val::Bytes(bytes.clone())),
        [Val::String(text)] => Ok(Val::Bytes(text.as_bytes().into())),
        _ => UNFIT,
    }
}

pub(crate) fn type_of(given: &[Val]) -> Answer {
    let [value] = given else { return UNFIT };
    let name = match value {
        Val::Null => "null_type",
        Val::Bool(_) => "bool",
        Val::Int(_) => "int",
        Val::Uint(_) => "uint",
        Val::Double(_) => "double",
        Val::String(_) => "string",
        Val::Bytes(_) => "bytes",
        Val::List(_) | Val::Unordered(_) | Val::Shuffled(_) => "list",
        Val::Type(_) => "type",
        Val::Timestamp(_) => "google.protobuf.Timestamp",
        Val::Duration(_) => "google.protobuf.Duration",
        Val::Optional(_) => "optional_type",
        Val::Quantity(_) => "kubernetes.Quantity",
        Val::Ip(_) => "net.IP",
        Val::Cidr(..) => "net.CIDR",
        Val::Url(_) => "kubernetes.URL",
        Val::Semver(_) => "kubernetes.Semver",
        Val::Format(_) => "kubernetes.NamedFormat",
        // An object has its own type.
        _ => return UNFIT,
    };
    Ok(Val::Type(name.into()))
}
