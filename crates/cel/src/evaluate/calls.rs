//! Calls: the row of the table that fits, and what it gives.

use super::{Answer, Evaluation, Stop, Val};
use crate::ast::{Expression, Kind, Name};
use crate::functions::{Overload, Style, overloads};
use crate::macros::macro_called;
use crate::types::{Library, Type};

impl<'e> Evaluation<'e> {
    pub(super) fn call(
        &self,
        target: Option<&'e Expression>,
        function: &'e Name,
        arguments: &'e [Expression],
    ) -> Answer {
        let name = &*function.text;
        let Some(target) = target else {
            return match (name, arguments) {
                ("has", [argument]) => self.has(argument),
                _ => run(name, &self.values(arguments)?),
            };
        };
        if let Some(space) = space(target) {
            let name = format!("{space}.{name}");
            if !overloads(&name, Style::Global).is_empty() {
                return run(&name, &self.values(arguments)?);
            }
        }
        let target = self.value(target)?;
        if let Some(row) = macro_called(name, true, arguments.len()) {
            return self.expand(row, &target, arguments);
        }
        // Servers evaluate the argument only if the optional is empty.
        match (name, &target, arguments) {
            ("or", Val::Optional(inner), [other]) => match inner {
                Some(_) => Ok(target),
                None => self.value(other),
            },
            ("orValue", Val::Optional(inner), [other]) => match inner {
                Some(inner) => Ok((**inner).clone()),
                None => self.value(other),
            },
            // A nested optional may be unwrapped by now: servers return any other value as it is.
            ("or" | "orValue", value, [_]) => match is_known(value) {
                true => Ok(target),
                false => Err(Stop::Unknown),
            },
            _ => {
                let mut given = vec![target];
                given.extend(self.values(arguments)?);
                dispatched(overloads(name, Style::Member), &given)
            }
        }
    }

    fn values(&self, arguments: &'e [Expression]) -> Result<Vec<Val>, Stop> {
        arguments.iter().map(|value| self.value(value)).collect()
    }

    /// `has(operand.field)`
    fn has(&self, argument: &'e Expression) -> Answer {
        let Kind::Select {
            operand,
            field,
            optional: false,
        } = &argument.kind
        else {
            return Err(Stop::Unknown);
        };
        let name = super::unescape(&field.text).ok_or(Stop::Unknown)?;
        match self.value(operand)?.select(&Val::text(name), true)? {
            Val::Optional(found) => Ok(Val::Bool(found.is_some())),
            _ => Err(Stop::Unknown),
        }
    }
}

/// What stands before the function of a library, such as `strings` or `format`.
fn space(target: &Expression) -> Option<&str> {
    match &target.kind {
        Kind::Identifier { name, .. } => Some(&name.text),
        _ => None,
    }
}

/// The result of a function without a target, or of an operator.
pub(crate) fn run(function: &str, given: &[Val]) -> Answer {
    let rows = overloads(function, Style::Global);
    match given {
        [Val::Zero] if matches!(function, "int" | "uint" | "double") => {
            dispatched(rows, &[Val::Int(0)])
        }
        [Val::Zero, other] => dispatched(rows, &[zero_like(other), other.clone()]),
        [other, Val::Zero] => dispatched(rows, &[other.clone(), zero_like(other)]),
        given => dispatched(rows, given),
    }
}

fn dispatched(rows: &[&Overload], given: &[Val]) -> Answer {
    let fitting = rows.iter().find(|row| {
        let mut pairs = row.takes.iter().zip(given);
        row.takes.len() == given.len() && pairs.all(|(ty, value)| fits(ty, value))
    });
    match fitting {
        Some(row) => (row.run)(given),
        // Servers have an error for values that no overload takes.
        None if !rows.is_empty() && given.iter().all(is_known) => Err(Stop::Error),
        None => Err(Stop::Unknown),
    }
}

/// Zero of the type of another number.
pub(super) fn zero_like(other: &Val) -> Val {
    match other {
        Val::Int(_) => Val::Int(0),
        Val::Uint(_) => Val::Uint(0),
        Val::Double(_) => Val::Double(0.0),
        Val::Duration(_) => Val::Duration(0),
        _ => Val::Zero,
    }
}

fn is_known(value: &Val) -> bool {
    !matches!(value, Val::Opaque | Val::Broken | Val::Zero)
}

/// Whether a value is of a type, as far as servers ask: not for what is in lists and maps.
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
        Type::List(_) => matches!(value, Val::List(_) | Val::Unordered(_)),
        Type::Map(_) | Type::Object(_) => matches!(value, Val::Map(_) | Val::Partial(_)),
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
