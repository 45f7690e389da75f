//! Macros over the elements of a value.

use super::{Answer, Evaluation, LIST, Stop, Val, Variable};
use crate::ast::Expression;
use crate::calls::Comprehension;
use crate::cost::Range;
use crate::functions::{Style, overloads};
use crate::macros::Macro;
use crate::operators::SORT_BY;
use std::cell::Cell;
use std::rc::Rc;

/// A macro that evaluates its body once for each element.
struct Loop<'e> {
    /// The names of the variables in an iteration.
    names: Vec<&'e str>,
    turns: Vec<Turn>,
    /// The condition under which `map` and the transformations evaluate the body.
    condition: Option<&'e Expression>,
    body: &'e Expression,
    /// Whether servers visit the elements in the order known here.
    has_order: bool,
}

/// An iteration for one element.
struct Turn {
    /// The values of the variables: the element, or the index or key and the element.
    variables: Vec<Val>,
    /// The value that `filter` keeps.
    element: Val,
}

impl<'e> Loop<'e> {
    fn new(of: &Comprehension<'e>, target: &Val) -> Result<Self, Stop> {
        let (condition, body) = match of.bodies {
            [body] => (None, body),
            [condition, body] => (Some(condition), body),
            _ => return Err(Stop::Unknown),
        };
        Ok(Self {
            names: of.variables.iter().map(|name| &*name.text).collect(),
            turns: turns(target, of.variables.len())?,
            condition,
            body,
            has_order: target.has_order(),
        })
    }

    /// The list of its elements.
    fn listed(&self, items: Vec<Val>) -> Val {
        if self.has_order || items.len() < 2 {
            Val::list(items)
        } else {
            Val::Shuffled(items.into())
        }
    }
}

impl<'e> Evaluation<'e> {
    pub(super) fn comprehension(&self, of: &Comprehension<'e>) -> Answer {
        let expands_to = of.row.expands_to;
        let before = self.meter.spent();
        let target = self.value(of.target).inspect_err(|_| {
            if expands_to == Macro::SortBy {
                self.meter.crash();
            }
        })?;
        if matches!(expands_to, Macro::OptMap | Macro::OptFlatMap) {
            return self.of_optional(of, &target, before);
        }
        let this = Loop::new(of, &target)?;
        match expands_to {
            Macro::All => self.quantified(&this, false),
            Macro::Exists => self.quantified(&this, true),
            Macro::ExistsOne => {
                let kept = self.kept(&this, Some(this.body))?;
                self.meter.charge(2 * count(kept.len()) + 2);
                Ok(Val::Bool(kept.len() == 1))
            }
            Macro::Filter => {
                let kept = self.kept(&this, Some(this.body))?;
                // The accumulated list and the element are joined into a list.
                self.meter.charge((3 + LIST) * count(kept.len()) + 1);
                let kept = kept.into_iter().map(|(turn, _)| turn.element.clone());
                Ok(this.listed(kept.collect()))
            }
            Macro::Map => Ok(this.listed(self.mapped(&this)?)),
            Macro::SortBy => {
                let keys = self.mapped(&this).inspect_err(|_| self.meter.crash())?;
                self.meter.charge(2);
                let rows = overloads(SORT_BY, Style::Member);
                self.dispatched(rows, &[target, Val::list(keys)])
            }
            Macro::TransformMap | Macro::TransformMapEntry => self.merged(&this, expands_to),
            Macro::Has | Macro::OptMap | Macro::OptFlatMap => Err(Stop::Unknown),
        }
    }

    /// The same with the variables of an iteration.
    fn within(&self, this: &Loop<'e>, turn: &Turn) -> Self {
        let variables = this.names.iter().zip(turn.variables.iter().cloned());
        variables.fold(self.clone(), |inner, (name, value)| inner.and(name, value))
    }

    /// `all` and `exists`: one iteration whose body decides is enough.
    fn quantified(&self, this: &Loop<'e>, decides: bool) -> Answer {
        match this.has_order {
            true => self.decided(this, &this.turns, decides),
            false => self.decided_by_any(this, decides),
        }
    }

    /// Servers test before each iteration whether the result is decided.
    fn decided(&self, this: &Loop<'e>, turns: &[Turn], decides: bool) -> Answer {
        let asked = if decides { 3 } else { 2 };
        let mut rest = turns.iter();
        let values = rest.by_ref().map(|turn| {
            self.meter.charge(asked + 1);
            self.within(this, turn).value(this.body)
        });
        let answer = self.quantify(values, decides);
        if rest.len() > 0 {
            self.meter.charge(asked);
        }
        self.meter.charge(1);
        answer
    }

