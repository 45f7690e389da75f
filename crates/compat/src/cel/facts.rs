//! Facts implied by a condition: fields that are present, and minimum lengths.

use crd_channels_cel::calls::Call;
use crd_channels_cel::canonical;
use crd_channels_cel::functions::SIZE;
use crd_channels_cel::logic::Junction;
use crd_channels_check::cel::Expression;
use crd_channels_check::cel::ast::{Binary, Kind, Literal, Logic};

/// Facts about expressions, by their canonical text.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    there: Vec<String>,
    sizes: Vec<(String, u64)>,
}

impl Facts {
    /// Whether a field is known to be present.
    pub(super) fn is_there(&self, field: &str) -> bool {
        self.there.iter().any(|known| known == field)
    }

    /// The minimum known size of an expression.
    pub(super) fn size(&self, of: &str) -> u64 {
        let sizes = self.sizes.iter().filter(|(known, _)| known == of);
        sizes.map(|(_, size)| *size).max().unwrap_or(0)
    }

    /// Drops the facts about a name that a macro rebinds.
    pub(super) fn forget(&mut self, name: &str) {
        self.there.retain(|known| !known.contains(name));
        self.sizes.retain(|(known, _)| !known.contains(name));
    }

    /// Learns the facts implied by a condition that is true, or false.
    pub(super) fn learn(&mut self, condition: &Expression, holds: bool) {
        match condition.junction() {
            Some(Junction::Logic(operator, operands)) if (operator == Logic::And) == holds => {
                operands
                    .iter()
                    .for_each(|operand| self.learn(operand, holds));
            }
            Some(Junction::Not(operand)) => self.learn(operand, !holds),
            Some(_) => {}
            None => self.learn_one(condition, holds),
        }
    }

    /// The same for a condition that is not a logical operator.
    fn learn_one(&mut self, condition: &Expression, holds: bool) {
        if let Some(Call::Has(selection)) = condition.call() {
            self.there.extend(holds.then(|| canonical(selection.whole)));
        }
        if let Kind::Binary {
            operator,
            left,
            right,
        } = &condition.kind
        {
            self.compared(*operator, left, right, holds);
        }
    }

    /// Learns from `size > n` and the like, with either operand first.
    fn compared(&mut self, operator: Binary, left: &Expression, right: &Expression, holds: bool) {
        let (of, number, operator) = match (measured(left), number(right)) {
            (Some(of), Some(number)) => (of, number, operator),
            _ => match (measured(right), number(left)) {
                (Some(of), Some(number)) => (of, number, turned(operator)),
                _ => return,
            },
        };
        let least = match (operator, holds) {
            (Binary::Greater, true) | (Binary::LessEqual, false) => number + 1,
            (Binary::GreaterEqual, true)
            | (Binary::Less, false)
            | (Binary::Equal, true)
            | (Binary::NotEqual, false) => number,
            (Binary::NotEqual, true) | (Binary::Equal, false) if number == 0 => 1,
            _ => return,
        };
        self.sizes.push((of, least));
    }
}

/// The operator after swapping its operands: `a < b` is `b > a`.
fn turned(operator: Binary) -> Binary {
    match operator {
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        other => other,
    }
}

/// The argument of a call of `size`.
fn measured(expression: &Expression) -> Option<String> {
    match expression.call() {
        Some(Call::Function(function)) if function.is(SIZE) => {
            function.arguments.first().map(|of| canonical(of))
        }
        _ => None,
    }
}

fn number(expression: &Expression) -> Option<u64> {
    match &expression.kind {
        Kind::Literal(Literal::Int(value)) => u64::try_from(*value).ok(),
        _ => None,
    }
}
