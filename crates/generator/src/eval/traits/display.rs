//! The text of a value, as `Display` and `Debug` of its type write it.

use super::derives::derives;
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::kinds::{MapKind, SeqKind, Wrapper};
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::{Adt, FormatSpec, MutPlace, Value};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Body, Style};
use serde_json::Value as Json;
use std::sync::Arc;

impl Machine<'_> {
    /// Formats a value as `{}` does.
    ///
    /// # Errors
    ///
    /// `not-constant` if the type's `Display` cannot be read.
    pub(crate) fn displayed(&mut self, value: &Value, span: Span) -> Run<String> {
        self.format_value(value, &FormatSpec::default(), span)
    }

    /// Formats a value as `{:spec}` does.
    pub(crate) fn format_value(
        &mut self,
        value: &Value,
        spec: &FormatSpec,
        span: Span,
    ) -> Run<String> {
        let value = self.load(value);
        self.deeper(span, |machine| match &*spec.kind {
            "" => machine.display(&value, spec, span),
            "?" => machine.debug(&value, spec, span),
            _ => machine.in_base(&value, spec, span),
        })
    }

    fn display(&mut self, value: &Value, spec: &FormatSpec, span: Span) -> Run<String> {
        let refused = |what: &str| stop(span, format!("the text of {what} is not known"));
        match value {
            Value::Unknown(finding) => Err(finding.clone().into()),
            Value::Str(text) | Value::String(text) => Ok(padded(text, spec)),
            Value::Char(c) => Ok(padded(&c.to_string(), spec)),
            Value::Bool(value) => Ok(padded(&value.to_string(), spec)),
            Value::Int(int) => match int.with_default_type() {
                Some(int) => Ok(number(
                    int.value < 0,
                    &int.value.unsigned_abs().to_string(),
                    "",
                    spec,
                )),
                None => refused("an integer of unknown type"),
            },
            Value::Float(float) => {
                let text = float
                    .with_default_type()
                    .format_with(|float| match spec.precision {
                        Some(precision) => format!("{float:.precision$}"),
                        None => format!("{float}"),
                    });
                match text {
                    Some(text) => Ok(signed(&text, spec)),
                    None => refused("a float"),
                }
            }
            Value::Wrapped(Wrapper::NonZero, inner) => self.format_value(inner, spec, span),
            Value::Wrapped(wrapper, inner) if wrapper.derefs() => {
                self.format_value(inner, spec, span)
            }
            Value::Wrapped(Wrapper::Wrapping, inner) => self.format_value(inner, spec, span),
            Value::Ip(address, _) => Ok(padded(&address.to_string(), spec)),
            Value::Socket(address) => Ok(padded(&address.to_string(), spec)),
            Value::Json(content) => match crate::eval::serde::json_value::concrete_json(content) {
                Some(json) if is_ordered(&json) => Ok(padded(&json.to_string(), spec)),
                _ => refused(value.kind()),
            },
            Value::Named(path, Json::String(text))
                if path.ends_with("::Uuid") || path.ends_with("::SmolStr") =>
            {
                Ok(padded(text, spec))
            }
            Value::Adt(adt) => match self.written_by(value, "std::fmt::Display", spec, span)? {
                Some(text) => Ok(text),
                None => refused(&format!("`{}`", adt.of.ty.def.name)),
            },
            other => refused(other.kind()),
        }
    }

    /// Returns what a block's `fmt` writes; `None` if there is no such block.
    fn written_by(
        &mut self,
        value: &Value,
        of: &str,
        spec: &FormatSpec,
        span: Span,
    ) -> Run<Option<String>> {
        let Value::Adt(adt) = value else {
            return Ok(None);
        };
        let own = Concrete::Def(Arc::clone(&adt.of));
        let of = TraitKey::Known(of.into());
        let blocks = self.reader.trait_blocks(&own, &of, adt.of.ty.module);
        let [block] = &blocks[..] else {
            return Ok(None);
        };
        let slot = self.store(Value::Formatter(Text::from(""), spec.clone()));
        let formatter = Value::MutPlace(MutPlace::of(slot));
        let args = vec![Value::reference(value.clone()), formatter];
        let done = self.call_block(block, "fmt", args, Want::any(), span)?;
        match (done, self.slots.get(slot)) {
            (Value::Result(Ok(_)), Some(Value::Formatter(text, _))) => Ok(Some(text.to_string())),
            _ => stop(span, "the text that this writes cannot be evaluated"),
        }
    }

    /// Appends a text to the string or formatter at a place.
    pub(crate) fn append(&mut self, target: &Value, more: &str, span: Span) -> Run {
        let Value::MutPlace(place) = target else {
            return stop(span, "the target of this write is not known");
        };
        let mut place = place.clone();
        while let Some(Value::MutPlace(other)) = self.at(&place) {
            place = other.clone();
        }
        let size = match self.at(&place) {
            Some(Value::String(text) | Value::Formatter(text, _)) => text.len(),
            _ => return stop(span, "the target of this write is not known"),
        };
        self.check_size(size + more.len(), span)?;
        if let Some(Value::String(text) | Value::Formatter(text, _)) = self.at_mut(&place) {
            *text = format!("{text}{more}").into();
        }
        Ok(Value::ok(Value::unit()))
    }

    fn debug(&mut self, value: &Value, spec: &FormatSpec, span: Span) -> Run<String> {
        let refused = |what: &str| stop(span, format!("the `{{:?}}` text of {what} is not known"));
        let plain = FormatSpec {
            kind: "?".into(),
            ..FormatSpec::default()
        };
        let is_plain = *spec == plain;
        match value {
            Value::Unknown(finding) => Err(finding.clone().into()),
            Value::Str(text) | Value::String(text) => Ok(padded(&format!("{text:?}"), spec)),
            Value::Char(c) => Ok(padded(&format!("{c:?}"), spec)),
            Value::Float(float) => {
                let text = float
                    .with_default_type()
                    .format_with(|float| match spec.precision {
                        Some(precision) => format!("{float:.precision$?}"),
                        None => format!("{float:?}"),
                    });
                match text {
                    Some(text) => Ok(signed(&text, spec)),
                    None => refused("a float"),
                }
            }
            Value::Bool(_) | Value::Int(_) => {
                let spec = FormatSpec {
                    kind: Text::from(""),
                    ..spec.clone()
                };
                self.display(value, &spec, span)
            }
            Value::Wrapped(wrapper, inner) if wrapper.derefs() => {
                self.format_value(inner, spec, span)
            }
            Value::Adt(_) => {
                if let Some(text) = self.written_by(value, "std::fmt::Debug", spec, span)? {
                    return Ok(text);
                }
                if !is_plain {
                    return refused("a struct, in columns or over several lines");
                }
                self.debug_derived(value, span)
            }
            _ if !is_plain => refused("a value, in columns or over several lines"),
            Value::Tuple(items) => {
                let texts = self.debug_all(items, span)?;
                Ok(match &texts[..] {
                    [only] => format!("({only},)"),
                    texts => format!("({})", texts.join(", ")),
                })
            }
            Value::Option(None) => Ok("None".to_owned()),
            Value::Option(Some(inner)) => {
                Ok(format!("Some({})", self.format_value(inner, &plain, span)?))
            }
            Value::Result(Ok(inner)) => {
                Ok(format!("Ok({})", self.format_value(inner, &plain, span)?))
            }
            Value::Result(Err(inner)) => {
                Ok(format!("Err({})", self.format_value(inner, &plain, span)?))
            }
            Value::Seq(seq) => {
                let hashed = seq.kind == SeqKind::Hashed && seq.items.len() > 1;
                if hashed || seq.kind == SeqKind::Heap {
                    return refused("a collection without an order");
                }
                let texts = self.debug_all(&seq.items, span)?;
                let (open, close) = if seq.kind.is_set() {
                    ("{", "}")
                } else {
                    ("[", "]")
                };
                Ok(format!("{open}{}{close}", texts.join(", ")))
            }
            Value::Map(map) => {
                if matches!(map.kind, MapKind::Hashed | MapKind::Json) && map.entries.len() > 1 {
                    return refused("a collection without an order");
                }
                let mut texts = Vec::with_capacity(map.entries.len());
                for (key, value) in map.entries.iter() {
                    let key = self.format_value(key, &plain, span)?;
                    texts.push(format!(
                        "{key}: {}",
                        self.format_value(value, &plain, span)?
                    ));
                }
                Ok(format!("{{{}}}", texts.join(", ")))
            }
            Value::Duration(duration) => Ok(format!("{duration:?}")),
            Value::Ip(address, _) => Ok(format!("{address:?}")),
            Value::Socket(address) => Ok(format!("{address:?}")),
            Value::Ordering(order) => Ok(format!("{order:?}")),
            other => refused(other.kind()),
        }
    }

    fn debug_all(&mut self, items: &[Value], span: Span) -> Run<Vec<String>> {
        let plain = FormatSpec {
            kind: "?".into(),
            ..FormatSpec::default()
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            texts.push(self.format_value(item, &plain, span)?);
        }
        Ok(texts)
    }

    fn debug_derived(&mut self, value: &Value, span: Span) -> Run<String> {
        let Value::Adt(Adt {
            of,
            variant,
            fields,
        }) = value
        else {
            return stop(span, "the `{:?}` text of this is not known");
        };
        if !derives(&self.reader, of, crd_channels_source::Derive::Debug) {
            let why = format!("the `{{:?}}` text of `{}` is not known", of.ty.def.name);
            return stop(span, why);
        }
        let (name, style) = match (&of.ty.def.body, variant) {
            (Body::Struct(style, _), _) => (of.ty.def.name.clone(), *style),
            (Body::Enum(variants), index) => match index.and_then(|index| variants.get(index)) {
                Some(variant) => (variant.name.clone(), variant.style),
                None => return stop(span, "this variant is not known"),
            },
        };
        let values: Vec<Value> = fields.iter().map(|(_, value)| value.clone()).collect();
        let texts = self.debug_all(&values, span)?;
        Ok(match style {
            Style::Unit => name.to_string(),
            Style::Named if texts.is_empty() => name.to_string(),
            Style::Named => {
                let entries = fields.iter().zip(texts);
                let entries = entries.map(|((field, _), text)| format!("{field}: {text}"));
                format!("{name} {{ {} }}", entries.collect::<Vec<_>>().join(", "))
            }
            Style::Newtype | Style::Tuple if texts.is_empty() => name.to_string(),
            Style::Newtype | Style::Tuple => format!("{name}({})", texts.join(", ")),
        })
    }

    /// `{:x}`, `{:b}`, `{:e}` and the like.
    fn in_base(&mut self, value: &Value, spec: &FormatSpec, span: Span) -> Run<String> {
        let Value::Int(int) = value else {
            return stop(
                span,
                format!("`{{:{}}}` of {} is not evaluated", spec.kind, value.kind()),
            );
        };
        let (Some(int), "x" | "X" | "b" | "o") = (int.with_default_type(), &*spec.kind) else {
            return stop(span, format!("`{{:{}}}` is not evaluated", spec.kind));
        };
        // Negative numbers show the bits of their type.
        let bits = match (int.value < 0, int.ty) {
            (false, _) => int.value.unsigned_abs(),
            (true, Some(ty)) if ty.bits < 128 => (int.value + (1_i128 << ty.bits)).unsigned_abs(),
            _ => return stop(span, "the bits of this number are not known"),
        };
        let (digits, prefix) = match &*spec.kind {
            "x" => (format!("{bits:x}"), "0x"),
            "X" => (format!("{bits:X}"), "0x"),
            "b" => (format!("{bits:b}"), "0b"),
            _ => (format!("{bits:o}"), "0o"),
        };
        Ok(number(
            false,
            &digits,
            if spec.alternate { prefix } else { "" },
            spec,
        ))
    }
}

