//! CEL rules as kube takes them: a string, a pair, or a chain that starts with `Rule::new`.

use super::Reader;
use crate::Text;
use crate::eval::not_constant;
use crate::eval::{Finding, Scope};
use crate::schema::{Origin, Rule};
use crate::source::tree::{Expr, ExprKind, Lit, Path};
use crate::source::{Def, Resolved};

/// How many constants and calls one rule may lead through.
const MAX_DEPTH: usize = 32;

impl Reader<'_> {
    /// A rule.
    ///
    /// # Errors
    /// `not-constant` at the part that cannot be told.
    pub(super) fn rule(&self, expr: &Expr, scope: &Scope) -> Result<Rule, Finding> {
        let mut rule = self.rule_at(expr, scope, 0)?;
        rule.origin = Origin(Some(expr.span));
        Ok(rule)
    }

    fn rule_at(&self, expr: &Expr, scope: &Scope, depth: usize) -> Result<Rule, Finding> {
        let of = |rule: Text| Rule {
            rule,
            ..Rule::default()
        };
        if depth > MAX_DEPTH {
            return Err(not_constant(expr.span, "this rule is too far away"));
        }
        match &expr.kind {
            ExprKind::Tuple(pair) => match &pair[..] {
                [rule, message] => Ok(Rule {
                    message: Some(self.text(message, scope)?),
                    ..of(self.text(rule, scope)?)
                }),
                _ => Err(no_rule(expr)),
            },
            ExprKind::Call(function, args) => match (&function.kind, &args[..]) {
                (ExprKind::Path(path), [rule])
                    if (ends_with(path, "Rule", "new") || ends_with(path, "Rule", "from")) =>
                {
                    match &rule.kind {
                        ExprKind::Tuple(_) => self.rule_at(rule, scope, depth + 1),
                        _ => self.text(rule, scope).map(of),
                    }
                }
                _ => Err(no_rule(expr)),
            },
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => {
                let rule = self.rule_at(receiver, scope, depth + 1)?;
                self.built(rule, expr, name, args, scope)
            }
            ExprKind::Path(path) => match self.graph.resolve_value(scope.module, path)? {
                Resolved::Def(Def::Const(module, constant)) => {
                    self.rule_at(&constant.value, &Scope::module(module), depth + 1)
                }
                _ => Err(no_rule(expr)),
            },
            ExprKind::Struct { path, fields, .. } if ends_with_name(path, "Rule") => {
                let mut rule = Rule::default();
                for (name, value) in fields {
                    match &**name {
                        "rule" => rule.rule = self.text(value, scope)?,
                        name => rule = self.built(rule, value, name, unwrapped(value), scope)?,
                    }
                }
                Ok(rule)
            }
            _ => self.text(expr, scope).map(of),
        }
    }

    /// A rule after one call of its builder.
    fn built(
        &self,
        mut rule: Rule,
        call: &Expr,
        name: &str,
        args: &[Expr],
        scope: &Scope,
    ) -> Result<Rule, Finding> {
        match (name, args) {
            ("into" | "clone" | "to_string" | "to_owned", []) => {}
            ("message", [message]) => match &message.kind {
                ExprKind::Call(function, args) => match (&function.kind, &args[..]) {
                    (ExprKind::Path(path), [text]) if ends_with(path, "Message", "Expression") => {
                        rule.message_expression = Some(self.text(text, scope)?);
                        rule.message = None;
                    }
                    (ExprKind::Path(path), [text]) if ends_with(path, "Message", "Message") => {
                        rule.message = Some(self.text(text, scope)?);
                        rule.message_expression = None;
                    }
                    _ => rule.message = Some(self.text(message, scope)?),
                },
                _ => {
                    rule.message = Some(self.text(message, scope)?);
                    rule.message_expression = None;
                }
            },
            ("reason", [reason]) => rule.reason = Some(reason_of(reason)?),
            ("field_path", [path]) => rule.field_path = Some(self.text(path, scope)?),
            ("optional_old_self", [flag]) => match self.eval(flag, scope, None)? {
                crate::eval::Value::Bool(flag) => rule.optional_old_self = Some(flag),
                other => {
                    let why = format!("a boolean is needed here, not {}", other.kind());
                    return Err(not_constant(flag.span, why));
                }
            },
            _ => return Err(no_rule(call)),
        }
        Ok(rule)
    }
}

/// What stands in `Some(..)`, or the value itself; nothing for `None`.
fn unwrapped(value: &Expr) -> &[Expr] {
    match &value.kind {
        ExprKind::Call(function, args) => match &function.kind {
            ExprKind::Path(path) if ends_with_name(path, "Some") => args,
            _ => std::slice::from_ref(value),
        },
        _ => std::slice::from_ref(value),
    }
}

fn reason_of(reason: &Expr) -> Result<Text, Finding> {
    const REASONS: [&str; 4] = [
        "FieldValueInvalid",
        "FieldValueForbidden",
        "FieldValueRequired",
        "FieldValueDuplicate",
    ];
    let name = match &reason.kind {
        ExprKind::Path(path) => path.segments.last().map_or("", |last| &*last.name),
        ExprKind::Call(function, _) => match &function.kind {
            ExprKind::Path(path) if ends_with(path, "Reason", "default") => "FieldValueInvalid",
            _ => "",
        },
        ExprKind::Lit(Lit::Str(text)) => text,
        _ => "",
    };
    REASONS
        .iter()
        .find(|known| **known == name)
        .map(|known| Text::from(*known))
        .ok_or_else(|| {
            let mut finding = not_constant(reason.span, "this is no reason that Kubernetes knows");
            finding.help = Some(format!(
                "write one of `Reason::{}`",
                REASONS.join("`, `Reason::")
            ));
            finding
        })
}

fn no_rule(expr: &Expr) -> Finding {
    let mut finding = not_constant(expr.span, "this is no rule that can be read");
    finding.help = Some(
        "write a string, `(\"rule\", \"message\")`, or `Rule::new(\"rule\").message(\"..\")`"
            .to_owned(),
    );
    finding
}

fn ends_with(path: &Path, owner: &str, name: &str) -> bool {
    match &path.segments[..] {
        [.., first, second] => &*first.name == owner && &*second.name == name,
        _ => false,
    }
}

fn ends_with_name(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| &*last.name == name)
}
