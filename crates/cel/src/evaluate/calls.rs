//! Calls: the row of the table that fits, and what it gives.

use super::price::price;
use super::{Answer, Evaluation, Stop, Val};
use crate::ast::Expression;
use crate::calls::{Call, Function};
use crate::cost::Range;
use crate::functions::{Overload, Style, overloads};
use crate::types::{Library, Type};
use std::borrow::Cow;

impl<'e> Evaluation<'e> {
    pub(super) fn call(&self, expression: &'e Expression) -> Answer {
        match expression.call() {
            Some(Call::Has(selection)) => self.has(selection),
            Some(Call::Macro(of)) => self.comprehension(&of),
            Some(Call::Function(function)) => self.function(&function),
            None => Err(Stop::Unknown),
        }
    }

    fn function(&self, function: &Function<'e>) -> Answer {
        let name = &*function.name;
        let (target, arguments) = match (function.style, function.arguments.as_slice()) {
            (Style::Member, [target, arguments @ ..]) => (target, arguments),
            (_, arguments) => return self.run(name, &self.values(arguments)?),
        };
        let target = self.value(target).inspect_err(|_| {
            if matches!(name, "distinct" | "sort") {
                self.meter.crash();
            }
        })?;
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
                given.extend(self.values(arguments).inspect_err(|_| {
                    if name == "flatten" {
                        self.meter.crash();
                    }
                })?);
                self.dispatched(overloads(name, Style::Member), &given)
            }
        }
    }

    fn values(&self, arguments: &[&'e Expression]) -> Result<Vec<Val>, Stop> {
        let arguments = arguments.iter();
        arguments.map(|argument| self.value(argument)).collect()
    }

    /// The result of a function without a target, or of an operator, and its price.
    pub(super) fn run(&self, function: &str, given: &[Val]) -> Answer {
        self.dispatched(overloads(function, Style::Global), &typed(function, given))
    }

    pub(super) fn dispatched(&self, rows: &[&Overload], given: &[Val]) -> Answer {
        let row = fitting(rows, given);
        if let Some(row) = row {
            self.meter.work.call(row.cost, given)?;
        }
        let answer = answered(rows, row, given);
        if let (Some(row), Ok(made)) = (row, &answer) {
            self.meter.work.made(row.cost, made)?;
        }
        match row {
            Some(row) => {
                let cost = price(row, given, &answer, self.meter.is_resolved);
                self.meter.add(cost);
                // Such a price may also be less than nothing.
                if cost == Range::UNKNOWN {
                    self.meter.lower(0);
                }
            }
            None => self.meter.add(Range::UNKNOWN),
        }
        answer
    }
}

/// The result of a function without a target, or of an operator.
pub(crate) fn run(function: &str, given: &[Val]) -> Answer {
    let rows = overloads(function, Style::Global);
    let given = typed(function, given);
    answered(rows, fitting(rows, &given), &given)
}

/// The result of a function with a target, which comes first.
pub(crate) fn run_member(function: &str, given: &[Val]) -> Answer {
    let rows = overloads(function, Style::Member);
    answered(rows, fitting(rows, given), given)
}

/// The values with a type for the sum of nothing, where another value tells it.
fn typed<'g>(function: &str, given: &'g [Val]) -> Cow<'g, [Val]> {
    match given {
        [Val::Zero] if matches!(function, "int" | "uint" | "double") => vec![Val::Int(0)].into(),
        [Val::Zero, other] => vec![zero_like(other), other.clone()].into(),
        [other, Val::Zero] => vec![other.clone(), zero_like(other)].into(),
        given => given.into(),
    }
}

/// The row that takes these values.
fn fitting<'r>(rows: &[&'r Overload], given: &[Val]) -> Option<&'r Overload> {
    let mut rows = rows.iter();
    let found = rows.find(|row| {
        let mut pairs = row.takes.iter().zip(given);
        row.takes.len() == given.len() && pairs.all(|(ty, value)| fits(ty, value))
    });
    found.copied()
}

fn answered(rows: &[&Overload], row: Option<&Overload>, given: &[Val]) -> Answer {
    match row {
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
