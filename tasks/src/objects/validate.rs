//! Validates an object as an API server would, except for rules, by means of `apiserver/validation`. `e2e/opinion.rs` compares its
//! verdicts with every response of the server.

use crd_channels_schema as source;
use crd_channels_validation::path::Path;
use crd_channels_validation::schema::Schema;
use crd_channels_validation::value::{self, complete, uniqueness};
use crd_channels_validation::violation::Violations;
use crd_channels_validation::{Reason, Violation};
use serde_json::Value;

/// Returns all violations of a value with its defaults.
#[must_use]
pub fn violations(schema: &source::Schema, value: &Value) -> Vec<Violation> {
    violations_of(&crd_channels_check::schema(schema), value)
}

/// The same for a schema as servers decode it.
pub(super) fn violations_of(schema: &Schema<'_>, value: &Value) -> Vec<Violation> {
    let mut value = value.clone();
    complete(&mut value, schema);
    let mut found = Violations(value::violations(&value, schema, None));
    let root = Path::root("");
    uniqueness(
        &value,
        schema,
        (!value.is_object()).then_some(root),
        &mut found,
    );
    found.0
}

/// Whether a list violates uniqueness.
pub(super) fn repeats(schema: &Schema<'_>, items: &[Value]) -> bool {
    let violations = violations_of(schema, &Value::Array(items.to_vec()));
    violations
        .iter()
        .any(|violation| violation.reason == Reason::Duplicate)
}
