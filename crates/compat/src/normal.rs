//! Schemas without what makes no difference, so that only differences are compared.

use super::values::same;
use crd_channels_schema::{Additional, Bounds, Crd, JsonType, Junctors, Schema};
use serde_json::Number;
use std::sync::Arc;

/// Puts a CRD into the form in which equal meanings look alike as far as that is cheap.
pub(super) fn normalise(crd: &mut Crd) {
    crd.names.categories.sort_unstable();
    for version in &mut crd.versions {
        version.selectable_fields.sort_unstable();
        for column in &mut version.columns {
            // The server's default.
            column.priority = column.priority.filter(|priority| *priority != 0);
        }
        if let Some(schema) = &mut version.schema {
            visit(schema);
        }
    }
}

/// The schema of whole objects without the fields that every object has, whether its schema says so or not. Their
/// descriptions are the server's. They are names all the same, so normal forms keep them.
pub(super) fn without_object_fields(schema: &Arc<Schema>) -> Arc<Schema> {
    let is_implied = |name: &str, property: &Schema| {
        let ty = match name {
            "apiVersion" | "kind" => JsonType::String,
            "metadata" => JsonType::Object,
            _ => return false,
        };
        let bare = Schema {
            ty: Some(ty),
            ..Schema::default()
        };
        let is_required = schema.required.iter().any(|required| **required == *name);
        !is_required && without_notes(property) == bare
    };
    let mut properties = schema.properties.iter();
    if !properties.any(|(name, property)| is_implied(name, property)) {
        return schema.clone();
    }
    let mut rest = Schema::clone(schema);
    rest.properties
        .retain(|name, property| !is_implied(name, property));
    Arc::new(rest)
}

fn visit(schema: &mut Arc<Schema>) {
    let schema = Arc::make_mut(schema);
    node(schema);
    schema.properties.values_mut().for_each(visit);
    if let Some(items) = &mut schema.items {
        visit(items);
    }
    if let Some(Additional::Schema(values)) = &mut schema.additional_properties {
        visit(values);
    }
}

fn node(schema: &mut Schema) {
    schema.required.sort_unstable();
    schema.required.dedup();
    // The server reads it as no default.
    schema.default = schema.default.take().filter(|default| !default.is_null());
    if let Some(mut junctors) = schema.junctors.take() {
        drop_int_or_string(schema, &mut junctors);
        fold_any(schema, &mut junctors);
        fold_all(schema, &mut junctors);
        if *junctors != Junctors::default() {
            schema.junctors = Some(junctors);
        }
    }
    // A nullable enum with null is one without it: a server makes the same of both.
    if schema.nullable && schema.enum_values.iter().any(|value| !value.is_null()) {
        schema.enum_values.retain(|value| !value.is_null());
    }
}

/// `x-kubernetes-int-or-string` may say once more what it says: `anyOf: [integer, string]`, in any order, as a branch of
/// `allOf`, or with branches that tools left empty.
fn drop_int_or_string(schema: &Schema, junctors: &mut Junctors) {
    if !schema.int_or_string {
        return;
    }
    if takes_integers_and_strings(&junctors.any_of) {
        junctors.any_of.clear();
    }
    junctors.all_of.retain(|branch| {
        let bare = Schema {
            junctors: None,
            ..without_notes(branch)
        };
        let only_any_of = |junctors: &Junctors| Junctors {
            any_of: Vec::new(),
            ..junctors.clone()
        };
        let repeats = branch.junctors.as_deref().is_some_and(|junctors| {
            only_any_of(junctors) == Junctors::default()
                && takes_integers_and_strings(&junctors.any_of)
        });
        bare != Schema::default() || !repeats
    });
}

/// Whether branches that say nothing but a type accept every integer and every string.
fn takes_integers_and_strings(branches: &[Schema]) -> bool {
    let is_type = |branch: &Schema| {
        let bare = Schema {
            ty: None,
            ..without_notes(branch)
        };
        bare == Schema::default()
    };
    let takes = |ty| {
        let branches = branches.iter().filter(|branch| is_type(branch));
        branches
            .map(|branch| branch.ty)
            .any(|of| of.is_none() || of == Some(ty))
    };
    takes(JsonType::Integer) && takes(JsonType::String)
}

