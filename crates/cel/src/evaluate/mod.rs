//! Evaluates expressions on values.
//!
//! Only what can be evaluated exactly is: everything else stops with [`Stop::Unknown`], never with a guess. So no rule
//! is said to fail that a server would take.

mod blame;
mod calls;
mod compare;
pub(crate) mod library;
mod loops;
mod value;

pub use blame::{Blame, blame};
pub use library::Run;
pub use library::quantities::Quantity;
pub use value::Val;

use crate::ast::{Binary, Expression, Kind, Literal, Logic, Name, Unary};
use crate::check::names::is_found_at_run_time;
use crate::operators::{INDEX, NEGATE, NOT, called};
use crate::unescape;
pub(crate) use calls::run;
use std::cell::Cell;

/// Why there is no value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stop {
    /// The server would report an error too, so a rule fails.
    Error,
    /// It takes more than is evaluated here.
    Unknown,
}

type Answer = Result<Val, Stop>;

/// Enough for what people write, and the end of every hostile expression.
const MOST_STEPS: usize = 1_000_000;

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
    variables: Vec<(&'e str, Val)>,
    steps: &'e Cell<usize>,
}

impl<'e> Evaluation<'e> {
    fn new(itself: Val, old: Option<Val>, steps: &'e Cell<usize>) -> Self {
        let mut variables = vec![("self", itself)];
        variables.extend(old.map(|old| ("oldSelf", old)));
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
            Kind::Literal(literal) => Ok(constant_of(literal)),
            Kind::Identifier { name, .. } => {
                let found = self.variable(name).or_else(|| named(&name.text));
                found.ok_or(Stop::Unknown)
            }
            Kind::Select {
                operand,
                field,
                optional,
            } => {
                if let Some(found) = self.of_library(expression) {
                    return Ok(found);
                }
                let operand = self.operand(operand)?;
                let name = unescape(&field.text).ok_or(Stop::Unknown)?;
                operand.select(&Val::text(name), *optional)
            }
            Kind::Index {
                operand,
                index,
                optional,
            } => match self.operand(operand)? {
                // Servers do not evaluate the index of an absent value.
                absent @ Val::Optional(None) => Ok(absent),
                operand if *optional => operand.select(&self.value(index)?, true),
                operand => run(INDEX, &[operand, self.value(index)?]),
            },
            Kind::Call {
                target,
                function,
                arguments,
            } => self.call(target.as_deref(), function, arguments),
            Kind::Unary { operator, operand } => {
                let function = match operator {
                    Unary::Not => NOT,
                    Unary::Negate => NEGATE,
                };
                run(function, &[self.value(operand)?])
            }
            // Servers answer `in []` without evaluating the left side.
            Kind::Binary {
                operator: Binary::In,
                right,
                ..
            } if matches!(&right.kind, Kind::List(items) if items.is_empty()) => {
                Ok(Val::Bool(false))
            }
            Kind::Binary {
                operator,
                left,
                right,
            } => run(called(*operator), &[self.value(left)?, self.value(right)?]),
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
                Val::Bool(true) => self.branch(then),
                Val::Bool(false) => self.branch(otherwise),
                _ => Err(Stop::Unknown),
            },
            Kind::List(elements) => {
                let mut items = Vec::with_capacity(elements.len());
                for element in elements {
                    items.extend(self.element(&element.value, element.optional)?);
                }
                Ok(Val::list(items))
            }
            Kind::Map(entries) => {
                let mut pairs: Vec<(Val, Val)> = Vec::with_capacity(entries.len());
                for entry in entries {
                    let key = self.value(&entry.key)?;
                    let value = self.element(&entry.value, entry.optional)?;
                    if !key.is_key() {
                        return Err(Stop::Unknown);
                    }
                    for (known, _) in &pairs {
                        // Servers keep either entry of a duplicate key.
                        if known.equals(&key)? {
                            return Err(Stop::Unknown);
                        }
                    }
                    pairs.extend(value.map(|value| (key, value)));
                }
                Ok(Val::map(pairs))
            }
            Kind::Message { .. } => Err(Stop::Unknown),
        }
    }

    /// The value of the chosen branch of a conditional.
    fn branch(&self, branch: &'e Expression) -> Answer {
        let value = self.value(branch)?;
        // Servers pass on a selection unchanged.
        Ok(match branch.kind {
            Kind::Select { .. } | Kind::Index { .. } => value,
            _ => value.passed_on(),
        })
    }

    /// The operand of a selection. Servers unwrap an optional that a call or a variable gives, but not one that another
    /// selection yields.
    fn operand(&self, operand: &'e Expression) -> Answer {
        match self.value(operand)? {
            Val::Optional(_) if is_plain_selection(operand) => Err(Stop::Unknown),
            value => Ok(value),
        }
    }

    /// The type or constant that a dotted name stands for, unless the name begins with a variable.
    fn of_library(&self, expression: &Expression) -> Option<Val> {
        let first = first_name(expression)?;
        let is_variable = self.variables.iter().any(|(known, _)| *known == first);
        if is_variable {
            return None;
        }
        named(&dotted(expression)?)
    }

    /// The value that an element adds to a list or a map. `?element` adds the value of an optional, if it has one.
    fn element(&self, element: &'e Expression, optional: bool) -> Result<Option<Val>, Stop> {
        match (self.value(element)?, optional) {
            (value, false) => Ok(Some(value)),
            (Val::Optional(inner), true) => Ok(inner.as_deref().cloned()),
            (_, true) => Err(Stop::Unknown),
        }
    }

    fn variable(&self, name: &Name) -> Option<Val> {
        let mut variables = self.variables.iter().rev();
        let found = variables.find(|(known, _)| **known == *name.text);
        found.map(|(_, value)| value.clone().passed_on())
    }

    /// The same with one more variable.
    fn and(&self, name: &'e str, value: Val) -> Self {
        let mut variables = self.variables.clone();
        variables.push((name, value));
        Self {
            variables,
            steps: self.steps,
        }
    }
}

