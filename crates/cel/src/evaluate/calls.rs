//! Calls: the row of the table that fits, and what it gives.

use super::{Answer, Evaluation, Stop, Val};
use crate::ast::Expression;
use crate::calls::{Call, Function, Selection};
use crate::functions::{Overload, Style, overloads};
use crate::types::{Library, Type};

impl<'e> Evaluation<'e> {
    pub(super) fn call(&self, expression: &'e Expression) -> Answer {
        match expression.call() {
            Some(Call::Has(selection)) => self.has(selection),
            Some(Call::Macro(of)) => self.expand(&of, &self.value(of.target)?),
            Some(Call::Function(function)) => self.function(&function),
            None => Err(Stop::Unknown),
        }
    }

    fn function(&self, function: &Function<'e>) -> Answer {
        let (target, arguments) = match (function.style, function.arguments.as_slice()) {
            (Style::Member, [target, arguments @ ..]) => (self.value(target)?, arguments),
            (_, arguments) => return run(&function.name, &self.values(arguments)?),
        };
        // Servers evaluate the argument only if the optional is empty.
        match (&*function.name, &target, arguments) {
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
            (name, _, arguments) => {
                let given = std::iter::once(Ok(target.clone()));
                let given = given.chain(arguments.iter().map(|argument| self.value(argument)));
                run_member(name, &given.collect::<Result<Vec<Val>, _>>()?)
            }
        }
    }

    fn values(&self, arguments: &[&'e Expression]) -> Result<Vec<Val>, Stop> {
        arguments
            .iter()
            .map(|argument| self.value(argument))
            .collect()
    }

    /// `has(operand.field)`
    fn has(&self, Selection { operand, field, .. }: Selection<'e>) -> Answer {
        let name = super::unescape(&field.text).ok_or(Stop::Unknown)?;
        match self.value(operand)?.select(&Val::text(name), true)? {
            Val::Optional(found) => Ok(Val::Bool(found.is_some())),
            _ => Err(Stop::Unknown),
        }
    }
}

/// The result of a function without a target, or of an operator.
pub(crate) fn run(function: &str, given: &[Val]) -> Answer {
    let rows = overloads(function, Style::Global);
    match given {
        [Val::Zero, other] => dispatched(rows, &[zero_like(other), other.clone()]),
        [other, Val::Zero] => dispatched(rows, &[other.clone(), zero_like(other)]),
        given => dispatched(rows, given),
    }
}

/// The result of a function with a target, which comes first.
pub(crate) fn run_member(function: &str, given: &[Val]) -> Answer {
    dispatched(overloads(function, Style::Member), given)
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
