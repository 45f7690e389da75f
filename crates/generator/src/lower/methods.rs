//! Methods: those of std that a constant may use, and a type's own.

use super::Reader;
use super::concrete::{Concrete, Finding};
use super::constant::Frame;
use super::known;
use super::std_methods;
use super::value::{Const, collected, not_constant};
use crate::Text;
use crate::source::tree::{Expr, ExprKind};
use std::sync::Arc;

impl Reader<'_> {
    /// `x.f(a)`
    pub(super) fn method(
        &self,
        whole: &Expr,
        (receiver, name): (&Expr, &str),
        args: &[Expr],
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let unknown = |value: &Const| {
            let why = format!("`.{name}()` on {} is not evaluated", value.kind());
            not_constant(whole.span, why)
        };
        if let ("into", []) = (name, args) {
            let value = self.expr(receiver, frame, None)?;
            return match expected {
                Some(ty) => self.converted(value, ty, whole.span, frame),
                None => Ok(value),
            };
        }
        let passes = matches!(
            name,
            "clone"
                | "iter"
                | "into_iter"
                | "iter_mut"
                | "copied"
                | "cloned"
                | "as_ref"
                | "as_str"
                | "as_slice"
                | "as_deref"
                | "borrow"
                | "to_vec"
                | "to_path_buf"
                | "into_boxed_str"
                | "into_boxed_slice"
                | "to_owned"
                | "collect"
                | "unwrap_or_default"
        );
        let value = self.expr(receiver, frame, expected.filter(|_| passes))?;
        if name == "collect" {
            return Ok(collected(value, expected));
        }
        if passes && name != "unwrap_or_default" {
            return Ok(value);
        }
        match (name, args, &value) {
            ("to_string", [], value) => known::shown(value)
                .map(|text| Const::Text(text.into()))
                .ok_or_else(|| unknown(value)),
            ("unwrap" | "expect" | "unwrap_or_default", _, Const::Option(Some(inner))) => {
                Ok((**inner).clone())
            }
            ("unwrap" | "expect", _, Const::Text(_) | Const::Json(_)) => Ok(value),
            ("get", [], Const::Int(_)) => Ok(value),
            ("len", [], _) => value
                .length()
                .and_then(|length| i128::try_from(length).ok())
                .map(Const::Int)
                .ok_or_else(|| unknown(&value)),
            ("map", [function], Const::List(items)) => {
                let items = items
                    .iter()
                    .map(|item| self.apply(function, item, frame, expected));
                Ok(Const::List(items.collect::<Result<_, _>>()?))
            }
            (_, [], _) if property(name, &value).is_some() => {
                Ok(Const::Bool(property(name, &value).unwrap_or_default()))
            }
            (_, args, Const::Struct(..) | Const::Variant(..)) => self
                .own_method(name, &value, args, frame)
                .unwrap_or_else(|| Err(unknown(&value))),
            (_, args, value) => {
                let args = args.iter().map(|arg| self.expr(arg, frame, None));
                let args = args.collect::<Result<Vec<_>, _>>()?;
                std_methods::answer(name, value, &args).ok_or_else(|| unknown(value))
            }
        }
    }

    /// A method of a type in source.
    fn own_method(
        &self,
        name: &str,
        value: &Const,
        args: &[Expr],
        frame: &mut Frame<'_>,
    ) -> Option<Result<Const, Finding>> {
        let (Const::Struct(instance, _) | Const::Variant(instance, _, _)) = value else {
            return None;
        };
        let (function, scope) = self.function_of(instance, name)?;
        let this = Concrete::Def(Arc::clone(instance));
        let mut locals = vec![(Text::from("self"), value.clone(), Some(this))];
        for (name, arg) in function.params.iter().skip(1).zip(args) {
            match self.expr(arg, frame, None) {
                Ok(value) => locals.push((name.clone(), value, None)),
                Err(finding) => return Some(Err(finding)),
            }
        }
        Some(self.inside(&function.body, &scope, locals, None, frame))
    }

    /// Applies what `map` is given to one item.
    fn apply(
        &self,
        function: &Expr,
        item: &Const,
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let wanted = expected.and_then(Concrete::item).cloned();
        match &function.kind {
            ExprKind::Closure(names, body) => {
                let outer = frame.locals.len();
                if let Some(name) = names.first() {
                    frame.locals.push((name.clone(), item.clone(), None));
                }
                let value = self.expr(body, frame, wanted.as_ref());
                frame.locals.truncate(outer);
                value
            }
            ExprKind::Path(path) => {
                let last = path.segments.last().map_or("", |last| &*last.name);
                match (last, item) {
                    ("from" | "to_string" | "to_owned" | "into", Const::Text(_)) => match &wanted {
                        Some(ty) => self.converted(item.clone(), ty, function.span, frame),
                        None => Ok(item.clone()),
                    },
                    _ => Err(not_constant(function.span, "this mapping is not evaluated")),
                }
            }
            _ => Err(not_constant(function.span, "this mapping is not evaluated")),
        }
    }
}

/// What a predicate of std says about a value; none where it is not known.
pub(super) fn property(name: &str, value: &Const) -> Option<bool> {
    Some(match (name, value) {
        ("is_none", Const::Option(value)) => value.is_none(),
        ("is_some", Const::Option(value)) => value.is_some(),
        // What configuration states for an option is there.
        ("is_none", Const::Text(_) | Const::Int(_) | Const::Bool(_) | Const::Json(_)) => false,
        ("is_empty", value) => value.length()? == 0,
        ("is_null", Const::Json(value)) => value.is_null(),
        ("is_zero", Const::Int(int)) => *int == 0,
        _ => return None,
    })
}
