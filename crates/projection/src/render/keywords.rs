//! Sets one keyword of a schema from its JSON value. `raw` handles keywords that contain schemas.

use crd_channels_diagnostics::Text;
use crd_channels_schema::{
    Bounds, JsonType, ListType, MapType, Merge, Notes, Origin, Rule, Schema,
};
use serde_json::{Number, Value};

/// The reason why a keyword cannot be set.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Fault {
    /// CRD schemas do not have this keyword.
    Unknown,
    /// API servers refuse the keyword.
    Refused,
    /// The value has the wrong form; this is the right one.
    Form(&'static str),
}

/// Every keyword that a CRD may have, for suggestions.
pub(super) const KNOWN: &[&str] = &[
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
];

/// JSON Schema keywords that annotate a schema without constraining values; CRDs do not have them.
pub(super) const REMARKS: &[&str] = &[
    "$comment",
    "$id",
    "$schema",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// Sets a keyword, replacing its value.
///
/// # Errors
///
/// If the keyword does not exist or is not allowed in a CRD, or its value has the wrong form.
pub(super) fn set(schema: &mut Schema, key: &str, value: Value) -> Result<(), Fault> {
    match key {
        "type" => schema.ty = Some(text(&value).and_then(|name| json_type(&name))?),
        "format" => schema.format = Some(text(&value)?),
        "title" => schema.title = Some(text(&value)?),
        "description" => schema.description = Some(text(&value)?),
        "nullable" => schema.nullable = flag(&value)?,
        "default" => schema.default = (!value.is_null()).then(|| Box::new(value)),
        "example" => notes(schema).example = Some(value),
        "externalDocs" => set_docs(notes(schema), value)?,
        "enum" => schema.enum_values = list(value)?,
        "required" => schema.required = texts(value)?,
        "minimum" => bounds(schema).minimum = Some(number(value)?),
        "maximum" => bounds(schema).maximum = Some(number(value)?),
        "exclusiveMinimum" => bounds(schema).exclusive_minimum = flag(&value)?,
        "exclusiveMaximum" => bounds(schema).exclusive_maximum = flag(&value)?,
        "multipleOf" => bounds(schema).multiple_of = Some(number(value)?),
        "minLength" => bounds(schema).min_length = Some(count(&value)?),
        "maxLength" => bounds(schema).max_length = Some(count(&value)?),
        "pattern" => bounds(schema).pattern = Some(text(&value)?),
        "minItems" => bounds(schema).min_items = Some(count(&value)?),
        "maxItems" => bounds(schema).max_items = Some(count(&value)?),
        "minProperties" => bounds(schema).min_properties = Some(count(&value)?),
        "maxProperties" => bounds(schema).max_properties = Some(count(&value)?),
        "x-kubernetes-embedded-resource" => schema.embedded_resource = flag(&value)?,
        "x-kubernetes-int-or-string" => schema.int_or_string = flag(&value)?,
        "x-kubernetes-preserve-unknown-fields" => schema.preserve_unknown_fields = flag(&value)?,
        "x-kubernetes-list-type" => {
            merge(schema).list_type = Some(match value.as_str() {
                Some("atomic") => ListType::Atomic,
                Some("set") => ListType::Set,
                Some("map") => ListType::Map,
                _ => return Err(Fault::Form("`\"atomic\"`, `\"set\"` or `\"map\"`")),
            });
        }
        "x-kubernetes-list-map-keys" => merge(schema).list_map_keys = texts(value)?,
        "x-kubernetes-map-type" => {
            merge(schema).map_type = Some(match value.as_str() {
                Some("atomic") => MapType::Atomic,
                Some("granular") => MapType::Granular,
                _ => return Err(Fault::Form("`\"atomic\"` or `\"granular\"`")),
            });
        }
        "x-kubernetes-validations" => {
            schema.rules = list(value)?
                .into_iter()
                .map(|entry| rule(entry, schema.origin))
                .collect::<Result<_, _>>()?;
        }
        "uniqueItems" if value == Value::Bool(false) => {}
        "$ref" | "additionalItems" | "definitions" | "dependencies" | "id"
        | "patternProperties" | "uniqueItems" => return Err(Fault::Refused),
        _ => return Err(Fault::Unknown),
    }
    Ok(())
}

/// Removes a keyword; `raw` handles those that contain alternatives.
pub(super) fn unset(schema: &mut Schema, key: &str) {
    let empty = Schema::default();
    match key {
        "type" => schema.ty = None,
        "format" => schema.format = None,
        "title" => schema.title = None,
        "description" => schema.description = None,
        "nullable" => schema.nullable = false,
        "default" => schema.default = None,
        "example" => notes(schema).example = None,
        "externalDocs" => {
            let notes = notes(schema);
            (notes.docs_url, notes.docs_description) = (None, None);
        }
        "enum" => schema.enum_values = empty.enum_values,
        "required" => schema.required = empty.required,
        "properties" => schema.properties = empty.properties,
        "additionalProperties" => schema.additional_properties = None,
        "items" => schema.items = None,
        "minimum" => bounds(schema).minimum = None,
        "maximum" => bounds(schema).maximum = None,
        "exclusiveMinimum" => bounds(schema).exclusive_minimum = false,
        "exclusiveMaximum" => bounds(schema).exclusive_maximum = false,
        "multipleOf" => bounds(schema).multiple_of = None,
        "minLength" => bounds(schema).min_length = None,
        "maxLength" => bounds(schema).max_length = None,
        "pattern" => bounds(schema).pattern = None,
        "minItems" => bounds(schema).min_items = None,
        "maxItems" => bounds(schema).max_items = None,
        "minProperties" => bounds(schema).min_properties = None,
        "maxProperties" => bounds(schema).max_properties = None,
        "x-kubernetes-embedded-resource" => schema.embedded_resource = false,
        "x-kubernetes-int-or-string" => schema.int_or_string = false,
        "x-kubernetes-preserve-unknown-fields" => schema.preserve_unknown_fields = false,
        "x-kubernetes-list-type" => merge(schema).list_type = None,
        "x-kubernetes-list-map-keys" => merge(schema).list_map_keys = Vec::new(),
        "x-kubernetes-map-type" => merge(schema).map_type = None,
        "x-kubernetes-validations" => schema.rules = Vec::new(),
        _ => {}
    }
    // An empty part is the same as none.
    schema.bounds = schema
        .bounds
        .take()
        .filter(|part| **part != Bounds::default());
    schema.notes = schema
        .notes
        .take()
        .filter(|part| **part != Notes::default());
    schema.merge = schema
        .merge
        .take()
        .filter(|part| **part != Merge::default());
}

/// Returns the bounds, created if missing.
pub(super) fn bounds(schema: &mut Schema) -> &mut Bounds {
    schema.bounds.get_or_insert_default()
}

/// Returns the merge keywords, created if missing.
pub(super) fn merge(schema: &mut Schema) -> &mut Merge {
    schema.merge.get_or_insert_default()
}

/// Returns the notes, created if missing.
pub(super) fn notes(schema: &mut Schema) -> &mut Notes {
    schema.notes.get_or_insert_default()
}

/// Parses the name of a type.
pub(super) fn json_type(name: &str) -> Result<JsonType, Fault> {
    JsonType::from_name(name).ok_or(Fault::Form(
        "`\"array\"`, `\"boolean\"`, `\"integer\"`, `\"number\"`, `\"object\"` or `\"string\"`",
    ))
}

fn set_docs(notes: &mut Notes, value: Value) -> Result<(), Fault> {
    const FORM: Fault = Fault::Form("an object with `url` and `description`");
    let Value::Object(entries) = value else {
        return Err(FORM);
    };
    for (key, value) in &entries {
        match key.as_str() {
            "url" => notes.docs_url = Some(text(value)?),
            "description" => notes.docs_description = Some(text(value)?),
            _ => return Err(FORM),
        }
    }
    Ok(())
}

fn rule(value: Value, origin: Origin) -> Result<Rule, Fault> {
    const FORM: Fault = Fault::Form(
        "a list of objects with `rule` and, where wanted, `message`, `messageExpression`, `reason`, `fieldPath`, \
         `optionalOldSelf`",
    );
    let Value::Object(entries) = value else {
        return Err(FORM);
    };
    let mut rule = Rule {
        origin,
        ..Rule::default()
    };
    for (key, value) in &entries {
        match key.as_str() {
            "rule" => rule.rule = text(value)?,
            "message" => rule.message = Some(text(value)?),
            "messageExpression" => rule.message_expression = Some(text(value)?),
            "reason" => rule.reason = Some(text(value)?),
            "fieldPath" => rule.field_path = Some(text(value)?),
            "optionalOldSelf" => rule.optional_old_self = Some(flag(value)?),
            _ => return Err(FORM),
        }
    }
    Ok(rule)
}

fn text(value: &Value) -> Result<Text, Fault> {
    value
        .as_str()
        .map(Text::from)
        .ok_or(Fault::Form("a string"))
}

fn flag(value: &Value) -> Result<bool, Fault> {
    value.as_bool().ok_or(Fault::Form("`true` or `false`"))
}

fn count(value: &Value) -> Result<u64, Fault> {
    value
        .as_u64()
        .ok_or(Fault::Form("a whole number from 0 on"))
}

fn number(value: Value) -> Result<Number, Fault> {
    match value {
        Value::Number(number) => Ok(number),
        _ => Err(Fault::Form("a number")),
    }
}

fn list(value: Value) -> Result<Vec<Value>, Fault> {
    match value {
        Value::Array(items) => Ok(items),
        _ => Err(Fault::Form("a list")),
    }
}

fn texts(value: Value) -> Result<Vec<Text>, Fault> {
    const FORM: Fault = Fault::Form("a list of strings");
    let Value::Array(items) = value else {
        return Err(FORM);
    };
    items
        .iter()
        .map(|item| item.as_str().map(Text::from).ok_or(FORM))
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::{Fault, KNOWN, Schema, set};
    use serde_json::{Value, json};

    #[test]
    fn every_known_keyword_is_set_or_left_to_raw() {
        let holding_schemas = [
            "additionalProperties",
            "allOf",
            "anyOf",
            "items",
            "not",
            "oneOf",
            "properties",
        ];
        for key in KNOWN {
            let fault = set(&mut Schema::default(), key, Value::Null).err();
            let unknown = fault == Some(Fault::Unknown);
            assert_eq!(unknown, holding_schemas.contains(key), "`{key}`: {fault:?}");
        }
    }

    #[test]
    fn wrong_forms_are_refused() {
        let check = |key: &str, value: Value, fault: Option<Fault>| {
            let set = set(&mut Schema::default(), key, value.clone()).err();
            match (set, fault) {
                (Some(Fault::Form(_)), Some(Fault::Form(_))) => {}
                (found, expected) => assert_eq!(found, expected, "{key}: {value}"),
            }
        };
        check("maxLength", json!(1), None);
        check("maxLength", json!(1.0), Some(Fault::Form("")));
        check("maxLength", json!(-1), Some(Fault::Form("")));
        check("type", json!("any"), Some(Fault::Form("")));
        check("exclusiveMinimum", json!(1), Some(Fault::Form("")));
        check("uniqueItems", json!(true), Some(Fault::Refused));
        check("uniqueItems", json!(false), None);
        check(
            "x-kubernetes-struct-type",
            json!("atomic"),
            Some(Fault::Unknown),
        );
        check("x-kubernetes-validations", json!([{"rule": "true"}]), None);
        check(
            "x-kubernetes-validations",
            json!([{"rule": "true", "mesage": "x"}]),
            Some(Fault::Form("")),
        );
        let mut schema = Schema::default();
        set(&mut schema, "default", Value::Null).unwrap();
        assert_eq!(schema, Schema::default());
    }
}
