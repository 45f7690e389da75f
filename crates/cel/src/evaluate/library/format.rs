//! `'..%s..'.format([..])`

use super::{Answer, Stop, UNFIT, Val, conversions};
use crate::clauses::{Piece, pieces};

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
            Piece::Clause(letter) => {
                let value = values.next().ok_or(Stop::Error)?;
                text.push_str(&filled(letter, value)?);
            }
        }
    }
    match values.next() {
        None => Ok(Val::text(text)),
        Some(_) => UNFIT,
    }
}

fn filled(clause: char, value: &Val) -> Result<String, Stop> {
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
        (_, Val::Opaque | Val::Zero | Val::Broken) | ('f' | 'e', _) => return Err(Stop::Unknown),
        ('s', Val::Null) => Some("null".to_owned()),
        ('s', Val::Type(name)) => Some(name.to_string()),
        // Servers write these in ways of their own.
        ('s', Val::Double(_) | Val::Bytes(_) | Val::List(_) | Val::Map(_)) => {
            return Err(Stop::Unknown);
        }
        ('s', Val::Unordered(_) | Val::Partial(_)) => return Err(Stop::Unknown),
        ('s', value) => match conversions::string(std::slice::from_ref(value)) {
            Ok(Val::String(text)) => Some(text.to_string()),
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