    /// The same for unknown order: any deciding iteration may be the first, and all others may come before it.
    fn decided_by_any(&self, this: &Loop<'e>, decides: bool) -> Answer {
        let before = self.meter.spent();
        let mut least = u64::MAX;
        let mut answers = Vec::with_capacity(this.turns.len());
        for turn in &this.turns {
            let start = self.meter.spent();
            let answer = self.decided(this, std::slice::from_ref(turn), decides);
            if answer == Ok(Val::Bool(decides)) {
                least = least.min(self.meter.since(start).min);
            }
            answers.push(answer);
        }
        // Each iteration has its own result, while servers compute one.
        self.meter
            .discount(count(this.turns.len()).saturating_sub(1));
        let answer = self.quantify(answers.into_iter(), decides);
        if answer == Ok(Val::Bool(decides)) {
            // If elements are left, servers test once more whether the result is decided.
            self.meter.add(Range { min: 0, max: 3 });
            self.meter.lower(before.min.saturating_add(least));
        }
        answer
    }

    /// The iterations whose condition is true, with their variables.
    fn kept<'t>(
        &self,
        this: &'t Loop<'e>,
        condition: Option<&'e Expression>,
    ) -> Result<Vec<(&'t Turn, Self)>, Stop> {
        let mut kept = Vec::new();
        for turn in &this.turns {
            let inner = self.within(this, turn);
            if inner.is_kept(condition)? {
                kept.push((turn, inner));
            }
        }
        Ok(kept)
    }

    fn is_kept(&self, condition: Option<&'e Expression>) -> Result<bool, Stop> {
        match condition.map(|it| self.value(it)).transpose()? {
            None => Ok(true),
            Some(Val::Bool(holds)) => Ok(holds),
            Some(_) => Err(Stop::Unknown),
        }
    }

    /// The results of the body for the iterations that are kept.
    fn mapped(&self, this: &Loop<'e>) -> Result<Vec<Val>, Stop> {
        let mut made = Vec::new();
        for turn in &this.turns {
            let inner = self.within(this, turn);
            if inner.is_kept(this.condition)? {
                made.push(inner.value(this.body)?);
                let list = if inner.is_constant(this.body) {
                    0
                } else {
                    LIST
                };
                self.meter.charge(2 + list);
            }
        }
        self.meter.charge(1);
        Ok(made)
    }

    /// A map with the entries of all results. A duplicate key is an error.
    fn merged(&self, this: &Loop<'e>, expands_to: Macro) -> Answer {
        let mut all: Vec<(Val, Val)> = Vec::new();
        for turn in &this.turns {
            let inner = self.within(this, turn);
            if !inner.is_kept(this.condition)? {
                continue;
            }
            let made = inner.value(this.body)?;
            self.meter.charge(2);
            let made = match (expands_to, turn.variables.first(), &made) {
                (Macro::TransformMap, Some(key), _) => {
                    self.meter.charge(1);
                    vec![(key.clone(), made)]
                }
                (_, _, Val::Map(entries)) => entries.to_vec(),
                _ => return Err(Stop::Unknown),
            };
            for (key, value) in made {
                self.meter.work.spend_reading(all.len())?;
                for (known, _) in &all {
                    if known.equals(&key)? {
                        return Err(Stop::Error);
                    }
                }
                all.push((key, value));
            }
        }
        self.meter.charge(1);
        Ok(Val::map(all))
    }

    /// `optMap` and `optFlatMap`; `before` is the cost before their target.
    fn of_optional(&self, of: &Comprehension<'e>, target: &Val, before: Range) -> Answer {
        let (Val::Optional(inner), [name], [body]) = (target, of.variables.as_slice(), of.bodies)
        else {
            return Err(Stop::Unknown);
        };
        // Servers test for a value, and then evaluate the target again.
        let again = self.meter.since(before);
        self.meter.charge(1);
        let Some(inner) = inner else {
            self.meter.charge(1);
            return Ok(Val::Optional(None));
        };
        let inner = self.with(Variable {
            name: &name.text,
            value: (**inner).clone(),
            pending: Some(Rc::new(Cell::new(again.plus(Range::exactly(1))))),
        });
        let made = inner.value(body)?;
        match (of.row.expands_to, &made) {
            (Macro::OptMap, _) => {
                self.meter.charge(1);
                Ok(Val::optional(Some(made)))
            }
            (_, Val::Optional(_)) => Ok(made),
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

fn count(turns: usize) -> u64 {
    u64::try_from(turns).unwrap_or(u64::MAX)
}
