//! Converts hand-written schemas and `extend`, which are JSON with types at some nodes, to raw nodes.

use super::super::Renderer;
use super::super::context::Context;
use super::super::keywords::{self, Fault};
use super::{Items, Raw, Types};
use crd_channels_diagnostics::{Code, Text, nearest};
use crd_channels_schema::draft::{Edit, Literal};
use crd_channels_schema::{Additional, KEYWORDS, Schema};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Renderer<'_> {
    /// Converts a hand-written schema.
    pub(in super::super) fn literal(&self, literal: &Literal, context: &mut Context<'_>) -> Raw {
        let Some(mut context) = context.inside(None) else {
            return Raw::default();
        };
        let context = &mut context;
        let mut raw = Raw::default().from(context.span);
        match literal {
            Literal::Value(Value::Bool(value)) => return Raw::boolean(*value),
            Literal::Value(Value::Object(entries)) => {
                for (key, value) in entries {
                    let value = Literal::Value(value.clone());
                    self.set_or_report(&mut raw, key, &value, context);
                }
            }
            Literal::Object(entries) => {
                for (key, value) in entries {
                    self.set_or_report(&mut raw, key, value, context);
                }
            }
            Literal::Schema(ty, edits) => {
                raw = self.raw(ty, context);
                for (key, edit) in edits.iter().filter(|_| !self.bare) {
                    self.edit(&mut raw, key, edit, context);
                }
            }
            Literal::Value(_) | Literal::Array(_) => context.report(
                Code::UnreadableSchema,
                "a schema is an object, `true` or `false`",
                "write `json_schema!({ .. })`",
            ),
        }
        raw
    }

    /// Applies an edit of a hand-written schema or transform to a keyword.
    pub(in super::super) fn edit(
        &self,
        raw: &mut Raw,
        key: &str,
        edit: &Edit,
        context: &mut Context<'_>,
    ) {
        match edit {
            Edit::Set(value) => self.set_or_report(raw.object(), key, value, context),
            Edit::Remove => raw.remove(key),
        }
    }

    /// Sets a keyword, or reports why it cannot be set.
    pub(in super::super) fn set_or_report(
        &self,
        raw: &mut Raw,
        key: &str,
        value: &Literal,
        context: &mut Context<'_>,
    ) {
        match self.set(raw, key, value, context) {
            Ok(()) => {}
            Err(Fault::Refused) => raw.refused.push(refused(key)),
            // kube reads this into its own type, which treats `null` as absent.
            Err(Fault::Form(_)) if matches!(value, Literal::Value(Value::Null)) => raw.remove(key),
            Err(Fault::Form(form)) => context.report(
                Code::InvalidAttribute,
                format!("`{key}` does not take this value"),
                format!("`{key}` takes {form}"),
            ),
            Err(Fault::Unknown) if self.convention.choices().drops_unknown_keywords => {}
            Err(Fault::Unknown) if keywords::REMARKS.contains(&key) => {}
            Err(Fault::Unknown) => {
                let help = match nearest(key, KEYWORDS.iter().copied()) {
                    Some(known) => format!("did you mean `{known}`?"),
                    None => "remove it: an API server drops it or rejects it".to_owned(),
                };
                context.report(
                    Code::InvalidAttribute,
                    format!("`{key}` is not a keyword of a CRD's schema"),
                    help,
                );
            }
        }
    }

    fn set(
        &self,
        raw: &mut Raw,
        key: &str,
        value: &Literal,
        context: &mut Context<'_>,
    ) -> Result<(), Fault> {
        match key {
            "type" => raw.types = types(plain_json(value)?.as_ref())?,
            "const" => raw.constant = Some(plain_json(value)?.into_owned()),
            "nullable" => {
                let mut node = Schema::default();
                keywords::set(&mut node, key, plain_json(value)?.into_owned())?;
                raw.nullable = Some(node.nullable);
            }
            "enum" => {
                let mut node = Schema::default();
                keywords::set(&mut node, key, plain_json(value)?.into_owned())?;
                raw.values = Some(node.enum_values);
            }
            "examples" => {
                raw.first_example = match plain_json(value)?.as_ref() {
                    Value::Array(examples) => examples.first().cloned(),
                    _ => None,
                };
            }
            "properties" => {
                raw.node.properties = entries(value)?
                    .into_iter()
                    .map(|(name, schema)| (name, self.child(&schema, context)))
                    .collect();
            }
            "items" => {
                if matches!(value, Literal::Array(_) | Literal::Value(Value::Array(_))) {
                    return Err(Fault::Refused);
                }
                raw.items = Some(Items::Raw(Box::new(self.literal(value, context))));
            }
            "additionalProperties" => {
                raw.node.additional_properties = Some(self.additional(value, context));
            }
            "unevaluatedProperties" => raw.unevaluated = Some(self.additional(value, context)),
            "allOf" => raw.all_of = Some(self.alternatives(value, context)?),
            "anyOf" => raw.any_of = Some(self.alternatives(value, context)?),
            "oneOf" => raw.one_of = Some(self.alternatives(value, context)?),
            "not" => raw.not = Some(Box::new(self.literal(value, context))),
            "uniqueItems" if self.convention.choices().drops_unknown_keywords => {}
            "prefixItems" => return Err(Fault::Refused),
            _ => keywords::set(&mut raw.node, key, plain_json(value)?.into_owned())?,
        }
        Ok(())
    }

    /// Converts and finishes a schema below a keyword.
    fn child(&self, literal: &Literal, context: &mut Context<'_>) -> Arc<Schema> {
        let raw = self.literal(literal, context);
        Arc::new(self.finish(raw, context).schema)
    }

    fn additional(&self, literal: &Literal, context: &mut Context<'_>) -> Additional {
        match self.literal(literal, context) {
            Raw {
                boolean: Some(value),
                ..
            } => Additional::Allowed(value),
            raw => Additional::Schema(Arc::new(self.finish(raw, context).schema)),
        }
    }

    fn alternatives(
        &self,
        literal: &Literal,
        context: &mut Context<'_>,
    ) -> Result<Vec<Raw>, Fault> {
        match literal {
            Literal::Array(items) => Ok(items
                .iter()
                .map(|item| self.literal(item, context))
                .collect()),
            Literal::Value(Value::Array(items)) => Ok(items
                .iter()
                .map(|item| self.literal(&Literal::Value(item.clone()), context))
                .collect()),
            _ => Err(Fault::Form("a list of schemas")),
        }
    }
}

