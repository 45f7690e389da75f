//! The state of reading a body: its variables, and what they contain.

use crate::types::{Concrete, Scope};
use crate::values::{Env, Reading, Run, Value, Variable, not_constant, stop};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::Literal;
use serde_json::Value as Json;

/// A type whose schema a hand-written one uses, and the span of the use.
pub(crate) type AskedType = (Concrete, Span);

/// What an expression of a body is.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// schemars' generator.
    Generator,
    /// A schema, or JSON.
    Json(Literal<AskedType>),
    /// A struct of schemars 0.8 whose fields are keywords.
    Record(Literal<AskedType>),
    /// Any other value.
    Value(Value),
}

/// The body of a function that makes or changes a schema.
pub(super) struct Body<'r, 'g> {
    /// The limits, and the reader of values.
    pub(super) reading: &'r mut Reading<'g>,
    /// The names that values may use: those of the variables are in the same order as `locals`.
    pub(super) env: Env,
    /// The variables, innermost last.
    pub(super) locals: Vec<(Text, Part)>,
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
    pub(super) fn bind(&mut self, name: Text, part: Part, ty: Concrete, span: Span) {
        let value = match &part {
            Part::Value(value) => value.clone(),
            _ => Value::Unknown(not_constant(span, "this is a part of a schema")),
        };
        self.env.variables.push(Variable {
            name: name.clone(),
            value,
            ty,
        });
        self.locals.push((name, part));
    }

    /// Removes the variables after the first ones, at the end of their block.
    pub(super) fn leave(&mut self, count: usize) {
        self.locals.truncate(count);
        self.env.variables.truncate(count);
    }

    /// Refuses a method that a trait of the source may have, too.
    pub(super) fn check_method(&self, name: &str, span: Span) -> Run<()> {
        self.reading.check_method(name, &self.env.scope, span)
    }

    /// Returns the JSON of a part.
    pub(super) fn literal_of(&mut self, part: Part, span: Span) -> Run<Literal<AskedType>> {
        match part {
            Part::Json(literal) | Part::Record(literal) => Ok(literal),
            Part::Value(value) => self.reading.untyped_json(&value, span).map(literal),
            Part::Generator => stop(span, "this value is not read"),
        }
    }
}

/// JSON whose objects can be changed by key.
pub(super) fn literal(json: Json) -> Literal<AskedType> {
    match json {
        Json::Object(entries) => {
            let entries = entries.into_iter();
            let entries = entries.map(|(key, value)| (key.into(), literal(value)));
            Literal::Object(entries.collect())
        }
        json => Literal::Value(json),
    }
}
