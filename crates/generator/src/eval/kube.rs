//! kube's own types: CEL rules, and merge strategies of lists, maps and structs.

use crate::eval::Reader;
use crate::eval::machine::literals::Literals;
use crate::eval::machine::{Frame, Machine, Run, Want, stop};
use crate::eval::schemas::Record;
use crate::eval::std::Call;
use crate::eval::values::path_segments::is_kube;
use crate::eval::values::ty::{Concrete, Finding, Scope};
use crate::eval::values::value::{Value, not_constant};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::{Origin, Rule};
use crd_channels_source::tree::{Expr, Path, Segment};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Kubernetes' reasons; the first is the default.
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

/// `::kube::core::name`
fn path_to(name: &str, span: Span) -> Path {
    let segments = ["kube", "core", name].map(|name| Segment {
        name: name.into(),
        args: Vec::new(),
    });
    Path {
        leading: true,
        segments: segments.into(),
        span,
    }
}

/// Returns a constant of kube's: `Reason::FieldValueInvalid`, `ListMerge::Set`.
pub(super) fn constant(path: &str) -> Option<Value> {
    let (before, name) = path.rsplit_once("::").filter(|_| is_kube(path))?;
    let (_, of) = before.rsplit_once("::")?;
    let known = match of {
        "Reason" => REASONS.contains(&name),
        "ListMerge" => matches!(name, "Atomic" | "Set"),
        "MapMerge" | "StructMerge" => matches!(name, "Atomic" | "Granular"),
        _ => false,
    };
    known.then(|| Value::Named(before.into(), name.into()))
}

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

