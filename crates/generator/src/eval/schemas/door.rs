//! The interface for the layers above: schemas of functions and blocks, and the edits of transforms.

use super::pending::{Change, Pending, UNSEEN};
use crate::eval::Reader;
use crate::eval::machine::{Frame, Machine, Run, Want, stop};
use crate::eval::traits::impls::Block;
use crate::eval::values::ty::{Concrete, Finding, Scope};
use crate::eval::values::value::{MutPlace, Value};
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_schema::draft::{Edit, Literal};
use crd_channels_source::ModuleId;
use crd_channels_source::tree::{Expr, FnDef};

/// The help for a hand-written schema that cannot be read.
pub(crate) const HELP: &str =
    "write the body as one `json_schema!({ .. })`, or use `#[schemars(with = \"..\")]`";

/// The name of the type whose schema a transform gets.
const GIVEN: &str = "the schema";

/// A type whose schema a hand-written one uses, and the span of the use.
pub(crate) type AskedType = (Concrete, Span);

impl Reader<'_> {
    /// Returns the schema of a function: `#[schemars(schema_with = "..")]`.
    ///
    /// # Errors
    ///
    /// `unreadable-schema` if it cannot be determined, `unresolved-path`.
    pub(crate) fn schema_by(
        &self,
        function: &Expr,
        scope: &Scope,
    ) -> Result<Literal<AskedType>, Finding> {
        self.schema(function.span, |machine| {
            let mut frame = Frame::new(scope.clone());
            let function_value = machine.expr(function, &mut frame, Want::any())?;
            let args = vec![machine.generator()];
            machine.apply(
                &function_value,
                args,
                Want::of(&schema_type()),
                function.span,
            )
        })
    }

    /// Returns the schema of an `impl JsonSchema`.
    ///
    /// # Errors
    ///
    /// As for [`Reader::schema_by`].
    pub(crate) fn schema_of_block(&self, block: &Block) -> Result<Literal<AskedType>, Finding> {
        let span = block.def.span;
        self.schema(span, |machine| {
            let args = vec![machine.generator()];
            machine.call_block(block, "json_schema", args, Want::of(&schema_type()), span)
        })
    }

    /// Returns the schema of a function in a known scope.
    ///
    /// # Errors
    ///
    /// As for [`Reader::schema_by`].
    pub(crate) fn schema_of_function(
        &self,
        module: ModuleId,
        function: &FnDef,
        scope: &Scope,
    ) -> Result<Literal<AskedType>, Finding> {
        let (span, ty) = (function.span, schema_type());
        self.schema(span, |machine| {
            let args = vec![machine.generator()];
            machine.call_function((module, function), scope, &[], args, Want::of(&ty), span)
        })
    }

    fn schema(
        &self,
        span: Span,
        make: impl FnOnce(&mut Machine<'_>) -> Run,
    ) -> Result<Literal<AskedType>, Finding> {
        let made = self.enter(span, |machine| {
            let schema = make(machine)?;
            machine.literal(&schema, span)
        });
        made.map_err(|finding| unread(finding, "this part of a hand-written schema cannot be read"))
    }

    /// Returns the edits that a transform makes to the schema it gets, in order by keyword.
    ///
    /// # Errors
    ///
    /// `unreadable-schema` if they cannot be determined, `unresolved-path`.
    pub(crate) fn transformed(
        &self,
        transform: &Expr,
        scope: &Scope,
    ) -> Result<Vec<(Text, Edit<AskedType>)>, Finding> {
        let span = transform.span;
        let done = self.enter(span, |machine| {
            let mut frame = Frame::new(scope.clone());
            let function = machine.expr(transform, &mut frame, Want::any())?;
            let given = machine.type_schema(&Concrete::external(GIVEN), span)?;
            let place = MutPlace::of(machine.store(given));
            machine.apply(
                &function,
                vec![Value::MutPlace(place.clone())],
                Want::any(),
                span,
            )?;
            let left = match machine.at(&place) {
                Some(left) => left.clone(),
                None => Value::unit(),
            };
            match machine.literal(&left, span)? {
                Literal::Schema((ty, _), edits) if ty.external_name() == Some(GIVEN) => Ok(edits),
                _ => stop(
                    span,
                    "a transform that replaces the whole schema is not read",
                ),
            }
        });
        done.map_err(|finding| unread(finding, "this transform cannot be read"))
    }
}

