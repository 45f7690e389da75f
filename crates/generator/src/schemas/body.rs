//! The state of reading a body: its variables, and what they contain.

use crate::types::{Concrete, Scope};
use crate::values::{Env, Reading, Value, not_constant};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::Literal;
use serde_json::Value as Json;

/// A type whose schema a hand-written one uses, and the span of the use.
pub(crate) type AskedType = (Concrete, Span);

/// A part of a schema.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// schemars' generator.
    Generator,
    /// A schema, or JSON in it.
    Json(Literal<AskedType>),
    /// `None`
    Absent,
    /// A part of a variable: what `as_object_mut` returns.
    Alias(Place),
}

/// The body of a function that makes or changes a schema.
pub(super) struct Body<'r, 'g> {
    /// The limits, and the reader of values.
    pub(super) reading: &'r mut Reading<'g>,
    /// The names besides those of the variables.
    pub(super) env: Env,
    /// The variables, innermost last.
    pub(super) locals: Vec<(Text, Part)>,
}

/// A variable, and the keys that lead from it to a part.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) local: usize,
    pub(super) keys: Vec<Text>,
}

impl<'r, 'g> Body<'r, 'g> {
    /// A body without variables.
    pub(super) fn new(reading: &'r mut Reading<'g>, scope: Scope) -> Self {
        Self {
            reading,
            env: Env::new(scope),
            locals: Vec::new(),
        }
    }

    /// Adds a variable. Values in the body mean it too, rather than a constant outside of the same name.
    pub(super) fn bind(&mut self, name: Text, part: Part, span: Span) {
        let value = match &part {
            Part::Json(Literal::Value(Json::Bool(value))) => Value::Bool(*value),
            Part::Json(Literal::Value(Json::String(text))) => Value::Text(text.as_str().into()),
            Part::Json(Literal::Value(Json::Number(number))) if number.is_i64() => {
                Value::Int(number.as_i64().unwrap_or_default().into())
            }
            _ => Value::Unknown(not_constant(span, "this is a part of a schema")),
        };
        let open = (name.clone(), value, Concrete::Infer);
        self.env.params.push(open);
        self.locals.push((name, part));
    }

    /// Removes the variables after the first ones, at the end of their block.
    pub(super) fn leave(&mut self, count: usize) {
        self.locals.truncate(count);
        self.env.params.truncate(count);
    }
}
