//! Coercions to an expected type: literals adopt it, and references are added and removed as Rust does. A value of another type
//! is a bug of the evaluator, and an error.

use crate::eval::machine::{Machine, Run, stop};
use crate::eval::traits::impls::{Bound, Fit, unify};
use crate::eval::values::kinds::{MapKind, SeqKind, Wrapper};
use crate::eval::values::number::IntType;
use crate::eval::values::path_segments::{first_segment, last_segment};
use crate::eval::values::ty::{Concrete, Instance, Scope};
use crate::eval::values::value::{Adt, Map, Seq, Value};
use crd_channels_diagnostics::Span;
use std::sync::Arc;

impl Machine<'_> {
    /// Coerces a value to a type.
    ///
    /// # Errors
    ///
    /// `not-constant` if it has another type.
    pub(crate) fn coerce(&mut self, value: Value, ty: &Concrete, span: Span) -> Run {
        self.spend(span, 1)?;
        let refused = |value: &Value| {
            stop(
                span,
                format!("this is {}, where `{ty}` is needed", value.kind()),
            )
        };
        if ty.is_blank() || matches!(value, Value::Unknown(_) | Value::Override(_)) {
            return Ok(value);
        }
        match (ty, value) {
            (Concrete::Ref(inner, mutable), value) => {
                self.coerce_reference(value, inner, *mutable, span)
            }
            (Concrete::External(path, args), value) => {
                self.coerce_known(value, path, args, ty, span)
            }
            (Concrete::Def(wanted), Value::Adt(adt)) => self.coerce_adt(adt, wanted, span),
            (Concrete::Array(item, length), Value::Seq(seq)) if seq.kind == SeqKind::Array => {
                if u64::try_from(seq.items.len()).ok() == Some(*length) {
                    self.coerce_items(seq, item, span)
                } else {
                    refused(&Value::Seq(seq))
                }
            }
            (Concrete::Sized(item, _), Value::Seq(seq)) if seq.kind == SeqKind::Array => {
                self.coerce_items(seq, item, span)
            }
            (Concrete::Slice(item), Value::Seq(seq)) if seq.kind.is_slice() => {
                let seq = Seq {
                    kind: SeqKind::Slice,
                    ..seq
                };
                self.coerce_items(seq, item, span)
            }
            (Concrete::Tuple(types), Value::Tuple(values)) if types.len() == values.len() => {
                let mut coerced = Vec::with_capacity(values.len());
                for (ty, value) in types.iter().zip(values) {
                    coerced.push(self.coerce(value, ty, span)?);
                }
                Ok(Value::Tuple(coerced))
            }
            (_, value) => refused(&value),
        }
    }

    /// Does the same if the type comes from the previous value of a place, and may be incomplete.
    pub(crate) fn refined(&mut self, value: Value, ty: &Concrete, span: Span) -> Run {
        let own = self.type_of(&value);
        match unify(ty, &own, &mut Bound::new()) {
            Fit::No => Ok(value),
            Fit::Maybe | Fit::Yes => match self.coerce(value.clone(), ty, span) {
                Ok(coerced) => Ok(coerced),
                Err(_) => Ok(value),
            },
        }
    }

    fn coerce_reference(
        &mut self,
        value: Value,
        inner: &Concrete,
        mutable: bool,
        span: Span,
    ) -> Run {
        if mutable {
            let Value::MutPlace(place) = &value else {
                return stop(
                    span,
                    format!("this is {}, where `&mut` is needed", value.kind()),
                );
            };
            let is_slice = matches!(inner, Concrete::Slice(_) | Concrete::Opaque(_))
                || inner.external_name() == Some("str");
            let open = self
                .at(place)
                .is_some_and(|value| self.type_of(value).is_open());
            // Its target gets the type too.
            if !is_slice
                && open
                && let Some(old) = self.at(place).cloned()
                && !matches!(old, Value::MutPlace(_))
            {
                let place = place.clone();
                let coerced = self.coerce(old, inner, span)?;
                self.write(&place, coerced, span)?;
            }
            return Ok(value);
        }
        match value {
            // A `&str` has no other form, whatever the number of references to it.
            Value::Str(_) if is_text(inner) || inner.is_blank() => Ok(value),
            Value::Str(text) => match inner {
                Concrete::Ref(..) => Ok(Value::Str(text)),
                Concrete::External(name, _) if &**name == "std::path::Path" => Ok(Value::Str(text)),
                _ => stop(
                    span,
                    format!("this is a string, where `&{inner}` is needed"),
                ),
            },
            Value::MutPlace(place) => match self.at(&place) {
                Some(value) => {
                    let value = Value::reference(value.clone());
                    self.coerce_reference(value, inner, false, span)
                }
                None => stop(span, "the value of this place is not known"),
            },
            Value::Ref(value) => {
                let value = Value::clone(&value);
                self.coerce_behind(value, inner, span)
            }
            other => stop(
                span,
                format!("this is {}, where a reference is needed", other.kind()),
            ),
        }
    }

    /// Coerces a value behind `&`: if it has another type, tries what it dereferences to.
    fn coerce_behind(&mut self, value: Value, inner: &Concrete, span: Span) -> Run {
        if is_text(inner) {
            let mut current = value;
            loop {
                current = match current {
                    Value::String(text) | Value::Str(text) => return Ok(Value::Str(text)),
                    Value::Ref(inner) => Value::clone(&inner),
                    Value::MutPlace(_) => self.load(&current),
                    Value::Wrapped(wrapper, inner) if wrapper.derefs() => *inner,
                    Value::Override(_) => return Ok(current),
                    Value::Adt(_) => match self.user_deref(&current, span)? {
                        Some(inner) => inner,
                        None => return stop(span, "this is a struct, where `&str` is needed"),
                    },
                    other => {
                        return stop(
                            span,
                            format!("this is {}, where `&str` is needed", other.kind()),
                        );
                    }
                };
            }
        }
        match (inner, &value) {
            (Concrete::Slice(_), Value::Seq(_)) => {
                self.coerce(value, inner, span).map(Value::reference)
            }
            (_, Value::Wrapped(wrapper, boxed))
                if wrapper.derefs() && inner_path(inner) != Some(wrapper.path()) =>
            {
                let boxed = Value::clone(boxed);
                self.coerce_behind(boxed, inner, span)
            }
            (Concrete::Ref(..), Value::Str(_)) => Ok(value),
            (_, Value::Ref(again)) if !matches!(inner, Concrete::Ref(..)) => {
                let again = Value::clone(again);
                self.coerce_behind(again, inner, span)
            }
            (Concrete::Def(wanted), Value::Adt(adt))
                if !Arc::ptr_eq(&wanted.ty.def, &adt.of.ty.def) =>
            {
                match self.user_deref(&value, span)? {
                    Some(behind) => {
                        let behind = self.load(&behind);
                        self.coerce_behind(behind, inner, span)
                    }
                    None => stop(
                        span,
                        format!("this is a struct, where `&{inner}` is needed"),
                    ),
                }
            }
            _ => self.coerce(value, inner, span).map(Value::reference),
        }
    }

    fn coerce_known(
        &mut self,
        value: Value,
        path: &str,
        args: &[Concrete],
        ty: &Concrete,
        span: Span,
    ) -> Run {
        let refused = |value: &Value| {
            stop(
                span,
                format!("this is {}, where `{ty}` is needed", value.kind()),
            )
        };
        let arg = |index: usize| args.get(index).unwrap_or(&Concrete::Infer);
        if let Some(int_type) = IntType::from_name(path) {
            return match value {
                Value::Int(int) => match int.of(int_type) {
                    Some(int) => Ok(Value::Int(int)),
                    None if int.ty.is_some() => refused(&value),
                    None => stop(span, format!("`{int}` does not fit into `{path}`")),
                },
                value => refused(&value),
            };
        }
        if let Some(wrapper) = Wrapper::named(path).or_else(|| non_zero(path)) {
            return match value {
                Value::Wrapped(own, inner) if own == wrapper => {
                    let inner = self.coerce_wrapped(wrapper, *inner, (path, args), span)?;
                    Ok(Value::Wrapped(wrapper, Box::new(inner)))
                }
                value => refused(&value),
            };
        }
        if let Some(kind) = SeqKind::named(path) {
            return match value {
                Value::Seq(seq) if seq.kind == kind => self.coerce_items(seq, arg(0), span),
                value => refused(&value),
            };
        }
        if let Some(kind) = MapKind::named(path) {
            return match value {
                Value::Map(map) if map.kind == kind => {
                    self.coerce_entries(map, (arg(0), arg(1)), span)
                }
                value => refused(&value),
            };
        }
        match (path, value) {
            ("f32" | "f64", Value::Float(float)) => match float.of(path) {
                Some(float) => Ok(Value::Float(float)),
                None => refused(&Value::Float(float)),
            },
            ("bool", value @ Value::Bool(_))
            | ("char", value @ Value::Char(_))
            | ("std::string::String", value @ Value::String(_))
            | ("str", value @ Value::Str(_)) => Ok(value),
            ("std::option::Option", Value::Option(inner)) => Ok(Value::option(match inner {
                Some(inner) => Some(self.coerce(*inner, arg(0), span)?),
                None => None,
            })),
            (path, Value::Result(result)) if path.ends_with("Result") => {
                self.coerce_result(result, path, args, span)
            }
            (path, Value::Range(start, end, closed)) if path.starts_with("std::ops::Range") => {
                let start = self.coerce_end(start, arg(0), span)?;
                let end = self.coerce_end(end, arg(0), span)?;
                Ok(Value::Range(start, end, closed))
            }
            (path, value) => {
                let own = value.ty();
                match &own {
                    Concrete::External(name, _) if same_path(name, path) => Ok(value),
                    Concrete::Opaque(_) => Ok(value),
                    _ => refused(&value),
                }
            }
        }
    }

    /// Coerces the content of a wrapper.
    fn coerce_wrapped(
        &mut self,
        wrapper: Wrapper,
        inner: Value,
        (path, args): (&str, &[Concrete]),
        span: Span,
    ) -> Run {
        if wrapper == Wrapper::NonZero {
            let name = non_zero_type(path, args);
            return self.coerce(inner, &Concrete::External(name.into(), Vec::new()), span);
        }
        match args.first().unwrap_or(&Concrete::Infer) {
            Concrete::External(name, _) if &**name == "str" => Ok(inner),
            ty => self.coerce(inner, ty, span),
        }
    }

    /// Coerces to `Result<T, E>` or an alias of it.
    fn coerce_result(
        &mut self,
        result: Result<Box<Value>, Box<Value>>,
        path: &str,
        args: &[Concrete],
        span: Span,
    ) -> Run {
        let arg = |index: usize| args.get(index).unwrap_or(&Concrete::Infer);
        // Aliases such as `std::io::Result` determine their error type.
        let (value_type, error_type) = match path {
            "std::result::Result" => (arg(0), arg(1)),
            "std::fmt::Result" => (&Concrete::Infer, &Concrete::Infer),
            _ => (arg(0), &Concrete::Infer),
        };
        Ok(match result {
            Ok(value) => Value::ok(self.coerce(*value, value_type, span)?),
            Err(error) => Value::err(self.coerce(*error, error_type, span)?),
        })
    }

    /// Coerces an end of a range.
    fn coerce_end(
        &mut self,
        end: Option<Box<Value>>,
        ty: &Concrete,
        span: Span,
    ) -> Run<Option<Box<Value>>> {
        match end {
            Some(end) => Ok(Some(Box::new(self.coerce(*end, ty, span)?))),
            None => Ok(None),
        }
    }

    fn coerce_items(&mut self, seq: Seq, item: &Concrete, span: Span) -> Run {
        let known = seq.item.as_ref().is_some_and(|known| !known.is_open());
        if item.is_blank() || known {
            return Ok(Value::Seq(seq));
        }
        let mut items = Vec::with_capacity(seq.items.len());
        for value in seq.items.iter() {
            items.push(super::construct::later(self.coerce(
                value.clone(),
                item,
                span,
            ))?);
        }
        Ok(Value::Seq(Seq {
            kind: seq.kind,
            items: Arc::new(items),
            item: (!item.is_open()).then(|| Arc::new(item.clone())),
        }))
    }

    fn coerce_entries(
        &mut self,
        map: Map,
        (keys, values): (&Concrete, &Concrete),
        span: Span,
    ) -> Run {
        if keys.is_blank() && values.is_blank() {
            return Ok(Value::Map(map));
        }
        let mut entries = Vec::with_capacity(map.entries.len());
        for (key, value) in map.entries.iter() {
            let value = super::construct::later(self.coerce(value.clone(), values, span))?;
            entries.push((self.coerce(key.clone(), keys, span)?, value));
        }
        let types = (!keys.is_open() && !values.is_open())
            .then(|| Arc::new((keys.clone(), values.clone())));
        Ok(Value::Map(Map {
            kind: map.kind,
            entries: Arc::new(entries),
            types,
        }))
    }

    fn coerce_adt(&mut self, adt: Adt, wanted: &Arc<Instance>, span: Span) -> Run {
        if !Arc::ptr_eq(&adt.of.ty.def, &wanted.ty.def) {
            let name = &wanted.ty.def.name;
            let why = format!(
                "this is a `{}`, where `{name}` is needed",
                adt.of.ty.def.name
            );
            return stop(span, why);
        }
        if !adt.of.args.iter().any(Concrete::is_open) {
            return Ok(Value::Adt(adt));
        }
        // The expected type determines the rest.
        let args = adt.of.args.iter().zip(&wanted.args);
        let args = args.map(|(own, wanted)| {
            if wanted.is_blank() {
                own.clone()
            } else {
                wanted.clone()
            }
        });
        let of = Arc::new(Instance {
            ty: adt.of.ty.clone(),
            args: args.collect(),
        });
        let scope = Scope::of(&of);
        let mut fields = Vec::with_capacity(adt.fields.len());
        let defs = super::construct::fields_of(&of, adt.variant);
        for (def, (name, value)) in defs.iter().zip(adt.fields.iter()) {
            let ty = self.reader.typed(&def.ty, &scope)?;
            fields.push((name.clone(), self.coerce(value.clone(), &ty, span)?));
        }
        Ok(Value::Adt(Adt {
            of,
            variant: adt.variant,
            fields: Arc::new(fields),
        }))
    }
}

fn is_text(ty: &Concrete) -> bool {
    matches!(ty, Concrete::External(name, _) if &**name == "str")
}

fn inner_path(ty: &Concrete) -> Option<&str> {
    match ty {
        Concrete::External(path, _) => Some(path),
        _ => None,
    }
}

/// `NonZeroU16` and the like.
fn non_zero(path: &str) -> Option<Wrapper> {
    let last = path.strip_prefix("std::num::")?;
    last.starts_with("NonZero").then_some(Wrapper::NonZero)
}

/// Returns the integer type of a `NonZeroU16` or `NonZero<u16>`.
pub(in crate::eval) fn non_zero_type(path: &str, args: &[Concrete]) -> String {
    let last = last_segment(path);
    match (last.strip_prefix("NonZero"), args.first()) {
        (Some("") | None, Some(Concrete::External(name, _))) => name.to_string(),
        (Some(name), _) => name.to_lowercase(),
        _ => String::new(),
    }
}

/// Returns true if two paths name one type, which a crate may re-export under several.
pub(super) fn same_path(own: &str, other: &str) -> bool {
    let ends = |path| (first_segment(path), last_segment(path));
    own == other || ends(own) == ends(other)
}
