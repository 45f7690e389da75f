//! schemars 0.8's `SchemaObject` and the structs inside it, as the JSON that they stand for.

use crate::Text;
use crate::schema::draft::Literal;
use serde_json::Value;

/// Structs whose fields are keywords of a schema.
const STRUCTS: [&str; 8] = [
    "SchemaObject",
    "Metadata",
    "SubschemaValidation",
    "NumberValidation",
    "StringValidation",
    "ArrayValidation",
    "ObjectValidation",
    "RootSchema",
];

/// Whether a struct of that name is one of schemars 0.8's, whose fields are keywords.
pub(super) fn is_schema_struct(name: &str) -> bool {
    STRUCTS.contains(&name)
}

/// Where the value of a field goes.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum Member {
    /// Its entries stand in the schema itself.
    Group(&'static [&'static str]),
    /// It is a keyword.
    Keyword(Text),
}

/// What a field of one of these structs, or the method of that name, means.
pub(super) fn member(name: &str) -> Member {
    Member::Keyword(match name {
        "metadata" => {
            return Member::Group(&[
                "$id",
                "title",
                "description",
                "default",
                "deprecated",
                "readOnly",
                "writeOnly",
                "examples",
            ]);
        }
        "subschemas" => {
            return Member::Group(&["allOf", "anyOf", "oneOf", "not", "if", "then", "else"]);
        }
        "number" => {
            return Member::Group(&[
                "multipleOf",
                "maximum",
                "exclusiveMaximum",
                "minimum",
                "exclusiveMinimum",
            ]);
        }
        "string" => return Member::Group(&["maxLength", "minLength", "pattern"]),
        "array" => {
            return Member::Group(&[
                "items",
                "additionalItems",
                "maxItems",
                "minItems",
                "uniqueItems",
                "contains",
            ]);
        }
        "object" => {
            return Member::Group(&[
                "maxProperties",
                "minProperties",
                "required",
                "properties",
                "patternProperties",
                "additionalProperties",
                "propertyNames",
            ]);
        }
        // Of `extensions` nobody can tell which there are; `schema` is a `RootSchema`'s own.
        "extensions" | "schema" => return Member::Group(&[]),
        "instance_type" => "type".into(),
        "enum_values" => "enum".into(),
        "const_value" => "const".into(),
        "reference" => "$ref".into(),
        "id" => "$id".into(),
        "meta_schema" => "$schema".into(),
        "if_schema" => "if".into(),
        "then_schema" => "then".into(),
        "else_schema" => "else".into(),
        name => camel_case(name).into(),
    })
}

/// The entries that the fields of such a struct make. Nothing is written of what is not there.
pub(super) fn entries(fields: Vec<(Text, Literal)>) -> Option<Vec<(Text, Literal)>> {
    let mut entries = Vec::new();
    for (name, value) in fields {
        if is_absent(&name, &value) {
            continue;
        }
        match member(&name) {
            Member::Group(_) => entries.extend(entries_of(value)?),
            Member::Keyword(key) => entries.push((key, value)),
        }
    }
    Some(entries)
}

/// The entries of an object.
pub(super) fn entries_of(value: Literal) -> Option<Vec<(Text, Literal)>> {
    match value {
        Literal::Object(entries) => Some(entries),
        Literal::Value(Value::Object(map)) => {
            let entries = map.into_iter();
            Some(
                entries
                    .map(|(key, value)| (key.into(), Literal::Value(value)))
                    .collect(),
            )
        }
        Literal::Value(Value::Null) => Some(Vec::new()),
        // An empty map is written as an empty list is.
        Literal::Array(items) if items.is_empty() => Some(Vec::new()),
        _ => None,
    }
}

/// Whether schemars writes nothing for a field: `None`, flags that are off, empty maps and lists.
pub(super) fn is_absent(name: &str, value: &Literal) -> bool {
    match value {
        Literal::Value(Value::Null) => true,
        Literal::Value(Value::Bool(false)) => {
            matches!(name, "deprecated" | "read_only" | "write_only")
        }
        Literal::Array(items) => items.is_empty(),
        Literal::Object(entries) => {
            entries.is_empty() && matches!(name, "properties" | "pattern_properties")
        }
        _ => false,
    }
}

/// The name of a type in a schema: `InstanceType::String`.
pub(super) fn instance_type(path: &str) -> Option<&'static str> {
    let (owner, name) = path.rsplit_once("::")?;
    if owner.rsplit("::").next() != Some("InstanceType") {
        return None;
    }
    Some(match name {
        "Null" => "null",
        "Boolean" => "boolean",
        "Object" => "object",
        "Array" => "array",
        "Number" => "number",
        "String" => "string",
        "Integer" => "integer",
        _ => return None,
    })
}

fn camel_case(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut upper = false;
    for character in name.chars() {
        match (character, upper) {
            ('_', _) => upper = true,
            (character, true) => {
                camel.extend(character.to_uppercase());
                upper = false;
            }
            (character, false) => camel.push(character),
        }
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_are_keywords() {
        let of = |value| Literal::Value(value);
        let string =
            Literal::Object(entries(vec![("max_length".into(), of(json!(3)))]).unwrap_or_default());
        let found = entries(vec![
            ("metadata".into(), of(Value::Null)),
            ("string".into(), string),
            ("instance_type".into(), of(json!("string"))),
            ("extensions".into(), of(json!({"x-a": true}))),
        ]);
        assert_eq!(
            found,
            Some(vec![
                ("maxLength".into(), of(json!(3))),
                ("type".into(), of(json!("string"))),
                ("x-a".into(), of(json!(true))),
            ])
        );
        assert_eq!(
            instance_type("schemars::schema::InstanceType::Array"),
            Some("array")
        );
        assert_eq!(instance_type("schemars::schema::Schema::Object"), None);
    }
}
