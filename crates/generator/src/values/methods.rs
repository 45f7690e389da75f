//! Methods of literals that make a `String`.

use super::Value;
use super::calls::is_text;
use super::reading::{Env, Reading, Run, is_named, mismatch, stop};
use crate::types::{Concrete, Scope};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, TraitDef, Ty};

impl Reading<'_> {
    /// `"..".to_string()`, `"..".to_owned()`, `"..".into()`, `CONST.to_string()`
    pub(super) fn method(
        &mut self,
        (receiver, name): (&Expr, &Text),
        (types, args): (&[Ty], &[Expr]),
        env: &Env,
        place: Option<&Concrete>,
        span: Span,
    ) -> Run {
        if !types.is_empty() || !args.is_empty() {
            return stop(span, format!("the method `{name}` is not read"));
        }
        self.check_method(name, &env.scope, span)?;
        match (&**name, place) {
            ("to_string" | "to_owned", None) => self.shown(receiver, env),
            ("to_string" | "to_owned", Some(ty)) if is_named(ty, "std::string::String") => {
                self.shown(receiver, env)
            }
            ("into", Some(ty)) if is_text(ty) => self.string(receiver, env),
            ("into", Some(ty)) if is_named(ty, "serde_json::Value") => {
                let text = self.string(receiver, env)?;
                self.json(&text, span).map(Value::Json)
            }
            ("to_string" | "to_owned" | "into", Some(ty)) => {
                mismatch(span, &format!("the result of `{name}`"), ty)
            }
            _ => stop(span, format!("the method `{name}` is not read")),
        }
    }

    /// Refuses a method that a trait of the source may have, too.
    pub(crate) fn check_method(&self, name: &str, scope: &Scope, span: Span) -> Run<()> {
        let traits = self.reader.graph.traits_in_scope(scope.module);
        let has = |of: &TraitDef| of.has_unseen || of.functions.iter().any(|own| **own == *name);
        match traits.iter().any(|(_, of)| has(of)) {
            true => stop(span, format!("which `{name}` this calls is not known")),
            false => Ok(()),
        }
    }

    /// Reads a text, as `to_string` and `to_owned` show it.
    fn shown(&mut self, receiver: &Expr, env: &Env) -> Run {
        match &receiver.kind {
            ExprKind::Reference(_) => stop(receiver.span, "a method of a reference is not read"),
            _ => self.string(receiver, env),
        }
    }
}

/// Returns the text that `Display` shows, if it does not depend on the type.
pub(super) fn display(value: &Value) -> Option<Text> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Int(value) => Some(value.to_string().into()),
        Value::Bool(value) => Some(value.to_string().into()),
        Value::Char(value) => Some(value.to_string().into()),
        _ => None,
    }
}