impl Machine<'_> {
    /// `&mut SchemaGenerator`
    pub(super) fn generator(&mut self) -> Value {
        let generator = Pending::Generator.value();
        Value::MutPlace(MutPlace::of(self.store(generator)))
    }

    /// Converts a value to a schema.
    fn literal(&mut self, value: &Value, span: Span) -> Run<Literal<AskedType>> {
        let value = self.load(value);
        self.deeper(span, |machine| machine.literal_of(&value, span))
    }

    fn literal_of(&mut self, value: &Value, span: Span) -> Run<Literal<AskedType>> {
        Ok(match value {
            Value::Schema(inner) | Value::Json(inner) | Value::Wrapped(_, inner) => {
                self.literal(inner, span)?
            }
            Value::Option(Some(inner)) => self.literal(inner, span)?,
            Value::Pending(pending) => match &**pending {
                Pending::Schema(schema) => {
                    let mut edits = Vec::new();
                    for (keyword, value) in &schema.keywords {
                        self.edits_of(keyword, value, span, &mut edits)?;
                    }
                    Literal::Schema((schema.of.clone(), schema.span), edits)
                }
                _ => return stop(span, UNSEEN),
            },
            Value::Record(record) => {
                if let Some(only) = record.only() {
                    return self.literal(only, span);
                }
                let mut object = Vec::new();
                for (keyword, value) in record.entries() {
                    set(&mut object, keyword, self.literal(&value, span)?);
                }
                Literal::Object(object)
            }
            Value::Map(map) => {
                let mut object = Vec::with_capacity(map.entries.len());
                for (key, value) in map.entries.iter() {
                    let key = self.load(key);
                    let Some(key) = key.text() else {
                        return stop(span, "this key is not a string");
                    };
                    set(&mut object, key.clone(), self.literal(value, span)?);
                }
                Literal::Object(object)
            }
            Value::Seq(seq) => {
                self.check_order(value, span)?;
                let mut items = Vec::with_capacity(seq.items.len());
                for item in seq.items.iter() {
                    items.push(self.literal(item, span)?);
                }
                let plain = items.iter().map(|item| match item {
                    Literal::Value(value) => Some(value.clone()),
                    _ => None,
                });
                match plain.collect::<Option<_>>() {
                    Some(values) => Literal::Value(serde_json::Value::Array(values)),
                    None => Literal::Array(items),
                }
            }
            value => Literal::Value(self.json(value, span)?),
        })
    }

    /// Returns the edits of one keyword of a type's schema.
    fn edits_of(
        &mut self,
        keyword: &Text,
        value: &Value,
        span: Span,
        edits: &mut Vec<(Text, Edit<AskedType>)>,
    ) -> Run<()> {
        match value {
            Value::Option(None) => edits.push((keyword.clone(), Edit::Remove)),
            Value::Pending(pending) => match &**pending {
                Pending::Keyword(changes, _) => {
                    for change in changes {
                        let edit = match change {
                            Change::Push(value) => Edit::Push(self.literal(value, span)?),
                            Change::Drop(filter) => Edit::Drop(filter.clone()),
                        };
                        edits.push((keyword.clone(), edit));
                    }
                }
                _ => {
                    let value = self.literal(value, span)?;
                    edits.push((keyword.clone(), Edit::Set(value)));
                }
            },
            value => {
                let value = self.literal(value, span)?;
                edits.push((keyword.clone(), Edit::Set(value)));
            }
        }
        Ok(())
    }
}

/// schemars' `Schema`.
fn schema_type() -> Concrete {
    Concrete::external("schemars::Schema")
}

/// Sets a key of an object, replacing one of the same name.
fn set<T>(entries: &mut Vec<(Text, T)>, key: Text, value: T) {
    match entries.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = value,
        None => entries.push((key, value)),
    }
}

/// Converts an error about a value to one about the schema.
fn unread(finding: Finding, what: &str) -> Finding {
    if finding.code != Code::NotConstant {
        return finding;
    }
    let message = format!("{what}: {}", finding.message);
    Box::new(Diagnostic {
        code: Code::UnreadableSchema,
        message,
        help: Some(HELP.to_owned()),
        ..*finding
    })
}
