//! The interface for the layers above: evaluates expressions, defaults and predicates.

use crate::eval::Reader;
use crate::eval::machine::literals::Literals;
use crate::eval::machine::{Frame, Machine, Run, Want};
use crate::eval::values::ty::{Concrete, Finding, Instance, Scope};
use crate::eval::values::value::{Value, not_constant};
use crd_channels_diagnostics::{Span, Text, Written};
use crd_channels_schema::{expressions_below, step};
use crd_channels_source::tree::{Expr, ExprKind, FieldDef, Token};
use serde_json::Value as Json;
use std::sync::Arc;

impl Reader<'_> {
    /// Evaluates an expression.
    ///
    /// # Errors
    ///
    /// `not-constant` if its value cannot be determined, `unresolved-path`.
    pub(crate) fn eval(
        &self,
        expr: &Expr,
        scope: &Scope,
        expected: Option<&Concrete>,
    ) -> Result<Value, Finding> {
        self.enter(expr.span, |machine| {
            let mut frame = Frame::new(scope.clone());
            let value = machine.expr(expr, &mut frame, Want::maybe(expected))?;
            Ok(machine.load(&value))
        })
    }

    /// Evaluates an expression to JSON.
    ///
    /// # Errors
    ///
    /// As for [`Reader::eval`].
    pub(crate) fn eval_json(
        &self,
        expr: &Expr,
        scope: &Scope,
        expected: Option<&Concrete>,
    ) -> Result<Json, Finding> {
        self.enter(expr.span, |machine| {
            let mut frame = Frame::new(scope.clone());
            let value = machine.expr(expr, &mut frame, Want::maybe(expected))?;
            let value = match expected {
                Some(ty) => machine.refined(value, ty, expr.span)?,
                None => value,
            };
            machine.json(&value, expr.span)
        })
    }

    /// Evaluates tokens to JSON, as `json!` takes them, with the spans of the expressions of rules in it: those below a keyword
    /// of schemas.
    ///
    /// # Errors
    ///
    /// `not-constant` if they are not JSON, or a value in them cannot be evaluated.
    pub(crate) fn json_tokens(
        &self,
        (keyword, tokens): (&str, &[Token]),
        span: Span,
        scope: &Scope,
    ) -> Result<(Json, Vec<(Text, Written)>), Finding> {
        let node = self.graph.macro_json(tokens);
        let node = node.ok_or_else(|| not_constant(span, "this is not JSON that can be read"))?;
        self.enter(span, |machine| {
            machine.literals = Some(Literals::default());
            let json = machine.json_node(&node, span, &mut Frame::new(scope.clone()))?;
            let json = machine.json(&json, span)?;
            let literals = machine.literals.take().unwrap_or_default();
            let texts = expressions_below(step(None, keyword), &json).into_iter();
            let texts =
                texts.map(|(_, text)| (text.into(), literals.location_of(text, self.graph)));
            let texts = texts.collect();
            Ok((json, texts))
        })
    }

    /// Evaluates a length in an attribute or array type.
    ///
    /// # Errors
    ///
    /// `not-constant` if it has another type, or cannot be evaluated.
    pub(crate) fn number(&self, expr: &Expr, scope: &Scope) -> Result<u64, Finding> {
        match self.eval(expr, scope, None)? {
            Value::Int(int) => u64::try_from(int.value)
                .map_err(|_| not_constant(expr.span, format!("`{int}` is not a length"))),
            other => Err(not_constant(
                expr.span,
                format!("an integer is needed here, not {}", other.kind()),
            )),
        }
    }

    /// Evaluates an expression that must be a string.
    ///
    /// # Errors
    ///
    /// `not-constant` if it has another type, or cannot be evaluated.
    pub(crate) fn text(&self, expr: &Expr, scope: &Scope) -> Result<Text, Finding> {
        let string = Concrete::external("std::string::String");
        let value = self.eval(expr, scope, Some(&string))?;
        match value.text() {
            Some(text) => Ok(text.clone()),
            None => Err(not_constant(
                expr.span,
                format!("a string is needed here, not {}", value.kind()),
            )),
        }
    }

    /// `T::default()`
    ///
    /// # Errors
    ///
    /// `not-constant` if the type's `Default` cannot be read.
    pub(crate) fn default_of(&self, ty: &Concrete, span: Span) -> Result<Value, Finding> {
        self.enter(span, |machine| machine.default_of(ty, span))
    }

    /// `<T>::default()`, as schemars writes it: an inherent function of that name takes precedence over the trait's.
    ///
    /// # Errors
    ///
    /// As for [`Reader::default_of`].
    pub(crate) fn own_default(
        &self,
        ty: &Concrete,
        scope: &Scope,
        span: Span,
    ) -> Result<Value, Finding> {
        let inherent = self.inherent_blocks(ty, "default");
        if inherent
            .iter()
            .all(|block| block.function("default").is_none())
        {
            return self.default_of(ty, span);
        }
        self.enter(span, |machine| {
            let name = Text::from("default");
            let own = (ty, None, &name);
            let value = machine.call_associated(own, &[], scope, Vec::new(), Want::of(ty), span)?;
            machine.coerce(value, ty, span)
        })
    }

    /// Calls a function without arguments, such as the one that `#[serde(default = "..")]` names.
    ///
    /// # Errors
    ///
    /// `not-constant` if the body cannot be evaluated, `unresolved-path`.
    pub(crate) fn result_of(
        &self,
        function: &Expr,
        scope: &Scope,
        expected: &Concrete,
    ) -> Result<Value, Finding> {
        let call = Expr {
            kind: ExprKind::Call(Box::new(function.clone()), Vec::new()),
            span: function.span,
        };
        self.enter(function.span, |machine| {
            let mut frame = Frame::new(scope.clone());
            let value = machine.expr(&call, &mut frame, Want::of(expected))?;
            machine.coerce(value, expected, function.span)
        })
    }

    /// Calls a predicate on a value, such as the one that `skip_serializing_if` names.
    ///
    /// # Errors
    ///
    /// `not-constant` if the result cannot be evaluated, `unresolved-path`.
    pub(crate) fn asks(
        &self,
        function: &Expr,
        scope: &Scope,
        value: &Value,
    ) -> Result<bool, Finding> {
        let answer = self.enter(function.span, |machine| {
            machine.predicate(function, scope, value, function.span)
        });
        answer.map_err(|finding| match value {
            Value::Unknown(_) => finding,
            _ => {
                let why = format!(
                    "`skip_serializing_if` cannot be evaluated: {}",
                    finding.message
                );
                Box::new(crd_channels_diagnostics::Diagnostic {
                    message: why,
                    ..*finding
                })
            }
        })
    }

    /// Returns the JSON that serde writes for a field's value, or `None` if serde refuses to write it.
    ///
    /// # Errors
    ///
    /// `not-constant` at `span` if it cannot be determined.
    pub(crate) fn json_if_written(
        &self,
        value: &Value,
        def: &FieldDef,
        scope: &Scope,
        span: Span,
    ) -> Result<Option<Json>, Finding> {
        let written = self.enter(span, |machine: &mut Machine<'_>| -> Run<_> {
            match &def.attrs.serde.writing().serialize_with {
                Some(function) => {
                    let ty = machine.reader.typed(&def.ty, scope);
                    machine.written_with(function, scope, (value, ty.ok().as_ref()), span)
                }
                None => machine.serialize_value(value, span),
            }
        });
        written.map(Result::ok)
    }

    /// Returns the JSON that serde writes for a value.
    ///
    /// # Errors
    ///
    /// `not-constant` at `span` if it cannot be determined, or serde refuses.
    pub(crate) fn json_of(&self, value: &Value, span: Span) -> Result<Json, Finding> {
        self.enter(span, |machine| machine.json(value, span))
    }

    /// Returns the discriminants of an enum's variants.
    ///
    /// # Errors
    ///
    /// `not-constant` if one cannot be determined.
    pub(crate) fn discriminants(&self, of: &Arc<Instance>) -> Result<Vec<i128>, Finding> {
        let span = of.ty.def.span;
        self.enter(span, |machine| machine.discriminants(of, span))
    }
}
