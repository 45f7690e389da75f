//! Whether one rule follows from another by logic alone. Every part that is not `&&`, `||`, `!` or a conditional is a
//! proposition, which may be true, false, or an error.

use super::formula::{Outcome, Outcome::Error, Outcome::False, Outcome::True};
use super::formula::{Proposition, formula, parts};
use crd_channels_cel::calls::{Call, Comprehension};
use crd_channels_cel::canonical;
use crd_channels_cel::macros::Macro;
use crd_channels_check::cel::Expression;
use crd_channels_check::cel::ast::Kind;
use std::cell::Cell;
use std::collections::BTreeSet;

/// The maximum number of propositions, each with three outcomes.
const MOST: usize = 10;

/// The maximum number of combinations of outcomes that are tried for two rules, including those of nested rules.
const MOST_WORLDS: usize = 100_000;

/// Whether the new expression is true whenever the old one is.
pub(super) fn follows(new: &Expression, old: &Expression) -> bool {
    is_weaker(new, old, &Cell::new(MOST_WORLDS))
}

/// Whether the new expression is true whenever the old one is, within the combinations that are `left`.
fn is_weaker(new: &Expression, old: &Expression, left: &Cell<usize>) -> bool {
    if let (Some(new), Some(old)) = (Each::from_expression(new), Each::from_expression(old))
        && new.of.row.expands_to == Macro::All
        && new.ranges_as(&old)
    {
        return is_weaker(new.body, old.body, left);
    }
    holds_of_all(new, old, left, |new, old| old != True || new == True)
}

/// Whether the new expression has the same outcome whenever the old one is not an error.
fn refines(new: &Expression, old: &Expression, left: &Cell<usize>) -> bool {
    holds_of_all(new, old, left, |new, old| old == Error || new == old)
}

/// Whether the outcomes of both expressions are as wanted in every possible combination; false if there are too many to try.
fn holds_of_all(
    new: &Expression,
    old: &Expression,
    left: &Cell<usize>,
    wanted: fn(Outcome, Outcome) -> bool,
) -> bool {
    let shared = &parts(new) & &parts(old);
    let mut propositions = Vec::new();
    let new = formula(new, &shared, &mut propositions);
    let old = formula(old, &shared, &mut propositions);
    if propositions.len() > MOST {
        return false;
    }
    let ties = ties(&propositions, left);
    let choices: Vec<&[Outcome]> = propositions.iter().map(|it| outcomes(it)).collect();
    let worlds: usize = choices.iter().map(|choices| choices.len()).product();
    let Some(rest) = left.get().checked_sub(worlds) else {
        return false;
    };
    left.set(rest);
    let mut world = vec![Error; choices.len()];
    (0..worlds).all(|mut number| {
        for (of, choices) in world.iter_mut().zip(&choices) {
            *of = choices
                .get(number % choices.len())
                .copied()
                .unwrap_or(Error);
            number /= choices.len();
        }
        let possible = ties.iter().all(|tie| tie.keeps(&world));
        !possible || wanted(new.outcome(&world), old.outcome(&world))
    })
}

