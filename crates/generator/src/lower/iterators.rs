//! Lists gone through one by one: what iterators make of them.

use super::Reader;
use super::concrete::{Concrete, Finding};
use super::constant::Frame;
use super::operators::operate;
use super::value::{Const, collected, not_constant};
use crate::source::tree::{Expr, Ty, TyKind};

/// `items` as a collection of that type; none where that cannot be told.
fn gathered(items: Vec<Const>, into: Option<(&str, &[Concrete])>) -> Option<Const> {
    let is_option = |item: &Const| matches!(item, Const::Option(_));
    let failed = |item: &Const| matches!(item, Const::Failed(..));
    match into {
        // A list of them, or one of a list.
        None if items.iter().any(|item| is_option(item) || failed(item)) => None,
        None => Some(Const::List(items)),
        Some(("String", _)) => {
            let mut text = String::new();
            for item in &items {
                match item {
                    Const::Text(part) => text += part,
                    Const::Char(part) => text.push(*part),
                    _ => return None,
                }
            }
            Some(Const::Text(text.into()))
        }
        // What takes something out of it expects a `Result` of an option as well.
        Some(("Option" | "Result", types)) if !items.is_empty() && items.iter().all(is_option) => {
            let held = items.into_iter().map(|item| match item {
                Const::Option(held) => held.map(|held| *held),
                _ => None,
            });
            let Some(held) = held.collect::<Option<Vec<_>>>() else {
                return Some(Const::Option(None));
            };
            let inner = types.first();
            let of = inner.and_then(|ty| Some((ty.external_name()?, ty.arguments())));
            let made = collected(gathered(held, of)?, inner);
            Some(Const::Option(Some(Box::new(made))))
        }
        Some(("Result", types)) if !items.iter().any(is_option) => {
            if let Some(error) = items.iter().find(|item| failed(item)) {
                return Some(error.clone());
            }
            let inner = types.first();
            let of = inner.and_then(|ty| Some((ty.external_name()?, ty.arguments())));
            Some(collected(gathered(items, of)?, inner))
        }
        Some(("Option" | "Result", _)) => None,
        Some(_) => Some(Const::List(items)),
    }
}

/// Whether a method is one of an iterator that makes something of its items.
pub(super) fn is_adapter(name: &str) -> bool {
    matches!(
        name,
        "all"
            | "any"
            | "chain"
            | "count"
            | "enumerate"
            | "filter"
            | "filter_map"
            | "find"
            | "flat_map"
            | "flatten"
            | "nth"
            | "position"
            | "product"
            | "rev"
            | "skip"
            | "sum"
            | "take"
            | "zip"
    )
}

