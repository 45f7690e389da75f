//! Normalizes schemas, so that only meaningful differences are compared.

use crate::values::{key_of_member, refuses_numbers, whole};
use crd_channels_schema::{Additional, Bounds, Crd, JsonType, Junctors, Schema};
use serde_json::{Number, Value};
use std::collections::HashSet;
use std::sync::Arc;

/// Normalizes a CRD: equivalent parts become equal, as far as that is cheap.
pub(crate) fn normalize(crd: &mut Crd) {
    crd.names.categories.sort_unstable();
    for version in &mut crd.versions {
        version.selectable_fields.sort_unstable();
        for column in &mut version.columns {
            // The server's default.
            column.priority = column.priority.filter(|priority| *priority != 0);
        }
        if let Some(schema) = &mut version.schema {
            normalize_schema(schema);
        }
    }
}

/// Two schemas of whole objects, ready to be compared: the fields that every object has are in both or in neither. They are in
/// both if either schema says more about them than their types; servers replace their descriptions. Normal forms keep them,
/// since they are names in use.
pub(crate) fn with_same_object_fields(schemas: [&Arc<Schema>; 2]) -> [Arc<Schema>; 2] {
    let mut schemas = schemas.map(Arc::clone);
    share(&mut schemas, "apiVersion", JsonType::String);
    share(&mut schemas, "kind", JsonType::String);
    share(&mut schemas, "metadata", JsonType::Object);
    if let [Some(old), Some(new)] = schemas
        .each_ref()
        .map(|schema| schema.properties.get("metadata"))
    {
        let mut metadata = [old.clone(), new.clone()];
        share(&mut metadata, "name", JsonType::String);
        share(&mut metadata, "generateName", JsonType::String);
        for (schema, metadata) in schemas.iter_mut().zip(metadata) {
            let properties = &mut Arc::make_mut(schema).properties;
            properties.insert("metadata".into(), metadata);
        }
    }
    schemas
}

/// Adds a property that every object has to both schemas, or removes it if neither constrains it.
fn share(schemas: &mut [Arc<Schema>; 2], name: &str, ty: JsonType) {
    let bare = Arc::new(Schema {
        ty: Some(ty),
        ..Schema::default()
    });
    let is_implied = |schema: &Arc<Schema>| {
        let is_required = schema.required.iter().any(|required| **required == *name);
        let property = schema.properties.get(name);
        !is_required && property.is_none_or(|property| without_notes(property) == *bare)
    };
    let are_implied = schemas.iter().all(is_implied);
    for schema in schemas {
        match schema.properties.contains_key(name) {
            true if are_implied => _ = Arc::make_mut(schema).properties.remove(name),
            false if !are_implied => {
                let properties = &mut Arc::make_mut(schema).properties;
                properties.insert(name.into(), bare.clone());
            }
            true | false => {}
        }
    }
}

/// Normalizes a schema.
pub(crate) fn normalize_schema(schema: &mut Arc<Schema>) {
    let schema = Arc::make_mut(schema);
    node(schema);
    schema.properties.values_mut().for_each(normalize_schema);
    if let Some(items) = &mut schema.items {
        normalize_schema(items);
    }
    if let Some(Additional::Schema(values)) = &mut schema.additional_properties {
        normalize_schema(values);
    }
}

/// Normalizes a node without its children.
fn node(schema: &mut Schema) {
    schema.required.sort_unstable();
    schema.required.dedup();
    // The server treats it as absent.
    schema.default = schema.default.take().filter(|default| !default.is_null());
    if let Some(bounds) = &mut schema.bounds {
        let bounds = &mut **bounds;
        let numbers = [
            &mut bounds.minimum,
            &mut bounds.maximum,
            &mut bounds.multiple_of,
        ];
        numbers.into_iter().flatten().for_each(as_integer);
    }
    schema
        .default
        .as_deref_mut()
        .into_iter()
        .for_each(with_integers);
    schema.enum_values.iter_mut().for_each(with_integers);
    turn_inwards(schema);
    if let Some(mut junctors) = schema.junctors.take() {
        drop_int_or_string(schema, &mut junctors);
        fold_any(schema, &mut junctors);
        fold_all(schema, &mut junctors);
        if *junctors != Junctors::default() {
            schema.junctors = Some(junctors);
        }
    }
    // Servers reject null if there is an enum, even if the enum lists it, so `nullable` has no effect.
    if schema.nullable && schema.enum_values.iter().any(|value| !value.is_null()) {
        schema.enum_values.retain(|value| !value.is_null());
    }
}

/// Moves each `not` of a node and its branches inwards, so that none is around an `anyOf`, an `allOf` or another `not` alone.
fn turn_inwards(schema: &mut Schema) {
    let Some(junctors) = schema.junctors.as_deref_mut() else {
        return;
    };
    match junctors.not.as_deref().map(only_junctor) {
        Some(Some(Junctor::AnyOf(branches))) => {
            junctors.all_of.extend(branches.iter().map(negated));
            junctors.not = None;
        }
        Some(Some(Junctor::AllOf(branches))) => {
            let any_of: Vec<Schema> = branches.iter().map(negated).collect();
            junctors.not = None;
            match junctors.any_of.is_empty() {
                true => junctors.any_of = any_of,
                false => junctors.all_of.push(Schema {
                    junctors: Some(Box::new(Junctors {
                        any_of,
                        ..Junctors::default()
                    })),
                    ..Schema::default()
                }),
            }
        }
        Some(Some(Junctor::Not(inner))) => {
            junctors.all_of.push(inner.clone());
            junctors.not = None;
        }
        Some(None) | None => {}
    }
    schema.branches_mut().for_each(turn_inwards);
}

