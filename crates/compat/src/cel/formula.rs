//! Expressions as formulas over propositions: every part that is not `&&`, `||`, `!`, a conditional, or a comparison of such
//! parts.

use crd_channels_cel::canonical;
use crd_channels_cel::logic::Junction;
use crd_channels_check::cel::Expression;
use crd_channels_check::cel::ast::{Binary, Kind, Logic};
use std::collections::BTreeSet;

/// The outcome of an expression.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Outcome {
    True,
    False,
    Error,
}

use Outcome::{Error, False, True};

/// A part that logic does not look into.
pub(super) struct Proposition<'e> {
    pub(super) text: String,
    pub(super) expression: &'e Expression,
}

/// A formula over propositions, which it refers to by index.
pub(super) enum Formula {
    Constant(bool),
    Proposition(usize),
    Not(Box<Formula>),
    Logic(Logic, Vec<Formula>),
    Choice(Box<[Formula; 3]>),
    Same(Box<[Formula; 2]>),
}

pub(super) fn formula<'e>(
    expression: &'e Expression,
    shared: &BTreeSet<String>,
    propositions: &mut Vec<Proposition<'e>>,
) -> Formula {
    let (text, negated) = without_negation(expression);
    let not = |formula| {
        if negated {
            Formula::Not(Box::new(formula))
        } else {
            formula
        }
    };
    let whole = shared.contains(&text);
    let mut of = |operand| formula(operand, shared, propositions);
    match expression.junction() {
        Some(Junction::Constant(value)) => return Formula::Constant(value),
        Some(Junction::Logic(operator, operands)) if !whole => {
            return Formula::Logic(operator, operands.iter().map(of).collect());
        }
        Some(Junction::Not(operand)) if !whole => return Formula::Not(Box::new(of(operand))),
        Some(Junction::Choice(parts)) if !whole => {
            return Formula::Choice(Box::new(parts.map(of)));
        }
        Some(Junction::Same(sides, _)) if !whole => {
            return not(Formula::Same(Box::new(sides.map(of))));
        }
        Some(_) | None => {}
    }
    let known = propositions.iter().position(|known| known.text == text);
    let place = known.unwrap_or(propositions.len());
    if known.is_none() {
        propositions.push(Proposition { text, expression });
    }
    not(Formula::Proposition(place))
}

impl Formula {
    /// The outcome, given the outcomes of the propositions.
    pub(super) fn outcome(&self, world: &[Outcome]) -> Outcome {
        match self {
            Self::Constant(true) => True,
            Self::Constant(false) => False,
            Self::Proposition(place) => world.get(*place).copied().unwrap_or(Error),
            Self::Not(formula) => negated(formula.outcome(world)),
            Self::Logic(operator, operands) => {
                let decides = match operator {
                    Logic::And => False,
                    Logic::Or => True,
                };
                let mut all = negated(decides);
                for operand in operands {
                    match operand.outcome(world) {
                        outcome if outcome == decides => return decides,
                        Error => all = Error,
                        True | False => {}
                    }
                }
                all
            }
            Self::Choice(parts) => {
                let [condition, then, otherwise] = &**parts;
                match condition.outcome(world) {
                    True => then.outcome(world),
                    False => otherwise.outcome(world),
                    Error => Error,
                }
            }
            Self::Same(sides) => {
                let [left, right] = &**sides;
                match (left.outcome(world), right.outcome(world)) {
                    (Error, _) | (_, Error) => Error,
                    (left, right) if left == right => True,
                    _ => False,
                }
            }
        }
    }
}

fn negated(outcome: Outcome) -> Outcome {
    match outcome {
        True => False,
        False => True,
        Error => Error,
    }
}

/// `a != b` is the negation of `a == b`.
fn without_negation(expression: &Expression) -> (String, bool) {
    let mut negated = expression.clone();
    match &mut negated.kind {
        Kind::Binary { operator, .. } if *operator == Binary::NotEqual => {
            *operator = Binary::Equal;
            (canonical(&negated), true)
        }
        _ => (canonical(expression), false),
    }
}

/// The texts of all parts of an expression.
pub(super) fn parts(expression: &Expression) -> BTreeSet<String> {
    let mut found = BTreeSet::from([without_negation(expression).0]);
    for operand in expression
        .junction()
        .into_iter()
        .flat_map(Junction::operands)
    {
        found.extend(parts(operand));
    }
    found
}
