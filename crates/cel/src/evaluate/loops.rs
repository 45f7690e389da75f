//! Macros over the elements of a value.

use super::{Answer, Evaluation, LIST, Stop, Val, Variable};
use crate::ast::{Expression, Kind};
use crate::cost::Range;
use crate::functions::{Style, overloads};
use crate::macros::{Macro, Row};
use crate::operators::SORT_BY;
use std::cell::Cell;
use std::rc::Rc;

/// What one turn of a loop is about.
struct Turn {
    /// The variables: of one the element, of two the index or key and the element.
    variables: Vec<Val>,
    /// What `filter` keeps.
    element: Val,
}

impl<'e> Evaluation<'e> {
    /// A macro with a target, and what was spent before the target.
    pub(super) fn expand(
        &self,
        row: &Row,
        target: &Val,
        before: Range,
        arguments: &'e [Expression],
    ) -> Answer {
        let (names, bodies) = arguments
            .split_at_checked(row.variables)
            .ok_or(Stop::Unknown)?;
        let names: Vec<&'e str> = names.iter().map(variable_name).collect::<Result<_, _>>()?;
        if matches!(row.expands_to, Macro::OptMap | Macro::OptFlatMap) {
            return self.of_optional(row.expands_to, target, before, &names, bodies);
        }
        let turns = turns(target, names.len())?;
        // `map` and the transformations may have a condition before what they make of an element.
        let (condition, body) = match bodies {
            [body] => (None, body),
            [condition, body] => (Some(condition), body),
            _ => return Err(Stop::Unknown),
        };
        match row.expands_to {
            Macro::All if target.has_order() => self.decided(&names, &turns, body, false),
            Macro::Exists if target.has_order() => self.decided(&names, &turns, body, true),
            Macro::All => self.decided_by_any(&names, &turns, body, false),
            Macro::Exists => self.decided_by_any(&names, &turns, body, true),
            Macro::ExistsOne => {
                let kept = self.kept(&names, &turns, Some(body))?;
                self.meter.charge(2 * count(kept.len()) + 2);
                Ok(Val::Bool(kept.len() == 1))
            }
            Macro::Filter => {
                let kept = self.kept(&names, &turns, Some(body))?;
                // The list so far and the element become a list.
                self.meter.charge((3 + LIST) * count(kept.len()) + 1);
                let kept = kept.into_iter().map(|(turn, _)| turn.element.clone());
                Ok(listed(target, kept.collect()))
            }
            Macro::Map | Macro::SortBy => {
                let made = self
                    .made(&names, &turns, condition, body)
                    .inspect_err(|_| {
                        if row.expands_to == Macro::SortBy {
                            self.meter.crash();
                        }
                    })?;
                if row.expands_to == Macro::Map {
                    return Ok(listed(target, made));
                }
                self.meter.charge(2);
                let rows = overloads(SORT_BY, Style::Member);
                self.dispatched(rows, &[target.clone(), Val::list(made)])
            }
            Macro::TransformMap | Macro::TransformMapEntry => {
                self.merged(row.expands_to, &names, &turns, condition, body)
            }
            _ => Err(Stop::Unknown),
        }
    }

