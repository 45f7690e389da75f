//! `x-kubernetes-validations`: the texts of rules, and the types and costs of their expressions.

use super::super::findings::Findings;
use super::context::Context;
use super::convertible::is_convertible;
use super::costs::{Costs, PricedExpression};
use super::types::Types;
use crate::costs::{RefusedExpression, SchemaCosts};
use crate::document::model::{Schema, ValidationRule};
use crate::finding::{Finding, Lack, Reason};
use crate::near_path::did_you_mean;
use crate::registry::Rule;
use crd_channels_cel::types::{Declarations, NodeId, Type};
use crd_channels_cel::version::{NEWEST, Need, newest_need};
use crd_channels_cel::{
    Checked, Code, Diagnostic, Environment, Outcome, check, escaped, parse, typed,
};
use crd_channels_diagnostics::nearest;
use crd_channels_validation::path::Path;
use crd_channels_validation::schema::{described, has_type, lead};
use std::ops::Range;

const REASONS: [&str; 4] = [
    "FieldValueRequired",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueDuplicate",
];

/// Validates the parts that need no parsing of expressions.
pub(super) fn texts(schema: &Schema<'_>, at: Path<'_>, found: &mut Findings) {
    let path = at.child("x-kubernetes-validations");
    for (index, rule) in schema.rules.iter().enumerate() {
        let at = path.index(index);
        rule_text(rule, at, found);
        field_path(rule, schema, at.child("fieldPath"), found);
    }
}

fn rule_text(rule: &ValidationRule<'_>, at: Path<'_>, found: &mut Findings) {
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
        let text = "a rule of several lines needs a message";
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

fn field_path(rule: &ValidationRule<'_>, schema: &Schema<'_>, at: Path<'_>, found: &mut Findings) {
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
        refuse(format!("there is no field `{path}` below the rule's node"));
        found.hint(did_you_mean(path, schema));
    }
}

/// The state and the totals of the validation of a schema's expressions.
#[derive(Default)]
pub(super) struct Rules {
    declarations: Declarations,
    costs: Costs,
    /// The expressions that do not compile, if costs are kept.
    refused: Vec<RefusedExpression>,
    /// The oldest minor whose servers must compile them.
    minor: u32,
    pub(super) found: Findings,
}

impl Rules {
    /// Validates for servers of a minor.
    pub(super) fn of_minor(minor: u32) -> Self {
        Self {
            minor,
            costs: Costs::of_minor(minor),
            ..Self::default()
        }
    }

    /// Validates for the newest servers, and keeps the cost of every expression.
    pub(super) fn keeping_costs() -> Self {
        Self {
            minor: NEWEST,
            costs: Costs::of_each(NEWEST),
            ..Self::default()
        }
    }

    /// The cost of every expression, if costs were kept.
    pub(super) fn into_costs(self, version: &str, findings: Vec<Finding>) -> SchemaCosts {
        SchemaCosts {
            version: version.to_owned(),
            total: self.costs.total(),
            expressions: self.costs.all.unwrap_or_default(),
            refused: self.refused,
            declarations: self.declarations,
            findings,
        }
    }

    /// Declares a node with rules, unless a node above has declared it.
    pub(super) fn declare(&mut self, schema: &Schema<'_>, is_root: bool) -> Option<NodeId> {
        self.declarations.declare(&described(schema, is_root))
    }

    /// The declaration of a property of a declared node.
    pub(super) fn property(&self, of: Option<NodeId>, name: &str) -> Option<NodeId> {
        let of = of?;
        let name = escaped(name)?;
        self.declarations.field(of, &name).map(|field| field.node)
    }

    /// The declaration of the items or values of a declared node.
    pub(super) fn element(&self, of: Option<NodeId>) -> Option<NodeId> {
        self.declarations.node(of?)?.element
    }

    /// Validates the total cost of all expressions.
    pub(super) fn total(&mut self, at: Path<'_>) {
        self.costs.validate(at, &mut self.found);
    }