impl Reader<'_> {
    /// Evaluates a CEL rule as kube accepts it: a string, a pair, or a `Rule`.
    ///
    /// # Errors
    ///
    /// `not-constant` at the part that cannot be determined.
    pub(crate) fn rule(&self, expr: &Expr, scope: &Scope) -> Result<Rule, Finding> {
        let (value, literals) = self.in_derive(expr, scope)?;
        let rule = match rule_from(&value, "kube::core::Rule") {
            Some(Value::Record(record)) => self.rule_of(&record),
            _ => None,
        };
        let mut rule = rule.ok_or_else(|| {
            let mut finding = not_constant(expr.span, "this is not a rule");
            finding.help = Some(
                "write a string, `(\"rule\", \"message\")`, or `Rule::new(\"rule\").message(\"..\")`"
                    .to_owned(),
            );
            finding
        })?;
        rule.origin = Origin(Some(expr.span));
        rule.rule_written = literals.location_of(&rule.rule, self.graph);
        if let Some(text) = &rule.message_expression {
            rule.message_written = literals.location_of(text, self.graph);
        }
        Ok(rule)
    }

    /// Evaluates an expression where kube's derive inserts it, below a `use` of its own. Also returns the literals of its
    /// texts.
    fn in_derive(&self, expr: &Expr, scope: &Scope) -> Result<(Value, Literals), Finding> {
        self.enter(expr.span, |machine| {
            machine.literals = Some(Literals::default());
            let mut frame = Frame::new(scope.clone());
            frame.uses = USED
                .iter()
                .map(|name| (Text::from(*name), path_to(name, expr.span)))
                .collect();
            let value = machine.expr(expr, &mut frame, Want::any())?;
            let literals = machine.literals.take();
            Ok((machine.load(&value), literals.unwrap_or_default()))
        })
    }

    fn rule_of(&self, record: &Record) -> Option<Rule> {
        let mut rule = Rule::default();
        for (field, value) in record.fields.iter() {
            let value = match value {
                Value::Option(None) => continue,
                Value::Option(Some(value)) => &**value,
                value => value,
            };
            let named = |of: &str| match value {
                Value::Named(path, Json::String(text)) if path.ends_with(of) => {
                    Some(text.as_str().into())
                }
                _ => None,
            };
            match &**field {
                "rule" => rule.rule = value.text()?.clone(),
                "message" => match named("::Expression") {
                    Some(text) => rule.message_expression = Some(text),
                    None => rule.message = Some(named("::Message")?),
                },
                "reason" => rule.reason = Some(named("::Reason")?),
                "field_path" => rule.field_path = Some(value.text()?.clone()),
                "optional_old_self" => match value {
                    Value::Bool(value) => rule.optional_old_self = Some(*value),
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(rule)
    }

    /// Evaluates `x_kube(merge_strategy = ..)`.
    ///
    /// # Errors
    ///
    /// `not-constant` if it cannot be determined.
    pub(crate) fn merge(&self, expr: &Expr, scope: &Scope) -> Result<Option<Merge>, Finding> {
        let (value, _) = self.in_derive(expr, scope)?;
        let Value::Named(path, json) = &value else {
            return Ok(None);
        };
        let of = path.rsplit_once("::").filter(|_| is_kube(path));
        Ok(match (of.map(|(_, name)| name), json) {
            (Some("ListMerge"), Json::Array(keys)) => {
                let keys = keys.iter().map(|key| key.as_str().map(Text::from));
                keys.collect::<Option<_>>().map(Merge::ListMap)
            }
            (Some(of), Json::String(name)) => match (of, &**name) {
                ("ListMerge", "Atomic") => Some(Merge::ListAtomic),
                ("ListMerge", "Set") => Some(Merge::ListSet),
                ("MapMerge", "Atomic") => Some(Merge::MapAtomic),
                ("MapMerge", "Granular") => Some(Merge::MapGranular),
                ("StructMerge", name) => Some(Merge::Struct(name.into())),
                _ => None,
            },
            _ => None,
        })
    }
}

impl Machine<'_> {
    /// Calls a constructor of kube's types; returns `None` for any other function.
    pub(super) fn kube_known(
        &mut self,
        own: &str,
        (owner, name): (&str, &str),
        args: &[Value],
        span: Span,
    ) -> Run<Option<Value>> {
        if !is_kube(own) {
            return Ok(None);
        }
        Ok(match (owner, name, args) {
            ("Rule", "new", [text]) => match text.text() {
                Some(text) => rule_from(&Value::Str(text.clone()), own),
                None => None,
            },
            ("Message", "Message" | "Expression", [text]) => text
                .text()
                .map(|text| Value::Named(format!("{own}::{name}").into(), text.to_string().into())),
            ("ListMerge", "Map", [keys]) => Some(Value::Named(own.into(), self.json(keys, span)?)),
            _ => None,
        })
    }

    /// Returns what is known of an argument of kube's constructors before it is evaluated.
    pub(super) fn kube_hint(path: &str) -> Option<Concrete> {
        let (own, name) = path.rsplit_once("::").filter(|_| is_kube(path))?;
        let (_, owner) = own.rsplit_once("::")?;
        let text = || Concrete::external("std::string::String");
        match (owner, name) {
            ("Rule", "new") | ("Message", "Message" | "Expression") => Some(text()),
            ("ListMerge", "Map") => Some(Concrete::External("std::vec::Vec".into(), vec![text()])),
            _ => None,
        }
    }

    /// Calls a method of a rule, which returns the changed rule.
    pub(super) fn rule_method(&mut self, call: &Call<'_>, rule: &Record, args: &[Value]) -> Run {
        let refused = || call.unsupported(&Value::Record(rule.clone()));
        let (field, value) = match (call.name, args) {
            ("message", [message]) => match message_from(message, &rule.of) {
                Some(message) => ("message", message),
                None => return refused(),
            },
            ("reason", [reason @ Value::Named(path, _)]) if is_kube(path) => {
                ("reason", reason.clone())
            }
            ("field_path", [path]) => match path.text() {
                Some(path) => ("field_path", Value::String(path.clone())),
                None => return refused(),
            },
            ("optional_old_self", [value @ Value::Bool(_)]) => ("optional_old_self", value.clone()),
            _ => return refused(),
        };
        let mut rule = rule.clone();
        let fields = Arc::make_mut(&mut rule.fields);
        match fields.iter_mut().find(|(known, _)| &**known == field) {
            Some((_, known)) => *known = Value::some(value),
            None => return stop(call.span, "this rule has no such part"),
        }
        Ok(Value::Record(rule))
    }

    /// `Rule::from(x)`, `Message::from(x)`, `Reason::default()`; returns `None` for other types.
    pub(super) fn kube_converted(&self, value: &Value, target: &str) -> Option<Value> {
        let (_, name) = target.rsplit_once("::").filter(|_| is_kube(target))?;
        match name {
            "Rule" => rule_from(value, target),
            "Message" => message_from(value, target),
            _ => None,
        }
    }

    /// Returns the expected types of the arguments of a rule's methods.
    pub(super) fn rule_hints(name: &str) -> Vec<Option<Concrete>> {
        match name {
            "field_path" => vec![Some(Concrete::external("std::string::String"))],
            _ => Vec::new(),
        }
    }

    /// Returns the default of a type of kube's; `None` if it has no known one.
    pub(super) fn kube_default(path: &str) -> Option<Value> {
        let (_, name) = path.rsplit_once("::").filter(|_| is_kube(path))?;
        (name == "Reason").then(|| Value::Named(path.into(), json!("FieldValueInvalid")))
    }
}

/// Converts a value to a rule, if kube has such a conversion.
fn rule_from(value: &Value, of: &str) -> Option<Value> {
    let (rule, message) = match value.through() {
        Value::Record(record) if record.name() == "Rule" => {
            return Some(Value::Record(record.clone()));
        }
        Value::Tuple(pair) => match &pair[..] {
            [rule, message] => (rule.text()?, Some(message_from(message, of)?)),
            _ => return None,
        },
        // kube has no conversion from `String`.
        Value::Str(rule) => (rule, None),
        _ => return None,
    };
    let none = || Value::Option(None);
    let fields = vec![
        ("rule".into(), Value::String(rule.clone())),
        ("message".into(), Value::option(message)),
        ("reason".into(), none()),
        ("field_path".into(), none()),
        ("optional_old_self".into(), none()),
    ];
    Some(Value::Record(Record {
        of: of.into(),
        fields: Arc::new(fields),
    }))
}

/// Converts a value to a message, if kube has such a conversion; `of` is any type next to it.
fn message_from(value: &Value, of: &str) -> Option<Value> {
    if let Value::Named(path, _) = value
        && is_kube(path)
        && (path.ends_with("::Message::Message") || path.ends_with("::Message::Expression"))
    {
        return Some(value.clone());
    }
    let (before, _) = of.rsplit_once("::")?;
    let text = value.text()?;
    Some(Value::Named(
        format!("{before}::Message::Message").into(),
        text.to_string().into(),
    ))
}
