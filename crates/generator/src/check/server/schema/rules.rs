//! `x-kubernetes-validations`: the texts of rules, and what their expressions read.

use super::super::found::Found;
use super::super::model::{Schema, ValidationRule};
use super::super::path::Path;
use super::context::Context;
use super::field_path::lead;
use super::is_convertible;
use super::typed::Node;
use super::types::{Types, has_type};
use crate::check::cel;
use crate::check::finding::Reason;
use crate::check::registry::Rule;

const REASONS: [&str; 4] = [
    "FieldValueRequired",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueDuplicate",
];

/// Judges what can be told without reading expressions.
pub(super) fn texts(schema: &Schema<'_>, at: Path<'_>, found: &mut Found) {
    let path = at.child("x-kubernetes-validations");
    for (index, rule) in schema.rules.iter().enumerate() {
        let at = path.index(index);
        text(rule, at, found);
        field_path(rule, schema, at.child("fieldPath"), found);
    }
}

fn text(rule: &ValidationRule<'_>, at: Path<'_>, found: &mut Found) {
    let has_line_break = |text: &str| text.contains(['\n', '\r']);
    let trimmed = rule.rule.trim();
    let message = rule.message.trim();
    let mut refuse = |reason, field, message: &str| {
        found.refuse(Rule::RuleText, reason, at.child(field), message);
    };
    if trimmed.is_empty() {
        refuse(Reason::Required, "rule", "the rule is empty");
    } else if !rule.message.is_empty() && message.is_empty() {
        refuse(Reason::Invalid, "message", "the message is blank");
    } else if has_line_break(message) {
        refuse(Reason::Invalid, "message", "the message has line breaks");
    } else if has_line_break(trimmed) && message.is_empty() {
        let text = "a rule of several lines needs a message, which stands for it in errors";
        refuse(Reason::Required, "message", text);
    }
    if !rule.message_expression.is_empty() && rule.message_expression.trim().is_empty() {
        refuse(
            Reason::Required,
            "messageExpression",
            "the message expression is blank",
        );
    }
    if let Some(reason) = rule.reason.filter(|reason| !REASONS.contains(reason)) {
        let text = format!(
            "`{reason}` is not a reason; there are {}",
            REASONS.join(", ")
        );
        refuse(Reason::NotSupported, "reason", &text);
    }
}

fn field_path(rule: &ValidationRule<'_>, schema: &Schema<'_>, at: Path<'_>, found: &mut Found) {
    let path = rule.field_path;
    if path.is_empty() {
        return;
    }
    let mut refuse = |message: String| {
        found.refuse(Rule::RuleFieldPath, Reason::Invalid, at, message);
    };
    if path.trim().is_empty() {
        refuse("the path is blank".to_owned());
    }
    if path.contains(['\n', '\r']) {
        refuse("the path has line breaks".to_owned());
    }
    if is_convertible(schema) && lead(path, schema).is_none() {
        refuse(format!("`{path}` leads to no field below the rule's node"));
    }
}

/// Judges the expressions of a node that is sound otherwise.
pub(super) fn compile(schema: &Schema<'_>, context: Context, at: Path<'_>, found: &mut Found) {
    let path = at.child("x-kubernetes-validations");
    let untyped = match context.types {
        Types::Known | Types::Unasked => None,
        Types::Lost if !has_type(schema) => Some("the node has no type that rules could read"),
        Types::Lost => Some("a node above has no type, and one above that has rules too"),
        Types::Elementless => Some("the node above is neither a list nor a map, and has rules too"),
    };
    if let Some(message) = untyped {
        found.refuse(Rule::RuleType, Reason::InternalError, path, message);
        return;
    }
    let node = Node::new(schema, context.is_root);
    for (index, rule) in schema.rules.iter().enumerate() {
        let at = path.index(index);
        let optional_old = rule.optional_old_self == Some(true);
        let compiled = expression(rule.rule, node, optional_old, at.child("rule"), found);
        let old = compiled.as_ref().is_some_and(reads_old_self);
        if compiled.is_some() && !rule.message_expression.is_empty() {
            let at = at.child("messageExpression");
            expression(rule.message_expression, node, optional_old, at, found);
        }
        if old && context.uncorrelatable {
            let message = "`oldSelf` is read below a list whose items cannot be told apart";
            let path = at.child("rule");
            found.refuse(Rule::RuleOldSelf, Reason::Invalid, path, message);
        }
        if !old && rule.optional_old_self.is_some() {
            let message = "the rule does not read `oldSelf`";
            let path = at.child("optionalOldSelf");
            found.refuse(Rule::RuleOldSelf, Reason::Invalid, path, message);
        }
    }
}

/// The tree of a rule's expression, if the server could compile it as far as that is told here.
pub(in super::super) fn compiled(
    rule: &ValidationRule<'_>,
    schema: &Schema<'_>,
    is_resource: bool,
) -> Option<cel::Expression> {
    let expression = cel::parse(rule.rule).ok()?;
    let node = Node::new(schema, is_resource);
    let optional_old = rule.optional_old_self == Some(true);
    let declared = cel::declared(&expression, node, optional_old);
    declared.is_ok().then_some(expression)
}

/// The tree of an expression, if it has one and all that it names is known.
fn expression(
    text: &str,
    node: Node<'_, '_>,
    optional_old: bool,
    at: Path<'_>,
    found: &mut Found,
) -> Option<cel::Expression> {
    let parsed = match cel::parse(text) {
        Ok(expression) => expression,
        Err(fault) => {
            let message = format!("{} at byte {} of `{text}`", fault.message, fault.offset);
            found.refuse(Rule::RuleSyntax, Reason::Invalid, at, message);
            return None;
        }
    };
    let Err(undeclared) = cel::declared(&parsed, node, optional_old) else {
        return Some(parsed);
    };
    let message = format!(
        "{} at byte {} of `{text}`",
        undeclared.message, undeclared.offset
    );
    match undeclared.help {
        None => found.refuse(Rule::RuleName, Reason::Invalid, at, message),
        Some(help) => {
            let help = format!("did you mean `{help}`?");
            found.refuse_with_help(Rule::RuleName, Reason::Invalid, at, message, help);
        }
    }
    None
}

/// Whether an expression names `oldSelf`.
pub(in super::super) fn reads_old_self(expression: &cel::Expression) -> bool {
    let named = matches!(
        &expression.kind,
        cel::ast::Kind::Identifier { name, .. } if &*name.text == "oldSelf"
    );
    named || expression.kind.children().into_iter().any(reads_old_self)
}
