//! Validates the schema of a version in the server's stages: a stage only reports errors if all earlier ones passed.

mod context;
mod convertible;
mod costs;
mod junctors;
mod keywords;
mod lists;
mod metadata;
mod root;
mod rules;
mod structural;
mod types;
mod walk;

use super::defaults;
use super::findings::Findings;
use crate::costs::SchemaCosts;
use crate::document::model::Schema;
use crate::finding::Reason;
use crate::registry::Rule;
pub(super) use convertible::is_convertible;
use crd_channels_cel::version::NEWEST;
use crd_channels_validation::path::Path;
use rules::Rules;

/// The servers and the subresource that a schema is validated for.
#[derive(Clone, Copy)]
pub(super) struct ValidationTarget {
    /// Whether the version has the status subresource.
    pub(super) status: bool,
    /// The oldest minor of Kubernetes whose servers must accept it.
    pub(super) minor: u32,
}

/// Validates a schema.
pub(super) fn validate(
    schema: &Schema<'_>,
    target: ValidationTarget,
    at: Path<'_>,
    found: &mut Findings,
) {
    validate_with(Rules::of_minor(target.minor), schema, target, at, found);
}

/// Validates for the newest servers, and returns the cost of every expression of a version.
pub(super) fn costs(schema: &Schema<'_>, version: &str, status: bool, at: Path<'_>) -> SchemaCosts {
    let target = ValidationTarget {
        status,
        minor: NEWEST,
    };
    let mut found = Findings::default();
    let rules = validate_with(Rules::keeping_costs(), schema, target, at, &mut found);
    rules.into_costs(version, found.0)
}

fn validate_with(
    rules: Rules,
    schema: &Schema<'_>,
    target: ValidationTarget,
    at: Path<'_>,
    found: &mut Findings,
) -> Rules {
    let mut own = Findings::default();
    root::validate(schema, target.status, at, &mut own);
    let convertible = is_convertible(schema);
    let mut sound = convertible;
    if convertible {
        let mut staged = Findings::default();
        structural::validate(schema, at, &mut staged);
        junctors::complete(schema, at, &mut staged);
        if staged.is_empty() {
            defaults::validate(schema, target.minor, at, &mut staged);
        }
        sound = staged.is_empty();
        own.append(staged);
    }
    let rules = walk::validate(schema, sound, rules, at, &mut own);
    if own.is_empty() && !convertible {
        let message = "a keyword of the schema is not supported, such as `$schema`";
        own.refuse(Rule::UnsupportedKeyword, Reason::Invalid, at, message);
    }
    found.append(own);
    rules
}
