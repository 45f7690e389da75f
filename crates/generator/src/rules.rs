//! kube's own types, as its users write them in attributes: CEL rules, and merge strategies of lists, maps and structs.

use crate::reader::Reader;
use crate::types::path_segments::{is_kube, last_segment, last_two_segments};
use crate::types::{Concrete, Finding, Scope};
use crate::values::{Env, Literals, Named, Reading, Run, Value, not_constant, stop};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::{Origin, Rule};
use crd_channels_source::tree::{Expr, ExprKind};

/// Kubernetes' reasons.
const REASONS: [&str; 4] = [
    "FieldValueInvalid",
    "FieldValueForbidden",
    "FieldValueRequired",
    "FieldValueDuplicate",
];

/// The items of `kube::core` that kube's derive uses around rules and merge strategies.
const USED: [&str; 6] = [
    "Rule",
    "Message",
    "Reason",
    "ListMerge",
    "MapMerge",
    "StructMerge",
];

const RULE_HELP: &str =
    "write a string, `(\"rule\", \"message\")`, or `Rule::new(\"rule\").message(\"..\")`";

/// The merge strategy of a list, map or struct.
pub(crate) enum Merge {
    /// `ListMerge::Atomic`
    ListAtomic,
    /// `ListMerge::Set`
    ListSet,
    /// `ListMerge::Map(keys)`
    ListMap(Vec<Text>),
    /// `MapMerge::Atomic`
    MapAtomic,
    /// `MapMerge::Granular`
    MapGranular,
    /// `StructMerge::Atomic`, `StructMerge::Granular`, by name.
    Struct(Text),
}

/// The methods of `Rule`.
const SETTERS: [&str; 4] = ["message", "reason", "field_path", "optional_old_self"];

/// A message of a rule.
enum Message {
    /// Text.
    Text(Text),
    /// A CEL expression.
    Expression(Text),
}

impl Reader<'_> {
    /// Reads a CEL rule as kube accepts it: a string, a pair, or a `Rule`.
    ///
    /// # Errors
    ///
    /// `not-constant` at the part that is not read.
    pub(crate) fn rule(&self, expr: &Expr, scope: &Scope) -> Result<Rule, Finding> {
        let mut reading = self.reading();
        reading.literals = Some(Literals::default());
        let mut rule = reading.rule(expr, &Env::new(scope.clone()))?;
        let literals = reading.literals.take().unwrap_or_default();
        rule.origin = Origin(Some(expr.span));
        rule.rule_written = literals.location_of(&rule.rule, self.graph);
        if let Some(text) = &rule.message_expression {
            rule.message_written = literals.location_of(text, self.graph);
        }
        Ok(rule)
    }

    /// Reads `x_kube(merge_strategy = ..)`.
    ///
    /// # Errors
    ///
    /// `not-constant` if it is not read.
    pub(crate) fn merge(&self, expr: &Expr, scope: &Scope) -> Result<Option<Merge>, Finding> {
        self.reading().merge(expr, &Env::new(scope.clone()))
    }
}

