//! Matches values against patterns, and binds the names in patterns.

use crate::eval::machine::{Frame, Machine, Run, Want, stop};
use crate::eval::traits::impls::path_expr;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::path_segments::last_of;
use crate::eval::values::ty::{Concrete, single};
use crate::eval::values::value::{PlaceElem, Value};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, Path, Pattern};
use crd_channels_source::{Def, Resolved};
use std::cmp::Ordering;

/// The meaning of a path in a pattern.
enum PatternMeaning {
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
    /// Matches a value against a pattern, and adds the pattern's bindings to the frame.
    ///
    /// # Errors
    ///
    /// Those of values that are used, and `not-constant` if the pattern cannot be read.
    pub(in crate::eval) fn matches(
        &mut self,
        pattern: &Pattern,
        value: &Value,
        span: Span,
        frame: &mut Frame,
    ) -> Run<bool> {
        self.spend(span, 1)?;
        if let Value::Unknown(finding) = value
            && !matches!(pattern, Pattern::Any | Pattern::Rest)
        {
            return Err(finding.clone().into());
        }
        match pattern {
            Pattern::Any | Pattern::Rest => Ok(true),
            Pattern::Name(path, behind) => match self.meaning(path, frame)? {
                PatternMeaning::New => {
                    if let Some(behind) = behind
                        && !self.matches(behind, value, span, frame)?
                    {
                        return Ok(false);
                    }
                    let name = single(path).cloned().unwrap_or_default();
                    self.bind(frame, name, value.clone());
                    Ok(true)
                }
                meant => self.is_meant(path, &meant, value, span, frame),
            },
            Pattern::Path(path) => {
                let meant = self.meaning(path, frame)?;
                self.is_meant(path, &meant, value, span, frame)
            }
            Pattern::Borrowed(name, mutable, behind) => {
                if let Some(behind) = behind
                    && !self.matches(behind, value, span, frame)?
                {
                    return Ok(false);
                }
                let bound = match (value, mutable) {
                    (Value::MutPlace(_), true) => value.clone(),
                    (_, true) => return stop(span, "the target of this `ref mut` is not known"),
                    (value, false) => Value::reference(self.load(value)),
                };
                self.bind(frame, name.clone(), bound);
                Ok(true)
            }
            Pattern::Reference(inner) => {
                let value = match value {
                    Value::Ref(value) => Value::clone(value),
                    Value::MutPlace(place) => match self.at(place) {
                        Some(value) => value.clone(),
                        None => return stop(span, "the value of this place is not known"),
                    },
                    // A `&str` is represented the same behind any number of references.
                    Value::Str(_) => value.clone(),
                    other => {
                        return stop(span, format!("`&` does not fit {}", other.kind()));
                    }
                };
                self.matches(inner, &value, span, frame)
            }
            Pattern::Value(wanted) => {
                let value = self.load(value);
                let ty = value.ty();
                let wanted_value = self.expr(wanted, frame, Want::of(&ty))?;
                self.same(&wanted_value, &value, wanted.span)
            }
            Pattern::Range(from, to, closed) => {
                let value = self.load(value);
                self.in_range((from.as_ref(), to.as_ref(), *closed), &value, frame)
            }
            Pattern::Tuple(path, parts) => {
                let meant = self.meaning_of_form(path, frame)?;
                let Some(value) = self.form(value) else {
                    return stop(span, "the value of this place is not known");
                };
                if !self.is_meant(path, &meant, &value, span, frame)? {
                    return Ok(false);
                }
                let values = self.parts_of(&value);
                self.sequence(parts, &values, span, frame)
            }
            Pattern::Struct(path, parts) => {
                let meant = self.meaning_of_form(path, frame)?;
                let Some(value) = self.form(value) else {
                    return stop(span, "the value of this place is not known");
                };
                if !self.is_meant(path, &meant, &value, span, frame)? {
                    return Ok(false);
                }
                for (name, part) in parts {
                    let Some(field) = self.part_named(&value, name) else {
                        return stop(span, format!("the field `{name}` is not known"));
                    };
                    if !self.matches(part, &field, span, frame)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Pattern::Items(parts) => {
                let Some(value) = self.form(value) else {
                    return stop(span, "the value of this place is not known");
                };
                match self.load(&value) {
                    Value::Tuple(_) => {
                        let values = self.parts_of(&value);
                        self.sequence(parts, &values, span, frame)
                    }
                    other => stop(
                        span,
                        format!("this pattern does not match {}", other.kind()),
                    ),
                }
            }
            Pattern::Slice(parts) => {
                let Some(value) = self.form(value) else {
                    return stop(span, "the value of this place is not known");
                };
                match self.load(&value) {
                    Value::Seq(seq) if seq.kind.is_slice() => {
                        let rest = parts.iter().any(is_rest);
                        let wanted = parts.len() - usize::from(rest);
                        let found = seq.items.len();
                        if found < wanted || (!rest && found != wanted) {
                            return Ok(false);
                        }
                        let values = self.parts_of(&value);
                        self.sequence(parts, &values, span, frame)
                    }
                    other => stop(
                        span,
                        format!("this pattern does not match {}", other.kind()),
                    ),
                }
            }
            Pattern::Either(parts) => {
                let outer = frame.mark();
                for part in parts {
                    if self.matches(part, value, span, frame)? {
                        return Ok(true);
                    }
                    frame.leave(outer);
                }
                Ok(false)
            }
            Pattern::If(inner, guard) => {
                Ok(self.matches(inner, value, span, frame)? && self.condition(guard, frame)?)
            }
            Pattern::Other(words, span) => stop(*span, format!("{words} is not evaluated")),
        }
    }

    /// Returns a value that can be taken apart, from behind references and boxes that patterns see through, with the binding
    /// mode of its parts.
    fn form(&self, value: &Value) -> Option<Value> {
        match value {
            Value::MutPlace(place) => match self.at(place) {
                Some(Value::MutPlace(other)) => {
                    let other = Value::MutPlace(other.clone());
                    self.form(&other)
                }
                Some(inner @ Value::Ref(_)) => {
                    let inner = inner.clone();
                    self.form(&inner)
                }
                Some(_) => Some(value.clone()),
                None => None,
            },
            Value::Ref(inner) => match &**inner {
                Value::Ref(_) | Value::MutPlace(_) => {
                    let inner = Value::clone(inner);
                    self.form(&inner)
                }
                _ => Some(value.clone()),
            },
            value => Some(value.clone()),
        }
    }

    /// Returns the parts of a value in order; as references if the value is behind one.
    fn parts_of(&self, value: &Value) -> Vec<Value> {
        let whole = self.load(value);
        let (values, elements): (Vec<Value>, Vec<PlaceElem>) = match &whole {
            Value::Adt(adt) => adt
                .fields
                .iter()
                .map(|(name, value)| (value.clone(), PlaceElem::Field(name.clone())))
                .unzip(),
            Value::Tuple(items) => items
                .iter()
                .enumerate()
                .map(|(index, value)| {
                    (
                        value.clone(),
                        PlaceElem::Field(Text::from(index.to_string())),
                    )
                })
                .unzip(),
            Value::Seq(seq) => seq
                .items
                .iter()
                .enumerate()
                .map(|(index, value)| (value.clone(), PlaceElem::Item(index)))
                .unzip(),
            Value::Option(Some(inner)) | Value::Result(Ok(inner) | Err(inner)) => {
                (vec![Value::clone(inner)], vec![PlaceElem::Inside])
            }
            Value::Wrapped(_, inner) | Value::Json(inner) | Value::Schema(inner) => {
                (vec![Value::clone(inner)], vec![PlaceElem::Inside])
            }
            Value::Ip(address, false) => (vec![Value::Ip(*address, true)], vec![PlaceElem::Inside]),
            _ => (Vec::new(), Vec::new()),
        };
        match value {
            Value::Ref(_) => values.into_iter().map(Value::reference).collect(),
            Value::MutPlace(place) => elements
                .into_iter()
                .map(|element| Value::MutPlace(place.part(element)))
                .collect(),
            _ => values,
        }
    }

    fn part_named(&self, value: &Value, name: &Text) -> Option<Value> {
        let whole = self.load(value);
        let part = match &whole {
            Value::Adt(adt) => adt.field(name)?.clone(),
            Value::Range(start, end, _) => {
                let end = if &**name == "start" { start } else { end };
                Value::clone(end.as_ref()?)
            }
            _ => return None,
        };
        Some(match value {
            Value::Ref(_) => Value::reference(part),
            Value::MutPlace(place) => Value::MutPlace(place.part(PlaceElem::Field(name.clone()))),
            _ => part,
        })
    }

    /// Matches patterns against values in order; `..` matches the rest.
    fn sequence(
        &mut self,
        parts: &[Pattern],
        values: &[Value],
        span: Span,
        frame: &mut Frame,
    ) -> Run<bool> {
        let rest = parts.iter().position(is_rest);
        let (before, behind) = match rest {
            Some(at) => (parts.get(..at), parts.get(at + 1..)),
            None => (Some(parts), None),
        };
        let (before, behind) = (before.unwrap_or_default(), behind.unwrap_or_default());
        let fits = match rest {
            Some(_) => before.len() + behind.len() <= values.len(),
            None => before.len() == values.len(),
        };
        if !fits {
            return stop(span, "this pattern has a different number of parts");
        }
        for (part, value) in before.iter().zip(values) {
            if !self.matches(part, value, span, frame)? {
                return Ok(false);
            }
        }
        let start = values.len() - behind.len();
        if let Some(Pattern::Name(path, Some(_))) = rest.and_then(|at| parts.get(at)) {
            // `rest @ ..`
            let middle = values.get(before.len()..start).unwrap_or_default();
            if middle
                .iter()
                .any(|value| matches!(value, Value::MutPlace(_)))
            {
                return stop(
                    span,
                    "a part of a list that may be changed is not evaluated",
                );
            }
            let borrowed = middle
                .iter()
                .all(|value| matches!(value, Value::Ref(_) | Value::Str(_)));
            let items: Vec<Value> = middle
                .iter()
                .map(|value| match value {
                    Value::Ref(inner) if borrowed => Value::clone(inner),
                    value => value.clone(),
                })
                .collect();
            let list = Value::reference(Value::seq(SeqKind::Slice, items));
            self.bind(frame, single(path).cloned().unwrap_or_default(), list);
        }
        for (part, value) in behind.iter().zip(values.get(start..).unwrap_or_default()) {
            if !self.matches(part, value, span, frame)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn in_range(
        &mut self,
        (from, to, closed): (Option<&Expr>, Option<&Expr>, bool),
        value: &Value,
        frame: &mut Frame,
    ) -> Run<bool> {
        let ty = value.ty();
        let mut inside = true;
        for (end, is_end) in [(from, false), (to, true)] {
            let Some(end) = end else { continue };
            let bound = self.expr(end, frame, Want::of(&ty))?;
            inside &= match self.partial_compare(value, &bound, end.span)? {
                Some(Ordering::Equal) => !is_end || closed,
                Some(Ordering::Less) => is_end,
                Some(Ordering::Greater) => !is_end,
                None => false,
            };
        }
        Ok(inside)
    }

    /// Matches a value against a path pattern.
    fn is_meant(
        &mut self,
        path: &Path,
        meant: &PatternMeaning,
        value: &Value,
        span: Span,
        frame: &mut Frame,
    ) -> Run<bool> {
        let value = self.load(value);
        let refused = || {
            stop(
                path.span,
                format!("this pattern does not match {}", value.kind()),
            )
        };
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
                    Ok(self.schema_variant(inner, span)? == last_of(name))
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
    fn meaning(&mut self, path: &Path, frame: &Frame) -> Run<PatternMeaning> {
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
    fn meaning_of_form(&mut self, path: &Path, frame: &Frame) -> Run<PatternMeaning> {
        let meant = frame.resolve_uses(path);
        if single(&meant).is_some_and(|name| &**name == "Self") {
            return Ok(PatternMeaning::Struct);
        }
        let graph = self.reader.graph;
        match graph.resolve_type(frame.scope.module, &meant) {
            Ok(Resolved::Def(Def::Variant(_, index))) => return Ok(PatternMeaning::Variant(index)),
            Ok(Resolved::Def(Def::Type(_))) => return Ok(PatternMeaning::Struct),
            Ok(Resolved::Def(Def::Alias(module, alias))) => {
                let scope = crate::eval::values::ty::Scope::module(module);
                if let Concrete::Def(instance) = self.reader.typed(&alias.ty, &scope)?
                    && matches!(
                        instance.ty.def.body,
                        crd_channels_source::tree::Body::Struct(..)
                    )
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

/// `..`, `rest @ ..`
fn is_rest(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Rest => true,
        Pattern::Name(_, Some(behind)) => matches!(**behind, Pattern::Rest),
        _ => false,
    }
}

/// Returns whether a value is a variant of a std type; `None` if the name belongs to another type.
fn known_form(name: &str, value: &Value) -> Option<bool> {
    let last = last_of(name);
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
        ("Reverse", Value::Wrapped(crate::eval::values::kinds::Wrapper::Reverse, _))
        | ("Wrapping", Value::Wrapped(crate::eval::values::kinds::Wrapper::Wrapping, _)) => true,
        (last, Value::Json(content)) if name.starts_with("serde_json") => {
            crate::eval::serde::json_value::variant(content)? == last
        }
        // A configured value of an option is `Some` unless it is `null`.
        ("None", Value::Stated(json)) => json.is_null(),
        (_, Value::Named(path, variant)) if name.starts_with(&**path) => {
            variant.as_str() == Some(last)
        }
        _ => return None,
    })
}