/// Formats a text as `pad` does: cut to the precision, padded to the width.
pub(in crate::eval) fn padded(text: &str, spec: &FormatSpec) -> String {
    let text: String = match spec.precision {
        Some(precision) => text.chars().take(precision).collect(),
        None => text.to_owned(),
    };
    filled(&text, spec, '<')
}

fn filled(text: &str, spec: &FormatSpec, usual: char) -> String {
    let missing = spec.width.unwrap_or(0).saturating_sub(text.chars().count());
    let fill = spec.fill.unwrap_or(' ');
    let (before, behind) = match spec.align.unwrap_or(usual) {
        '<' => (0, missing),
        '>' => (missing, 0),
        _ => (missing / 2, missing - missing / 2),
    };
    let fill = |count: usize| fill.to_string().repeat(count);
    format!("{}{text}{}", fill(before), fill(behind))
}

/// Formats a number as `pad_integral` does.
fn number(negative: bool, digits: &str, prefix: &str, spec: &FormatSpec) -> String {
    let sign = match (negative, spec.plus) {
        (true, _) => "-",
        (false, true) => "+",
        (false, false) => "",
    };
    if spec.zero {
        let width = spec.width.unwrap_or(0);
        let used = sign.len() + prefix.len() + digits.len();
        let zeros = "0".repeat(width.saturating_sub(used));
        return format!("{sign}{prefix}{zeros}{digits}");
    }
    filled(&format!("{sign}{prefix}{digits}"), spec, '>')
}

fn signed(text: &str, spec: &FormatSpec) -> String {
    match text.strip_prefix('-') {
        Some(digits) => number(true, digits, "", spec),
        None if text.starts_with("NaN") => filled(text, spec, '>'),
        None => number(false, text, "", spec),
    }
}

/// Returns true if the text of JSON does not depend on the order of maps.
fn is_ordered(json: &Json) -> bool {
    match json {
        Json::Object(map) => map.len() < 2 && map.values().all(is_ordered),
        Json::Array(items) => items.iter().all(is_ordered),
        _ => true,
    }
}
