//! Requirements for structural schemas: every node has a type, junctors only validate values, metadata belongs to the server.

use super::super::findings::Findings;
use super::junctors::{self, Patterns};
use super::metadata;
use crate::document::model::{Additional, Schema};
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_validation::path::Path;

/// The position of a node.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Level {
    Root,
    Item,
    Field,
}

pub(super) fn validate(schema: &Schema<'_>, at: Path<'_>, found: &mut Findings) {
    node(schema, Level::Root, at, &mut Patterns::default(), found);
}

fn node<'s>(
    schema: &Schema<'s>,
    level: Level,
    at: Path<'_>,
    patterns: &mut Patterns<'s>,
    found: &mut Findings,
) {
    match schema.item() {
        Some(item) => node(item, Level::Item, at.child("items"), patterns, found),
        None if schema.ty == "array" => {
            let message = "an array must define its `items`";
            found.refuse(
                Rule::ArrayItems,
                Reason::Required,
                at.child("items"),
                message,
            );
        }
        None => {}
    }
    let properties = at.child("properties");
    for (name, property) in schema.properties.iter() {
        node(
            property,
            Level::Field,
            properties.key(name),
            patterns,
            found,
        );
    }
    if let Some(additional) = schema.additional_properties.as_ref() {
        let path = at.child("additionalProperties");
        if level == Level::Root {
            let message = "the root cannot have `additionalProperties`";
            found.refuse(Rule::AdditionalProperties, Reason::Forbidden, path, message);
        }
        if let Additional::Schema(values) = additional {
            node(values, Level::Field, path, patterns, found);
        }
    }
    extensions(schema, at, found);
    junctors::validate(schema, at, patterns, found);
    types(schema, level, at, found);
    embedded(schema, at, found);
    metadata::validate(schema, level == Level::Root, at, found);
}

fn extensions(schema: &Schema<'_>, at: Path<'_>, found: &mut Findings) {
    if !schema.int_or_string {
        return;
    }
    for (set, other) in [
        (schema.preserves(), "x-kubernetes-preserve-unknown-fields"),
        (schema.embedded_resource, "x-kubernetes-embedded-resource"),
    ] {
        if set {
            let message = format!("`{other}` excludes `x-kubernetes-int-or-string`");
            let path = at.child(other);
            found.refuse(Rule::ExtensionConflict, Reason::Invalid, path, message);
        }
    }
}

fn types(schema: &Schema<'_>, level: Level, at: Path<'_>, found: &mut Findings) {
    let path = at.child("type");
    let ty = schema.ty;
    if schema.embedded_resource {
        if ty != "object" {
            let reason = absent_or_wrong(ty);
            let message = "an embedded resource must be an object";
            found.refuse(Rule::EmbeddedResource, reason, path, message);
        }
    } else if ty.is_empty() && !schema.int_or_string && !schema.preserves() {
        let message = match level {
            Level::Root => "the root has no type",
            Level::Item => "the items of the list have no type",
            Level::Field => "the field has no type",
        };
        found.refuse(Rule::SchemaType, Reason::Required, path, message);
    }
    if level == Level::Root && !matches!(ty, "" | "object") {
        let message = format!("the root must be an object, not `{ty}`");
        found.refuse(Rule::SchemaType, Reason::Invalid, path, message);
    }
}

/// The reason to report for a missing or wrong type.
pub(super) fn absent_or_wrong(ty: &str) -> Reason {
    if ty.is_empty() {
        Reason::Required
    } else {
        Reason::Invalid
    }
}

fn embedded(schema: &Schema<'_>, at: Path<'_>, found: &mut Findings) {
    if !schema.embedded_resource {
        return;
    }
    if schema.additional_properties.is_some() {
        let message = "an embedded resource must not be a map";
        let path = at.child("additionalProperties");
        found.refuse(Rule::AdditionalProperties, Reason::Forbidden, path, message);
    }
    if !schema.preserves() && schema.properties.is_empty() {
        let message = "an embedded resource must have `properties` or preserve unknown fields";
        let path = at.child("properties");
        found.refuse(Rule::EmbeddedResource, Reason::Required, path, message);
    }
}
