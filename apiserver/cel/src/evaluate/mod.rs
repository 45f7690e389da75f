//! Evaluates expressions on values.
//!
//! Evaluates only what it can evaluate exactly: everything else stops with [`Stop::Unknown`]. So it never reports that a rule
//! fails that a server would accept.

mod blame;
mod calls;
mod chains;
mod loops;
mod meter;
mod price;
mod work;

pub use crate::library::Run;
pub use crate::value::{Hidden, Object, Quantity, Stop, Val};
pub use blame::{Blame, blame};
pub use meter::CostedValue;

use crate::ast::{Binary, Expression, Kind, Logic, Name, Unary};
use crate::check::type_names::is_found_at_run_time;
use crate::cost::{CALL_LIMIT, Range};
use crate::functions::run;
use crate::operators::{NEGATE, NOT, function_name};
use crate::value::{Answer, constant_of};
use meter::Meter;
use std::cell::Cell;
use std::rc::Rc;

/// The cost that servers count for a list or map literal.
const LIST: u64 = 10;
const MAP: u64 = 30;

/// The value of an expression for `self` and `oldSelf`.
///
/// # Errors
/// If it is an error, or cannot be evaluated here.
pub fn evaluate(expression: &Expression, itself: Val, old: Option<Val>) -> Answer {
    evaluate_with_cost(expression, itself, old, false).answer
}

/// The same, with the cost that servers count. `is_resolved` means that every call has exactly one matching overload.
#[must_use]
pub fn evaluate_with_cost(
    expression: &Expression,
    itself: Val,
    old: Option<Val>,
    is_resolved: bool,
) -> CostedValue {
    let meter = Meter::new(is_resolved);
    let answer = Evaluation::new(itself, old, &meter).value(expression);
    if answer.is_err() {
        meter.lose();
    }
    let cost = meter.spent();
    // Servers stop there, whatever the result would be.
    let answer = if cost.min > CALL_LIMIT {
        Err(Stop::Error)
    } else {
        answer
    };
    CostedValue { answer, cost }
}

/// A variable in scope.
#[derive(Clone)]
struct Variable<'e> {
    name: &'e str,
    value: Val,
    /// The cost of the first use, if servers evaluate the value lazily.
    pending: Option<Rc<Cell<Range>>>,
}

#[derive(Clone)]
struct Evaluation<'e> {
    /// The variables in scope, the innermost last.
    variables: Vec<Variable<'e>>,
    meter: &'e Meter,
}

impl<'e> Evaluation<'e> {
    fn new(itself: Val, old: Option<Val>, meter: &'e Meter) -> Self {
        let old = old.map(|old| ("oldSelf", old));
        let variables = [("self", itself)].into_iter().chain(old);
        let variables = variables.map(|(name, value)| Variable {
            name,
            value,
            pending: None,
        });
        Self {
            variables: variables.collect(),
            meter,
        }
    }

    fn value(&self, expression: &'e Expression) -> Answer {
        match self.given(expression) {
            Ok(Val::Broken) => Err(Stop::Error),
            answer => answer,
        }
    }

    /// The value as it is passed on, which may be [`Val::Broken`]: only what reads it fails.
    fn given(&self, expression: &'e Expression) -> Answer {
        self.meter.step()?;
        // Servers fold constants beforehand.
        if matches!(
            expression.kind,
            Kind::List(_) | Kind::Map(_) | Kind::Call { .. }
        ) && self.is_constant(expression)
        {
            let spent = self.meter.spent();
            let value = self.composed(expression);
            self.meter.reset(spent);
            return value;
        }
        self.composed(expression)
    }

    fn composed(&self, expression: &'e Expression) -> Answer {
        match &expression.kind {
            Kind::Literal(literal) => Ok(constant_of(literal)),
            Kind::Identifier { name, .. } => match self.variable(name)? {
                Some(value) => Ok(value),
                None => type_or_constant(&name.text).ok_or(Stop::Unknown),
            },
            Kind::Select { .. } | Kind::Index { .. } => match self.of_library(expression) {
                Some(found) => Ok(found),
                None => Ok(self.reached(expression)?.value()),
            },
            Kind::Call { .. } => self.call(expression),
            Kind::Unary { operator, operand } => {
                let function = match operator {
                    Unary::Not => NOT,
                    Unary::Negate => NEGATE,
                };
                self.run(function, &[self.value(operand)?])
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
            } => {
                let given = [self.value(left)?, self.value(right)?];
                match (operator, &given) {
                    (Binary::In, [_, list]) if is_set(list) && self.is_constant(right) => {
                        run(function_name(*operator), &given)
                    }
                    _ => self.run(function_name(*operator), &given),
                }
            }
            Kind::Logic {
                operator, operands, ..
            } => {
                let decides = *operator == Logic::Or;
                let values = operands.iter().map(|operand| self.value(operand));
                self.quantify(values, decides)
            }
            Kind::Conditional {
                condition,
                then,
                otherwise,
            } => match self.value(condition)? {
                Val::Bool(true) => self.resolved(then),
                Val::Bool(false) => self.resolved(otherwise),
                _ => Err(Stop::Unknown),
            },
            Kind::List(elements) => {
                let mut items = Vec::with_capacity(elements.len());
                for element in elements {
                    items.extend(self.element(&element.value, element.optional)?);
                }
                self.meter.charge(LIST);
                Ok(Val::list(items))
            }
            Kind::Map(entries) => {
                let mut pairs: Vec<(Val, Val)> = Vec::with_capacity(entries.len());
                for entry in entries {
                    let key = self.value(&entry.key)?;
                    let value = self.element(&entry.value, entry.optional)?;
                    if matches!(key, Val::Bytes(_) | Val::Semver(_)) {
                        // Servers cannot hash it, and abort the whole evaluation.
                        self.meter.crash();
                        return Err(Stop::Error);
                    }
                    if !key.is_key() {
                        return Err(Stop::Unknown);
                    }
                    for (known, _) in &pairs {
                        // Servers may keep either entry of a duplicate key.
                        if known.equals(&key)? {
                            return Err(Stop::Unknown);
                        }
                    }
                    pairs.extend(value.map(|value| (key, value)));
                }
                self.meter.charge(MAP);
                Ok(Val::map(pairs))
            }
            Kind::Message { .. } => Err(Stop::Unknown),
        }
    }

