//! The interface for the layers above: reads expressions, defaults and predicates.

use super::names::Named;
use super::reading::{Env, stop};
use super::{Literals, Value, not_constant};
use crate::reader::Reader;
use crate::types::{Concrete, Finding, Instance, Scope};
use crd_channels_diagnostics::{Diagnostic, Span, Text, Written};
use crd_channels_schema::{expressions_below, step};
use crd_channels_source::tree::{Expr, FieldDef, Token};
use serde_json::Value as Json;
use std::sync::Arc;

impl Reader<'_> {
    /// Reads an expression. Without a type nothing but the expression decides.
    ///
    /// # Errors
    ///
    /// `not-constant` if it is not in the language, `unresolved-path`.
    pub(crate) fn eval(
        &self,
        expr: &Expr,
        scope: &Scope,
        place: Option<&Concrete>,
    ) -> Result<Value, Finding> {
        self.reading().read(expr, &Env::new(scope.clone()), place)
    }

    /// Reads an expression to JSON; `untyped` if the schema of its place does not know its parts.
    ///
    /// # Errors
    ///
    /// As for [`Reader::eval`]; `gated-value`.
    pub(crate) fn eval_json(
        &self,
        expr: &Expr,
        scope: &Scope,
        place: Option<&Concrete>,
        untyped: bool,
    ) -> Result<Json, Finding> {
        let mut reading = self.reading();
        reading.untyped = untyped;
        let value = reading.read(expr, &Env::new(scope.clone()), place)?;
        reading.json(&value, expr.span)
    }

    /// Reads tokens to JSON, as `json!` takes them, with the spans of the expressions of rules in it: those below a keyword of
    /// schemas.
    ///
    /// # Errors
    ///
    /// `not-constant` if they are not JSON, or a value in them is not in the language.
    pub(crate) fn json_tokens(
        &self,
        keyword: &str,
        tokens: &[Token],
        span: Span,
        scope: &Scope,
    ) -> Result<(Json, Vec<(Text, Written)>), Finding> {
        let node = self.graph.macro_json(tokens);
        let node = node.ok_or_else(|| not_constant(span, "this is not JSON that can be read"))?;
        let mut reading = self.reading();
        reading.literals = Some(Literals::default());
        let json = reading.json_node(&node, &Env::new(scope.clone()))?;
        let literals = reading.literals.take().unwrap_or_default();
        let texts = expressions_below(step(None, keyword), &json).into_iter();
        let texts = texts.map(|(_, text)| (text.into(), literals.location_of(text, self.graph)));
        let texts = texts.collect();
        Ok((json, texts))
    }

    /// Reads a length in an attribute or array type.
    ///
    /// # Errors
    ///
    /// `not-constant` if it has another type, or is not in the language.
    pub(crate) fn number(&self, expr: &Expr, scope: &Scope) -> Result<u64, Finding> {
        let int = self.eval(expr, scope, None)?.needed_integer(expr.span)?;
        u64::try_from(int).map_err(|_| not_constant(expr.span, format!("`{int}` is not a length")))
    }

    /// Reads an expression that must be a string.
    ///
    /// # Errors
    ///
    /// `not-constant` if it has another type, or is not in the language.
    pub(crate) fn read_string(&self, expr: &Expr, scope: &Scope) -> Result<Text, Finding> {
        self.eval(expr, scope, None)?.needed_text(expr.span)
    }

    /// `<T>::default()`, as schemars writes it: an inherent function of that name takes precedence over the trait's,
    /// unless the type is written as a parameter.
    ///
    /// # Errors
    ///
    /// `not-constant` if the type's `Default` is not in the language.
    pub(crate) fn own_default(
        &self,
        ty: &Concrete,
        parameter: bool,
        scope: &Scope,
        span: Span,
    ) -> Result<Value, Finding> {
        let mut reading = self.reading();
        if parameter {
            return reading.default_of(ty, span);
        }
        match reading.associated(ty, &"default".into(), scope, span)? {
            Named::Function(module, def, inside) => {
                let of = (module, &*def, &inside);
                reading.function(of, (&[], &[]), &Env::new(scope.clone()), Some(ty), span)
            }
            Named::Value(value, _) => Ok(value),
            Named::Default(_) | Named::Known(..) => reading.default_of(ty, span),
            Named::Constructor(..) => stop(span, format!("`{ty}::default` is not read")),
        }
    }

    /// Calls a function without arguments, such as the one that `#[serde(default = "..")]` names. Without a type, the function
    /// decides.
    ///
    /// # Errors
    ///
    /// `not-constant` if the body is not in the language, `unresolved-path`.
    pub(crate) fn result_of(
        &self,
        function: &Expr,
        scope: &Scope,
        place: Option<&Concrete>,
    ) -> Result<Value, Finding> {
        let mut reading = self.reading();
        reading.call(
            function,
            &[],
            &Env::new(scope.clone()),
            place,
            function.span,
        )
    }

    /// Calls a predicate on a value, such as the one that `skip_serializing_if` names.
    ///
    /// # Errors
    ///
    /// `not-constant` if the answer is not known, `unresolved-path`.
    pub(crate) fn asks(
        &self,
        function: &Expr,
        scope: &Scope,
        value: &Value,
    ) -> Result<bool, Finding> {
        let mut reading = self.reading();
        let answer = reading.predicate(function, scope, value, function.span);
        answer.map_err(|finding| match value {
            Value::Unknown(_) => finding,
            _ => {
                let message = format!("`skip_serializing_if`: {}", finding.message);
                Box::new(Diagnostic {
                    message,
                    ..*finding
                })
            }
        })
    }

    /// Returns the JSON that serde writes for a field's value, or `None` if serde refuses to write it.
    ///
    /// # Errors
    ///
    /// `not-constant` at `span` if it is not known.
    pub(crate) fn json_if_written(
        &self,
        value: &Value,
        def: &FieldDef,
        span: Span,
    ) -> Result<Option<Json>, Finding> {
        let written = self.reading().write_value_of(def, value, span)?;
        Ok(written.ok())
    }

    /// Returns the discriminants of an enum's variants.
    ///
    /// # Errors
    ///
    /// `not-constant` if one is not in the language.
    pub(crate) fn discriminants(&self, of: &Arc<Instance>) -> Result<Vec<i128>, Finding> {
        self.reading().discriminants(of)
    }
}
