//! Methods of the formatter in a type's `fmt`.

use super::Call;
use crate::eval::machine::{Machine, Run, stop};
use crate::eval::traits::display::padded;
use crate::eval::values::value::{FormatSpec, Value};

impl Machine<'_> {
    /// Calls a method of the formatter in a type's `fmt`.
    pub(super) fn formatter_method(&mut self, call: &Call<'_>, args: Vec<Value>) -> Run {
        let Some(Value::Formatter(_, spec)) = self.at(call.place).cloned() else {
            return stop(call.span, "the target of this write is not known");
        };
        let target = Value::MutPlace(call.place.clone());
        match (call.name, &args[..]) {
            ("write_str" | "pad", [text]) => {
                let Some(text) = self.load(text).text().cloned() else {
                    return stop(call.span, "the value that is written here is not known");
                };
                let text = match call.name {
                    "pad" => padded(&text, &spec),
                    _ => text.to_string(),
                };
                self.append(&target, &text, call.span)
            }
            ("write_char", [c]) => match self.load(c) {
                Value::Char(c) => self.append(&target, &c.to_string(), call.span),
                _ => stop(call.span, "the value that is written here is not known"),
            },
            ("write_fmt", [text]) => match self.load(text).text().cloned() {
                Some(text) => self.append(&target, &text, call.span),
                None => stop(call.span, "the value that is written here is not known"),
            },
            ("alternate", []) => Ok(Value::Bool(spec.alternate)),
            ("width", []) => self.optional_size(spec.width, call),
            ("precision", []) => self.optional_size(spec.precision, call),
            _ => stop(
                call.span,
                format!("`.{}()` on a formatter is not evaluated", call.name),
            ),
        }
    }

    fn optional_size(&mut self, size: Option<usize>, call: &Call<'_>) -> Run {
        Ok(Value::option(match size {
            Some(size) => Some(self.size(size, call.span)?),
            None => None,
        }))
    }

    /// `x.fmt(f)`: formats a value into the formatter at a place.
    pub(super) fn formatted(
        &mut self,
        value: &Value,
        target: &Value,
        kind: &str,
        call: &Call<'_>,
    ) -> Run {
        let spec = match self.load(target) {
            Value::Formatter(_, spec) => spec,
            _ => return stop(call.span, "the target of this write is not known"),
        };
        let spec = FormatSpec {
            kind: kind.into(),
            ..spec
        };
        let text = self.format_value(value, &spec, call.span)?;
        self.append(target, &text, call.span)
    }
}
