//! Expansions of macros: loops, and bindings.

use super::{ACCUMULATOR, Expanded, Expansion, Origin};
use crate::Text;
use crate::core::{Fold, Id, Kind};
use crate::diagnostic::{Code, Diagnostic};
use crate::macros::{Macro, Row};
use crate::operators::{ADD, AND, CONDITIONAL, EQUAL, INSERT, NOT, NOT_FALSE, OR, SORT_BY};
use crate::syntax::ast::{self, Expression, Literal};
use crate::syntax::qualified;

const SORTED: &str = "@__sortBy_input__";
const UNUSED: &str = "#unused";

impl Expansion {
    pub(super) fn of_target(
        &mut self,
        row: &Row,
        target: &Expression,
        arguments: &[Expression],
        place: Origin<'_>,
    ) -> Expanded {
        let (variables, bodies) = arguments
            .split_at_checked(row.variables)
            .unwrap_or_default();
        let names = names(row, variables)?;
        let Some(first) = names.first().cloned() else {
            return self.expression(target);
        };
        let second = names.get(1).cloned();
        match row.expands_to {
            Macro::OptMap | Macro::OptFlatMap => {
                let flat = row.expands_to == Macro::OptFlatMap;
                self.of_optional(target, first, bodies, flat, place)
            }
            Macro::SortBy => self.sorted(target, &first, bodies, place),
            _ => {
                let range = self.expression(target)?;
                let element = variables
                    .first()
                    .filter(|_| row.expands_to == Macro::Filter);
                let variables = (first, second);
                self.fold(row.expands_to, range, variables, element, bodies, place)
            }
        }
    }

    /// The loops over elements.
    fn fold(
        &mut self,
        kind: Macro,
        range: Id,
        (variable, second): (Text, Option<Text>),
        element: Option<&Expression>,
        bodies: &[Expression],
        place: Origin<'_>,
    ) -> Expanded {
        let mut made = Vec::with_capacity(2);
        for body in bodies {
            made.push(self.expression(body)?);
        }
        if let Some(element) = element {
            made.push(self.expression(element)?);
        }
        let body = match made.as_slice() {
            [.., body] => *body,
            [] => range,
        };
        let condition_of_body = match made.as_slice() {
            [condition, _] => Some(*condition),
            _ => None,
        };
        let start = match kind {
            Macro::All => self.literal(Literal::Bool(true), place)?,
            Macro::Exists => self.literal(Literal::Bool(false), place)?,
            Macro::ExistsOne => self.literal(Literal::Int(0), place)?,
            Macro::TransformMap | Macro::TransformMapEntry => {
                self.push(Kind::Map(Vec::new()), place)?
            }
            _ => self.push(Kind::List(Vec::new()), place)?,
        };
        let condition = self.condition(kind, place)?;
        let step = match kind {
            Macro::All => self.joined(AND, body, place)?,
            Macro::Exists => self.joined(OR, body, place)?,
            Macro::ExistsOne => {
                let one = self.literal(Literal::Int(1), place)?;
                let more = self.joined(ADD, one, place)?;
                self.if_so(body, more, place)?
            }
            _ => {
                let more = self.grown(kind, &variable, body, place)?;
                match condition_of_body {
                    Some(condition) => self.if_so(condition, more, place)?,
                    None => more,
                }
            }
        };
        let found = self.name(ACCUMULATOR, place)?;
        let result = if kind == Macro::ExistsOne {
            let one = self.literal(Literal::Int(1), place)?;
            self.call(EQUAL, vec![found, one], place)?
        } else {
            found
        };
        let fold = Fold {
            range,
            variable,
            second,
            accumulator: ACCUMULATOR.into(),
            start,
            condition,
            step,
            result,
        };
        self.push(Kind::Fold(Box::new(fold)), place)
    }

    /// The condition for continuing a loop.
    fn condition(&mut self, kind: Macro, place: Origin<'_>) -> Expanded {
        match kind {
            Macro::All => {
                let found = self.name(ACCUMULATOR, place)?;
                self.call(NOT_FALSE, vec![found], place)
            }
            Macro::Exists => {
                let found = self.name(ACCUMULATOR, place)?;
                let not = self.call(NOT, vec![found], place)?;
                self.call(NOT_FALSE, vec![not], place)
            }
            _ => self.literal(Literal::Bool(true), place),
        }
    }