/// `anyOf` of nothing but enums is one enum; a branch for null is `nullable`.
fn fold_any(schema: &mut Schema, junctors: &mut Junctors) {
    let only_enum = |branch: &Schema| {
        let bare = Schema {
            enum_values: Vec::new(),
            nullable: false,
            ..without_notes(branch)
        };
        !branch.enum_values.is_empty() && bare == Schema::default()
    };
    if junctors.any_of.is_empty()
        || !schema.enum_values.is_empty()
        || !junctors.any_of.iter().all(only_enum)
    {
        return;
    }
    for branch in std::mem::take(&mut junctors.any_of) {
        for value in branch.enum_values {
            schema.nullable |= value.is_null();
            if !schema.enum_values.iter().any(|known| same(known, &value)) {
                schema.enum_values.push(value);
            }
        }
    }
}

/// A branch of `allOf` with nothing but bounds that the node lacks, or has less tightly, belongs to the node.
fn fold_all(schema: &mut Schema, junctors: &mut Junctors) {
    junctors.all_of.retain(|branch| {
        let bare = Schema {
            bounds: None,
            ..without_notes(branch)
        };
        let Some(bounds) = branch
            .bounds
            .as_deref()
            .filter(|_| bare == Schema::default())
        else {
            return true;
        };
        match joined(schema.bounds.as_deref(), bounds) {
            Some(both) => {
                schema.bounds = Some(Box::new(both));
                false
            }
            None => true,
        }
    });
}

fn joined(one: Option<&Bounds>, other: &Bounds) -> Option<Bounds> {
    let Some(one) = one else {
        return Some(other.clone());
    };
    let most = |one: Option<u64>, other: Option<u64>| one.max(other);
    let least = |one: Option<u64>, other: Option<u64>| match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
    let only = |one: &Option<Number>, other: &Option<Number>| match (one, other) {
        (Some(_), Some(_)) => Err(()),
        (one, other) => Ok(one.clone().or_else(|| other.clone())),
    };
    let pattern = match (&one.pattern, &other.pattern) {
        (Some(one), Some(other)) if one != other => return None,
        (one, other) => one.clone().or_else(|| other.clone()),
    };
    Some(Bounds {
        minimum: only(&one.minimum, &other.minimum).ok()?,
        exclusive_minimum: one.exclusive_minimum || other.exclusive_minimum,
        maximum: only(&one.maximum, &other.maximum).ok()?,
        exclusive_maximum: one.exclusive_maximum || other.exclusive_maximum,
        multiple_of: only(&one.multiple_of, &other.multiple_of).ok()?,
        min_length: most(one.min_length, other.min_length),
        max_length: least(one.max_length, other.max_length),
        pattern,
        min_items: most(one.min_items, other.min_items),
        max_items: least(one.max_items, other.max_items),
        min_properties: most(one.min_properties, other.min_properties),
        max_properties: least(one.max_properties, other.max_properties),
    })
}

/// A schema without what only people read, at its node.
pub(super) fn without_notes(schema: &Schema) -> Schema {
    Schema {
        title: None,
        description: None,
        notes: None,
        ..schema.clone()
    }
}

/// A schema without what only people read, all the way down.
pub(super) fn bare(schema: &Schema) -> Schema {
    let deep = |schema: &Arc<Schema>| Arc::new(bare(schema));
    Schema {
        properties: schema
            .properties
            .iter()
            .map(|(name, schema)| (name.clone(), deep(schema)))
            .collect(),
        items: schema.items.as_ref().map(deep),
        additional_properties: schema.additional_properties.as_ref().map(|additional| {
            match additional {
                Additional::Schema(schema) => Additional::Schema(deep(schema)),
                Additional::Allowed(allowed) => Additional::Allowed(*allowed),
            }
        }),
        junctors: schema
            .junctors
            .as_deref()
            .map(|junctors| Box::new(without_text(junctors))),
        ..without_notes(schema)
    }
}

/// Junctors without what only people read.
pub(super) fn without_text(junctors: &Junctors) -> Junctors {
    junctors.map(bare)
}