/// The junctor of a schema that has nothing else.
enum Junctor<'s> {
    AllOf(&'s [Schema]),
    AnyOf(&'s [Schema]),
    Not(&'s Schema),
}

/// The junctor of a schema that has no other keyword.
fn only_junctor(schema: &Schema) -> Option<Junctor<'_>> {
    let junctors = schema.junctors.as_deref()?;
    let bare = Schema {
        junctors: None,
        ..without_notes(schema)
    };
    let Junctors {
        all_of,
        any_of,
        one_of,
        not,
    } = junctors;
    match (&**all_of, &**any_of, &**one_of, not.as_deref()) {
        _ if bare != Schema::default() => None,
        (all_of @ [_, ..], [], [], None) => Some(Junctor::AllOf(all_of)),
        ([], any_of @ [_, ..], [], None) => Some(Junctor::AnyOf(any_of)),
        ([], [], [], Some(not)) => Some(Junctor::Not(not)),
        _ => None,
    }
}

fn negated(schema: &Schema) -> Schema {
    Schema {
        junctors: Some(Box::new(Junctors {
            not: Some(Box::new(schema.clone())),
            ..Junctors::default()
        })),
        ..Schema::default()
    }
}

/// Writes `1.0` as `1`, which is what kubectl reads from YAML.
fn as_integer(number: &mut Number) {
    if let Some(Ok(integer)) = whole(number).map(i64::try_from) {
        *number = integer.into();
    }
}

/// Does the same to all numbers in a value.
fn with_integers(value: &mut Value) {
    match value {
        Value::Number(number) => as_integer(number),
        Value::Array(items) => items.iter_mut().for_each(with_integers),
        Value::Object(fields) => fields.values_mut().for_each(with_integers),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Drops branches that repeat `x-kubernetes-int-or-string`: `anyOf: [integer, string]` in any order, or as a branch of `allOf`,
/// or with branches that tools left empty.
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

/// Whether branches with only a type accept every integer and every string.
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

/// Merges an `anyOf` of enums into one enum. Not if null is accepted: servers compare null with the node's enum, but not with
/// branches.
fn fold_any(schema: &mut Schema, junctors: &mut Junctors) {
    let only_enum = |branch: &Schema| {
        let bare = Schema {
            enum_values: Vec::new(),
            nullable: false,
            ..without_notes(branch)
        };
        !branch.enum_values.is_empty() && bare == Schema::default()
    };
    let branches = junctors.any_of.iter();
    let mut values = branches.flat_map(|branch| &branch.enum_values);
    if schema.nullable
        || !schema.enum_values.is_empty()
        || !junctors.any_of.iter().all(only_enum)
        || values.all(Value::is_null)
    {
        return;
    }
    let branches = std::mem::take(&mut junctors.any_of).into_iter();
    let mut known = HashSet::new();
    let values = branches.flat_map(|branch| branch.enum_values);
    let values = values.filter(|value| !value.is_null() && known.insert(key_of_member(value)));
    schema.enum_values = values.collect();
}

/// Moves a branch of `allOf` with only bounds to the node, if the node lacks them or has looser ones.
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
            // A fractional bound limits integers in a branch, but beside their type it rejects all of them.
            .filter(|bounds| !refuses_numbers(schema, bounds))
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
    // An exclusive flag has no effect without its bound.
    let excludes = |bounds: [&Option<Number>; 2], excluded: [bool; 2]| {
        let mut all = bounds.into_iter().zip(excluded);
        all.any(|(bound, excluded)| excluded && bound.is_some())
    };
    let pattern = match (&one.pattern, &other.pattern) {
        (Some(one), Some(other)) if one != other => return None,
        (one, other) => one.clone().or_else(|| other.clone()),
    };
    Some(Bounds {
        minimum: only(&one.minimum, &other.minimum).ok()?,
        exclusive_minimum: excludes(
            [&one.minimum, &other.minimum],
            [one.exclusive_minimum, other.exclusive_minimum],
        ),
        maximum: only(&one.maximum, &other.maximum).ok()?,
        exclusive_maximum: excludes(
            [&one.maximum, &other.maximum],
            [one.exclusive_maximum, other.exclusive_maximum],
        ),
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

/// A schema without the keywords that are only for people, at its node.
pub(crate) fn without_notes(schema: &Schema) -> Schema {
    Schema {
        title: None,
        description: None,
        notes: None,
        ..schema.clone()
    }
}

/// A schema without the keywords that are only for people, at all nodes.
pub(crate) fn bare(schema: &Schema) -> Schema {
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

/// Junctors without the keywords that are only for people.
pub(crate) fn without_text(junctors: &Junctors) -> Junctors {
    junctors.map(bare)
}
