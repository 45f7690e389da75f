//! Matches values against patterns, and binds the names in patterns.

use super::pattern_paths::{PatternMeaning, does_not_match};
use crate::eval::machine::{Frame, Machine, Run, Want, stop};
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::ty::single;
use crate::eval::values::value::{PlaceElem, Value};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, Pattern};
use std::cmp::Ordering;

/// Why a value behind a reference cannot be matched.
const NO_PLACE: &str = "the value of this place is not known";

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
                let bound = self.borrowed(value, *mutable, span)?;
                self.bind(frame, name.clone(), bound);
                Ok(true)
            }
            Pattern::Reference(inner) => {
                let value = self.referred(value, span)?;
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
                let value = self.form(value, span)?;
                if !self.is_meant(path, &meant, &value, span, frame)? {
                    return Ok(false);
                }
                let values = self.parts_of(&value);
                self.sequence(parts, &values, span, frame)
            }
            Pattern::Struct(path, parts) => {
                let meant = self.meaning_of_form(path, frame)?;
                let value = self.form(value, span)?;
                Ok(self.is_meant(path, &meant, &value, span, frame)?
                    && self.fields_match(parts, &value, span, frame)?)
            }
            Pattern::Items(parts) => {
                let value = self.form(value, span)?;
                match self.load(&value) {
                    Value::Tuple(_) => {
                        let values = self.parts_of(&value);
                        self.sequence(parts, &values, span, frame)
                    }
                    other => does_not_match(&other, span),
                }
            }
            Pattern::Slice(parts) => {
                let value = self.form(value, span)?;
                self.slice_matches(parts, &value, span, frame)
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

    /// Returns what `ref name` or `ref mut name` binds.
    fn borrowed(&self, value: &Value, mutable: bool, span: Span) -> Run {
        match (value, mutable) {
            (Value::MutPlace(_), true) => Ok(value.clone()),
            (_, true) => stop(span, "the target of this `ref mut` is not known"),
            (value, false) => Ok(Value::reference(self.load(value))),
        }
    }

    /// Returns what `&` in a pattern leads to.
    fn referred(&self, value: &Value, span: Span) -> Run {
        match value {
            Value::Ref(value) => Ok(Value::clone(value)),
            Value::MutPlace(place) => match self.at(place) {
                Some(value) => Ok(value.clone()),
                None => stop(span, NO_PLACE),
            },
            // A `&str` is represented the same behind any number of references.
            Value::Str(_) => Ok(value.clone()),
            other => stop(span, format!("`&` does not fit {}", other.kind())),
        }
    }

    /// Matches the fields that a struct pattern names.
    fn fields_match(
        &mut self,
        parts: &[(Text, Pattern)],
        value: &Value,
        span: Span,
        frame: &mut Frame,
    ) -> Run<bool> {
        for (name, part) in parts {
            let Some(field) = self.part_named(value, name) else {
                return stop(span, format!("the field `{name}` is not known"));
            };
            if !self.matches(part, &field, span, frame)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Matches a list against a slice pattern, which may have a rest.
    fn slice_matches(
        &mut self,
        parts: &[Pattern],
        value: &Value,
        span: Span,
        frame: &mut Frame,
    ) -> Run<bool> {
        match self.load(value) {
            Value::Seq(seq) if seq.kind.is_slice() => {
                let rest = parts.iter().any(is_rest);
                let wanted = parts.len() - usize::from(rest);
                let found = seq.items.len();
                if found < wanted || (!rest && found != wanted) {
                    return Ok(false);
                }
                let values = self.parts_of(value);
                self.sequence(parts, &values, span, frame)
            }
            other => does_not_match(&other, span),
        }
    }

    /// Returns a value that can be taken apart, from behind references and boxes that patterns see through, with the binding
    /// mode of its parts.
    fn form(&self, value: &Value, span: Span) -> Run {
        match self.seen_through(value) {
            Some(value) => Ok(value),
            None => stop(span, NO_PLACE),
        }
    }

    fn seen_through(&self, value: &Value) -> Option<Value> {
        match value {
            Value::MutPlace(place) => match self.at(place) {
                Some(Value::MutPlace(other)) => {
                    let other = Value::MutPlace(other.clone());
                    self.seen_through(&other)
                }
                Some(inner @ Value::Ref(_)) => {
                    let inner = inner.clone();
                    self.seen_through(&inner)
                }
                Some(_) => Some(value.clone()),
                None => None,
            },
            Value::Ref(inner) => match &**inner {
                Value::Ref(_) | Value::MutPlace(_) => {
                    let inner = Value::clone(inner);
                    self.seen_through(&inner)
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
                (vec![Value::clone(inner)], vec![PlaceElem::Content])
            }
            Value::Wrapped(_, inner) | Value::Json(inner) | Value::Schema(inner) => {
                (vec![Value::clone(inner)], vec![PlaceElem::Content])
            }
            Value::Ip(address, false) => {
                (vec![Value::Ip(*address, true)], vec![PlaceElem::Content])
            }
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
            let middle = values.get(before.len()..start).unwrap_or_default();
            let list = rest_of(middle, span)?;
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
        let mut within = true;
        for (end, is_end) in [(from, false), (to, true)] {
            let Some(end) = end else { continue };
            let bound = self.expr(end, frame, Want::of(&ty))?;
            within &= match self.partial_compare(value, &bound, end.span)? {
                Some(Ordering::Equal) => !is_end || closed,
                Some(Ordering::Less) => is_end,
                Some(Ordering::Greater) => !is_end,
                None => false,
            };
        }
        Ok(within)
    }
}

/// Returns what `rest @ ..` binds.
fn rest_of(middle: &[Value], span: Span) -> Run {
    let mut all = middle.iter();
    if all.any(|value| matches!(value, Value::MutPlace(_))) {
        return stop(
            span,
            "a part of a list that may be changed is not evaluated",
        );
    }
    let borrowed = middle
        .iter()
        .all(|value| matches!(value, Value::Ref(_) | Value::Str(_)));
    let items = middle.iter().map(|value| match value {
        Value::Ref(inner) if borrowed => Value::clone(inner),
        value => value.clone(),
    });
    Ok(Value::reference(Value::seq(
        SeqKind::Slice,
        items.collect(),
    )))
}

/// `..`, `rest @ ..`
fn is_rest(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Rest => true,
        Pattern::Name(_, Some(behind)) => matches!(**behind, Pattern::Rest),
        _ => false,
    }
}
