//! The structs of schemars 0.8 whose fields are keywords of a schema.

use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::Literal;
use serde_json::Value as Json;

/// The structs. Each is an object of the keywords of its fields.
const RECORDS: [&str; 7] = [
    "SchemaObject",
    "Metadata",
    "SubschemaValidation",
    "NumberValidation",
    "StringValidation",
    "ArrayValidation",
    "ObjectValidation",
];

/// The fields whose keywords are in the schema itself.
const GROUPS: [&str; 7] = [
    "metadata",
    "subschemas",
    "number",
    "string",
    "array",
    "object",
    "extensions",
];

/// The keywords of `metadata`.
pub(super) const METADATA: [&str; 8] = [
    "$id",
    "title",
    "description",
    "default",
    "deprecated",
    "readOnly",
    "writeOnly",
    "examples",
];

/// The fields that are written unless they are false or empty.
const ALWAYS: [&str; 8] = [
    "deprecated",
    "read_only",
    "write_only",
    "examples",
    "properties",
    "pattern_properties",
    "required",
    "definitions",
];

/// The types in a schema: `InstanceType::String`.
const INSTANCE_TYPES: [(&str, &str); 7] = [
    ("Null", "null"),
    ("Boolean", "boolean"),
    ("Object", "object"),
    ("Array", "array"),
    ("Number", "number"),
    ("String", "string"),
    ("Integer", "integer"),
];

/// Returns true for the full path of one of these structs.
pub(super) fn is_record(path: &str) -> bool {
    match path.rsplit_once("::") {
        Some((owner, name)) => {
            (owner == "schemars" || owner.starts_with("schemars::")) && RECORDS.contains(&name)
        }
        None => false,
    }
}

/// Returns true if the keywords of a field are in the schema itself.
pub(super) fn is_group(field: &str) -> bool {
    GROUPS.contains(&field)
}

/// Returns true if a field is a map.
pub(super) fn is_map_field(field: &str) -> bool {
    matches!(
        field,
        "extensions" | "properties" | "pattern_properties" | "definitions"
    )
}

/// Returns true if schemars leaves out a field with this value.
pub(super) fn is_left_out<T>(field: &str, value: &Literal<T>) -> bool {
    let is_empty = match value {
        Literal::Value(Json::Bool(value)) => !value,
        Literal::Value(Json::Array(items)) => items.is_empty(),
        Literal::Object(entries) => entries.is_empty(),
        _ => false,
    };
    is_empty && ALWAYS.contains(&field)
}

/// Returns the keyword of a field.
pub(super) fn keyword_of(field: &str) -> Text {
    match field {
        "instance_type" => "type".into(),
        "enum_values" => "enum".into(),
        "const_value" => "const".into(),
        "reference" => "$ref".into(),
        "id" => "$id".into(),
        "if_schema" => "if".into(),
        "then_schema" => "then".into(),
        "else_schema" => "else".into(),
        field => camel_case(field).into(),
    }
}

/// Returns the name of a type in a schema, for the full path of a constant of schemars 0.8.
pub(super) fn instance_type(path: &str) -> Option<&'static str> {
    let (owner, name) = path.rsplit_once("::")?;
    if !owner.starts_with("schemars::") || !owner.ends_with("::InstanceType") {
        return None;
    }
    let found = INSTANCE_TYPES.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, json)| json)
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        camel.push_str(letters.as_str());
    }
    camel
}
