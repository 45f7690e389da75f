//! The types and functions of std: a file for each group of types, an arm for each method. Anything without an arm is unknown.

mod names;

mod functions;
mod constructors;
mod free;
mod environment;
pub(super) mod constants;

mod provided;
mod int;
pub(super) mod int_overflow;
mod float;
mod chars;
mod text;
mod text_search;
mod text_changes;
mod formatter;
mod option_result;
mod wrapped;
mod addresses;
pub(super) mod json;

mod collections;
mod sequence;
mod sequence_changes;
mod slices;
mod sets;
mod maps;

mod iterator;
mod iterator_steps;
mod iterator_adapters;
mod iterator_ends;
mod collect;

pub(crate) use functions::{call_hints, list_for};
pub(crate) use names::has_method;

use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::path_segments::last_segment;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::{MutPlace, Value, Via};
use crd_channels_diagnostics::{Span, Text};

/// A call of a std method.
pub(super) struct Call<'c> {
    /// The place of the receiver.
    pub(super) place: &'c MutPlace,
    /// How the receiver was reached.
    pub(super) via: Via,
    /// The method.
    pub(super) name: &'c str,
    /// `::<T>`
    pub(super) types: &'c [Concrete],
    /// The expectation for the result.
    pub(super) want: Want<'c>,
    /// The whole call.
    pub(super) span: Span,
}

impl Call<'_> {
    /// Returns the error for a method without an arm.
    pub(super) fn unsupported<T>(&self, value: &Value) -> Run<T> {
        stop(
            self.span,
            format!("`.{}()` on {} is not evaluated", self.name, value.kind()),
        )
    }
}

/// Returns an argument. rustc has checked that it is there.
fn argument(args: &[Value], index: usize) -> Value {
    args.get(index).cloned().unwrap_or_else(Value::unit)
}

/// Returns true if a std path names a constant rather than a function: such names are in capitals.
pub(super) fn is_constant(path: &str) -> bool {
    let last = last_segment(path);
    let variant = matches!(last, "V4" | "V6");
    !variant
        && last.len() > 1
        && last
            .chars()
            .all(|c| c.is_uppercase() || c.is_numeric() || c == '_')
}

/// Returns what is known of the arguments of methods of schemas, and of values that depend on the schema of a type.
fn schema_hints(value: &Value, name: &str, count: usize) -> Vec<Option<Concrete>> {
    let json = || Some(Concrete::external("serde_json::Value"));
    let text = || Some(Concrete::external("std::string::String"));
    match (value, name, count) {
        (_, "insert", 2) => vec![text(), json()],
        (Value::Pending(_), "push", 1) => vec![json()],
        _ => Vec::new(),
    }
}

