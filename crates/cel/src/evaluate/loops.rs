//! Macros over the elements of a value.

use super::library::lists;
use super::{Answer, Evaluation, Stop, Val, quantify};
use crate::ast::{Expression, Kind};
use crate::macros::{Macro, Row};

/// What one turn of a loop is about.
struct Turn {
    /// The variables: of one the element, of two the index or key and the element.
    variables: Vec<Val>,
    /// What `filter` keeps.
    element: Val,
}

impl<'e> Evaluation<'e> {
    /// A macro with a target.
    pub(super) fn expand(&self, row: &Row, target: &Val, arguments: &'e [Expression]) -> Answer {
        let (names, bodies) = arguments
            .split_at_checked(row.variables)
            .ok_or(Stop::Unknown)?;
        let names: Vec<&'e str> = names.iter().map(variable_name).collect::<Result<_, _>>()?;
        if matches!(row.expands_to, Macro::OptMap | Macro::OptFlatMap) {
            return self.of_optional(row.expands_to, target, &names, bodies);
        }
        let turns = turns(target, names.len())?;
        // `map` and the transformations may have a condition before what they make of an element.
        let (condition, body) = match bodies {
            [body] => (None, body),
            [condition, body] => (Some(condition), body),
            _ => return Err(Stop::Unknown),
        };
        let with = |turn: &Turn, body: &'e Expression| {
            let variables = turn.variables.iter().cloned();
            let inner = names.iter().zip(variables);
            let inner = inner.fold(self.clone(), |inner, (name, value)| inner.and(name, value));
            inner.value(body)
        };
        let mut kept = Vec::new();
        match row.expands_to {
            Macro::All => return quantify(turns.iter().map(|turn| with(turn, body)), false),
            Macro::Exists => return quantify(turns.iter().map(|turn| with(turn, body)), true),
            Macro::ExistsOne | Macro::Filter => {
                for turn in turns {
                    if is_true(with(&turn, body)?)? {
                        kept.push(turn.element);
                    }
                }
            }
            Macro::Map | Macro::TransformMap | Macro::TransformMapEntry | Macro::SortBy => {
                for turn in turns {
                    let wanted = match condition {
                        Some(condition) => is_true(with(&turn, condition)?)?,
                        None => true,
                    };
                    if !wanted {
                        continue;
                    }
                    let made = with(&turn, body)?;
                    let key = turn.variables.into_iter().next();
                    kept.push(match (row.expands_to, key) {
                        (Macro::TransformMap, Some(key)) => Val::map([(key, made)]),
                        _ => made,
                    });
                }
            }
            _ => return Err(Stop::Unknown),
        }
        match row.expands_to {
            Macro::ExistsOne => Ok(Val::Bool(kept.len() == 1)),
            Macro::TransformMap | Macro::TransformMapEntry => merged(kept),
            Macro::SortBy => lists::sort_by(&[target.clone(), Val::list(kept)]),
            _ => Ok(Val::list(kept)),
        }
    }

    fn of_optional(
        &self,
        expands_to: Macro,
        target: &Val,
        names: &[&'e str],
        bodies: &'e [Expression],
    ) -> Answer {
        let (Val::Optional(inner), [name], [body]) = (target, names, bodies) else {
            return Err(Stop::Unknown);
        };
        let Some(inner) = inner else {
            return Ok(Val::Optional(None));
        };
        let made = self.and(name, (**inner).clone()).value(body)?;
        match (expands_to, &made) {
            (Macro::OptMap, _) => Ok(Val::optional(Some(made)).passed_on()),
            (_, Val::Optional(_)) => Ok(made.passed_on()),
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

/// One map of the entries of all. A key that is there already is an error.
fn merged(maps: Vec<Val>) -> Answer {
    let mut all: Vec<(Val, Val)> = Vec::new();
    for map in maps {
        let Val::Map(entries) = map else {
            return Err(Stop::Unknown);
        };
        for (key, value) in entries.iter() {
            for (known, _) in &all {
                if known.equals(key)? {
                    return Err(Stop::Error);
                }
            }
            all.push((key.clone(), value.clone()));
        }
    }
    Ok(Val::map(all))
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