/// Returns the name of a refused keyword, for messages.
fn refused(key: &str) -> &'static str {
    const NAMES: &[&str] = &[
        "$ref",
        "additionalItems",
        "definitions",
        "dependencies",
        "id",
        "patternProperties",
        "prefixItems",
        "uniqueItems",
    ];
    NAMES
        .iter()
        .find(|name| **name == key)
        .copied()
        .unwrap_or("items: [..]")
}

/// Returns JSON without types in it.
pub(in super::super) fn plain_json(literal: &Literal) -> Result<Cow<'_, Value>, Fault> {
    Ok(match literal {
        Literal::Value(value) => Cow::Borrowed(value),
        Literal::Array(items) => Cow::Owned(Value::Array(
            items
                .iter()
                .map(|item| plain_json(item).map(Cow::into_owned))
                .collect::<Result<_, _>>()?,
        )),
        Literal::Object(entries) => Cow::Owned(Value::Object(
            entries
                .iter()
                .map(|(key, value)| Ok((key.to_string(), plain_json(value)?.into_owned())))
                .collect::<Result<_, _>>()?,
        )),
        Literal::Schema(..) => return Err(Fault::Form("a value, not a type's schema")),
    })
}

fn entries(literal: &Literal) -> Result<BTreeMap<Text, Cow<'_, Literal>>, Fault> {
    match literal {
        Literal::Object(entries) => Ok(entries
            .iter()
            .map(|(key, value)| (key.clone(), Cow::Borrowed(value)))
            .collect()),
        Literal::Value(Value::Object(entries)) => Ok(entries
            .iter()
            .map(|(key, value)| {
                (
                    key.as_str().into(),
                    Cow::Owned(Literal::Value(value.clone())),
                )
            })
            .collect()),
        _ => Err(Fault::Form("an object of schemas")),
    }
}

fn types(value: &Value) -> Result<Types, Fault> {
    let one = |value: &Value| match value.as_str() {
        Some("null") => Ok(Types::NULL),
        Some(name) => keywords::json_type(name).map(Types::one),
        None => Err(Fault::Form("a type's name, or a list of them")),
    };
    match value {
        Value::Array(names) => names
            .iter()
            .try_fold(Types::default(), |types, name| Ok(types.with(one(name)?))),
        name => one(name),
    }
}

/// Reports an edit of a keyword that could not be read.
pub(in super::super) fn report_unread(key: &str, context: &mut Context<'_>) {
    context.report(
        Code::UnreadableSchema,
        format!("the change to `{key}` of this schema cannot be read"),
        "write `json_schema!({ .. })`",
    );
}
