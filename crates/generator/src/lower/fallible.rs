//! Options and results: what is taken out of them, and what stands in the place of what is not there.

use super::Reader;
use super::concrete::{Concrete, Finding};
use super::constant::Frame;
use super::value::{Const, not_constant};
use crate::source::tree::{Expr, ExprKind};

/// What a value holds, as an option or a result.
enum Held<'c> {
    /// `Some(x)`, `Ok(x)`
    There(&'c Const),
    /// `None`
    Nothing,
    /// `Err(x)`, and what it stands in the place of.
    Error(&'c Const, Option<&'c Concrete>),
}

/// The type that a value has before `.unwrap()` and the like make the expected one of it: of an option as of a result it
/// is the first argument.
pub(super) fn holds(ty: &Concrete) -> Concrete {
    let error = Concrete::Tuple(Vec::new());
    Concrete::External("std::result::Result".into(), vec![ty.clone(), error])
}

/// Whether a method takes out what an option or a result holds.
pub(super) fn takes_out(name: &str) -> bool {
    matches!(
        name,
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default"
    )
}

/// Whether what a method gives holds what the option or result held, of the same type.
pub(super) fn keeps(name: &str) -> bool {
    matches!(
        name,
        "ok" | "ok_or" | "ok_or_else" | "or" | "or_else" | "filter" | "map_err"
    )
}

impl Reader<'_> {
    /// `x.unwrap_or(y)`, `x.map(f)` and the like; none where the method is none of an option or a result. `Ok(x)` is `x`.
    pub(super) fn fallible(
        &self,
        whole: &Expr,
        (value, name): (&Const, &str),
        args: &[Expr],
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Option<Result<Const, Finding>> {
        let is_option = matches!(value, Const::Option(_));
        let held = match value {
            Const::Option(Some(inner)) => Held::There(inner),
            Const::Option(None) => Held::Nothing,
            Const::Failed(error, ty) => Held::Error(error, ty.as_ref()),
            Const::Bool(_) if matches!(name, "then" | "then_some") => {
                return self.chosen(value, args, frame, expected);
            }
            other => Held::There(other),
        };
        let nested = || not_constant(whole.span, "a result of an option is not evaluated");
        let some = |value: Const| Const::Option(Some(Box::new(value)));
        let like = |made: Const| if is_option { some(made) } else { made };
        let item = expected.and_then(Concrete::item).cloned();
        Some(match (name, args, held) {
            (
                "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default",
                _,
                Held::There(inner),
            ) => Ok(inner.clone()),
            ("unwrap" | "expect", _, Held::Nothing | Held::Error(..)) => Err(not_constant(
                whole.span,
                format!("this panics: it is called on {}", absent(value)),
            )),
            ("unwrap_or", [other], Held::Nothing | Held::Error(..)) => {
                self.expr(other, frame, expected)
            }
            ("unwrap_or_else", [other], Held::Nothing) => self.apply(other, &[], frame, expected),
            ("unwrap_or_else", [other], Held::Error(error, _)) => {
                self.apply(other, &[error], frame, expected)
            }
            ("unwrap_or_default", [], held) => match (expected, held) {
                (Some(ty), _) | (None, Held::Error(_, Some(ty))) => self.default_of(ty, whole.span),
                _ => return None,
            },
            ("ok", [], Held::Error(..)) => Ok(Const::Option(None)),
            ("ok", [], _) => Ok(some(value.clone())),
            ("err", [], Held::Error(error, _)) => Ok(some(error.clone())),
            ("err", [], _) => Ok(Const::Option(None)),
            ("is_ok", [], held) => Ok(Const::Bool(!matches!(held, Held::Error(..)))),
            ("is_err", [], held) => Ok(Const::Bool(matches!(held, Held::Error(..)))),
            ("ok_or" | "ok_or_else", [_], Held::There(Const::Option(_))) if is_option => {
                return None;
            }
            ("ok_or" | "ok_or_else", [_], Held::There(inner)) if is_option => Ok(inner.clone()),
            ("ok_or", [error], Held::Nothing) => self
                .expr(error, frame, None)
                .map(|error| Const::Failed(Box::new(error), None)),
            ("ok_or_else", [error], Held::Nothing) => self
                .apply(error, &[], frame, None)
                .map(|error| Const::Failed(Box::new(error), None)),
            ("map", [function], Held::There(inner)) => {
                let item = item.filter(|_| is_option);
                match self.apply(function, &[inner], frame, item.as_ref()) {
                    Ok(Const::Option(_) | Const::Failed(..)) if !is_option => Err(nested()),
                    made => made.map(like),
                }
            }
            ("and_then", [function], Held::There(inner)) => {
                self.apply(function, &[inner], frame, expected)
            }
            ("and", [other], Held::There(_)) => self.expr(other, frame, expected),
            ("map" | "and_then" | "and" | "filter", _, Held::Nothing | Held::Error(..))
            | ("or" | "or_else" | "map_err", _, Held::There(_)) => Ok(value.clone()),
            ("map_err", [function], Held::Error(error, ty)) => self
                .apply(function, &[error], frame, None)
                .map(|error| Const::Failed(Box::new(error), ty.cloned())),
            ("or", [other], _) => self.expr(other, frame, expected),
            ("or_else", [other], Held::Nothing) => self.apply(other, &[], frame, expected),
            ("or_else", [other], Held::Error(error, _)) => {
                self.apply(other, &[error], frame, expected)
            }
            ("filter", [test], Held::There(inner)) if is_option => {
                match self.apply(test, &[inner], frame, None) {
                    Ok(Const::Bool(true)) => Ok(value.clone()),
                    Ok(Const::Bool(false)) => Ok(Const::Option(None)),
                    Ok(_) => return None,
                    Err(finding) => Err(finding),
                }
            }
            ("map_or" | "map_or_else", [_, function], Held::There(inner)) => {
                self.apply(function, &[inner], frame, expected)
            }
            ("map_or", [other, _], _) => self.expr(other, frame, expected),
            ("map_or_else", [other, _], Held::Nothing) => self.apply(other, &[], frame, expected),
            ("map_or_else", [other, _], Held::Error(error, _)) => {
                self.apply(other, &[error], frame, expected)
            }
            ("is_some_and" | "is_ok_and", [test], Held::There(inner)) => {
                self.apply(test, &[inner], frame, None)
            }
            ("is_some_and" | "is_ok_and", [_], _) => Ok(Const::Bool(false)),
            ("flatten", [], Held::There(Const::Option(inner))) if is_option => {
                Ok(Const::Option(inner.clone()))
            }
            ("flatten", [], Held::Nothing) => Ok(Const::Option(None)),
            _ => return None,
        })
    }

    /// `condition.then(|| x)`, `condition.then_some(x)`
    fn chosen(
        &self,
        condition: &Const,
        args: &[Expr],
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Option<Result<Const, Finding>> {
        let item = expected.and_then(Concrete::item).cloned();
        let [value] = args else {
            return None;
        };
        if matches!(condition, Const::Bool(false)) {
            return Some(Ok(Const::Option(None)));
        }
        let value = match &value.kind {
            ExprKind::Closure(..) => self.apply(value, &[], frame, item.as_ref()),
            _ => self.expr(value, frame, item.as_ref()),
        };
        Some(value.map(|value| Const::Option(Some(Box::new(value)))))
    }
}

fn absent(value: &Const) -> String {
    match value {
        Const::Failed(error, _) => match &**error {
            Const::Text(text) => format!("an error, `{text}`"),
            _ => "an error".to_owned(),
        },
        _ => "`None`".to_owned(),
    }
}