impl Machine<'_> {
    /// Calls a method of a std type, or one that a std trait provides.
    pub(super) fn std_method(
        &mut self,
        (place, via): (&MutPlace, Via),
        name: &Text,
        types: &[Concrete],
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        let Some(value) = self.at(place).cloned() else {
            return stop(span, "the value of this place is not known");
        };
        let call = Call {
            place,
            via,
            name,
            types,
            want,
            span,
        };
        self.spend(span, 1)?;
        if names::is_own(&value, name) {
            return match &value {
                Value::Str(_) | Value::String(_) => self.text_method(&call, value, args),
                Value::Int(int) => self.int_method(&call, *int, args),
                Value::Float(float) => self.float_method(&call, *float, args),
                Value::Bool(value) => self.bool_method(&call, *value, args),
                Value::Char(c) => self.char_method(&call, *c, args),
                Value::Seq(_) => self.sequence_method(&call, value, args),
                Value::Map(_) => self.map_method(&call, value, args),
                Value::Option(_) | Value::Result(_) => {
                    self.option_or_result_method(&call, value, &args)
                }
                Value::Iter(_) | Value::Range(..) => self.iterator_method(&call, value, args),
                Value::Adt(_) => self.iterator_method(&call, value, args),
                Value::Wrapped(..) => self.wrapped_method(&call, value, args),
                Value::Duration(_) | Value::Ip(..) | Value::Socket(_) => {
                    self.address_method(&call, value, args)
                }
                Value::Schema(_) => self.schema_method(&call, &value, args),
                Value::Record(record) => self.record_method(&call, record, &args),
                Value::Pending(pending) => self.pending_method(&call, pending, args),
                Value::Json(_) | Value::Named(..) | Value::Override(_) => {
                    self.json_method(&call, value, args)
                }
                Value::Entry(place, key) => {
                    let (place, key) = (place.clone(), Value::clone(key));
                    self.entry_method(&call, &place, key, args)
                }
                Value::Ordering(order) => self.ordering_method(&call, *order, args),
                Value::Formatter(..) => self.formatter_method(&call, args),
                Value::Serializer => self.serializer_method(&call, args),
                Value::Compound(_) => self.compound_method(&call, value, args),
                _ => call.unsupported(&value),
            };
        }
        self.provided_method(&call, value, args)
    }

    /// Returns what is known of a method's arguments before they are evaluated.
    pub(super) fn method_hints(
        &self,
        place: &MutPlace,
        name: &str,
        count: usize,
        want: Want<'_>,
    ) -> Vec<Option<Concrete>> {
        let Some(value) = self.at(place) else {
            return Vec::new();
        };
        let ty = match value {
            Value::Record(_) => return Self::rule_hints(name),
            Value::Schema(_) | Value::Pending(_) => return schema_hints(value, name, count),
            Value::Seq(_)
            | Value::Map(_)
            | Value::Option(_)
            | Value::Result(_)
            | Value::Int(_)
            | Value::Float(_) => self.type_of(value),
            _ => return Vec::new(),
        };
        let arg = |index: usize| match &ty {
            Concrete::External(_, args) => args.get(index).cloned(),
            Concrete::Array(item, _) | Concrete::Slice(item) => {
                (index == 0).then(|| Concrete::clone(item))
            }
            _ => None,
        };
        let own = || Some(ty.clone());
        match (value, name, count) {
            (Value::Seq(_), "push" | "push_back" | "push_front" | "insert" | "replace", 1) => {
                vec![arg(0)]
            }
            (Value::Seq(_), "insert" | "resize", 2) => vec![None, arg(0)],
            (Value::Map(_), "insert", 2) => vec![arg(0), arg(1)],
            (Value::Map(_), "entry", 1) => vec![arg(0)],
            (Value::Option(_) | Value::Result(_), "unwrap_or", 1) => {
                vec![want.ty.cloned().or_else(|| arg(0))]
            }
            (Value::Option(_), "insert" | "get_or_insert" | "replace", 1) => vec![arg(0)],
            (Value::Option(_), "or" | "xor", 1) => vec![want.ty.cloned().or_else(own)],
            (Value::Int(_) | Value::Float(_), "min" | "max", 1) => vec![own()],
            (Value::Int(_) | Value::Float(_), "clamp", 2) => vec![own(), own()],
            (Value::Int(_), name, 1)
                if ["wrapping_", "checked_", "saturating_", "overflowing_"]
                    .iter()
                    .any(|prefix| name.starts_with(prefix))
                    && !name.ends_with("pow")
                    && !name.ends_with("shl")
                    && !name.ends_with("shr") =>
            {
                vec![own()]
            }
            _ => Vec::new(),
        }
    }

    /// Returns the only argument.
    pub(super) fn only(&self, call: &Call<'_>, args: Vec<Value>) -> Run {
        let mut args = args.into_iter();
        match (args.next(), args.next()) {
            (Some(only), None) => Ok(only),
            _ => stop(
                call.span,
                format!("`.{}()` takes a different number of arguments", call.name),
            ),
        }
    }

    /// Returns a count argument.
    pub(super) fn count_of(&self, value: &Value, span: Span) -> Run<usize> {
        match self.load(value) {
            Value::Int(int) => match usize::try_from(int.value) {
                Ok(count) => Ok(count),
                Err(_) => stop(span, "this count is out of range"),
            },
            other => stop(
                span,
                format!("an integer is needed here, not {}", other.kind()),
            ),
        }
    }

    /// Returns a `usize`.
    pub(super) fn size(&self, size: usize, span: Span) -> Run {
        match Value::size(size) {
            Some(value) => Ok(value),
            None => stop(span, "this length is too large"),
        }
    }
}