    /// The type or constant of a dotted name, unless the name starts with a variable.
    fn of_library(&self, expression: &Expression) -> Option<Val> {
        let first = first_name(expression)?;
        if self.is_variable(first) {
            return None;
        }
        type_or_constant(&dotted(expression)?)
    }

    /// The value that an element adds to a list or a map. `?element` adds the content of an optional, if it has one.
    fn element(&self, element: &'e Expression, optional: bool) -> Result<Option<Val>, Stop> {
        match (self.value(element)?, optional) {
            (value, false) => Ok(Some(value)),
            (Val::Optional(inner), true) => Ok(inner.as_deref().cloned()),
            (_, true) => Err(Stop::Unknown),
        }
    }

    /// The value of the variable of that name, if there is one.
    fn variable(&self, name: &Name) -> Result<Option<Val>, Stop> {
        let mut variables = self.variables.iter().rev();
        let Some(found) = variables.find(|known| *known.name == *name.text) else {
            return Ok(None);
        };
        self.meter.charge(1);
        if let Some(pending) = &found.pending {
            self.meter.add(pending.replace(Range::exactly(0)));
        }
        Ok(Some(found.value.clone()))
    }

    fn is_variable(&self, name: &str) -> bool {
        self.variables.iter().any(|known| known.name == name)
    }

    /// The same with one more variable.
    fn and(&self, name: &'e str, value: Val) -> Self {
        self.with(Variable {
            name,
            value,
            pending: None,
        })
    }

    fn with(&self, variable: Variable<'e>) -> Self {
        let mut variables = self.variables.clone();
        variables.push(variable);
        Self {
            variables,
            meter: self.meter,
        }
    }

    /// Whether all are true, or any is: a deciding value takes precedence over errors, as in `&&`, `||`, `all` and `exists`.
    fn quantify(&self, values: impl Iterator<Item = Answer>, decides: bool) -> Answer {
        let mut stop = None;
        // The minimum cost, if servers stopped earlier.
        let mut least = u64::MAX;
        for value in values {
            match value {
                Ok(Val::Bool(value)) if value == decides => {
                    self.meter.lower(least);
                    return Ok(Val::Bool(decides));
                }
                Ok(Val::Bool(_)) => {}
                Ok(_) | Err(Stop::Unknown) => {
                    self.meter.lose();
                    least = least.min(self.meter.spent().min);
                    stop = Some(Stop::Unknown);
                }
                Err(Stop::Error) => {
                    if let Some(stop) = self.meter.crashed() {
                        return Err(stop);
                    }
                    self.meter.lose();
                    stop = stop.or(Some(Stop::Error));
                }
            }
        }
        self.meter.lower(least);
        stop.map_or(Ok(Val::Bool(!decides)), Err)
    }
}

/// Whether servers look up a value in such a list, rather than iterating.
fn is_set(list: &Val) -> bool {
    use Val::{Bool, Double, Int, String, Uint};
    let is_plain = |item: &Val| matches!(item, Bool(_) | Double(_) | Int(_) | String(_) | Uint(_));
    list.items().is_ok_and(|items| items.iter().all(is_plain))
}

/// The first name of a chain of selections.
fn first_name(expression: &Expression) -> Option<&str> {
    match &expression.kind {
        Kind::Identifier { name, .. } => Some(&name.text),
        Kind::Select { operand, .. } => first_name(operand),
        _ => None,
    }
}

/// The dotted name that an expression consists of.
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

/// The type or constant of a name.
fn type_or_constant(name: &str) -> Option<Val> {
    if name == "google.protobuf.NullValue.NULL_VALUE" {
        return Some(Val::Int(0));
    }
    is_found_at_run_time(name).then(|| Val::Type(name.into()))
}

#[cfg(test)]
mod tests;
