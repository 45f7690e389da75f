//! What servers compute already when they make a program, and what keeps them from making one.

use super::Checked;
use super::names::is_found_at_run_time;
use crate::core::{Id, Kind};
use crate::diagnostic::{Code, Diagnostic};
use crate::go_regexp;
use crate::operators::{INDEX, OPTIONAL_INDEX};
use crate::syntax::ast::Literal;
use crate::time::{Unread, duration, timestamp};
use crate::types::Type;

/// From the year 1 to the year 9999, in seconds.
const TIMES: std::ops::RangeInclusive<i128> = -62_135_596_800..=253_402_300_799;
const SECOND: i128 = 1_000_000_000;

/// A constant value, as far as conversions look at it.
#[derive(Clone, Debug)]
enum Constant {
    Literal(Literal),
    /// In nanoseconds.
    Duration(i128),
    /// In seconds since 1970.
    Timestamp(i128),
    /// A time as text.
    Written(Time),
    Type,
    /// A list, a map, or another value that nothing is converted from.
    Other,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Time {
    Duration(i128),
    Timestamp(i128),
}

/// The first thing that cannot be computed.
pub(super) fn fault(checked: &Checked) -> Option<Diagnostic> {
    let mut known: Vec<Option<Constant>> = vec![None; checked.tree().len()];
    for (id, node) in checked.tree().nodes() {
        match constant(checked, id, &known) {
            Ok(found) => {
                if let Some(slot) = known.get_mut(id.0) {
                    *slot = found;
                }
            }
            Err(message) => {
                return Some(Diagnostic::new(
                    Code::Unrunnable,
                    node.range.clone(),
                    node.at,
                    message,
                ));
            }
        }
    }
    None
}

type Computed = Result<Option<Constant>, String>;

fn constant(checked: &Checked, id: Id, known: &[Option<Constant>]) -> Computed {
    let Some(node) = checked.tree().node(id) else {
        return Ok(None);
    };
    let of = |id: &Id| known.get(id.0).and_then(Option::as_ref);
    match &node.kind {
        Kind::Literal(literal) => Ok(Some(Constant::Literal(literal.clone()))),
        Kind::Identifier(_) | Kind::Select { is_test: false, .. } => named(checked, id),
        Kind::List(elements) => {
            let constant = elements.iter().all(|(element, _)| of(element).is_some());
            Ok(constant.then_some(Constant::Other))
        }
        Kind::Map(entries) => {
            let all = |(key, value, _): &(Id, Id, bool)| of(key).is_some() && of(value).is_some();
            if !entries.iter().all(all) {
                return Ok(None);
            }
            let bytes = |(key, _, _): &(Id, Id, bool)| {
                matches!(of(key), Some(Constant::Literal(Literal::Bytes(_))))
            };
            if entries.iter().any(bytes) {
                return Err("servers fail at a constant map whose keys are bytes".to_owned());
            }
            Ok(Some(Constant::Other))
        }
        Kind::Call {
            function,
            target,
            arguments,
        } => {
            let all: Vec<Id> = target.iter().chain(arguments).copied().collect();
            if matches!(&**function, "matches" | "find" | "findAll")
                && let Some(Constant::Literal(Literal::String(pattern))) = all.get(1).and_then(of)
                && let Err(fault) = go_regexp::check(pattern)
            {
                return Err(format!("`{pattern}` is not a pattern: {fault}"));
            }
            if let (INDEX | OPTIONAL_INDEX, Some(index)) = (&**function, all.get(1).and_then(of))
                && !is_index(index)
            {
                return Err("a constant of this type cannot be an index or a key".to_owned());
            }
            match (all.as_slice(), target) {
                ([argument], None) => match of(argument) {
                    Some(value) => converted(function, value),
                    None => Ok(None),
                },
                _ => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

/// The name of a type is a constant. Servers look for a type also where a variable holds one.
fn named(checked: &Checked, id: Id) -> Computed {
    if !matches!(checked.ty(id), Type::Type(_)) {
        return Ok(None);
    }
    let Some(name) = checked.tree().qualified(id).filter(|_| checked.is_name(id)) else {
        return Ok(None);
    };
    let name = name.strip_prefix('.').unwrap_or(&name);
    if is_found_at_run_time(name) {
        return Ok(Some(Constant::Type));
    }
    Err(format!("servers know no type `{name}` when a rule runs"))
}

/// What a conversion makes of a constant.
fn converted(function: &str, value: &Constant) -> Computed {
    let to = |fits: bool, made: Constant| {
        if fits {
            Ok(Some(made))
        } else {
            Err(format!("`{function}(..)` cannot convert this constant"))
        }
    };
    match function {
        "dyn" => Ok(Some(value.clone())),
        "type" => Ok(Some(Constant::Type)),
        "duration" => {
            let nanoseconds = match value {
                Constant::Literal(Literal::String(text)) => match duration(text) {
                    Ok(nanoseconds) => Some(nanoseconds),
                    Err(Unread::Long) => Some(0),
                    Err(Unread::Wrong) => None,
                },
                Constant::Duration(known) | Constant::Written(Time::Duration(known)) => {
                    Some(*known)
                }
                _ => None,
            };
            let made = Constant::Duration(nanoseconds.unwrap_or_default());
            to(nanoseconds.is_some(), made)
        }
        "timestamp" => {
            let seconds = match value {
                Constant::Literal(literal) => seconds(literal),
                Constant::Timestamp(known) | Constant::Written(Time::Timestamp(known)) => {
                    Some(*known)
                }
                _ => None,
            };
            let made = Constant::Timestamp(seconds.unwrap_or_default());
            to(seconds.is_some(), made)
        }
        "bool" | "bytes" | "double" | "int" | "string" | "uint" => {
            let made = scalar(function, value);
            match made {
                Some(made) => Ok(Some(made)),
                None => to(false, Constant::Other),
            }
        }
        _ => Ok(None),
    }
}

/// Whether a constant can be a point in time.
pub(super) fn is_timestamp(literal: &Literal) -> bool {
    seconds(literal).is_some()
}

/// The point in time that a constant stands for.
fn seconds(literal: &Literal) -> Option<i128> {
    let seconds = match literal {
        Literal::String(text) => {
            let epoch = timestamp("1970-01-01T00:00:00Z").unwrap_or_default();
            (timestamp(text).ok()? - epoch).div_euclid(SECOND)
        }
        Literal::Int(seconds) => i128::from(*seconds),
        _ => return None,
    };
    TIMES.contains(&seconds).then_some(seconds)
}

/// Whether a constant can be an index or a key.
fn is_index(constant: &Constant) -> bool {
    match constant {
        Constant::Literal(literal) => !matches!(literal, Literal::Null | Literal::Bytes(_)),
        Constant::Written(_) => true,
        _ => false,
    }
}

/// What conversions to scalars make of a constant; none where they fail.
fn scalar(function: &str, value: &Constant) -> Option<Constant> {
    let made = match (function, value) {
        ("int", Constant::Duration(count) | Constant::Timestamp(count)) => {
            Literal::Int(i64::try_from(*count).ok()?)
        }
        ("string", Constant::Duration(known)) => {
            return Some(Constant::Written(Time::Duration(*known)));
        }
        ("string", Constant::Timestamp(known)) => {
            return Some(Constant::Written(Time::Timestamp(*known)));
        }
        ("string", Constant::Written(_)) => return Some(value.clone()),
        ("bytes", Constant::Written(_)) => return Some(Constant::Other),
        (_, Constant::Literal(literal)) => of_literal(function, literal)?,
        _ => return None,
    };
    Some(Constant::Literal(made))
}

fn of_literal(function: &str, literal: &Literal) -> Option<Literal> {
    match (function, literal) {
        ("bool", Literal::Bool(_))
        | ("bytes", Literal::Bytes(_))
        | ("double", Literal::Double(_))
        | ("int", Literal::Int(_))
        | ("string", Literal::String(_))
        | ("uint", Literal::Uint(_)) => Some(literal.clone()),
        ("bool", Literal::String(text)) => match &**text {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(Literal::Bool(true)),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(Literal::Bool(false)),
            _ => None,
        },
        ("bytes", Literal::String(text)) => Some(Literal::Bytes(text.as_bytes().to_vec())),
        ("string", literal) => in_text(literal),
        (_, literal) => number(function, literal),
    }
}

fn in_text(literal: &Literal) -> Option<Literal> {
    let text = match literal {
        Literal::Bool(flag) => flag.to_string(),
        Literal::Int(number) => number.to_string(),
        Literal::Uint(number) => number.to_string(),
        Literal::Double(number) => number.to_string(),
        Literal::Bytes(bytes) => String::from_utf8(bytes.clone()).ok()?,
        Literal::Null | Literal::String(_) => return None,
    };
    Some(Literal::String(text.into()))
}

/// Conversions from and to numbers.
fn number(function: &str, literal: &Literal) -> Option<Literal> {
    match (function, literal) {
        ("int", Literal::String(text)) => text.parse().ok().map(Literal::Int),
        ("int", Literal::Uint(number)) => i64::try_from(*number).ok().map(Literal::Int),
        ("int", Literal::Double(number)) => {
            let most = 2_f64.powi(63);
            let fits = -most < *number && *number < most;
            fits.then_some(Literal::Int(*number as i64))
        }
        ("uint", Literal::String(text)) if !text.starts_with('+') => {
            text.parse().ok().map(Literal::Uint)
        }
        ("uint", Literal::Int(number)) => u64::try_from(*number).ok().map(Literal::Uint),
        ("uint", Literal::Double(number)) => {
            let fits = 0.0 <= *number && *number < 2_f64.powi(64);
            fits.then_some(Literal::Uint(*number as u64))
        }
        ("double", Literal::String(text)) => double(text).map(Literal::Double),
        ("double", Literal::Int(number)) => Some(Literal::Double(*number as f64)),
        ("double", Literal::Uint(number)) => Some(Literal::Double(*number as f64)),
        _ => None,
    }
}

/// A number as Go reads it: one that is too large is none, and there are hexadecimal ones.
fn double(text: &str) -> Option<f64> {
    let unsigned = text.trim_start_matches(['+', '-']);
    if let Some(hex) = unsigned.strip_prefix("0x").or(unsigned.strip_prefix("0X")) {
        let (digits, exponent) = hex.split_once(['p', 'P'])?;
        let plain = digits.chars().all(|c| c.is_ascii_hexdigit() || c == '.');
        let valid = plain && digits.chars().any(|c| c.is_ascii_hexdigit());
        exponent.parse::<i32>().ok()?;
        return valid.then_some(0.0);
    }
    let number: f64 = without_underscores(text)?.parse().ok()?;
    let overflows = number.is_infinite() && unsigned.contains(|c: char| c.is_ascii_digit());
    (!overflows).then_some(number)
}

/// A number without the underscores between its digits; none if one stands elsewhere.
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
