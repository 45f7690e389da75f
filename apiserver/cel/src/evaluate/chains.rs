//! Chains of selections, such as `self.list[0].?field`.
//!
//! Servers evaluate a chain as one unit; a conditional at its start is evaluated with each of its branches.

use super::{Answer, Evaluation, Stop, Val};
use crate::ast::{Binary, Expression, Kind};
use crate::calls::{Call, Selection};
use crate::functions::{Cost, is_conversion};
use crate::macros::Macro;
use crate::unescape;

/// The value that a chain has reached.
pub(super) enum Reached {
    /// A value.
    Plain(Val),
    /// The content of the chain's optional.
    Present(Val),
    /// Absent, so the rest of the chain is not evaluated.
    Absent,
}

impl Reached {
    pub(super) fn value(self) -> Val {
        match self {
            Self::Plain(value) => value,
            Self::Present(value) => Val::optional(Some(value)),
            Self::Absent => Val::Optional(None),
        }
    }
}

impl<'e> Evaluation<'e> {
    /// Evaluates a chain. Any other expression starts one: servers unwrap an optional at the start, but not one that a
    /// selection without `?` returns.
    pub(super) fn reached(&self, expression: &'e Expression) -> Result<Reached, Stop> {
        match &expression.kind {
            Kind::Select {
                operand,
                field,
                optional,
            } if self.of_library(expression).is_none() => {
                let reached = self.operand(operand)?;
                let name = unescape(&field.text).ok_or(Stop::Unknown)?;
                self.selected(reached, &Val::text(name), *optional)
            }
            Kind::Index {
                operand,
                index,
                optional,
            } => match self.operand(operand)? {
                Reached::Absent => Ok(Reached::Absent),
                reached => {
                    let index = self.resolved(index)?;
                    self.selected(reached, &index, *optional)
                }
            },
            Kind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let branch = match self.value(condition)? {
                    Val::Bool(true) => then,
                    Val::Bool(false) => otherwise,
                    _ => return Err(Stop::Unknown),
                };
                let reached = self.reached(branch);
                self.meter.discount(self.base(branch));
                reached
            }
            _ => Ok(match self.value(expression)? {
                Val::Optional(None) => Reached::Absent,
                Val::Optional(Some(inner)) => Reached::Present((*inner).clone()),
                value => Reached::Plain(value),
            }),
        }
    }

    /// Evaluates the operand of a selection.
    fn operand(&self, operand: &'e Expression) -> Result<Reached, Stop> {
        if !self.is_attribute(operand) {
            self.meter.charge(1);
        }
        self.reached(operand)
    }

    /// One step of a chain such as `a.?b.c`: without a value, the rest is skipped.
    fn selected(&self, reached: Reached, key: &Val, optional: bool) -> Result<Reached, Stop> {
        if let Reached::Present(value) | Reached::Plain(value) = &reached {
            let looked_into = std::slice::from_ref(value);
            self.meter.work.call(Cost::IndexMap, looked_into)?;
        }
        let (found, is_optional) = match reached {
            Reached::Absent => return Ok(Reached::Absent),
            Reached::Present(value) => (value.select(key, true), true),
            Reached::Plain(value) => (value.select(key, optional), optional),
        };
        match found {
            Ok(Val::Optional(None)) if is_optional => Ok(Reached::Absent),
            Err(stop) if is_optional => Err(stop),
            found => {
                self.meter.charge(1);
                let found = found?;
                Ok(match found {
                    Val::Optional(Some(inner)) if is_optional => Reached::Present((*inner).clone()),
                    found => Reached::Plain(found),
                })
            }
        }
    }

    /// `has(operand.field)`
    pub(super) fn has(&self, Selection { operand, field, .. }: Selection<'e>) -> Answer {
        let name = Val::text(unescape(&field.text).ok_or(Stop::Unknown)?);
        let is_there = |value: &Val| Ok(value.select(&name, true)? != Val::Optional(None));
        // Servers count a negative cost if the operand is an error or an optional lacks the field.
        let reached = self.operand(operand);
        let is_present = match reached.inspect_err(|_| self.meter.discount(1))? {
            Reached::Plain(value) => is_there(&value)?,
            Reached::Present(value) if is_there(&value)? => true,
            Reached::Absent | Reached::Present(_) => {
                self.meter.discount(1);
                false
            }
        };
        Ok(Val::Bool(is_present))
    }

    /// The value of an index or of a branch. Servers do not count its start.
    pub(super) fn resolved(&self, expression: &'e Expression) -> Answer {
        let value = self.value(expression);
        self.meter.discount(self.base(expression));
        value
    }

    /// The cost that servers count for the start of a chain.
    fn base(&self, expression: &Expression) -> u64 {
        match &expression.kind {
            Kind::Identifier { name, .. } => self.is_variable(&name.text).into(),
            Kind::Select { .. } if self.of_library(expression).is_some() => 0,
            Kind::Select { operand, .. } | Kind::Index { operand, .. } => {
                if self.is_attribute(operand) {
                    self.base(operand)
                } else {
                    1
                }
            }
            _ => 0,
        }
    }

    /// Whether servers continue a chain at an expression, rather than starting one.
    fn is_attribute(&self, expression: &Expression) -> bool {
        match &expression.kind {
            Kind::Identifier { name, .. } => self.is_variable(&name.text),
            Kind::Select { .. } => self.of_library(expression).is_none(),
            Kind::Index { .. } | Kind::Conditional { .. } => true,
            Kind::Call { .. } => match expression.call() {
                Some(Call::Has(_)) => true,
                Some(Call::Macro(of)) => {
                    matches!(of.row.expands_to, Macro::OptMap | Macro::OptFlatMap)
                }
                Some(Call::Function(_)) | None => false,
            },
            _ => false,
        }
    }

    /// Whether servers fold an expression before evaluation.
    pub(super) fn is_constant(&self, expression: &Expression) -> bool {
        match &expression.kind {
            Kind::Literal(_) => true,
            Kind::Identifier { name, .. } => !self.is_variable(&name.text),
            Kind::Select { .. } => self.of_library(expression).is_some(),
            Kind::Binary {
                operator: Binary::In,
                right,
                ..
            } => matches!(&right.kind, Kind::List(items) if items.is_empty()),
            Kind::List(elements) => elements
                .iter()
                .all(|element| self.is_constant(&element.value)),
            Kind::Map(entries) => entries
                .iter()
                .all(|entry| self.is_constant(&entry.key) && self.is_constant(&entry.value)),
            Kind::Call {
                target: None,
                function,
                arguments,
            } => match arguments.as_slice() {
                [argument] => is_conversion(&function.text) && self.is_constant(argument),
                _ => false,
            },
            _ => false,
        }
    }
}
