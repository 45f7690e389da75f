//! Paths in patterns: what they mean, and whether a value is that.

use crate::eval::machine::{Frame, Machine, Run, Want, stop};
use crate::eval::serde::json_value;
use crate::eval::traits::impls::path_expr;
use crate::eval::values::kinds::Wrapper;
use crate::eval::values::path_segments::last_segment;
use crate::eval::values::ty::{Concrete, Scope, single};
use crate::eval::values::value::Value;
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Body, Path};
use crd_channels_source::{Def, Resolved};
use std::cmp::Ordering;

/// The meaning of a path in a pattern.
pub(super) enum PatternMeaning {
    /// A variant of an enum in source, by its index.
    Variant(usize),
    /// A struct.
    Struct,
    /// A variant of a std type, by its full path.
    Known(Text),
    /// A constant.
    Constant,
    /// A new variable.
    New,
}

impl Machine<'_> {
    /// Matches a value against a path pattern.
    pub(super) fn is_meant(
        &mut self,
        path: &Path,
        meant: &PatternMeaning,
        value: &Value,
        span: Span,
        frame: &mut Frame,
    ) -> Run<bool> {
        let value = self.load(value);
        let refused = || does_not_match(&value, path.span);
        if let Value::Unknown(finding) = &value {
            return Err(finding.clone().into());
        }
        match meant {
            PatternMeaning::Variant(wanted) => match &value {
                Value::Adt(adt) if adt.variant.is_some() => Ok(adt.variant == Some(*wanted)),
                _ => refused(),
            },
            PatternMeaning::Struct => match &value {
                Value::Adt(adt) if adt.variant.is_none() => Ok(true),
                _ => refused(),
            },
            PatternMeaning::Known(name) => match &value {
                Value::Schema(inner) if name.starts_with("schemars::") => {
                    Ok(self.schema_variant(inner, span)? == last_segment(name))
                }
                _ => known_form(name, &value).map_or_else(refused, Ok),
            },
            PatternMeaning::Constant => {
                let ty = value.ty();
                let constant = self.expr(&path_expr(path), frame, Want::of(&ty))?;
                self.same(&constant, &value, span)
            }
            PatternMeaning::New => refused(),
        }
    }

    /// Resolves a path in a pattern, with or without parts after it.
    pub(super) fn meaning(&mut self, path: &Path, frame: &Frame) -> Run<PatternMeaning> {
        let path = frame.resolve_uses(path);
        if let (Some(first), [_, last]) = (path.segments.first(), &path.segments[..])
            && let Some(own) = frame.scope.local(&first.name)
        {
            let variant = match own {
                Concrete::Def(instance) => super::construct::variant_named(instance, &last.name),
                _ => None,
            };
            return Ok(variant.map_or(PatternMeaning::Constant, PatternMeaning::Variant));
        }
        if single(&path).is_some_and(|name| &**name == "Self") {
            return Ok(PatternMeaning::Struct);
        }
        // Constants and variants do not begin with a lowercase letter.
        let may_be_new = single(&path)
            .is_some_and(|name| name.starts_with(|c: char| c.is_lowercase() || c == '_'));
        let graph = self.reader.graph;
        match graph.resolve_value(frame.scope.module, &path) {
            Ok(Resolved::Def(Def::Variant(_, index))) => Ok(PatternMeaning::Variant(index)),
            Ok(Resolved::Def(Def::Type(_))) => Ok(PatternMeaning::Struct),
            Ok(Resolved::Def(Def::Const(..) | Def::Associated(..))) => Ok(PatternMeaning::Constant),
            Ok(Resolved::External(_) | Resolved::Def(Def::Fn(..))) if may_be_new => {
                Ok(PatternMeaning::New)
            }
            Ok(Resolved::External(name)) => Ok(PatternMeaning::Known(name)),
            Ok(_) => stop(path.span, "this pattern is not evaluated"),
            Err(finding) => match may_be_new {
                true => Ok(PatternMeaning::New),
                false => match graph.resolve_type(frame.scope.module, &path) {
                    Ok(Resolved::Def(Def::Variant(_, index))) => Ok(PatternMeaning::Variant(index)),
                    _ => Err(finding.into()),
                },
            },
        }
    }

    /// Resolves a path before `(..)` or `{..}`, which is never a variable.
    pub(super) fn meaning_of_form(&mut self, path: &Path, frame: &Frame) -> Run<PatternMeaning> {
        let meant = frame.resolve_uses(path);
        if single(&meant).is_some_and(|name| &**name == "Self") {
            return Ok(PatternMeaning::Struct);
        }
        let graph = self.reader.graph;
        match graph.resolve_type(frame.scope.module, &meant) {
            Ok(Resolved::Def(Def::Variant(_, index))) => return Ok(PatternMeaning::Variant(index)),
            Ok(Resolved::Def(Def::Type(_))) => return Ok(PatternMeaning::Struct),
            Ok(Resolved::Def(Def::Alias(module, alias))) => {
                let scope = Scope::module(module);
                if let Concrete::Def(instance) = self.reader.typed(&alias.ty, &scope)?
                    && matches!(instance.ty.def.body, Body::Struct(..))
                {
                    return Ok(PatternMeaning::Struct);
                }
            }
            _ => {}
        }
        match self.meaning(path, frame)? {
            PatternMeaning::New => stop(path.span, "this pattern is not evaluated"),
            meant => Ok(meant),
        }
    }
}

/// Returns the error for a value of another type than the pattern's.
pub(super) fn does_not_match<T>(value: &Value, span: Span) -> Run<T> {
    stop(
        span,
        format!("this pattern does not match {}", value.kind()),
    )
}

/// Returns whether a value is a variant of a std type; `None` if the name belongs to another type.
fn known_form(name: &str, value: &Value) -> Option<bool> {
    let last = last_segment(name);
    Some(match (last, value) {
        ("None", Value::Option(value)) => value.is_none(),
        ("Some", Value::Option(value)) => value.is_some(),
        ("Ok", Value::Result(result)) => result.is_ok(),
        ("Err", Value::Result(result)) => result.is_err(),
        ("Less", Value::Ordering(order)) => *order == Ordering::Less,
        ("Equal", Value::Ordering(order)) => *order == Ordering::Equal,
        ("Greater", Value::Ordering(order)) => *order == Ordering::Greater,
        ("V4", Value::Ip(address, false)) => address.is_ipv4(),
        ("V6", Value::Ip(address, false)) => address.is_ipv6(),
        ("V4", Value::Socket(address)) => address.is_ipv4(),
        ("V6", Value::Socket(address)) => address.is_ipv6(),
        ("Reverse", Value::Wrapped(Wrapper::Reverse, _))
        | ("Wrapping", Value::Wrapped(Wrapper::Wrapping, _)) => true,
        (last, Value::Json(content)) if name.starts_with("serde_json") => {
            json_value::variant(content)? == last
        }
        // A configured value of an option is `Some` unless it is `null`.
        ("None", Value::Override(json)) => json.is_null(),
        (_, Value::Named(path, variant)) if name.starts_with(&**path) => {
            variant.as_str() == Some(last)
        }
        _ => return None,
    })
}
