//! Selects the row of the table that accepts given values, and computes its result.

use super::{Overload, Style, overloads};
use crate::types::{Library, Type};
use crate::value::{Answer, Stop, Val, zero_like};
use std::borrow::Cow;

/// The result of a function without a target, or of an operator.
pub(crate) fn run(function: &str, given: &[Val]) -> Answer {
    let rows = overloads(function, Style::Global);
    let given = typed(function, given);
    call_row(rows, fitting(rows, &given), &given)
}

/// The result of a function with a target, which comes first.
pub(crate) fn run_member(function: &str, given: &[Val]) -> Answer {
    let rows = overloads(function, Style::Member);
    call_row(rows, fitting(rows, given), given)
}

/// The values, with a type for the sum of an empty list if another value determines it.
pub(crate) fn typed<'g>(function: &str, given: &'g [Val]) -> Cow<'g, [Val]> {
    match given {
        [Val::Zero] if matches!(function, "int" | "uint" | "double") => vec![Val::Int(0)].into(),
        [Val::Zero, other] => vec![zero_like(other), other.clone()].into(),
        [other, Val::Zero] => vec![other.clone(), zero_like(other)].into(),
        given => given.into(),
    }
}

/// The row that accepts these values.
pub(crate) fn fitting<'r>(rows: &[&'r Overload], given: &[Val]) -> Option<&'r Overload> {
    let mut rows = rows.iter();
    let found = rows.find(|row| {
        let mut pairs = row.takes.iter().zip(given);
        row.takes.len() == given.len() && pairs.all(|(ty, value)| fits(ty, value))
    });
    found.copied()
}

/// The result of the row, or the servers' result for values that no row accepts.
pub(crate) fn call_row(rows: &[&Overload], row: Option<&Overload>, given: &[Val]) -> Answer {
    match row {
        Some(row) => (row.run)(given),
        // Servers return an error for values that no overload accepts.
        None if !rows.is_empty() && given.iter().all(is_known) => Err(Stop::Error),
        None => Err(Stop::Unknown),
    }
}

/// Whether the type of a value is known.
pub(crate) fn is_known(value: &Val) -> bool {
    !matches!(value, Val::Opaque | Val::Broken | Val::Zero)
}

/// Whether a value has a type, as far as servers check: not inside lists and maps.
fn fits(ty: &Type, value: &Val) -> bool {
    match ty {
        Type::Dyn | Type::Variable(_) | Type::Error => true,
        Type::Null => *value == Val::Null,
        Type::Nullable(inner) => *value == Val::Null || fits(inner, value),
        Type::Bool => matches!(value, Val::Bool(_)),
        Type::Int => matches!(value, Val::Int(_)),
        Type::Uint => matches!(value, Val::Uint(_)),
        Type::Double => matches!(value, Val::Double(_)),
        Type::String => matches!(value, Val::String(_)),
        Type::Bytes => matches!(value, Val::Bytes(_)),
        Type::Duration => matches!(value, Val::Duration(_)),
        Type::Timestamp => matches!(value, Val::Timestamp(_)),
        Type::List(_) => {
            matches!(value, Val::List(_) | Val::Unordered(_) | Val::Shuffled(_))
        }
        Type::Map(_) | Type::Object(_) => matches!(value, Val::Map(_) | Val::Object(_)),
        Type::Optional(_) => matches!(value, Val::Optional(_)),
        Type::Type(_) => matches!(value, Val::Type(_)),
        Type::Library(library) => match library {
            Library::Quantity => matches!(value, Val::Quantity(_)),
            Library::Url => matches!(value, Val::Url(_)),
            Library::Semver => matches!(value, Val::Semver(_)),
            Library::Format => matches!(value, Val::Format(_)),
            Library::Ip => matches!(value, Val::Ip(_)),
            Library::Cidr => matches!(value, Val::Cidr(..)),
            _ => false,
        },
    }
}
