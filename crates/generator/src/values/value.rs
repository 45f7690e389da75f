//! Values. The places that they are read for have known types, so a value itself needs none.

use crate::types::{Finding, Instance};
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use serde_json::{Number, Value as Json};
use std::sync::Arc;

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// `()` and `PhantomData`
    Unit,
    /// `true`, `false`
    Bool(bool),
    /// A character.
    Char(char),
    /// An integer.
    Int(i128),
    /// A float with 64 bits, as serde_json writes it.
    Float(f64),
    /// A `str` or `String`.
    Text(Text),
    /// `None`, `Some(x)`
    Option(Option<Box<Value>>),
    /// A list, an array, a set or a tuple.
    List(Vec<Value>),
    /// A map, with its keys as JSON has them.
    Map(Vec<(Text, Value)>),
    /// A struct or enum variant of the source.
    Adt(Adt),
    /// `serde_json::Value`, or a value of a library that is known by its JSON.
    Json(Json),
    /// The value of an override: JSON that represents a value of any expected type.
    Override(Json),
    /// A value that cannot be determined; an error once it is used.
    Unknown(Finding),
}

/// A struct or enum variant.
#[derive(Clone, Debug)]
pub(crate) struct Adt {
    /// Its type.
    pub(crate) of: Arc<Instance>,
    /// The variant's index.
    pub(crate) variant: Option<usize>,
    /// Its fields; those of a tuple are named by index.
    pub(crate) fields: Arc<Vec<(Text, Value)>>,
}

impl Adt {
    /// Returns the value of a field.
    pub(crate) fn field(&self, name: &str) -> Option<&Value> {
        let found = self.fields.iter().find(|(field, _)| &**field == name);
        found.map(|(_, value)| value)
    }
}

impl Value {
    /// Returns true if it contains a float whose type is not known.
    pub(crate) fn has_float(&self) -> bool {
        match self {
            Value::Float(_) => true,
            Value::Option(Some(inner)) => inner.has_float(),
            Value::List(items) => items.iter().any(Value::has_float),
            Value::Map(entries) => entries.iter().any(|(_, value)| value.has_float()),
            _ => false,
        }
    }

    /// `Some(x)`
    pub(crate) fn some(value: Value) -> Self {
        Value::Option(Some(Box::new(value)))
    }

    /// Returns a text, also that of an override.
    pub(crate) fn text(&self) -> Option<Text> {
        match self {
            Value::Text(text) => Some(text.clone()),
            Value::Override(Json::String(text)) => Some(text.as_str().into()),
            _ => None,
        }
    }

    /// Returns a text that is needed at a span.
    ///
    /// # Errors
    ///
    /// `not-constant` if it is something else.
    pub(crate) fn needed_text(&self, span: Span) -> Result<Text, Finding> {
        let why = || format!("only a string is read here, not {}", self.kind());
        self.text().ok_or_else(|| not_constant(span, why()))
    }

    /// Does the same for an integer.
    ///
    /// # Errors
    ///
    /// `not-constant` if it is something else.
    pub(crate) fn needed_integer(&self, span: Span) -> Result<i128, Finding> {
        match self {
            Value::Int(int) => Ok(*int),
            _ => Err(not_constant(
                span,
                format!("only an integer is read here, not {}", self.kind()),
            )),
        }
    }

    /// Returns its description for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Unit => "`()`",
            Value::Bool(_) => "a boolean",
            Value::Char(_) => "a character",
            Value::Int(_) => "an integer",
            Value::Float(_) => "a float",
            Value::Text(_) => "a string",
            Value::Option(_) => "an option",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
            Value::Adt(Adt { variant: None, .. }) => "a struct",
            Value::Adt(_) => "a variant of an enum",
            Value::Json(_) | Value::Override(_) => "a JSON value",
            Value::Unknown(_) => "something unknown",
        }
    }
}

/// Returns the text that `Display` shows, if it does not depend on the type.
pub(super) fn display(value: &Value) -> Option<Text> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Int(value) => Some(value.to_string().into()),
        Value::Bool(value) => Some(value.to_string().into()),
        Value::Char(value) => Some(value.to_string().into()),
        _ => None,
    }
}

/// Converts an integer as serde_json does; `None` beyond 64 bits.
pub(crate) fn integer(int: i128) -> Option<Number> {
    match i64::try_from(int) {
        Ok(int) => Some(Number::from(int)),
        Err(_) => u64::try_from(int).ok().map(Number::from),
    }
}

/// Returns `not-constant` at an expression, with the reason.
pub(crate) fn not_constant(span: Span, why: impl Into<String>) -> Finding {
    Box::new(Diagnostic::new(Code::NotConstant, span, why.into()))
}
