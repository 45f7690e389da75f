//! Merges properties from several schemas into one object.

use super::super::context::Context;
use crd_channels_diagnostics::{Code, Diagnostic, Text};
use crd_channels_schema::Schema;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Adds a property. A duplicate must have an equal schema; the first description is kept.
pub(in super::super) fn insert(
    properties: &mut BTreeMap<Text, Arc<Schema>>,
    name: &Text,
    property: Arc<Schema>,
    context: &mut Context<'_>,
) {
    let Some(known) = properties.get(name) else {
        properties.insert(name.clone(), property);
        return;
    };
    if alike(known, &property) {
        return;
    }
    let mut finding = Diagnostic::new(
        Code::PropertyConflict,
        property.origin.0.or(context.span),
        format!("the property `{name}` has a different schema elsewhere in the same object"),
    )
    .with_help(format!(
        "rename one `{name}`, or give both the same type and validation"
    ));
    if let Some(span) = known.origin.0 {
        finding = finding.with_label(span, "the other schema comes from here");
    }
    context.sink.push(finding);
}

/// Returns true if two schemas allow the same values. Their documentation may differ.
pub(in super::super) fn alike(one: &Schema, other: &Schema) -> bool {
    let silent = |schema: &Schema| Schema {
        title: None,
        description: None,
        ..schema.clone()
    };
    one == other || silent(one) == silent(other)
}
