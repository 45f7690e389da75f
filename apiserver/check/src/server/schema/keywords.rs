//! Keywords that no node may have.

use super::super::findings::Findings;
use super::context::Context;
use crate::document::model::{Additional, Items, Schema};
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_validation::path::Path;

const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

pub(super) fn validate(schema: &Schema<'_>, context: Context, at: Path<'_>, found: &mut Findings) {
    types(schema, at, found);
    unsupported(schema, at, found);
    if let Some(why) = context.no_defaults.filter(|_| schema.default.is_some()) {
        let message = format!("a default is not allowed {why}");
        let path = at.child("default");
        found.refuse(Rule::DefaultForbidden, Reason::Forbidden, path, message);
    }
    if context.in_metadata && schema.embedded_resource {
        let message = "metadata cannot contain embedded resources";
        let path = at.child("x-kubernetes-embedded-resource");
        found.refuse(Rule::EmbeddedResource, Reason::Forbidden, path, message);
    }
    if let Some(additional) = schema.additional_properties.as_ref()
        && !schema.properties.is_empty()
        && *additional != Additional::Allowed(true)
    {
        let message = "`additionalProperties` and `properties` exclude each other";
        let path = at.child("additionalProperties");
        found.refuse(Rule::AdditionalProperties, Reason::Forbidden, path, message);
    }
    if schema.preserve_unknown_fields == Some(false) {
        let message = "it must be `true` or absent";
        let path = at.child("x-kubernetes-preserve-unknown-fields");
        found.refuse(Rule::PreserveUnknownFields, Reason::Invalid, path, message);
    }
}

fn types(schema: &Schema<'_>, at: Path<'_>, found: &mut Findings) {
    let path = at.child("type");
    let ty = schema.ty;
    if !ty.is_empty() && !TYPES.contains(&ty) {
        let message = format!("`{ty}` is not a type; there are {}", TYPES.join(", "));
        found.refuse(Rule::SchemaType, Reason::NotSupported, path, message);
    }
    if ty == "null" {
        let message = "use `nullable` for a value that may be null";
        found.refuse(Rule::SchemaType, Reason::Forbidden, path, message);
    }
    if matches!(schema.items.as_ref(), Some(Items::Several(_))) {
        let message = "`items` must be one schema, not a list";
        found.refuse(
            Rule::ArrayItems,
            Reason::Forbidden,
            at.child("items"),
            message,
        );
    }
}

fn unsupported(schema: &Schema<'_>, at: Path<'_>, found: &mut Findings) {
    for (set, keyword) in [
        (!schema.id.is_empty(), "id"),
        (schema.additional_items.is_some(), "additionalItems"),
        (!schema.pattern_properties.is_empty(), "patternProperties"),
        (!schema.definitions.is_empty(), "definitions"),
        (schema.dependencies.is_present(), "dependencies"),
        (schema.reference.is_some(), "$ref"),
        (schema.unique_items, "uniqueItems"),
    ] {
        if set {
            let message = format!("`{keyword}` is not supported in CRDs");
            let path = at.child(keyword);
            found.refuse(Rule::UnsupportedKeyword, Reason::Forbidden, path, message);
        }
    }
}
