//! Sets one keyword of a schema from its JSON value. `raw` handles keywords that contain schemas.

use crd_channels_diagnostics::Text;
use crd_channels_schema::{
    Bounds, JsonType, Junctors, ListType, MapType, Merge, Notes, Origin, Rule, Schema, keywords,
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
        "type" => schema.ty = Some(read_text(&value).and_then(|name| json_type(&name))?),
        "format" => schema.format = Some(read_text(&value)?),
        "title" => schema.title = Some(read_text(&value)?),
        "description" => schema.description = Some(read_text(&value)?),
        "nullable" => schema.nullable = flag(&value)?,
        "default" => schema.default = (!value.is_null()).then(|| Box::new(value)),
        "example" => notes(schema).example = Some(value),
        "externalDocs" => set_docs(notes(schema), value)?,
        "enum" => schema.enum_values = read_list(value)?,
        "required" => schema.required = texts(value)?,
        "minimum" => bounds(schema).minimum = Some(number(value)?),
        "maximum" => bounds(schema).maximum = Some(number(value)?),
        "exclusiveMinimum" => bounds(schema).exclusive_minimum = flag(&value)?,
        "exclusiveMaximum" => bounds(schema).exclusive_maximum = flag(&value)?,
        "multipleOf" => bounds(schema).multiple_of = Some(number(value)?),
        "minLength" => bounds(schema).min_length = Some(count(&value)?),
        "maxLength" => bounds(schema).max_length = Some(count(&value)?),
        "pattern" => bounds(schema).pattern = Some(read_text(&value)?),
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
            schema.rules = read_list(value)?
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

/// Removes a keyword.
pub(super) fn unset(schema: &mut Schema, key: &str) {
    macro_rules! unset_keyword {
        (own $field:ident) => {
            schema.$field = Default::default()
        };
        ($part:ident $($field:ident)+) => {
            if let Some(part) = &mut schema.$part {
                $(part.$field = Default::default();)+
            }
        };
    }
    macro_rules! unset {
        ($(($part:ident $keyword:literal $write:ident $($field:ident)+))*) => {
            match key {
                $($keyword => unset_keyword!($part $($field)+),)*
                _ => {}
            }
        };
    }
    keywords!(unset);
    // An empty part is the same as none.
    schema.bounds.take_if(|part| **part == Bounds::default());
    schema.notes.take_if(|part| **part == Notes::default());
    schema.merge.take_if(|part| **part == Merge::default());
    schema
        .junctors
        .take_if(|part| **part == Junctors::default());
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
            "url" => notes.docs_url = Some(read_text(value)?),
            "description" => notes.docs_description = Some(read_text(value)?),
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
            "rule" => rule.rule = read_text(value)?,
            "message" => rule.message = Some(read_text(value)?),
            "messageExpression" => rule.message_expression = Some(read_text(value)?),
            "reason" => rule.reason = Some(read_text(value)?),
            "fieldPath" => rule.field_path = Some(read_text(value)?),
            "optionalOldSelf" => rule.optional_old_self = Some(flag(value)?),
            _ => return Err(FORM),
        }
    }
    Ok(rule)
}

fn read_text(value: &Value) -> Result<Text, Fault> {
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

fn read_list(value: Value) -> Result<Vec<Value>, Fault> {
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
    use super::{Fault, Schema, set};
    use crd_channels_schema::KEYWORDS;
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
        for key in KEYWORDS {
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