/// The possible outcomes of a proposition. A presence test on a variable is never an error.
fn outcomes(proposition: &Proposition<'_>) -> &'static [Outcome] {
    if let Some(Call::Has(selection)) = proposition.expression.call()
        && matches!(selection.operand.kind, Kind::Identifier { .. })
    {
        return &[True, False];
    }
    &[True, False, Error]
}

/// A dependency between two propositions, given by index.
enum Tie {
    /// If the field that `has(..)` tests is absent, reading it is an error.
    Reads { asked: usize, reader: usize },
    /// One has the same outcome as the other, unless the other is an error.
    Refines { one: usize, other: usize },
    /// One is true whenever the other is.
    Follows { one: usize, other: usize },
}

impl Tie {
    /// Whether a combination of outcomes is possible as far as this dependency tells.
    fn keeps(&self, world: &[Outcome]) -> bool {
        let of = |place: &usize| world.get(*place).copied().unwrap_or(Error);
        match self {
            Self::Reads { asked, reader } => of(asked) != False || of(reader) == Error,
            Self::Refines { one, other } => of(other) == Error || of(one) == of(other),
            Self::Follows { one, other } => of(other) != True || of(one) == True,
        }
    }
}

/// The dependencies between propositions that rule out combinations of their outcomes.
fn ties(propositions: &[Proposition<'_>], left: &Cell<usize>) -> Vec<Tie> {
    let mut ties = Vec::new();
    for (one, proposition) in propositions.iter().enumerate() {
        let mut read = BTreeSet::new();
        reads(proposition.expression, &mut read);
        for field in read {
            let asked = propositions.iter().position(|known| asks(known, &field));
            ties.extend(asked.map(|asked| Tie::Reads { asked, reader: one }));
        }
        let Some(each) = Each::from_expression(proposition.expression) else {
            continue;
        };
        for (other, before) in propositions.iter().enumerate() {
            if let Some(before) = Each::from_expression(before.expression)
                && one != other
                && each.ranges_as(&before)
            {
                if refines(each.body, before.body, left) {
                    ties.push(Tie::Refines { one, other });
                } else if each.of.row.expands_to != Macro::ExistsOne
                    && is_weaker(each.body, before.body, left)
                {
                    ties.push(Tie::Follows { one, other });
                }
            }
        }
    }
    ties
}

/// Whether a proposition tests the presence of a field.
fn asks(proposition: &Proposition<'_>, field: &str) -> bool {
    match proposition.expression.call() {
        Some(Call::Has(selection)) => canonical(selection.whole) == field,
        _ => false,
    }
}

/// `target.all(variable, body)`, and the like.
struct Each<'e> {
    of: Comprehension<'e>,
    body: &'e Expression,
}

impl<'e> Each<'e> {
    fn from_expression(expression: &'e Expression) -> Option<Self> {
        match expression.call()? {
            Call::Macro(of) if of.asks() => {
                let body = of.bodies.last()?;
                Some(Self { of, body })
            }
            _ => None,
        }
    }

    /// Whether both are the same macro over the same elements, so that their bodies can be compared.
    fn ranges_as(&self, other: &Self) -> bool {
        let (one, other) = (&self.of, &other.of);
        let names = |of: &Comprehension<'_>| -> Vec<crd_channels_cel::Text> {
            of.variables.iter().map(|name| name.text.clone()).collect()
        };
        one.row.expands_to == other.row.expands_to
            && names(one) == names(other)
            && canonical(one.target) == canonical(other.target)
    }
}

/// The fields whose absence makes an expression an error.
fn reads(expression: &Expression, found: &mut BTreeSet<String>) {
    if let Some(selection) = expression.selection().filter(|it| !it.optional) {
        found.insert(canonical(selection.whole));
    }
    for part in expression.strict() {
        reads(part, found);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::follows;
    use crd_channels_check::cel::parse;

    fn proven(new: &str, old: &str) -> bool {
        follows(&parse(new).unwrap(), &parse(old).unwrap())
    }

    #[test]
    fn what_follows_by_logic_is_proven() {
        for (new, old) in [
            ("self.a || self.b", "self.a"),
            ("self.b && self.a", "self.a && self.b && self.c"),
            ("!(self.a && self.b)", "!self.a || !self.b"),
            ("!self.a || self.b", "self.a ? self.b : true"),
            (
                "(self.a == '') == (self.b == '')",
                "(self.a == '' && self.b == '') || (self.a != '' && self.b != '')",
            ),
            ("self.all(x, !has(x.a) || x.a > 1)", "self.all(x, x.a > 1)"),
            (
                "self.all(x, x.kind == 'A' && has(x.value) ? x.value.matches('^a') : true)",
                "self.all(x, x.kind == 'A' ? x.value.matches('^a') : true)",
            ),
            (
                "self.all(x, x.t == 'A' && has(x.v) ? self.exists_one(y, y.t == x.t && has(y.v) && y.v == x.v) : true)",
                "self.all(x, x.t == 'A' ? self.exists_one(y, y.t == x.t && y.v == x.v) : true)",
            ),
            ("self.exists(x, x.a || x.b)", "self.exists(x, x.a)"),
        ] {
            assert!(proven(new, old), "{new}\n{old}");
        }
    }

    #[test]
    fn what_does_not_follow_is_not() {
        for (new, old) in [
            ("self.a", "self.a || self.b"),
            ("has(self.a) && self.a > 1", "true"),
            ("has(self.a) && (self.b || self.a)", "self.b || self.a"),
            ("self.all(x, x.a)", "self.exists(x, x.a)"),
            ("self.exists_one(x, x.a || x.b)", "self.exists_one(x, x.a)"),
            (
                "self.exists_one(y, has(y.v) && y.w == 1)",
                "self.exists_one(y, y.w == 1)",
            ),
            ("self.a != 1", "self.a == 1"),
            // Without `a` the one is true whenever `b` is, and the other is an error.
            ("self.a ? self.b : true", "!self.a || self.b"),
            ("self.all(x, x.a)", "self.all(y, x.a)"),
        ] {
            assert!(!proven(new, old), "{new}\n{old}");
        }
    }
}
