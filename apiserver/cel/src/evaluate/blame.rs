//! Finds the part of an expression that makes it false.

use super::meter::Meter;
use super::{Answer, Evaluation, Val};
use crate::ast::{Expression, Kind, Logic};
use crate::calls::{Call, Comprehension};
use crate::macros::Macro;
use std::ops::Range;

/// The deciding part of an expression, with the values of its operands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Blame {
    /// The span of the part in the expression's text, in bytes.
    pub range: Range<usize>,
    /// The spans and values of its operands.
    pub values: Vec<(Range<usize>, String)>,
    /// The variables of the enclosing macros.
    pub variables: Vec<(String, String)>,
}

impl Blame {
    /// One line, such as `` `self.a < self.b` is false: `self.a` is 3, `self.b` is 1 ``.
    #[must_use]
    pub fn describe(&self, text: &str) -> String {
        let part = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
        let variables = self.variables.iter();
        let variables = variables.map(|(name, value)| format!("`{name}` is {value}"));
        let values = self.values.iter();
        let values = values.map(|(range, value)| format!("`{}` is {value}", part(range)));
        let known: Vec<String> = variables.chain(values).collect();
        let colon = if known.is_empty() { "" } else { ": " };
        format!(
            "`{}` is not true{colon}{}",
            part(&self.range),
            known.join(", ")
        )
    }
}

/// The part that keeps an expression from being true for `self` and `oldSelf`.
#[must_use]
pub fn blame(expression: &Expression, itself: Val, old: Option<Val>) -> Blame {
    let meter = Meter::new(true);
    Evaluation::new(itself, old, &meter).decisive(expression)
}

impl<'e> Evaluation<'e> {
    /// The innermost part that decides that an expression is not true.
    fn decisive(&self, expression: &'e Expression) -> Blame {
        match &expression.kind {
            Kind::Logic {
                operator: Logic::And,
                operands,
                ..
            } => {
                let mut failing = operands.iter().filter(|operand| !self.holds(operand));
                failing
                    .next()
                    .map_or_else(|| self.whole(expression), |operand| self.decisive(operand))
            }
            // None of them is true; the others are usually exceptions to the last one.
            Kind::Logic {
                operator: Logic::Or,
                operands,
                ..
            } if !self.holds(expression) => operands
                .last()
                .map_or_else(|| self.whole(expression), |last| self.decisive(last)),
            Kind::Conditional {
                condition,
                then,
                otherwise,
            } => match self.value(condition) {
                Ok(Val::Bool(true)) => self.decisive(then),
                Ok(Val::Bool(false)) => self.decisive(otherwise),
                _ => self.decisive(condition),
            },
            _ => match expression.call() {
                Some(Call::Macro(of)) if of.row.expands_to == Macro::All => {
                    self.of_all(expression, &of)
                }
                _ => self.whole(expression),
            },
        }
    }

    fn holds(&self, expression: &'e Expression) -> bool {
        self.value(expression) == Ok(Val::Bool(true))
    }

    /// The first element for which the body is not true, and the part of the body.
    fn of_all(&self, whole: &'e Expression, of: &Comprehension<'e>) -> Blame {
        let ([name], [body]) = (of.variables.as_slice(), of.bodies) else {
            return self.whole(whole);
        };
        let elements = self.value(of.target).and_then(|target| target.elements());
        for element in elements.iter().flat_map(|elements| elements.iter()) {
            let inner = self.and(&name.text, element.clone());
            if !inner.holds(body) {
                let mut blame = inner.decisive(body);
                let known = (name.text.to_string(), element.to_string());
                blame.variables.insert(0, known);
                return blame;
            }
        }
        self.whole(whole)
    }

    /// Whether a part is the variable of a macro, which is shown separately.
    fn is_shown(&self, part: &Expression) -> bool {
        matches!(&part.kind, Kind::Identifier { name, .. } if !matches!(&*name.text, "self" | "oldSelf"))
    }

    /// Blames an expression as a whole, with the values of its operands.
    fn whole(&self, expression: &'e Expression) -> Blame {
        let given: Vec<&Expression> = match &expression.kind {
            Kind::Binary { left, right, .. } => vec![left, right],
            Kind::Call { target, .. } => target.iter().map(|target| &**target).collect(),
            _ => Vec::new(),
        };
        let given = given.into_iter().filter(|part| {
            !matches!(part.kind, Kind::Literal(_) | Kind::List(_)) && !self.is_shown(part)
        });
        let values = given.filter_map(|part| {
            let value: Answer = self.value(part);
            Some((part.range.clone(), value.ok()?.to_string()))
        });
        Blame {
            range: expression.range.clone(),
            values: values.collect(),
            variables: Vec::new(),
        }
    }
}
