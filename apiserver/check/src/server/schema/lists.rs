//! `x-kubernetes-list-type`, `x-kubernetes-list-map-keys` and `x-kubernetes-map-type`.

use super::super::findings::Findings;
use super::structural::absent_or_wrong;
use crate::document::model::Schema;
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_diagnostics::nearest;
use crd_channels_validation::path::Path;

pub(super) fn validate(schema: &Schema<'_>, at: Path<'_>, found: &mut Findings) {
    if let Some(map_type) = schema.map_type {
        map(schema, map_type, at, found);
    }
    if let Some(list_type) = schema.list_type {
        check_list_type(schema, list_type, at, found);
    }
    if !schema.list_map_keys.is_empty() && schema.list_type != Some("map") {
        let reason = schema
            .list_type
            .map_or(Reason::Required, |_| Reason::Invalid);
        let message = "a list with map keys must be of type `map`";
        let path = at.child("x-kubernetes-list-type");
        found.refuse(Rule::ListMapKeys, reason, path, message);
    }
}

fn map(schema: &Schema<'_>, map_type: &str, at: Path<'_>, found: &mut Findings) {
    if schema.ty != "object" {
        let reason = absent_or_wrong(schema.ty);
        let message = "`x-kubernetes-map-type` applies to objects only";
        found.refuse(Rule::MapType, reason, at.child("type"), message);
    }
    if !matches!(map_type, "atomic" | "granular") {
        let message = format!("`{map_type}` is not a map type; there are `atomic` and `granular`");
        let path = at.child("x-kubernetes-map-type");
        found.refuse(Rule::MapType, Reason::NotSupported, path, message);
    }
}

fn check_list_type(schema: &Schema<'_>, list_type: &str, at: Path<'_>, found: &mut Findings) {
    let items = at.child("items");
    if schema.ty != "array" {
        let reason = absent_or_wrong(schema.ty);
        let message = "`x-kubernetes-list-type` applies to arrays only";
        found.refuse(Rule::ListType, reason, at.child("type"), message);
    } else if let Some(item) = schema.item().filter(|_| list_type == "set") {
        set_item(item, items, found);
    }
    if !matches!(list_type, "atomic" | "set" | "map") {
        let message =
            format!("`{list_type}` is not a list type; there are `atomic`, `set` and `map`");
        let path = at.child("x-kubernetes-list-type");
        found.refuse(Rule::ListType, Reason::NotSupported, path, message);
    }
    if list_type == "map" {
        keys(schema, at, found);
    }
    let nullable = schema.item().is_some_and(|item| item.nullable);
    if nullable && matches!(list_type, "set" | "map") {
        let message = format!("the items of a list of type `{list_type}` cannot be null");
        let path = items.child("nullable");
        found.refuse(Rule::ListType, Reason::Forbidden, path, message);
    }
}

/// Items of a set are compared as a whole, so they must be atomic.
fn set_item(item: &Schema<'_>, at: Path<'_>, found: &mut Findings) {
    let (wrong, keyword) = match item.ty {
        "array" => (
            item.list_type.is_some_and(|ty| ty != "atomic"),
            "x-kubernetes-list-type",
        ),
        "object" => (item.map_type != Some("atomic"), "x-kubernetes-map-type"),
        _ => return,
    };
    if wrong {
        let message = "the items of a set must be atomic";
        found.refuse(Rule::ListType, Reason::Invalid, at.child(keyword), message);
    }
}

fn keys(schema: &Schema<'_>, at: Path<'_>, found: &mut Findings) {
    let path = at.child("x-kubernetes-list-map-keys");
    let items = at.child("items");
    if schema.list_map_keys.is_empty() {
        let message = "a list of type `map` needs keys".to_owned();
        refuse(found, Reason::Required, path, message);
    }
    let Some(item) = schema.item() else {
        let (reason, message) = if schema.items.is_none() {
            (
                Reason::Required,
                "a list of type `map` must define its items",
            )
        } else {
            (
                Reason::Invalid,
                "a list of type `map` must have one schema for its items",
            )
        };
        return refuse(found, reason, items, message.to_owned());
    };
    if item.ty != "object" {
        let message = "the items of a list of type `map` must be objects".to_owned();
        refuse(found, Reason::Invalid, items.child("type"), message);
    }
    let properties = items.child("properties");
    for (nth, key) in schema.list_map_keys.iter().enumerate() {
        let is_object = item.ty == "object";
        let repeated = schema.list_map_keys.iter().take(nth).any(|k| k == key);
        if is_object && repeated {
            refuse(
                found,
                Reason::Invalid,
                path,
                format!("duplicate key `{key}`"),
            );
        }
        let Some(property) = item.properties.get(key) else {
            if is_object {
                let message = format!("the items have no property `{key}`");
                refuse(found, Reason::Invalid, path, message);
                let near = nearest(key, item.properties.iter().map(|(name, _)| &**name));
                found.hint(near.map(|near| format!("did you mean `{near}`?")));
            }
            continue;
        };
        let at = properties.key(key);
        if is_object && matches!(property.ty, "array" | "object") {
            let message = format!("the key `{key}` is not a scalar");
            refuse(found, Reason::Invalid, at.child("type"), message);
        }
        let required = item.required.iter().any(|name| name == key);
        if !required && property.default.is_none() {
            let message = format!("the key `{key}` is neither required nor has a default");
            refuse(found, Reason::Required, at.child("default"), message);
        }
        if property.nullable {
            let message = format!("the key `{key}` can be null");
            refuse(found, Reason::Forbidden, at.child("nullable"), message);
        }
    }
}

fn refuse(found: &mut Findings, reason: Reason, path: Path<'_>, message: String) {
    found.refuse(Rule::ListMapKeys, reason, path, message);
}
