//! `'..%s..'.format([..])`

use super::texts::escaped;
use super::{Answer, Stop, UNFIT, Val, conversions};
use crate::clauses::{Piece, pieces};
use regex::Regex;
use std::sync::LazyLock;

/// The default precision of servers.
const PRECISION: usize = 6;
/// The maximum supported precision.
const FINEST: usize = 100;

/// The characters that servers do not escape in quoted text.
static PRINTABLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$").ok());

type Text = Result<String, Stop>;

pub(crate) fn format(given: &[Val]) -> Answer {
    let [Val::String(format), list] = given else {
        return UNFIT;
    };
    let pieces = pieces(format).map_err(|_| Stop::Error)?;
    let mut values = list.items()?.iter();
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(part) => text.push_str(part),
            Piece::Clause { letter, precision } => {
                let value = values.next().ok_or(Stop::Error)?;
                text.push_str(&filled(letter, precision.unwrap_or(PRECISION), value)?);
            }
        }
    }
    Ok(Val::text(text))
}

fn filled(clause: char, precision: usize, value: &Val) -> Text {
    // Digits of a number without its sign, which comes first in every base.
    let signed = |negative: bool, digits: String| match negative {
        true => format!("-{digits}"),
        false => digits,
    };
    let digits = |magnitude: u64| match clause {
        'd' => Some(magnitude.to_string()),
        'b' => Some(format!("{magnitude:b}")),
        'o' => Some(format!("{magnitude:o}")),
        'x' => Some(format!("{magnitude:x}")),
        'X' => Some(format!("{magnitude:X}")),
        _ => None,
    };
    let bytes = |bytes: &[u8]| match clause {
        'x' => Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
        'X' => Some(bytes.iter().map(|byte| format!("{byte:02X}")).collect()),
        _ => None,
    };
    let written = match (clause, value) {
        (_, Val::Opaque | Val::Zero | Val::Broken | Val::Shuffled(_)) => return Err(Stop::Unknown),
        ('s', value) => return plain(value),
        ('f' | 'e', _) if precision > FINEST => return Err(Stop::Unknown),
        ('f' | 'e', Val::Double(number)) => return Ok(for_people(clause, precision, *number)),
        ('f' | 'e', Val::String(text)) => match &**text {
            "NaN" => return Ok(for_people(clause, precision, f64::NAN)),
            "Infinity" => return Ok(for_people(clause, precision, f64::INFINITY)),
            "-Infinity" => return Ok(for_people(clause, precision, f64::NEG_INFINITY)),
            _ => None,
        },
        ('b', Val::Bool(flag)) => Some(u8::from(*flag).to_string()),
        (_, Val::Int(number)) => {
            digits(number.unsigned_abs()).map(|digits| signed(*number < 0, digits))
        }
        (_, Val::Uint(number)) => digits(*number),
        (_, Val::String(text)) => bytes(text.as_bytes()),
        (_, Val::Bytes(of)) => bytes(of),
        _ => None,
    };
    written.ok_or(Stop::Error)
}

/// The text that `%s` writes.
fn plain(value: &Val) -> Text {
    match value {
        Val::Null => Ok("null".to_owned()),
        Val::Type(name) => Ok(name.to_string()),
        Val::List(_) | Val::Unordered(_) => format_list(value),
        Val::Map(entries) => map(entries),
        // A field that servers cannot see crashes them.
        Val::Object(_) | Val::Shuffled(_) | Val::Opaque | Val::Zero | Val::Broken => {
            Err(Stop::Unknown)
        }
        value => match conversions::string(std::slice::from_ref(value)) {
            Ok(Val::String(text)) => Ok(text.to_string()),
            _ => Err(Stop::Error),
        },
    }
}

fn format_list(list: &Val) -> Text {
    let items = list.items()?.iter().map(literal);
    let items: Vec<String> = items.collect::<Result<_, _>>()?;
    Ok(format!("[{}]", items.join(", ")))
}

