//! Whether an API server considers a value valid.

use crate::findings::verdict::Answer;
use crd_channels_check::schema as served;
use crd_channels_schema::Schema;
use crd_channels_validation::path::Path;
use crd_channels_validation::rules::{Outcome, Rules};
use crd_channels_validation::schema as server;
use crd_channels_validation::value::{complete, prune, resources, uniqueness, violations};
use crd_channels_validation::violation::Violations;
use serde_json::Value;
use std::borrow::Cow;

/// Whether a server accepts a value for a schema. `Unknown` only if a rule of the schema cannot be evaluated.
pub(crate) fn valid(schema: &Schema, value: &Value) -> Answer {
    let served = served(schema);
    let value = decoded(&served, value);
    if is_valid(&served, &value) {
        Rules::compile(&served, served.embedded_resource).map_or(Answer::Unknown, |rules| {
            keeps(&rules, &served, &value, served.embedded_resource)
        })
    } else {
        Answer::No
    }
}

/// Whether a value is valid apart from rules.
pub(crate) fn fits(schema: &server::Schema<'_>, value: &Value) -> bool {
    is_valid(schema, &decoded(schema, value))
}

/// Whether a value satisfies all rules of a schema, except those that read an old value.
pub(crate) fn keeps(
    rules: &Rules,
    schema: &server::Schema<'_>,
    value: &Value,
    is_resource: bool,
) -> Answer {
    let at = (!is_resource).then(|| Path::root("value"));
    let findings = rules.evaluate_at(value, schema, None, is_resource, at);
    Answer::all(findings.iter().map(|finding| match finding.outcome {
        Outcome::Holds | Outcome::NoOld | Outcome::Warned(_) => Answer::Yes,
        Outcome::Broken(_) => Answer::No,
        Outcome::Unknown | Outcome::Uncompiled => Answer::Unknown,
    }))
}

/// The value as a server reads it: without unknown fields and nulls, with defaults. Branches of junctors, which have no type,
/// do not change values.
pub(super) fn decoded<'v>(schema: &server::Schema<'_>, value: &'v Value) -> Cow<'v, Value> {
    let is_branch = schema.ty.is_empty() && !schema.int_or_string && !schema.preserves();
    if is_branch || !(value.is_object() || value.is_array()) {
        return Cow::Borrowed(value);
    }
    let mut value = value.clone();
    prune(&mut value, schema, false, Some(Path::root("value")));
    complete(&mut value, schema);
    Cow::Owned(value)
}

pub(super) fn is_valid(schema: &server::Schema<'_>, value: &Value) -> bool {
    let at = Path::root("value");
    let place = resources::ResourcePosition {
        is_resource: false,
        at: Some(at),
    };
    let mut repeated = Violations::default();
    uniqueness(value, schema, Some(at), &mut repeated);
    repeated.is_empty()
        && violations(value, schema, None).is_empty()
        && resources::violations(value, schema, place).is_empty()
}
