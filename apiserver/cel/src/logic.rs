//! Boolean structure of expressions.

use crate::ast::{Binary, Expression, Kind, Literal, Logic, Unary};
use crate::calls::{Call, Comprehension};
use crate::functions::{Overload, Style, overloads};
use crate::operators::function_name;
use crate::types::Type;

/// A boolean operation on the expressions below.
#[derive(Clone, Copy, Debug)]
pub enum Junction<'e> {
    /// `true` or `false`
    Constant(bool),
    /// `!operand`
    Not(&'e Expression),
    /// `a && b`, `a || b`
    Logic(Logic, &'e [Expression]),
    /// `condition ? then : otherwise`
    Choice([&'e Expression; 3]),
    /// `left == right`, or `left != right` if the flag is set.
    Same([&'e Expression; 2], bool),
}

impl<'e> Junction<'e> {
    /// The operands.
    #[must_use]
    pub fn operands(self) -> Vec<&'e Expression> {
        match self {
            Self::Constant(_) => Vec::new(),
            Self::Not(operand) => vec![operand],
            Self::Logic(_, operands) => operands.iter().collect(),
            Self::Choice(parts) => parts.to_vec(),
            Self::Same(sides, _) => sides.to_vec(),
        }
    }
}

impl Expression {
    /// The boolean operation; `None` if the expression is not one.
    #[must_use]
    pub fn junction(&self) -> Option<Junction<'_>> {
        match &self.kind {
            Kind::Literal(Literal::Bool(value)) => Some(Junction::Constant(*value)),
            Kind::Unary {
                operator: Unary::Not,
                operand,
            } => Some(Junction::Not(operand)),
            Kind::Logic {
                operator, operands, ..
            } => Some(Junction::Logic(*operator, operands)),
            Kind::Conditional {
                condition,
                then,
                otherwise,
            } => Some(Junction::Choice([condition, then, otherwise])),
            Kind::Binary {
                operator: operator @ (Binary::Equal | Binary::NotEqual),
                left,
                right,
            } if left.is_truth() && right.is_truth() => {
                Some(Junction::Same([left, right], *operator == Binary::NotEqual))
            }
            _ => None,
        }
    }

    /// Whether its value is always a boolean.
    #[must_use]
    pub fn is_truth(&self) -> bool {
        match &self.kind {
            Kind::Literal(literal) => matches!(literal, Literal::Bool(_)),
            Kind::Logic { .. } => true,
            Kind::Unary { operator, .. } => *operator == Unary::Not,
            Kind::Binary { operator, .. } => {
                gives_truth(overloads(function_name(*operator), Style::Global))
            }
            _ => match self.call() {
                Some(Call::Has(_)) => true,
                Some(Call::Macro(comprehension)) => Comprehension::asks(&comprehension),
                Some(Call::Function(function)) => gives_truth(&function.rows().collect::<Vec<_>>()),
                None => false,
            },
        }
    }

    /// The expressions that must all be true for it to be true.
    #[must_use]
    pub fn conjuncts(&self) -> Vec<&Self> {
        match self.junction() {
            Some(Junction::Logic(Logic::And, operands)) => {
                operands.iter().flat_map(Self::conjuncts).collect()
            }
            _ => vec![self],
        }
    }
}

fn gives_truth(rows: &[&Overload]) -> bool {
    !rows.is_empty() && rows.iter().all(|row| row.gives == Type::Bool)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use crate::parse;

    #[test]
    fn truth_values_are_known_by_their_form() {
        for (text, expected) in [
            ("a == 1", true),
            ("a + 1", false),
            ("a in b", true),
            ("!a", true),
            ("-a", false),
            ("a && b", true),
            ("has(a.b)", true),
            ("a.exists(x, x)", true),
            ("a.map(x, x)", false),
            ("a.matches('b')", true),
            ("a.size()", false),
            ("a.b", false),
            ("true", true),
            ("'true'", false),
        ] {
            assert_eq!(parse(text).unwrap().is_truth(), expected, "{text}");
        }
    }
}