impl Reader<'_> {
    /// `items.collect()`, `items.collect::<T>()`
    pub(super) fn collect(
        &self,
        whole: &Expr,
        value: Const,
        types: &[Ty],
        frame: &Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        // `Vec<_>` says which collection it is, and nothing else.
        let (written, named) = match types {
            [ty] => match (self.concrete(ty, frame.scope), &ty.kind) {
                (Ok(ty), _) => (Some(ty), None),
                (Err(_), TyKind::Path(path)) => {
                    let path = frame.meant(path);
                    let last = path.segments.last().map(|last| last.name.to_string());
                    (None, last)
                }
                (Err(_), _) => (None, None),
            },
            _ => (expected.cloned(), None),
        };
        let ty = named.map(|name| Concrete::External(name.into(), Vec::new()));
        let ty = written.or(ty);
        let Const::List(items) = value else {
            return Ok(collected(value, ty.as_ref()));
        };
        let into = ty
            .as_ref()
            .and_then(|ty| Some((ty.external_name()?, ty.arguments())));
        let made = gathered(items, into)
            .ok_or_else(|| not_constant(whole.span, "what is collected here cannot be told"))?;
        Ok(collected(made, ty.as_ref()))
    }

    /// What an iterator's method makes of the items; none where that cannot be told.
    pub(super) fn adapted(
        &self,
        name: &str,
        items: &[Const],
        args: &[Expr],
        frame: &mut Frame<'_>,
    ) -> Option<Result<Const, Finding>> {
        match args {
            [] => plain(name, items).map(Ok),
            [only] => match name {
                "chain" | "zip" | "skip" | "take" | "nth" => match self.expr(only, frame, None) {
                    Ok(other) => joined(name, items, &other).map(Ok),
                    Err(finding) => Some(Err(finding)),
                },
                _ => self.asked_of_each(name, items, only, frame).transpose(),
            },
            _ => None,
        }
    }

    /// Methods that take a closure.
    fn asked_of_each(
        &self,
        name: &str,
        items: &[Const],
        function: &Expr,
        frame: &mut Frame<'_>,
    ) -> Result<Option<Const>, Finding> {
        let mut kept = Vec::new();
        for (index, item) in (0..).zip(items) {
            let answer = self.apply(function, &[item], frame, None)?;
            match (name, answer) {
                ("filter", Const::Bool(true)) => kept.push(item.clone()),
                ("filter" | "find" | "position" | "any", Const::Bool(false))
                | ("all", Const::Bool(true))
                | ("filter_map" | "flat_map", Const::Option(None)) => {}
                ("find", Const::Bool(true)) => {
                    return Ok(Some(Const::Option(Some(Box::new(item.clone())))));
                }
                ("position", Const::Bool(true)) => {
                    return Ok(Some(Const::Option(Some(Box::new(Const::Int(index))))));
                }
                ("any" | "all", Const::Bool(answer)) => return Ok(Some(Const::Bool(answer))),
                ("filter_map" | "flat_map", Const::Option(Some(made))) => kept.push(*made),
                ("flat_map", Const::List(made)) => kept.extend(made),
                _ => return Ok(None),
            }
        }
        Ok(match name {
            "find" | "position" => Some(Const::Option(None)),
            "any" => Some(Const::Bool(false)),
            "all" => Some(Const::Bool(true)),
            _ => Some(Const::List(kept)),
        })
    }
}

fn plain(name: &str, items: &[Const]) -> Option<Const> {
    let fold = |operator: &str, start: i128| {
        let mut items = items.iter();
        items.try_fold(Const::Int(start), |all, item| operate(operator, &all, item))
    };
    match name {
        "count" => i128::try_from(items.len()).ok().map(Const::Int),
        "rev" => Some(Const::List(items.iter().rev().cloned().collect())),
        "enumerate" => {
            let pairs = (0..).map(Const::Int).zip(items);
            let pairs = pairs.map(|(index, item)| Const::Tuple(vec![index, item.clone()]));
            Some(Const::List(pairs.collect()))
        }
        "sum" => fold("+", 0),
        "product" => fold("*", 1),
        "flatten" => {
            let mut flat = Vec::new();
            for item in items {
                match item {
                    Const::List(inner) => flat.extend(inner.iter().cloned()),
                    Const::Option(inner) => flat.extend(inner.as_deref().cloned()),
                    _ => return None,
                }
            }
            Some(Const::List(flat))
        }
        _ => None,
    }
}

fn joined(name: &str, items: &[Const], other: &Const) -> Option<Const> {
    let count = match other {
        Const::Int(count) => usize::try_from(*count).ok(),
        _ => None,
    };
    let made = match (name, other) {
        ("chain", Const::List(more)) => items.iter().chain(more).cloned().collect(),
        ("zip", Const::List(more)) => {
            let pairs = items.iter().zip(more);
            pairs
                .map(|(left, right)| Const::Tuple(vec![left.clone(), right.clone()]))
                .collect()
        }
        ("skip", _) => items.iter().skip(count?).cloned().collect(),
        ("take", _) => items.iter().take(count?).cloned().collect(),
        ("nth", _) => return Some(Const::Option(items.get(count?).cloned().map(Box::new))),
        _ => return None,
    };
    Some(Const::List(made))
}