/// The entries in the order of their written keys.
fn map(entries: &[(Val, Val)]) -> Text {
    let written = |(key, value): &(Val, Val)| {
        let key = match key {
            Val::String(_) | Val::Bool(_) | Val::Int(_) | Val::Uint(_) => literal(key)?,
            Val::Opaque => return Err(Stop::Unknown),
            _ => return Err(Stop::Error),
        };
        Ok((key, literal(value)?))
    };
    let mut entries: Vec<_> = entries.iter().map(written).collect::<Result<_, _>>()?;
    entries.sort();
    let entries: Vec<String> = entries
        .into_iter()
        .map(|(key, value)| format!("{key}:{value}"))
        .collect();
    Ok(format!("{{{}}}", entries.join(", ")))
}

/// The text of a value in a list or a map, almost as in expressions.
fn literal(value: &Val) -> Text {
    match value {
        Val::String(text) => quoted(text),
        Val::Bytes(_) => Ok(format!("b{}", quoted(&plain(value)?)?)),
        Val::Double(number) if number.is_nan() => Ok("\"NaN\"".to_owned()),
        Val::Double(number) if number.is_infinite() => {
            Ok(format!("\"{}Inf\"", if *number < 0.0 { '-' } else { '+' }))
        }
        Val::Double(number) => Ok(format!("{number:.PRECISION$}")),
        Val::Timestamp(_) => Ok(format!("timestamp({})", quoted(&plain(value)?)?)),
        Val::Duration(_) => Ok(format!("duration({})", quoted(&plain(value)?)?)),
        value => plain(value),
    }
}

/// A quoted text, as Go writes it.
fn quoted(text: &str) -> Text {
    let mut quoted = String::from("\"");
    let printable = PRINTABLE.as_ref().ok_or(Stop::Unknown)?;
    for c in text.chars() {
        if let Some(letter) = escaped(c) {
            quoted.extend(['\\', letter]);
            continue;
        }
        match c {
            c if printable.is_match(c.encode_utf8(&mut [0; 4])) => quoted.push(c),
            c if c.is_ascii() => quoted.push_str(&format!("\\x{:02x}", u32::from(c))),
            c if u32::from(c) < 0x1_0000 => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    quoted.push('"');
    Ok(quoted)
}

/// `%f` and `%e`, in the servers' human-readable form.
fn for_people(clause: char, precision: usize, number: f64) -> String {
    // Servers treat the precision of `%e` as a width.
    match clause {
        'e' => format!("{:>precision$}", scientific(number)),
        _ => fixed(precision, number),
    }
}

/// A number that is NaN or infinite.
fn odd(number: f64) -> Option<String> {
    match (number.is_nan(), number.is_infinite()) {
        (true, _) => Some("NaN".to_owned()),
        (_, true) if number < 0.0 => Some("-∞".to_owned()),
        (_, true) => Some("∞".to_owned()),
        _ => None,
    }
}

fn sign(number: f64) -> &'static str {
    if number < 0.0 { "-" } else { "" }
}

/// A number with its power of ten.
fn scientific(number: f64) -> String {
    odd(number).unwrap_or_else(|| {
        let written = format!("{:.PRECISION$e}", number.abs());
        let (digits, exponent) = written.split_once('e').unwrap_or((&written, "0"));
        format!("{}{digits}×10{}", sign(number), raised(exponent))
    })
}

/// A number with commas between its thousands.
fn fixed(precision: usize, number: f64) -> String {
    if let Some(odd) = odd(number) {
        return odd;
    }
    let written = format!("{:.precision$}", number.abs());
    let (whole, fraction) = written.split_once('.').unwrap_or((&written, ""));
    let mut text = sign(number).to_owned();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// An exponent in superscript, with at least two digits.
fn raised(exponent: &str) -> String {
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ("⁻", digits),
        None => ("", exponent),
    };
    let raise = |digit: char| match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    };
    let raised: String = format!("{digits:0>2}").chars().map(raise).collect();
    format!("{sign}{raised}")
}
