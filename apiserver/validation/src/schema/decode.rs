//! `openAPIV3Schema`: `JSONSchemaProps`.

use super::model::{Additional, Items, Schema, ValidationRule};
use super::pattern::Pattern;
use super::reader::{Faults, JsonNode};
use serde_json::Value;

/// Reads a schema; adds mismatches to the faults.
pub fn decode_schema<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Schema<'a> {
    let mut schema = Schema::default();
    faults.fields(node, |faults, name, node| {
        keyword(faults, &mut schema, name, node)
    });
    schema
}

fn keyword<'a>(
    faults: &mut Faults,
    schema: &mut Schema<'a>,
    name: &str,
    node: JsonNode<'a, '_>,
) -> bool {
    match name {
        "description" => schema.description = faults.text(node),
        "type" => schema.ty = faults.text(node),
        "properties" => schema.properties = faults.map(node, decode_schema),
        "items" => schema.items = items(faults, node),
        "required" => schema.required = faults.texts(node),
        "format" => schema.format = faults.text(node),
        "title" => schema.title = faults.text(node),
        "default" => schema.default = some(node),
        "enum" => schema.enum_values = faults.list(node, |_, node| node.value),
        "pattern" => schema.pattern = Pattern::new(faults.text(node)),
        "maximum" => schema.maximum = faults.number(node),
        "exclusiveMaximum" => schema.exclusive_maximum = faults.flag(node),
        "minimum" => schema.minimum = faults.number(node),
        "exclusiveMinimum" => schema.exclusive_minimum = faults.flag(node),
        "multipleOf" => schema.multiple_of = faults.number(node),
        "maxLength" => schema.max_length = faults.integer(node),
        "minLength" => schema.min_length = faults.integer(node),
        "maxItems" => schema.max_items = faults.integer(node),
        "minItems" => schema.min_items = faults.integer(node),
        "maxProperties" => schema.max_properties = faults.integer(node),
        "minProperties" => schema.min_properties = faults.integer(node),
        "uniqueItems" => schema.unique_items = faults.flag(node),
        "nullable" => schema.nullable = faults.flag(node),
        "example" => schema.example = some(node),
        "externalDocs" => schema.external_docs = external_docs(faults, node),
        _ => return junctor(faults, schema, name, node) || extension(faults, schema, name, node),
    }
    true
}

/// Reads the keywords with nested schemas, and those that are only known because they are rejected.
fn junctor<'a>(
    faults: &mut Faults,
    schema: &mut Schema<'a>,
    name: &str,
    node: JsonNode<'a, '_>,
) -> bool {
    match name {
        "allOf" => schema.all_of = faults.list(node, decode_schema),
        "anyOf" => schema.any_of = faults.list(node, decode_schema),
        "oneOf" => schema.one_of = faults.list(node, decode_schema),
        "not" => schema.not = some(node).map(|_| Box::new(decode_schema(faults, node))),
        "additionalProperties" => schema.additional_properties = additional(faults, node),
        "additionalItems" => schema.additional_items = additional(faults, node),
        "patternProperties" => schema.pattern_properties = faults.map(node, decode_schema),
        "definitions" => schema.definitions = faults.map(node, decode_schema),
        "dependencies" => schema.dependencies = faults.map(node, dependency),
        "id" => schema.id = faults.text(node),
        "$schema" => schema.dollar_schema = faults.text(node),
        "$ref" => schema.reference = faults.some_text(node),
        _ => return false,
    }
    true
}

fn extension<'a>(
    faults: &mut Faults,
    schema: &mut Schema<'a>,
    name: &str,
    node: JsonNode<'a, '_>,
) -> bool {
    match name.strip_prefix("x-kubernetes-").unwrap_or_default() {
        "preserve-unknown-fields" => schema.preserve_unknown_fields = faults.some_flag(node),
        "embedded-resource" => schema.embedded_resource = faults.flag(node),
        "int-or-string" => schema.int_or_string = faults.flag(node),
        "list-map-keys" => schema.list_map_keys = faults.texts(node),
        "list-type" => schema.list_type = faults.some_text(node),
        "map-type" => schema.map_type = faults.some_text(node),
        "validations" => schema.rules = faults.list(node, rule),
        _ => return false,
    }
    true
}

fn some<'a>(node: JsonNode<'a, '_>) -> Option<&'a Value> {
    (!node.value.is_null()).then_some(node.value)
}

fn items<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Option<Items<'a>> {
    let items = match some(node)? {
        Value::Object(_) => Items::One(Box::new(
            faults.in_silence(|faults| decode_schema(faults, node)),
        )),
        Value::Array(schemas) if !schemas.is_empty() => {
            let several = faults.in_silence(|faults| faults.list(node, decode_schema));
            Items::Several(several.0.unwrap_or_default())
        }
        _ => Items::None,
    };
    Some(items)
}

fn additional<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Option<Additional<'a>> {
    let additional = match some(node)? {
        Value::Bool(allowed) => Additional::Allowed(*allowed),
        Value::Object(_) => Additional::Schema(Box::new(
            faults.in_silence(|faults| decode_schema(faults, node)),
        )),
        _ => {
            faults.refuse(node, "a boolean or a schema");
            return None;
        }
    };
    Some(additional)
}

fn dependency<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Option<Schema<'a>> {
    match node.value {
        Value::Object(_) => Some(faults.in_silence(|faults| decode_schema(faults, node))),
        Value::Array(_) => {
            faults.texts(node);
            None
        }
        _ => None,
    }
}

fn external_docs<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Option<(&'a str, &'a str)> {
    some(node)?;
    let mut docs = ("", "");
    faults.fields(node, |faults, name, node| {
        match name {
            "description" => docs.0 = faults.text(node),
            "url" => docs.1 = faults.text(node),
            _ => return false,
        }
        true
    });
    Some(docs)
}

fn rule<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> ValidationRule<'a> {
    let mut rule = ValidationRule::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "rule" => rule.rule = faults.text(node),
            "message" => rule.message = faults.text(node),
            "messageExpression" => rule.message_expression = faults.text(node),
            "reason" => rule.reason = faults.some_text(node),
            "fieldPath" => rule.field_path = faults.text(node),
            "optionalOldSelf" => rule.optional_old_self = faults.some_flag(node),
            _ => return false,
        }
        true
    });
    rule
}