    /// Validates the expressions of a node that has no other errors.
    pub(super) fn compile(&mut self, schema: &Schema<'_>, context: Context, at: Path<'_>) {
        let path = at.child("x-kubernetes-validations");
        let untyped = match context.types {
            Types::Known | Types::Unasked => None,
            Types::Lost if !has_type(schema) => {
                Some("the node has no type, so rules cannot read it")
            }
            Types::Lost => Some("a parent node has no type, and one above it has rules too"),
            Types::Elementless => {
                Some("the parent node is neither a list nor a map, and has rules too")
            }
        };
        if let Some(message) = untyped {
            self.found
                .refuse(Rule::RuleType, Reason::InternalError, path, message);
            return;
        }
        let Some(itself) = context.declared else {
            return;
        };
        for (index, rule) in schema.rules.iter().enumerate() {
            self.rule((index, rule), itself, context, path.index(index));
        }
    }

    fn rule(
        &mut self,
        (number, rule): (usize, &ValidationRule<'_>),
        itself: NodeId,
        context: Context,
        at: Path<'_>,
    ) {
        let optional_old = rule.optional_old_self == Some(true);
        let scope = Scope {
            itself,
            optional_old,
            minor: self.minor,
        };
        let path = at.child("rule");
        let compiled = self.expression(rule.rule, scope, &Type::Bool, path);
        if let Compiled::Sound { checked, .. } = &compiled {
            let priced = PricedExpression {
                text: rule.rule,
                number,
                checked,
                declarations: &self.declarations,
                itself,
                at: path,
            };
            priced.rule(context.times, &mut self.costs, &mut self.found);
            if !rule.message_expression.is_empty() {
                let path = at.child("messageExpression");
                let text = rule.message_expression;
                let compiled = self.expression(text, scope, &Type::String, path);
                if let Compiled::Sound { checked, .. } = compiled {
                    let priced = PricedExpression {
                        text,
                        number,
                        checked: &checked,
                        declarations: &self.declarations,
                        itself,
                        at: path,
                    };
                    priced.message(&mut self.costs, &mut self.found);
                }
            }
        }
        let old = match &compiled {
            Compiled::Sound { reads_old, .. } | Compiled::Unrunnable { reads_old } => *reads_old,
            Compiled::Not => false,
        };
        if old && context.uncorrelatable {
            let message = "`oldSelf` is read below a list whose items cannot be correlated";
            self.found
                .refuse(Rule::RuleOldSelf, Reason::Invalid, path, message);
        }
        if !old && rule.optional_old_self.is_some() {
            let message = "the rule does not read `oldSelf`";
            let path = at.child("optionalOldSelf");
            self.found
                .refuse(Rule::RuleOldSelf, Reason::Invalid, path, message);
        }
    }

    /// Compiles an expression that must have a value of a given type; keeps the types of one that does not compile.
    fn expression(&mut self, text: &str, scope: Scope, wanted: &Type, at: Path<'_>) -> Compiled {
        let compiled = self.compiled(text, scope, wanted, at);
        if self.costs.all.is_some() && !matches!(compiled, Compiled::Sound { .. }) {
            let parsed = parse(text).ok();
            let typed =
                parsed.and_then(|it| typed(&it, scope.environment(&self.declarations)).ok());
            self.refused
                .extend(typed.map(|(checked, _)| RefusedExpression {
                    at: at.into(),
                    checked,
                }));
        }
        compiled
    }

    fn compiled(&mut self, text: &str, scope: Scope, wanted: &Type, at: Path<'_>) -> Compiled {
        let parsed = match parse(text) {
            Ok(expression) => expression,
            Err(fault) => {
                let part = fault.part(text);
                self.found
                    .refuse(Rule::RuleSyntax, Reason::Invalid, at, fault.message);
                self.found.underline(text, part);
                return Compiled::Not;
            }
        };
        let reads_old = parsed.names("oldSelf");
        match check(&parsed, scope.environment(&self.declarations)) {
            Outcome::Sound(checked) if checked.result() == wanted => {
                match newest_need(&parsed, &checked).filter(|need| need.minor > self.minor) {
                    None => {
                        self.later(&checked, text, at);
                        Compiled::Sound { checked, reads_old }
                    }
                    Some(need) => {
                        self.needs(&need, text, at);
                        Compiled::Not
                    }
                }
            }
            Outcome::Sound(checked) | Outcome::Unrunnable(checked, _)
                if checked.result() != wanted =>
            {
                let message = format!(
                    "the expression returns a value of type `{}` where `{wanted}` is expected",
                    checked.result()
                );
                self.found
                    .refuse(Rule::RuleMismatch, Reason::Invalid, at, message);
                self.found.underline(text, 0..text.len());
                Compiled::Not
            }
            Outcome::Unrunnable(_, fault) => {
                self.report(&fault, text, at);
                Compiled::Unrunnable { reads_old }
            }
            Outcome::Sound(_) => Compiled::Not,
            Outcome::Faulty(faults) => {
                for fault in faults {
                    self.report(&fault, text, at);
                }
                Compiled::Not
            }
        }
    }

    /// Reports a part of an expression that a server would not know.
    fn needs(&mut self, need: &Need, text: &str, at: Path<'_>) {
        let Need { minor, what, .. } = need;
        let message = format!(
            "rules can use `{what}` since Kubernetes 1.{minor}, but the CRD is for 1.{}",
            self.minor
        );
        let field = what.strip_prefix('.').unwrap_or_default();
        let quoted = field.strip_prefix('`').and_then(|it| it.strip_suffix('`'));
        let other = match (escaped(field), quoted) {
            (Some(escaped), _) if escaped != *field => format!("write `.{escaped}`"),
            (_, Some(key)) => format!("write `['{key}']`"),
            _ => format!("write it without `{what}`"),
        };
        let help = format!("{other}, or declare `kubernetes = \"1.{minor}\"` or newer");
        self.found
            .refuse_with_help(Rule::RuleVersion, Reason::Invalid, at, message, help);
        self.found.underline(text, need.range.clone());
        self.found.lacking(Some(need.into()));
    }

    /// Warns about the first error that only newer servers report.
    fn later(&mut self, checked: &Checked, text: &str, at: Path<'_>) {
        let faults = checked.later().iter();
        if let Some(fault) = faults.min_by_key(|fault| fault.since) {
            let message = format!(
                "the rule is rejected by Kubernetes 1.{}: {}",
                fault.since, fault.message
            );
            let help = "change the expression where the message points";
            self.found.warn(Rule::NewerKubernetes, at, message, help);
            self.found.underline(text, fault.range.clone());
        }
    }

    fn report(&mut self, fault: &Diagnostic, text: &str, at: Path<'_>) {
        let rule = match fault.code {
            Code::Macro => Rule::RuleSyntax,
            Code::Undeclared | Code::NoField | Code::NoFields => Rule::RuleName,
            _ => Rule::RuleMismatch,
        };
        let message = fault.message.as_str();
        let known = fault.alternatives.iter().map(String::as_str);
        let name = name_at(text, fault);
        let meant = name.clone().and_then(|name| text.get(name));
        match meant.and_then(|name| nearest(name, known)) {
            None => self.found.refuse(rule, Reason::Invalid, at, message),
            Some(name) => {
                let help = format!("did you mean `{name}`?");
                self.found
                    .refuse_with_help(rule, Reason::Invalid, at, message, help);
            }
        }
        let name = name.filter(|_| rule == Rule::RuleName);
        let part = name.unwrap_or_else(|| fault.range.clone());
        self.found.underline(text, part);
    }
}

/// The name that a fault is about: the last one in its text that is not followed by a bracket.
fn name_at(text: &str, fault: &Diagnostic) -> Option<Range<usize>> {
    let from = match text.get(fault.at..)?.chars().next()? {
        '.' | '?' | '(' => fault.at,
        _ => fault.range.start,
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if text.get(from..)?.starts_with('(') {
        let before = text.get(..from)?.trim_end();
        let start = before.rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
        return (start < before.len()).then_some(start..before.len());
    }
    let rest = text.get(from..)?.trim_start_matches(|c| !is_name(c));
    let start = text.len() - rest.len();
    let len = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    (len > 0).then_some(start..start + len)
}

impl From<&Need> for Lack {
    fn from(need: &Need) -> Self {
        Self {
            since: need.minor,
            what: need.what.clone(),
        }
    }
}

/// The nodes of `self` and `oldSelf`.
#[derive(Clone, Copy)]
struct Scope {
    itself: NodeId,
    optional_old: bool,
    minor: u32,
}

impl Scope {
    fn environment(self, declarations: &Declarations) -> Environment<'_> {
        Environment {
            declarations,
            itself: self.itself,
            optional_old: self.optional_old,
            minor: self.minor,
        }
    }
}

/// The result of compiling an expression.
enum Compiled {
    Sound {
        checked: Checked,
        reads_old: bool,
    },
    /// It has types, so the server knows what it reads, but it cannot run.
    Unrunnable {
        reads_old: bool,
    },
    Not,
}
