//! `allOf`, `anyOf`, `oneOf` and `not`: they validate values and do not define structure.

use super::super::findings::Findings;
use crate::document::model::{Additional, Items, Many, Schema};
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_cel::go_regexp;
use crd_channels_validation::path::Path;
use std::collections::BTreeSet;

/// The patterns of a schema that Go compiles. Many nodes share few patterns, so each is checked once.
#[derive(Default)]
pub(super) struct Patterns<'s>(BTreeSet<&'s str>);

impl<'s> Patterns<'s> {
    fn check(&mut self, pattern: &'s str) -> Result<(), String> {
        if !pattern.is_empty() && !self.0.contains(pattern) {
            go_regexp::check(pattern)?;
            self.0.insert(pattern);
        }
        Ok(())
    }
}

/// Validates the junctors of a structural node, and its pattern.
pub(super) fn validate<'s>(
    schema: &Schema<'s>,
    at: Path<'_>,
    patterns: &mut Patterns<'s>,
    found: &mut Findings,
) {
    let skip = Skip {
        any_of: is_int_or_string(&schema.any_of),
        first_all_of: schema
            .all_of
            .as_slice()
            .first()
            .is_some_and(|first| is_int_or_string(&first.any_of)),
    };
    validations(schema, skip, at, patterns, found);
}

/// The `anyOf` whose branches may have types, since they are those of an int-or-string.
#[derive(Clone, Copy)]
struct Skip {
    any_of: bool,
    first_all_of: bool,
}

const NOTHING: Skip = Skip {
    any_of: false,
    first_all_of: false,
};

fn validations<'s>(
    schema: &Schema<'s>,
    skip: Skip,
    at: Path<'_>,
    patterns: &mut Patterns<'s>,
    found: &mut Findings,
) {
    if !skip.any_of {
        each(&schema.any_of, at.child("anyOf"), |branch, path| {
            nested(branch, NOTHING, path, patterns, found);
        });
    }
    let all_of = at.child("allOf");
    for (index, branch) in schema.all_of.iter().enumerate() {
        let skip = Skip {
            any_of: skip.first_all_of && index == 0,
            first_all_of: false,
        };
        nested(branch, skip, all_of.index(index), patterns, found);
    }
    each(&schema.one_of, at.child("oneOf"), |branch, path| {
        nested(branch, NOTHING, path, patterns, found);
    });
    if let Some(branch) = schema.not.as_deref() {
        nested(branch, NOTHING, at.child("not"), patterns, found);
    }
    if let Err(fault) = patterns.check(schema.pattern.as_str()) {
        let message = format!(
            "`{}` is not a regular expression of Go: {fault}",
            schema.pattern.as_str()
        );
        found.refuse(Rule::Pattern, Reason::Invalid, at.child("pattern"), message);
    }
}