impl Reading<'_> {
    fn rule(&mut self, expr: &Expr, env: &Env) -> Run<Rule> {
        match &expr.kind {
            ExprKind::Tuple(pair) => match &pair[..] {
                [rule, message] => {
                    let mut made = self.rule_text(rule, env)?;
                    set_message(&mut made, self.message(message, env)?);
                    Ok(made)
                }
                _ => not_a_rule(expr.span),
            },
            ExprKind::Call(function, args) => {
                match (self.kube_path(function, env)?.as_deref(), &args[..]) {
                    (Some("Rule::new"), [rule]) => self.rule_text(rule, env),
                    (Some("Rule::from"), [rule]) => self.rule(rule, env),
                    (Some(_), _) => not_a_rule(expr.span),
                    (None, _) => self.rule_text(expr, env),
                }
            }
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } if &**name == "into" || SETTERS.contains(&&**name) => {
                // A text has other methods of these names, if any.
                if &**name != "into" && !self.may_be_rule(receiver, env)? {
                    return not_a_rule(expr.span);
                }
                let mut rule = self.rule(receiver, env)?;
                match (&**name, &args[..]) {
                    ("message", [message]) => set_message(&mut rule, self.message(message, env)?),
                    ("reason", [reason]) => rule.reason = Some(self.reason(reason, env)?),
                    ("field_path", [path]) => {
                        rule.field_path = Some(self.plain_text(path, env)?);
                    }
                    ("optional_old_self", [value]) => {
                        match self.read(value, env, Some(&Concrete::external("bool")))? {
                            Value::Bool(value) => rule.optional_old_self = Some(value),
                            _ => return not_a_rule(value.span),
                        }
                    }
                    ("into", []) => {}
                    _ => return not_a_rule(expr.span),
                }
                Ok(rule)
            }
            _ => self.rule_text(expr, env),
        }
    }

    fn rule_text(&mut self, expr: &Expr, env: &Env) -> Run<Rule> {
        let rule = self.plain_text(expr, env).map_err(|mut finding| {
            finding.help.get_or_insert_with(|| RULE_HELP.to_owned());
            finding
        })?;
        Ok(Rule {
            rule,
            ..Rule::default()
        })
    }

    /// Reads a text; kube takes whatever converts into a `String`.
    fn plain_text(&mut self, expr: &Expr, env: &Env) -> Run<Text> {
        match expr.method() {
            Some((receiver, "into", [])) => self.plain_text(receiver, env),
            _ => match self.read(expr, env, None)? {
                Value::Text(text) => Ok(text),
                _ => not_a_rule(expr.span),
            },
        }
    }

    fn message(&mut self, expr: &Expr, env: &Env) -> Run<Message> {
        if let ExprKind::Call(function, args) = &expr.kind {
            match (self.kube_path(function, env)?.as_deref(), &args[..]) {
                (Some("Message::Message"), [text]) => {
                    return self.plain_text(text, env).map(Message::Text);
                }
                (Some("Message::Expression"), [text]) => {
                    return self.plain_text(text, env).map(Message::Expression);
                }
                (Some(_), _) => return not_a_rule(expr.span),
                (None, _) => {}
            }
        }
        self.plain_text(expr, env).map(Message::Text)
    }

    fn reason(&mut self, expr: &Expr, env: &Env) -> Run<Text> {
        let path = self.kube_path(expr, env)?;
        let reason = path
            .as_deref()
            .and_then(|path| path.strip_prefix("Reason::"));
        match reason.filter(|reason| REASONS.contains(reason)) {
            Some(reason) => Ok(reason.into()),
            None => stop(expr.span, "this is not a `Reason` of kube"),
        }
    }

    fn merge(&mut self, expr: &Expr, env: &Env) -> Run<Option<Merge>> {
        if let ExprKind::Call(function, args) = &expr.kind {
            let path = self.kube_path(function, env)?;
            return match (path.as_deref(), &args[..]) {
                (Some("ListMerge::Map"), [keys]) => self.merge_keys(keys, env).map(Some),
                _ => Ok(None),
            };
        }
        let path = self.kube_path(expr, env)?;
        Ok(match path.as_deref() {
            Some("ListMerge::Atomic") => Some(Merge::ListAtomic),
            Some("ListMerge::Set") => Some(Merge::ListSet),
            Some("MapMerge::Atomic") => Some(Merge::MapAtomic),
            Some("MapMerge::Granular") => Some(Merge::MapGranular),
            Some(path @ ("StructMerge::Atomic" | "StructMerge::Granular")) => {
                Some(Merge::Struct(last_segment(path).into()))
            }
            _ => None,
        })
    }

    /// Whether an expression is `Rule::new(..)`, or a method of what may be one.
    fn may_be_rule(&mut self, expr: &Expr, env: &Env) -> Run<bool> {
        Ok(match &expr.kind {
            ExprKind::Call(function, _) => self.kube_path(function, env)?.is_some(),
            ExprKind::Method { name, .. } => SETTERS.contains(&&**name),
            _ => false,
        })
    }

    fn merge_keys(&mut self, keys: &Expr, env: &Env) -> Run<Merge> {
        let strings = Concrete::External(
            "std::vec::Vec".into(),
            vec![Concrete::external("std::string::String")],
        );
        let names = match self.read(keys, env, Some(&strings))? {
            Value::List(names) => names.iter().map(Value::text).collect::<Option<_>>(),
            _ => None,
        };
        match names {
            Some(names) => Ok(Merge::ListMap(names)),
            None => stop(keys.span, "the keys of this list are not read"),
        }
    }

    /// The last two segments of a path to an item of kube: `Rule::new`; `None` for other expressions.
    fn kube_path(&mut self, expr: &Expr, env: &Env) -> Run<Option<String>> {
        let Some(path) = expr.path() else {
            return Ok(None);
        };
        // The `use`s around the expression that kube's derive inserts.
        if let [owner, name] = &path.segments[..]
            && !path.leading
            && USED.contains(&&*owner.name)
        {
            return Ok(Some(format!("{}::{}", owner.name, name.name)));
        }
        Ok(match self.item_named(path, env, None)? {
            Named::Known(path, _) if is_kube(&path) => {
                let (of, name) = last_two_segments(&path);
                Some(format!("{of}::{name}"))
            }
            _ => None,
        })
    }
}

fn set_message(rule: &mut Rule, message: Message) {
    match message {
        Message::Text(text) => (rule.message, rule.message_expression) = (Some(text), None),
        Message::Expression(text) => (rule.message, rule.message_expression) = (None, Some(text)),
    }
}

fn not_a_rule<T>(span: Span) -> Run<T> {
    let mut finding = not_constant(span, "this is not a rule");
    finding.help = Some(RULE_HELP.to_owned());
    Err(finding)
}
