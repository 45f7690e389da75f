//! Helpers that lints share.

use crate::document::model::Schema;
use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_validation::path::Path;

/// A lint's finding at a field.
pub(super) fn regret(rule: Rule, at: Path<'_>, message: impl Into<String>) -> Finding {
    Finding::new(rule, message).at(at)
}

/// Whether fields may be present that the schema does not have.
pub(super) fn is_open(schema: &Schema<'_>) -> bool {
    schema.preserves() || schema.embedded_resource
}

/// A node's type in words.
pub(super) fn type_in_words(node: &Schema<'_>) -> String {
    match (node.ty, node.format) {
        ("", _) => "of any type".to_owned(),
        (ty, "") => format!("of type `{ty}`"),
        (ty, format) => format!("of type `{ty}` and format `{format}`"),
    }
}