/// Whether an expression is a chain of selections without `?`, or may choose one.
fn is_plain_selection(expression: &Expression) -> bool {
    match &expression.kind {
        Kind::Select {
            operand, optional, ..
        }
        | Kind::Index {
            operand, optional, ..
        } => !optional && !has_question(operand),
        Kind::Conditional {
            then, otherwise, ..
        } => is_plain_selection(then) || is_plain_selection(otherwise),
        _ => false,
    }
}

/// Whether a chain of selections has a `?` in it.
fn has_question(expression: &Expression) -> bool {
    match &expression.kind {
        Kind::Select {
            operand, optional, ..
        }
        | Kind::Index {
            operand, optional, ..
        } => *optional || has_question(operand),
        _ => false,
    }
}

/// The name that a chain of selections begins with.
fn first_name(expression: &Expression) -> Option<&str> {
    match &expression.kind {
        Kind::Identifier { name, .. } => Some(&name.text),
        Kind::Select { operand, .. } => first_name(operand),
        _ => None,
    }
}

/// The dotted name that an expression spells.
fn dotted(expression: &Expression) -> Option<String> {
    match &expression.kind {
        Kind::Identifier { name, .. } => Some(name.text.to_string()),
        Kind::Select {
            operand,
            field,
            optional: false,
        } => Some(format!("{}.{}", dotted(operand)?, field.text)),
        _ => None,
    }
}

/// The type or constant that a name stands for.
fn named(name: &str) -> Option<Val> {
    if name == "google.protobuf.NullValue.NULL_VALUE" {
        return Some(Val::Int(0));
    }
    is_found_at_run_time(name).then(|| Val::Type(name.into()))
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

/// The value of a literal.
pub(crate) fn constant_of(literal: &Literal) -> Val {
    match literal {
        Literal::Null => Val::Null,
        Literal::Bool(value) => Val::Bool(*value),
        Literal::Int(value) => Val::Int(*value),
        Literal::Uint(value) => Val::Uint(*value),
        Literal::Double(value) => Val::Double(*value),
        Literal::String(text) => Val::text(text.clone()),
        Literal::Bytes(bytes) => Val::Bytes(bytes.as_slice().into()),
    }
}

#[cfg(test)]
mod tests;
