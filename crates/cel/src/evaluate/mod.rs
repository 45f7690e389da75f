//! Evaluates expressions on values.
//!
//! Only what can be evaluated exactly is: everything else stops with [`Stop::Unknown`], never with a guess. So no rule
//! is said to fail that a server would take.

mod blame;
mod calls;
mod conversions;
mod library;
mod loops;
mod operators;
mod value;

pub use blame::{Blame, blame};
pub use value::Val;

use crate::ast::{Expression, Kind, Literal, Logic, Name, Unary};
use crate::time::Unread;
use crate::unescape;
use std::cell::Cell;
use std::rc::Rc;

/// Why there is no value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stop {
    /// The server would report an error too, so a rule fails.
    Error,
    /// It takes more than is evaluated here.
    Unknown,
}

/// What a text that is no time means for its expression.
fn unread(unread: Unread) -> Stop {
    match unread {
        Unread::Wrong => Stop::Error,
        Unread::Long => Stop::Unknown,
    }
}

type Answer = Result<Val, Stop>;

/// Enough for what people write, and the end of every hostile expression.
const MOST_STEPS: usize = 100_000;

/// What an expression gives for `self` and `oldSelf`.
///
/// # Errors
/// Where it ends in an error, or cannot be evaluated here.
pub fn evaluate(expression: &Expression, itself: Val, old: Option<Val>) -> Answer {
    let steps = Cell::new(MOST_STEPS);
    Evaluation::new(itself, old, &steps).value(expression)
}

#[derive(Clone)]
struct Evaluation<'e> {
    /// The variables in reach, the innermost last.
    variables: Vec<(&'e str, Rc<Val>)>,
    steps: &'e Cell<usize>,
}

impl<'e> Evaluation<'e> {
    fn new(itself: Val, old: Option<Val>, steps: &'e Cell<usize>) -> Self {
        let mut variables = vec![("self", Rc::new(itself))];
        variables.extend(old.map(|old| ("oldSelf", Rc::new(old))));
        Self { variables, steps }
    }

    fn value(&self, expression: &'e Expression) -> Answer {
        match self.given(expression) {
            Ok(Val::Broken) => Err(Stop::Error),
            answer => answer,
        }
    }

    fn given(&self, expression: &'e Expression) -> Answer {
        let left = self.steps.get().checked_sub(1).ok_or(Stop::Unknown)?;
        self.steps.set(left);
        match &expression.kind {
            Kind::Literal(literal) => Ok(constant(literal)),
            Kind::Identifier { name, .. } => self.variable(name),
            Kind::Select {
                operand,
                field,
                optional,
            } => {
                let operand = self.value(operand)?;
                let name = unescape(&field.text).ok_or(Stop::Unknown)?;
                operand.select(&Val::String(name.into_owned()), *optional)
            }
            Kind::Index {
                operand,
                index,
                optional,
            } => self.value(operand)?.select(&self.value(index)?, *optional),
            Kind::Call {
                target,
                function,
                arguments,
            } => self.call(target.as_deref(), function, arguments),
            Kind::Unary { operator, operand } => match (operator, self.value(operand)?) {
                (Unary::Not, Val::Bool(value)) => Ok(Val::Bool(!value)),
                (Unary::Negate, Val::Int(value)) => {
                    value.checked_neg().map(Val::Int).ok_or(Stop::Error)
                }
                (Unary::Negate, Val::Double(value)) => Ok(Val::Double(-value)),
                _ => Err(Stop::Unknown),
            },
            Kind::Binary {
                operator,
                left,
                right,
            } => operators::binary(*operator, &self.value(left)?, &self.value(right)?),
            Kind::Logic {
                operator, operands, ..
            } => {
                let decides = *operator == Logic::Or;
                let values = operands.iter().map(|operand| self.value(operand));
                quantify(values, decides)
            }
            Kind::Conditional {
                condition,
                then,
                otherwise,
            } => match self.value(condition)? {
                Val::Bool(true) => self.value(then),
                Val::Bool(false) => self.value(otherwise),
                _ => Err(Stop::Unknown),
            },
            Kind::List(elements) => {
                let plain = elements.iter().all(|element| !element.optional);
                let items = elements.iter().map(|element| self.value(&element.value));
                let items: Result<Vec<Val>, Stop> = items.collect();
                items.map(Val::List).and_then(|list| known(list, plain))
            }
            Kind::Map(entries) => {
                let plain = entries.iter().all(|entry| !entry.optional);
                let pairs = entries
                    .iter()
                    .map(|entry| Ok((self.value(&entry.key)?, self.value(&entry.value)?)));
                let pairs: Result<Vec<(Val, Val)>, Stop> = pairs.collect();
                pairs.map(Val::Map).and_then(|map| known(map, plain))
            }
            Kind::Message { .. } => Err(Stop::Unknown),
        }
    }

    fn variable(&self, name: &Name) -> Answer {
        let mut variables = self.variables.iter().rev();
        variables
            .find(|(known, _)| **known == *name.text)
            .map(|(_, value)| (**value).clone())
            .or_else(|| type_called(&name.text).map(Val::Type))
            .ok_or(Stop::Unknown)
    }

    /// The same with one more variable.
    fn and(&self, name: &'e str, value: Val) -> Self {
        let mut variables = self.variables.clone();
        variables.push((name, Rc::new(value)));
        Self {
            variables,
            steps: self.steps,
        }
    }
}

fn type_called(name: &str) -> Option<&'static str> {
    let types = [
        "null_type",
        "bool",
        "int",
        "uint",
        "double",
        "string",
        "bytes",
        "list",
        "map",
        "type",
    ];
    types.into_iter().find(|known| *known == name)
}

fn known(value: Val, known: bool) -> Answer {
    if known { Ok(value) } else { Err(Stop::Unknown) }
}

/// Whether all are true, or any is: the value that decides wins over errors, as in `&&`, `||`, `all` and `exists`.
fn quantify(values: impl Iterator<Item = Answer>, decides: bool) -> Answer {
    let mut stop = None;
    for value in values {
        match value {
            Ok(Val::Bool(value)) if value == decides => return Ok(Val::Bool(decides)),
            Ok(Val::Bool(_)) => {}
            Ok(_) | Err(Stop::Unknown) => stop = Some(Stop::Unknown),
            Err(Stop::Error) => stop = stop.or(Some(Stop::Error)),
        }
    }
    stop.map_or(Ok(Val::Bool(!decides)), Err)
}

fn constant(literal: &Literal) -> Val {
    match literal {
        Literal::Null => Val::Null,
        Literal::Bool(value) => Val::Bool(*value),
        Literal::Int(value) => Val::Int(*value),
        Literal::Uint(value) => Val::Uint(*value),
        Literal::Double(value) => Val::Double(*value),
        Literal::String(text) => Val::String(text.to_string()),
        Literal::Bytes(_) => Val::Opaque,
    }
}

#[cfg(test)]
mod tests;