    /// The same with the variables of a turn.
    fn within(&self, names: &[&'e str], turn: &Turn) -> Self {
        let variables = turn.variables.iter().cloned();
        let inner = names.iter().zip(variables);
        inner.fold(self.clone(), |inner, (name, value)| inner.and(name, value))
    }

    /// `all` and `exists`. Servers ask before each turn whether it is decided.
    fn decided(
        &self,
        names: &[&'e str],
        turns: &[Turn],
        body: &'e Expression,
        decides: bool,
    ) -> Answer {
        let asked = if decides { 3 } else { 2 };
        let mut rest = turns.iter();
        let values = rest.by_ref().map(|turn| {
            self.meter.charge(asked + 1);
            self.within(names, turn).value(body)
        });
        let answer = self.quantify(values, decides);
        if rest.len() > 0 {
            self.meter.charge(asked);
        }
        self.meter.charge(1);
        answer
    }

    /// The same in any order: any turn that decides may be the first one, and all others may come before it.
    fn decided_by_any(
        &self,
        names: &[&'e str],
        turns: &[Turn],
        body: &'e Expression,
        decides: bool,
    ) -> Answer {
        let before = self.meter.spent();
        let mut least = u64::MAX;
        let mut answers = Vec::with_capacity(turns.len());
        for turn in turns {
            let start = self.meter.spent();
            let answer = self.decided(names, std::slice::from_ref(turn), body, decides);
            if answer == Ok(Val::Bool(decides)) {
                least = least.min(self.meter.since(start).min);
            }
            answers.push(answer);
        }
        // Each gives a result of its own, which they do once together.
        self.meter.discount(count(turns.len()).saturating_sub(1));
        let answer = self.quantify(answers.into_iter(), decides);
        if answer == Ok(Val::Bool(decides)) {
            // Whether it is decided is asked once more where something is left.
            self.meter.add(Range { min: 0, max: 3 });
            self.meter.lower(before.min.saturating_add(least));
        }
        answer
    }

    /// The turns for which a condition holds.
    fn kept<'t>(
        &self,
        names: &[&'e str],
        turns: &'t [Turn],
        condition: Option<&'e Expression>,
    ) -> Result<Vec<(&'t Turn, Self)>, Stop> {
        let mut kept = Vec::new();
        for turn in turns {
            let inner = self.within(names, turn);
            let is_kept = match condition {
                Some(condition) => is_true(inner.value(condition)?)?,
                None => true,
            };
            if is_kept {
                kept.push((turn, inner));
            }
        }
        Ok(kept)
    }

    fn made(
        &self,
        names: &[&'e str],
        turns: &[Turn],
        condition: Option<&'e Expression>,
        body: &'e Expression,
    ) -> Result<Vec<Val>, Stop> {
        let mut made = Vec::new();
        for turn in turns {
            for (_, inner) in self.kept(names, std::slice::from_ref(turn), condition)? {
                made.push(inner.value(body)?);
                let list = if inner.is_constant(body) { 0 } else { LIST };
                self.meter.charge(2 + list);
            }
        }
        self.meter.charge(1);
        Ok(made)
    }

    /// One map of the entries of all. A key that is there already is an error.
    fn merged(
        &self,
        kind: Macro,
        names: &[&'e str],
        turns: &[Turn],
        condition: Option<&'e Expression>,
        body: &'e Expression,
    ) -> Answer {
        let mut all: Vec<(Val, Val)> = Vec::new();
        for turn in turns {
            for (turn, inner) in self.kept(names, std::slice::from_ref(turn), condition)? {
                let made = inner.value(body)?;
                self.meter.charge(2);
                let made = match (kind, turn.variables.first(), &made) {
                    (Macro::TransformMap, Some(key), _) => {
                        self.meter.charge(1);
                        vec![(key.clone(), made)]
                    }
                    (_, _, Val::Map(entries)) => entries.to_vec(),
                    _ => return Err(Stop::Unknown),
                };
                for (key, value) in made {
                    self.meter.work.read(all.len())?;
                    for (known, _) in &all {
                        if known.equals(&key)? {
                            return Err(Stop::Error);
                        }
                    }
                    all.push((key, value));
                }
            }
        }
        self.meter.charge(1);
        Ok(Val::map(all))
    }

    fn of_optional(
        &self,
        expands_to: Macro,
        target: &Val,
        before: Range,
        names: &[&'e str],
        bodies: &'e [Expression],
    ) -> Answer {
        let (Val::Optional(inner), [name], [body]) = (target, names, bodies) else {
            return Err(Stop::Unknown);
        };
        // Servers ask whether there is a value, and evaluate the target again for it.
        let again = self.meter.since(before);
        self.meter.charge(1);
        let Some(inner) = inner else {
            self.meter.charge(1);
            return Ok(Val::Optional(None));
        };
        let inner = self.with(Variable {
            name,
            value: (**inner).clone(),
            pending: Some(Rc::new(Cell::new(again.plus(Range::exactly(1))))),
        });
        let made = inner.value(body)?;
        match (expands_to, &made) {
            (Macro::OptMap, _) => {
                self.meter.charge(1);
                self.passed_on(Val::optional(Some(made)))
            }
            (_, Val::Optional(_)) => self.passed_on(made),
            _ => Err(Stop::Unknown),
        }
    }
}

fn turns(target: &Val, variables: usize) -> Result<Vec<Turn>, Stop> {
    if target.is_scalar() {
        return Err(Stop::Error);
    }
    let elements = target.elements()?;
    if variables == 1 {
        let turns = elements.iter().map(|element| Turn {
            variables: vec![element.clone()],
            element: element.clone(),
        });
        return Ok(turns.collect());
    }
    if let Val::Map(entries) = target {
        let turns = entries.iter().map(|(key, value)| Turn {
            variables: vec![key.clone(), value.clone()],
            element: key.clone(),
        });
        return Ok(turns.collect());
    }
    let turn = |(index, element): (usize, &Val)| {
        let index = i64::try_from(index).map_err(|_| Stop::Unknown)?;
        Ok(Turn {
            variables: vec![Val::Int(index), element.clone()],
            element: element.clone(),
        })
    };
    elements.iter().enumerate().map(turn).collect()
}

/// The list that is made of the elements of a value.
fn listed(of: &Val, items: Vec<Val>) -> Val {
    if of.has_order() {
        Val::list(items)
    } else {
        Val::Shuffled(items.into())
    }
}

fn count(turns: usize) -> u64 {
    u64::try_from(turns).unwrap_or(u64::MAX)
}

fn is_true(value: Val) -> Result<bool, Stop> {
    match value {
        Val::Bool(value) => Ok(value),
        _ => Err(Stop::Unknown),
    }
}

fn variable_name(variable: &Expression) -> Result<&str, Stop> {
    match &variable.kind {
        Kind::Identifier {
            name,
            rooted: false,
        } => Ok(&name.text),
        _ => Err(Stop::Unknown),
    }
}
