//! The text that a value shows: what `Display` of its type writes.

use super::Reader;
use super::branches::place_of;
use super::concrete::{Concrete, Finding, Instance};
use super::constant::Frame;
use super::known;
use super::std_methods::LONGEST;
use super::value::{Const, not_constant};
use crate::Text;
use crate::diag::Span;
use crate::source::tree::{Expr, ExprKind};
use std::sync::Arc;

impl Reader<'_> {
    /// What `{}` makes of a value.
    ///
    /// # Errors
    /// `not-constant` where the type's `Display` is not one that can be read.
    pub(super) fn displayed(
        &self,
        value: &Const,
        span: Span,
        frame: &Frame<'_>,
    ) -> Result<String, Finding> {
        if let Some(text) = known::shown(value) {
            return Ok(text);
        }
        let refused = |what: &str| {
            let why = format!("what {what} shows as text cannot be told");
            not_constant(span, why)
        };
        let (Const::Struct(instance, _) | Const::Variant(instance, _, _)) = value else {
            return Err(refused(value.kind()));
        };
        self.displayed_by_impl(value, instance, frame)
            .unwrap_or_else(|| Err(refused(&format!("`{}`", instance.ty.def.name))))
    }

    fn displayed_by_impl(
        &self,
        value: &Const,
        instance: &Arc<Instance>,
        frame: &Frame<'_>,
    ) -> Option<Result<String, Finding>> {
        let (function, scope) = self.trait_function(instance, "Display", "fmt")?;
        let formatter = function.params.get(1)?;
        let this = Concrete::Def(Arc::clone(instance));
        // What is written is collected in the formatter's place.
        let locals = vec![
            (Text::from("self"), value.clone(), Some(this)),
            (formatter.clone(), Const::text(""), None),
        ];
        let mut inner = frame.below(&scope, locals);
        let done = self.body(&function.body, &mut inner, None);
        Some(done.and_then(|_| match inner.locals.get(1) {
            Some((_, Const::Text(text), _)) => Ok(text.to_string()),
            _ => Err(not_constant(
                function.span,
                "what this writes cannot be evaluated",
            )),
        }))
    }

    /// `write!(f, ..)`
    pub(super) fn write_macro(
        &self,
        whole: &Expr,
        exprs: &[Expr],
        line: bool,
        frame: &mut Frame<'_>,
    ) -> Result<Const, Finding> {
        let Some((target, template)) = exprs.split_first() else {
            return Err(not_constant(whole.span, "this writes to nothing"));
        };
        let mut text = self.format(whole, template, frame)?;
        if line {
            text.push('\n');
        }
        self.append(whole, target, &text, frame)
    }

    /// Adds a text to the variable of a string or of a formatter.
    pub(super) fn append(
        &self,
        whole: &Expr,
        target: &Expr,
        more: &str,
        frame: &mut Frame<'_>,
    ) -> Result<Const, Finding> {
        let target = match &target.kind {
            ExprKind::Reference(inner) => inner,
            _ => target,
        };
        match place_of(target, frame) {
            Some(Const::Text(text)) if text.len() + more.len() <= LONGEST => {
                *text = format!("{text}{more}").into();
                Ok(Const::Tuple(Vec::new()))
            }
            _ => Err(not_constant(
                whole.span,
                "where this is written to is not known",
            )),
        }
    }

    /// `f.write_str("..")`, `x.fmt(f)`, `Display::fmt(&x, f)`; none where it is something else.
    pub(super) fn formats(
        &self,
        whole: &Expr,
        (receiver, name): (&Expr, &str),
        args: &[Expr],
        frame: &mut Frame<'_>,
    ) -> Option<Result<Const, Finding>> {
        let (shown, target) = match (name, args) {
            ("write_str" | "pad" | "push_str" | "write_char", [shown]) => (shown, receiver),
            ("fmt", [target]) => (receiver, target),
            _ => return None,
        };
        if !matches!(place_of(target, frame), Some(Const::Text(_))) {
            return None;
        }
        let text = self
            .expr(shown, frame, None)
            .and_then(|value| self.displayed(&value, shown.span, frame));
        Some(text.and_then(|text| self.append(whole, target, &text, frame)))
    }
}