    /// The accumulated result, combined with a node.
    fn joined(&mut self, operator: &str, with: Id, place: Origin<'_>) -> Expanded {
        let found = self.name(ACCUMULATOR, place)?;
        self.call(operator, vec![found, with], place)
    }

    /// The changed result if a condition is true, else the accumulated one.
    fn if_so(&mut self, condition: Id, changed: Id, place: Origin<'_>) -> Expanded {
        let same = self.name(ACCUMULATOR, place)?;
        self.call(CONDITIONAL, vec![condition, changed, same], place)
    }

    /// The accumulated list or map with one more element.
    fn grown(&mut self, kind: Macro, key: &str, value: Id, place: Origin<'_>) -> Expanded {
        match kind {
            Macro::TransformMap => {
                let found = self.name(ACCUMULATOR, place)?;
                let key = self.name(key, place)?;
                self.call(INSERT, vec![found, key, value], place)
            }
            Macro::TransformMapEntry => self.joined(INSERT, value, place),
            _ => {
                let one = self.push(Kind::List(vec![(value, false)]), place)?;
                self.joined(ADD, one, place)
            }
        }
    }

    /// `target.hasValue() ? optional.of(body) : optional.none()`, with the value in a variable.
    fn of_optional(
        &mut self,
        target: &Expression,
        variable: Text,
        bodies: &[Expression],
        flat: bool,
        place: Origin<'_>,
    ) -> Expanded {
        let asked = self.expression(target)?;
        let has_value = self.member("hasValue", asked, Vec::new(), place)?;
        let copy = self.expression(target)?;
        let value = self.member("value", copy, Vec::new(), place)?;
        let body = match bodies.first() {
            Some(body) => self.expression(body)?,
            None => value,
        };
        let bound = self.bound(variable, value, body, place)?;
        let some = if flat {
            bound
        } else {
            self.call("optional.of", vec![bound], place)?
        };
        let none = self.call("optional.none", Vec::new(), place)?;
        self.call(CONDITIONAL, vec![has_value, some, none], place)
    }

    /// The list is bound to a variable, and sorted by the keys that the body computes.
    fn sorted(
        &mut self,
        target: &Expression,
        variable: &Text,
        bodies: &[Expression],
        place: Origin<'_>,
    ) -> Expanded {
        if matches!(
            target.kind,
            ast::Kind::Literal(_) | ast::Kind::Map(_) | ast::Kind::Message { .. }
        ) {
            let message = "`sortBy(..)` is called on a value that is not a list";
            return Err(Diagnostic::new(
                Code::Macro,
                place.range(),
                target.at,
                message,
            ));
        }
        let list = self.expression(target)?;
        let range = self.name(SORTED, place)?;
        let variables = (variable.clone(), None);
        let keys = self.fold(Macro::Map, range, variables, None, bodies, place)?;
        let again = self.name(SORTED, place)?;
        let sorted = self.member(SORT_BY, again, vec![keys], place)?;
        self.bound(SORTED.into(), list, sorted, place)
    }

    /// A loop without iterations, which only binds a value to a name.
    fn bound(&mut self, variable: Text, value: Id, body: Id, place: Origin<'_>) -> Expanded {
        let range = self.push(Kind::List(Vec::new()), place)?;
        let condition = self.literal(Literal::Bool(false), place)?;
        let step = self.name(&variable, place)?;
        let fold = Fold {
            range,
            variable: UNUSED.into(),
            second: None,
            accumulator: variable,
            start: value,
            condition,
            step,
            result: body,
        };
        self.push(Kind::Fold(Box::new(fold)), place)
    }
}

/// The names of a macro's variables.
fn names(row: &Row, variables: &[Expression]) -> Result<Vec<Text>, Diagnostic> {
    let mut found: Vec<Text> = Vec::with_capacity(2);
    for variable in variables {
        let refuse = |message: String| {
            Diagnostic::new(Code::Macro, variable.range.clone(), variable.at, message)
        };
        let plain = matches!(variable.kind, ast::Kind::Identifier { .. });
        let Some(name) = qualified(variable).filter(|_| plain) else {
            let message = format!("the variable of `{}(..)` must be a plain name", row.name);
            return Err(refuse(message));
        };
        if name == "__result__" {
            let message = "`__result__` cannot be a variable name: macros use it".to_owned();
            return Err(refuse(message));
        }
        if found.iter().any(|known| **known == *name) {
            return Err(refuse(format!("both variables are named `{name}`")));
        }
        found.push(name.into());
    }
    Ok(found)
}
