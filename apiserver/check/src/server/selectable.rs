//! `selectableFields`: fields by which lists can be filtered.

use super::findings::Findings;
use super::schema::is_convertible;
use crate::document::model::Schema;
use crate::finding::Reason;
use crate::near_path::did_you_mean;
use crate::registry::Rule;
use crd_channels_validation::path::Path;
use crd_channels_validation::schema::{Lead, lead, segments};

/// The maximum per version.
const MOST: usize = 8;

/// Validates paths against the schema, if there is one. A schema that all versions share may be null.
pub(super) fn validate(
    paths: &[&str],
    schema: Option<Option<&Schema<'_>>>,
    owner: Path<'_>,
    found: &mut Findings,
) {
    if paths.is_empty() {
        return;
    }
    let at = owner.child("selectableFields");
    let Some(schema) = schema else {
        let message = "`selectableFields` need a schema in the same version, and must be the same in all versions if the schema is";
        let help = "give the version a schema; where all versions share one schema, make the selectable fields the same too";
        found.refuse_with_help(Rule::SelectableField, Reason::Invalid, at, message, help);
        return;
    };
    let convertible = schema.filter(|schema| is_convertible(schema));
    if schema.is_some() && convertible.is_none() {
        let message = "the schema has keywords that prevent looking up its fields";
        let path = owner.child("schema");
        let path = path.child("openAPIV3Schema");
        found.refuse(Rule::UnsupportedKeyword, Reason::Invalid, path, message);
    }
    let mut seen: Vec<Vec<String>> = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        let at = at.index(index);
        one(path, convertible, at.child("jsonPath"), &mut seen, found);
    }
    if seen.len() > MOST {
        let message = format!(
            "{} fields are selectable, at most {MOST} are allowed",
            seen.len()
        );
        found.refuse(Rule::SelectableField, Reason::TooMany, at, message);
    }
}

fn one(
    path: &str,
    schema: Option<&Schema<'_>>,
    at: Path<'_>,
    seen: &mut Vec<Vec<String>>,
    found: &mut Findings,
) {
    let mut refuse = |reason, message: String| {
        found.refuse(Rule::SelectableField, reason, at, message);
    };
    if path.is_empty() {
        return refuse(Reason::Required, "the path is missing".to_owned());
    }
    if path.contains('[') {
        return refuse(Reason::Invalid, format!("`{path}` has brackets"));
    }
    if segments(path).is_err() {
        return refuse(Reason::Invalid, format!("`{path}` is not a path of names"));
    }
    // Without a schema the server cannot resolve paths, but still validates their form.
    let Some(schema) = schema else {
        return;
    };
    let Some(Lead { names, to, .. }) = lead(path, schema) else {
        refuse(
            Reason::Invalid,
            format!("`{path}` is not a field of the schema"),
        );
        return found.hint(did_you_mean(path, schema));
    };
    if names.first().is_some_and(|name| name == "metadata") {
        refuse(Reason::Invalid, format!("`{path}` is in metadata"));
    }
    let selectable = to.is_some_and(|to| matches!(to.ty, "string" | "boolean" | "integer"));
    if !selectable {
        let message = format!("`{path}` is not a string, boolean or integer");
        refuse(Reason::Invalid, message);
    }
    if seen.contains(&names) {
        refuse(Reason::Duplicate, format!("duplicate `{path}`"));
    } else {
        seen.push(names);
    }
}