fn each<'s, 'a>(
    branches: &'s Many<Schema<'a>>,
    at: Path<'_>,
    mut validate: impl FnMut(&'s Schema<'a>, Path<'_>),
) {
    for (index, branch) in branches.iter().enumerate() {
        validate(branch, at.index(index));
    }
}

/// Validates a node inside a junctor.
fn nested<'s>(
    schema: &Schema<'s>,
    skip: Skip,
    at: Path<'_>,
    patterns: &mut Patterns<'s>,
    found: &mut Findings,
) {
    validations(schema, skip, at, patterns, found);
    if let Some(item) = schema.item() {
        nested(item, NOTHING, at.child("items"), patterns, found);
    }
    let properties = at.child("properties");
    for (name, property) in schema.properties.iter() {
        nested(property, NOTHING, properties.key(name), patterns, found);
    }
    let additional = schema.additional_properties.as_ref();
    let maps = additional.is_some_and(|additional| *additional != Additional::Allowed(false));
    for (set, keyword) in [
        (!schema.ty.is_empty(), "type"),
        (maps, "additionalProperties"),
        (schema.default.is_some(), "default"),
        (!schema.title.is_empty(), "title"),
        (!schema.description.is_empty(), "description"),
        (schema.nullable, "nullable"),
        (schema.preserves(), "x-kubernetes-preserve-unknown-fields"),
        (schema.embedded_resource, "x-kubernetes-embedded-resource"),
        (schema.int_or_string, "x-kubernetes-int-or-string"),
        (
            !schema.list_map_keys.is_empty(),
            "x-kubernetes-list-map-keys",
        ),
        (schema.list_type.is_some(), "x-kubernetes-list-type"),
        (schema.map_type.is_some(), "x-kubernetes-map-type"),
        (!schema.rules.is_empty(), "x-kubernetes-validations"),
    ] {
        if set {
            let message = format!("`{keyword}` is not allowed inside of a junctor");
            let path = at.child(keyword);
            found.refuse(Rule::JunctorKeyword, Reason::Forbidden, path, message);
        }
    }
    if schema.properties.get("metadata").is_some() {
        let message = "`metadata` is restricted inside of a junctor";
        let path = properties.key("metadata");
        found.refuse(Rule::JunctorKeyword, Reason::Forbidden, path, message);
    }
}

/// Whether branches are exactly `[{type: integer}, {type: string}]`, which are allowed although they have types.
fn is_int_or_string(branches: &Many<Schema<'_>>) -> bool {
    let is = |branch: &Schema<'_>, ty: &'static str| {
        // The server treats these as absent.
        let items = matches!(branch.items, Some(Items::None)).then_some(Items::None);
        let closed = branch.additional_properties == Some(Additional::Allowed(false));
        let bare = Schema {
            ty,
            items,
            additional_properties: closed.then_some(Additional::Allowed(false)),
            ..Schema::default()
        };
        // Here the server distinguishes an empty list from an absent one.
        let present = branch.required.is_present()
            || branch.list_map_keys.is_present()
            || branch.rules.is_present()
            || branch.properties.is_present();
        *branch == bare && !present
    };
    matches!(branches.as_slice(), [first, second] if is(first, "integer") && is(second, "string"))
}

/// Validates that everything that a junctor of the root refers to exists in the structure.
pub(super) fn complete(schema: &Schema<'_>, at: Path<'_>, found: &mut Findings) {
    branches(schema, schema, at, at, found);
}

fn branches(
    validation: &Schema<'_>,
    structure: &Schema<'_>,
    at: Path<'_>,
    written: Path<'_>,
    found: &mut Findings,
) {
    if let Some(branch) = validation.not.as_deref() {
        branch_complete(branch, structure, at, written.child("not"), found);
    }
    for (keyword, list) in [
        ("allOf", &validation.all_of),
        ("anyOf", &validation.any_of),
        ("oneOf", &validation.one_of),
    ] {
        each(list, written.child(keyword), |branch, written| {
            branch_complete(branch, structure, at, written, found);
        });
    }
}

fn branch_complete(
    validation: &Schema<'_>,
    structure: &Schema<'_>,
    at: Path<'_>,
    written: Path<'_>,
    found: &mut Findings,
) {
    branches(validation, structure, at, written, found);
    let mut below = |validation: &Schema<'_>,
                     structure: Option<&Schema<'_>>,
                     at: Path<'_>,
                     written: Path<'_>| {
        match structure {
            Some(structure) => branch_complete(validation, structure, at, written, found),
            None => {
                let message = format!("not declared, but validated at `{written}`");
                found.refuse(Rule::JunctorField, Reason::Required, at, message);
            }
        }
    };
    if let Some(item) = validation.item() {
        below(
            item,
            structure.item(),
            at.child("items"),
            written.child("items"),
        );
    }
    let (at, written) = (at.child("properties"), written.child("properties"));
    for (name, property) in validation.properties.iter() {
        let structure = structure.properties.get(name);
        below(property, structure, at.key(name), written.key(name));
    }
}
