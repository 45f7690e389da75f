//! Methods: those of std that a constant may use, and a type's own.

use super::Reader;
use super::concrete::{Concrete, Finding};
use super::constant::{Frame, local_type};
use super::fallible::{holds, keeps, takes_out};
use super::iterators::is_adapter;
use super::statements::unmoved;
use super::std_methods;
use super::value::{Const, not_constant};
use crate::Text;
use crate::source::tree::{Expr, ExprKind, Ty};
use std::sync::Arc;

impl Reader<'_> {
    /// `x.f(a)`
    pub(super) fn method(
        &self,
        whole: &Expr,
        (receiver, name): (&Expr, &str),
        (types, asked): (&[Ty], bool),
        args: &[Expr],
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        if let Some(done) = self.handed_on((receiver, name), args, frame) {
            return done;
        }
        if let Some(done) = self.formats(whole, (receiver, name), args, frame) {
            return done;
        }
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
                | "patterns"
        );
        // An error that becomes a panic here says that the checks before it have passed.
        frame.asked = match name {
            "unwrap" | "expect" => true,
            "map_err" | "context" | "with_context" | "ok_or" | "ok_or_else" => asked,
            _ => false,
        };
        let hinted = passes || keeps(name) || (frame.asked && reads_text(receiver));
        let before = match expected {
            Some(ty) if takes_out(name) => Some(holds(ty)),
            ty => ty.filter(|_| hinted).cloned(),
        };
        let value = self.expr(receiver, frame, before.as_ref())?;
        if name == "collect" {
            return self.collect(whole, value, types, frame, expected);
        }
        if passes {
            return Ok(value);
        }
        if let Some(answer) = self.own_method(name, (&value, asked), args, frame) {
            return answer;
        }
        if let ("parse", [], Const::Text(text)) = (name, args, &value) {
            let ty = match types {
                [ty] => Some(self.concrete(ty, frame.scope)?),
                _ => expected.and_then(Concrete::item).cloned(),
            };
            return match ty {
                Some(ty) => self.parsed(text, &ty, whole.span, (frame, asked)),
                None => Err(unknown(&value)),
            };
        }
        match (name, args, &value) {
            ("to_string", [], value) => {
                let text = self.displayed(value, whole.span, frame)?;
                Ok(Const::Text(text.into()))
            }
            ("context" | "with_context", [_], _) if !matches!(value, Const::Option(_)) => Ok(value),
            ("get", [], Const::Int(_)) => Ok(value),
            ("len", [], _) => value
                .length()
                .and_then(|length| i128::try_from(length).ok())
                .map(Const::Int)
                .ok_or_else(|| unknown(&value)),
            ("map", [function], Const::List(items)) => {
                let wanted = expected.and_then(Concrete::item).cloned();
                let items = items
                    .iter()
                    .map(|item| self.apply(function, &[item], frame, wanted.as_ref()));
                Ok(Const::List(items.collect::<Result<_, _>>()?))
            }
            (_, _, Const::List(items)) if is_adapter(name) => {
                let given = self.adapted(name, items, args, frame);
                given.unwrap_or_else(|| Err(unknown(&value)))
            }
            (_, [], _) if property(name, &value).is_some() => {
                Ok(Const::Bool(property(name, &value).unwrap_or_default()))
            }
            (_, args, value) => {
                if let Some(answer) = self.fallible(whole, (value, name), args, frame, expected) {
                    return answer;
                }
                let args = args.iter().map(|arg| self.expr(arg, frame, None));
                let args = args.collect::<Result<Vec<_>, _>>()?;
                let of = local_type(receiver, frame);
                let of = of.as_ref().and_then(Concrete::external_name);
                let checked = std_methods::checked(name, value, of, &args);
                let answer = checked.or_else(|| std_methods::answer(name, value, &args));
                answer.ok_or_else(|| unknown(value))
            }
        }
    }

    /// A method of a type in source.
    fn own_method(
        &self,
        name: &str,
        (value, asked): (&Const, bool),
        args: &[Expr],
        frame: &mut Frame<'_>,
    ) -> Option<Result<Const, Finding>> {
        let (Const::Struct(instance, _) | Const::Variant(instance, _, _)) = value else {
            return None;
        };
        let (function, scope) = self.function_of(instance, name)?;
        let this = Concrete::Def(Arc::clone(instance));
        let mut locals = vec![(Text::from("self"), value.clone(), Some(this))];
        let params = function.params.iter().zip(&function.param_types);
        for ((name, of), arg) in params.skip(1).zip(args) {
            let of = of.as_ref().and_then(|of| self.concrete(of, &scope).ok());
            match unmoved(arg, frame).and_then(|()| self.expr(arg, frame, of.as_ref())) {
                Ok(value) => locals.push((name.clone(), value, of)),
                Err(finding) => return Some(Err(finding)),
            }
        }
        let returns = function.returns.as_ref();
        let returns = returns.and_then(|ty| self.concrete(ty, &scope).ok());
        let returns = returns.as_ref();
        let scope = self.body_scope(&function, &scope);
        Some(self.inside_assured(&function.body, &scope, locals, returns, frame, asked))
    }
}

/// Whether an expression makes a value out of text: of which type only who takes it may know.
fn reads_text(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Method { receiver, name, .. } => match &**name {
            "parse" => true,
            "map_err" | "context" | "with_context" => reads_text(receiver),
            _ => false,
        },
        ExprKind::Call(function, _) => match &function.kind {
            ExprKind::Path(path) => {
                let last = path.segments.last();
                last.is_some_and(|last| &*last.name == "from_str")
            }
            _ => false,
        },
        _ => false,
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
        ("is_zero", Const::Json(_)) => std_methods::nanos(value)? == 0,
        _ => return None,
    })
}
