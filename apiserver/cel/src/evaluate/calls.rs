//! Evaluates calls by the matching row of the table.

use super::Evaluation;
use super::price::price;
use crate::ast::Expression;
use crate::calls::{Call, Function};
use crate::cost::Range;
use crate::functions::{Overload, Style, call_row, fitting, is_known, overloads, typed};
use crate::minors::NEWEST;
use crate::value::{Answer, Stop, Val};

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
            // A nested optional may be unwrapped by now.
            ("or" | "orValue", value, [_]) => match is_known(value) {
                true => Err(Stop::Error),
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

    /// The result of a function without a target, or of an operator, and its cost.
    pub(super) fn run(&self, function: &str, given: &[Val]) -> Answer {
        self.dispatched(overloads(function, Style::Global), &typed(function, given))
    }

    pub(super) fn dispatched(&self, rows: &[&Overload], given: &[Val]) -> Answer {
        let row = fitting(rows, given);
        if let Some(row) = row {
            self.meter.work.call(row.cost_in(NEWEST), given)?;
        }
        let answer = call_row(rows, row, given);
        if let (Some(row), Ok(made)) = (row, &answer) {
            self.meter.work.spend_on_result(row.cost, made)?;
        }
        match row {
            Some(row) => {
                let cost = price(row, given, &answer, self.meter.is_resolved);
                self.meter.add(cost);
                // Such a cost may also be negative.
                if cost == Range::UNKNOWN {
                    self.meter.lower(0);
                }
            }
            None => self.meter.add(Range::UNKNOWN),
        }
        answer
    }
}
