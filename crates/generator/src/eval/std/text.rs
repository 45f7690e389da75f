//! Methods of `str` and `String`.

use super::Call;
use crate::eval::machine::{Machine, Run, panics, stop};
use crate::eval::traits::convert::bytes_of;
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::{SeqKind, Wrapper};
use crate::eval::values::number::U8;
use crate::eval::values::value::{Seq, Value};

impl Machine<'_> {
    pub(super) fn text_method(&mut self, call: &Call<'_>, value: Value, args: Vec<Value>) -> Run {
        let Some(text) = value.text().cloned() else {
            return call.unsupported(&value);
        };
        if let Some(done) = self.changed_text(call, &value, &text, &args)? {
            return Ok(done);
        }
        let str = |text: &str| Ok(Value::str(text));
        let strings = |parts: Vec<&str>| {
            Ok(Value::Iter(Box::new(Iter::of(
                parts.into_iter().map(Value::str),
            ))))
        };
        let loaded: Vec<Value> = args.iter().map(|arg| self.load(arg)).collect();
        match (call.name, &loaded[..]) {
            ("len", []) => self.size(text.len(), call.span),
            ("is_empty", []) => Ok(Value::Bool(text.is_empty())),
            ("as_str", []) => Ok(Value::Str(text)),
            ("as_bytes" | "into_bytes", []) => {
                let bytes = bytes_of(&text);
                Ok(match (call.name, bytes) {
                    ("as_bytes", Value::Seq(seq)) => Value::reference(Value::Seq(Seq {
                        kind: SeqKind::Slice,
                        ..seq
                    })),
                    (_, bytes) => bytes,
                })
            }
            ("into_boxed_str", []) => Ok(Value::Wrapped(Wrapper::Box, Box::new(Value::Str(text)))),
            ("trim", []) => str(text.trim()),
            ("trim_start" | "trim_left", []) => str(text.trim_start()),
            ("trim_end" | "trim_right", []) => str(text.trim_end()),
            ("trim_ascii", []) => str(text.trim_ascii()),
            ("to_lowercase", []) => Ok(Value::string(text.to_lowercase())),
            ("to_uppercase", []) => Ok(Value::string(text.to_uppercase())),
            ("to_ascii_lowercase", []) => Ok(Value::string(text.to_ascii_lowercase())),
            ("to_ascii_uppercase", []) => Ok(Value::string(text.to_ascii_uppercase())),
            ("is_ascii", []) => Ok(Value::Bool(text.is_ascii())),
            ("chars", []) => Ok(Value::Iter(Box::new(Iter::of(
                text.chars().map(Value::Char),
            )))),
            ("bytes", []) => {
                let bytes = text.bytes().map(|byte| Value::int(i128::from(byte), U8));
                Ok(Value::Iter(Box::new(Iter::of(bytes))))
            }
            ("char_indices", []) => {
                let mut items = Vec::new();
                for (at, c) in text.char_indices() {
                    items.push(Value::Tuple(vec![
                        self.size(at, call.span)?,
                        Value::Char(c),
                    ]));
                }
                Ok(Value::Iter(Box::new(Iter::of(items))))
            }
            ("lines", []) => strings(text.lines().collect()),
            ("split_whitespace", []) => strings(text.split_whitespace().collect()),
            ("split_ascii_whitespace", []) => strings(text.split_ascii_whitespace().collect()),
            ("repeat", [count]) => {
                let count = self.count_of(count, call.span)?;
                self.check_size(text.len().saturating_mul(count), call.span)?;
                Ok(Value::string(text.repeat(count)))
            }
            ("eq_ignore_ascii_case", [other]) => match other.text() {
                Some(other) => Ok(Value::Bool(text.eq_ignore_ascii_case(other))),
                None => call.unsupported(&value),
            },
            ("is_char_boundary", [at]) => {
                let at = self.count_of(at, call.span)?;
                Ok(Value::Bool(text.is_char_boundary(at)))
            }
            ("split_at", [at]) => {
                let at = self.count_of(at, call.span)?;
                match text.split_at_checked(at) {
                    Some((before, behind)) => {
                        Ok(Value::Tuple(vec![Value::str(before), Value::str(behind)]))
                    }
                    None => panics(call.span, "not a character boundary"),
                }
            }
            ("get", [range]) => {
                let bounds = self.bounds(range, text.len(), call.span)?;
                let part = bounds.and_then(|(from, to)| text.get(from..to));
                Ok(Value::option(part.map(Value::str)))
            }
            ("parse", []) => {
                let ty = match (call.types, call.want.ty) {
                    ([ty], _) if !ty.is_blank() => Some(ty.clone()),
                    (_, Some(want)) => want.item().cloned(),
                    _ => None,
                };
                match ty.filter(|ty| !ty.is_blank()) {
                    Some(ty) => self.parsed(&text, &ty, call.want, call.span),
                    None => stop(call.span, "the type that this is parsed into is not known"),
                }
            }
            _ => self.searched(call, &text, &value, &loaded),
        }
    }
}
