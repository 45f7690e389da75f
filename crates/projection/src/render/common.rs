//! Helpers that both conventions use.

use super::context::Context;
use crd_channels_diagnostics::{Code, Text};
use crd_channels_schema::draft::{Draft, Shape, Type};
use crd_channels_schema::{JsonType, Schema};
use serde_json::Value;
use std::sync::Arc;

/// A schema with only a type.
pub(super) fn schema_of(ty: JsonType) -> Schema {
    Schema {
        ty: Some(ty),
        ..Schema::default()
    }
}

/// A schema that accepts any value.
pub(super) fn anything() -> Schema {
    Schema {
        preserve_unknown_fields: true,
        ..Schema::default()
    }
}

/// Returns a description followed by the draft's further lines.
pub(super) fn with_more(doc: Text, draft: &Draft) -> Text {
    match &draft.more_doc {
        Some(more) => format!("{doc}\n{more}").into(),
        None => doc,
    }
}

/// Returns the type inside an `Option`, or inside several.
pub(super) fn inside_option(ty: &Arc<Type>) -> &Arc<Type> {
    let mut inner = ty;
    while let Shape::Option(next) = &inner.shape {
        inner = next;
    }
    inner
}

/// Converts an integer to JSON; beyond 64 bits to a floating point number.
pub(super) fn integer(value: i128) -> Value {
    i64::try_from(value).map(Value::from).unwrap_or_else(|_| {
        #[allow(clippy::cast_precision_loss, reason = "JSON has no larger integers")]
        u64::try_from(value).map_or_else(|_| Value::from(value as f64), Value::from)
    })
}

/// Reports a tuple.
pub(super) fn report_tuple(context: &mut Context<'_>) {
    context.report(
        Code::NonStructural,
        "a tuple has a schema for each of its items, which a CRD cannot express",
        "write a struct with named fields, or `[T; N]` where all items have one type",
    );
}
