//! The schema of a version, validated in the server's stages: a later one speaks only where all earlier ones are silent.

mod context;
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
use crate::document::model::{Additional, Items, Schema};
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_cel::version::NEWEST;
use crd_channels_validation::path::Path;
use rules::Rules;

/// What a schema is validated for.
#[derive(Clone, Copy)]
pub(super) struct Ground {
    /// Whether the status subresource is on for it.
    pub(super) status: bool,
    /// The oldest minor of Kubernetes whose servers have to take it.
    pub(super) minor: u32,
}

/// Validates a schema.
pub(super) fn validate(schema: &Schema<'_>, ground: Ground, at: Path<'_>, found: &mut Findings) {
    validate_with(Rules::of(ground.minor), schema, ground, at, found);
}

/// The same for the newest servers, with what every expression of a version costs.
pub(super) fn costs(schema: &Schema<'_>, version: &str, status: bool, at: Path<'_>) -> SchemaCosts {
    let ground = Ground {
        status,
        minor: NEWEST,
    };
    let mut found = Findings::default();
    let rules = validate_with(Rules::keeping_costs(), schema, ground, at, &mut found);
    rules.into_costs(version, found.0)
}

fn validate_with(
    rules: Rules,
    schema: &Schema<'_>,
    ground: Ground,
    at: Path<'_>,
    found: &mut Findings,
) -> Rules {
    let mut own = Findings::default();
    root::validate(schema, ground.status, at, &mut own);
    let convertible = is_convertible(schema);
    let mut sound = convertible;
    if convertible {
        let mut staged = Findings::default();
        structural::validate(schema, at, &mut staged);
        junctors::complete(schema, at, &mut staged);
        if staged.is_empty() {
            defaults::validate(schema, ground.minor, at, &mut staged);
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

/// Whether the server can turn a schema into a structural one, which some keywords keep it from.
pub(super) fn is_convertible(schema: &Schema<'_>) -> bool {
    let plain = schema.id.is_empty()
        && schema.dollar_schema.is_empty()
        && schema.reference.is_none_or(str::is_empty)
        && schema.pattern_properties.is_empty()
        && schema.dependencies.is_empty()
        && schema.additional_items.is_none()
        && schema.definitions.is_empty()
        && schema.preserve_unknown_fields != Some(false);
    plain
        && children(schema).all(is_convertible)
        && !matches!(schema.items.as_ref(), Some(Items::Several(_)))
}

/// The schemas directly below, those of refused keywords left out.
fn children<'s, 'a>(schema: &'s Schema<'a>) -> impl Iterator<Item = &'s Schema<'a>> {
    let values = match schema.additional_properties.as_ref() {
        Some(Additional::Schema(values)) => Some(&**values),
        _ => None,
    };
    let junctors = [&schema.all_of, &schema.any_of, &schema.one_of];
    schema
        .item()
        .into_iter()
        .chain(values)
        .chain(schema.not.as_deref())
        .chain(schema.properties.iter().map(|(_, property)| property))
        .chain(junctors.into_iter().flat_map(|junctor| junctor.iter()))
}
