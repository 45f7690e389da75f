//! The keywords that are allowed at the root of a schema.

use super::super::findings::Findings;
use crate::document::model::Schema;
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_validation::path::Path;

pub(super) fn validate(schema: &Schema<'_>, status: bool, at: Path<'_>, found: &mut Findings) {
    if status {
        with_status(schema, at, found);
    }
    if schema.nullable {
        let message = "the root cannot be `nullable`";
        let path = at.child("nullable");
        found.refuse(Rule::RootKeyword, Reason::Forbidden, path, message);
    }
}

/// The status subresource is validated with the schema of `status` alone, so the root must not constrain the whole object.
fn with_status(schema: &Schema<'_>, at: Path<'_>, found: &mut Findings) {
    let early = [
        (!schema.id.is_empty(), "id"),
        (!schema.dollar_schema.is_empty(), "$schema"),
        (schema.reference.is_some(), "$ref"),
    ];
    let late = [
        (schema.nullable, "nullable"),
        (schema.default.is_some(), "default"),
        (schema.enum_values.is_present(), "enum"),
        (schema.max_properties.is_some(), "maxProperties"),
        (schema.min_properties.is_some(), "minProperties"),
        (schema.all_of.is_present(), "allOf"),
        (schema.one_of.is_present(), "oneOf"),
        (schema.any_of.is_present(), "anyOf"),
        (schema.not.is_some(), "not"),
        (
            schema.additional_properties.is_some(),
            "additionalProperties",
        ),
        (schema.pattern_properties.is_present(), "patternProperties"),
        (schema.dependencies.is_present(), "dependencies"),
        (schema.additional_items.is_some(), "additionalItems"),
        (schema.definitions.is_present(), "definitions"),
        (schema.embedded_resource, "x-kubernetes-embedded-resource"),
        (schema.int_or_string, "x-kubernetes-int-or-string"),
        (
            schema.list_map_keys.is_present(),
            "x-kubernetes-list-map-keys",
        ),
        (schema.list_type.is_some(), "x-kubernetes-list-type"),
        (schema.map_type.is_some(), "x-kubernetes-map-type"),
    ];
    let first = |keywords: &[(bool, &'static str)]| {
        let set = keywords.iter().find(|(set, _)| *set);
        set.map(|(_, keyword)| *keyword)
    };
    let mut refuse = |keyword: &str| {
        let message = format!(
            "`{keyword}` is not allowed at the root of a schema with the status subresource"
        );
        found.refuse(Rule::RootKeyword, Reason::Invalid, at, message);
    };
    if let Some(keyword) = first(&early) {
        refuse(keyword);
    } else if !matches!(schema.ty, "" | "object") {
        let message = format!("the root must be an object, not `{}`", schema.ty);
        found.refuse(Rule::SchemaType, Reason::Invalid, at.child("type"), message);
    } else if let Some(keyword) = first(&late) {
        refuse(keyword);
    }
}
