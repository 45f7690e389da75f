//! The structs of schemars 0.8 whose fields are keywords of a schema, and kube's `Rule`: their fields and types.

use crate::eval::values::kinds::Wrapper;
use crate::eval::values::path_segments::{is_kube, last_segment};
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Text;
use std::sync::Arc;

/// A value of one of these structs.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// The full path of the struct.
    pub(crate) of: Text,
    /// Its fields, by their Rust names.
    pub(crate) fields: Arc<Vec<(Text, Value)>>,
}

impl Record {
    /// Returns the struct's name.
    pub(crate) fn name(&self) -> &str {
        last_segment(&self.of)
    }

    /// Returns the keywords of a struct with their values, without options and boxes around them.
    pub(crate) fn entries(&self) -> Vec<(Text, Value)> {
        let mut found = Vec::with_capacity(self.fields.len());
        for (field, value) in self.fields.iter() {
            if is_absent(value) {
                continue;
            }
            let mut value = value;
            while let Value::Option(Some(inner)) | Value::Wrapped(Wrapper::Box, inner) = value {
                value = inner;
            }
            match (keyword_of(field), value) {
                (Keyword::Named(keyword), value) => found.push((keyword, value.clone())),
                (Keyword::Inline, Value::Record(inner)) => found.extend(inner.entries()),
                (Keyword::Inline, Value::Map(map)) => {
                    let entries = map.entries.iter();
                    found.extend(
                        entries
                            .filter_map(|(key, value)| Some((key.text()?.clone(), value.clone()))),
                    );
                }
                (Keyword::Inline, _) => {}
            }
        }
        found
    }

    /// Returns the content of `SingleOrVec`, which is written without a wrapper.
    pub(crate) fn only(&self) -> Option<&Value> {
        let only = self.fields.first().filter(|_| self.name() == "SingleOrVec");
        only.map(|(_, value)| value)
    }
}

/// Every struct with its fields.
const STRUCTS: [(&str, &[&str]); 10] = [
    (
        "SchemaObject",
        &[
            "metadata",
            "instance_type",
            "format",
            "enum_values",
            "const_value",
            "subschemas",
            "number",
            "string",
            "array",
            "object",
            "reference",
            "extensions",
        ],
    ),
    (
        "Metadata",
        &[
            "id",
            "title",
            "description",
            "default",
            "deprecated",
            "read_only",
            "write_only",
            "examples",
        ],
    ),
    (
        "SubschemaValidation",
        &[
            "all_of",
            "any_of",
            "one_of",
            "not",
            "if_schema",
            "then_schema",
            "else_schema",
        ],
    ),
    (
        "NumberValidation",
        &[
            "multiple_of",
            "maximum",
            "exclusive_maximum",
            "minimum",
            "exclusive_minimum",
        ],
    ),
    ("StringValidation", &["max_length", "min_length", "pattern"]),
    (
        "ArrayValidation",
        &[
            "items",
            "additional_items",
            "max_items",
            "min_items",
            "unique_items",
            "contains",
        ],
    ),
    (
        "ObjectValidation",
        &[
            "max_properties",
            "min_properties",
            "required",
            "properties",
            "pattern_properties",
            "additional_properties",
            "property_names",
        ],
    ),
    ("RootSchema", &["meta_schema", "schema", "definitions"]),
    (
        "SchemaSettings",
        &[
            "option_nullable",
            "option_add_null_type",
            "definitions_path",
            "meta_schema",
            "inline_subschemas",
            "untagged_enum_variant_titles",
        ],
    ),
    (
        "Rule",
        &[
            "rule",
            "message",
            "reason",
            "field_path",
            "optional_old_self",
        ],
    ),
];

/// The names of types in a schema: `InstanceType::String`.
const INSTANCE_TYPES: [(&str, &str); 7] = [
    ("Null", "null"),
    ("Boolean", "boolean"),
    ("Object", "object"),
    ("Array", "array"),
    ("Number", "number"),
    ("String", "string"),
    ("Integer", "integer"),
];

/// The keyword of a field.
pub(super) enum Keyword {
    /// Its entries are in the schema itself.
    Inline,
    /// It is a keyword.
    Named(Text),
}

/// Returns the keyword of a field.
pub(super) fn keyword_of(field: &str) -> Keyword {
    Keyword::Named(match field {
        "metadata" | "subschemas" | "number" | "string" | "array" | "object" | "extensions"
        | "schema" => {
            return Keyword::Inline;
        }
        "instance_type" => "type".into(),
        "enum_values" => "enum".into(),
        "const_value" => "const".into(),
        "reference" => "$ref".into(),
        "id" => "$id".into(),
        "meta_schema" => "$schema".into(),
        "if_schema" => "if".into(),
        "then_schema" => "then".into(),
        "else_schema" => "else".into(),
        field => camel_case(field).into(),
    })
}

/// Returns true if schemars writes nothing for a field: `None`, false flags, and empty maps, sets and lists that are not
/// options.
fn is_absent(value: &Value) -> bool {
    match value {
        Value::Option(None) | Value::Bool(false) => true,
        Value::Seq(seq) => seq.items.is_empty(),
        Value::Map(map) => map.entries.is_empty(),
        _ => false,
    }
}

/// Returns true if the value of a field is in the schema itself.
pub(in crate::eval) fn is_group(field: &str) -> bool {
    matches!(keyword_of(field), Keyword::Inline)
}

/// Returns the keywords of a group; `None` for `extensions`, which may have any.
pub(super) fn group_keywords(field: &str) -> Option<Vec<Text>> {
    let Some(Concrete::External(_, inner)) = field_type(field) else {
        return None;
    };
    let Some(Concrete::External(_, inner)) = inner.first() else {
        return None;
    };
    let Some(Concrete::External(path, _)) = inner.first() else {
        return None;
    };
    let (_, fields) = struct_of(path)?;
    let keywords = fields.iter().map(|field| match keyword_of(field) {
        Keyword::Named(keyword) => Some(keyword),
        Keyword::Inline => None,
    });
    keywords.collect()
}

/// Returns the struct that a path names.
pub(super) fn struct_of(path: &str) -> Option<(&'static str, &'static [&'static str])> {
    let (owner, name) = path.rsplit_once("::")?;
    let own = match name {
        "Rule" => is_kube(path),
        _ => owner.starts_with("schemars::") || owner == "schemars",
    };
    let mut known = STRUCTS.into_iter();
    known.find(|(known, _)| own && *known == name)
}

/// Returns the type of a field. Field names are unique across the structs.
pub(super) fn field_type(field: &str) -> Option<Concrete> {
    let of = |path: &str, args: Vec<Concrete>| Concrete::External(path.into(), args);
    let plain = |path: &str| of(path, Vec::new());
    let own = |name: &str| plain(&format!("schemars::schema::{name}"));
    let boxed = |ty: Concrete| of("std::boxed::Box", vec![ty]);
    let list = |ty: Concrete| of("std::vec::Vec", vec![ty]);
    let text = || plain("std::string::String");
    let json = || plain("serde_json::Value");
    let schema = || plain("schemars::Schema");
    let one_or_more = |ty: Concrete| of("schemars::schema::SingleOrVec", vec![ty]);
    let map = |ty: Concrete| of("std::collections::BTreeMap", vec![text(), ty]);
    let inner = match field {
        "metadata" => boxed(own("Metadata")),
        "subschemas" => boxed(own("SubschemaValidation")),
        "number" => boxed(own("NumberValidation")),
        "string" => boxed(own("StringValidation")),
        "array" => boxed(own("ArrayValidation")),
        "object" => boxed(own("ObjectValidation")),
        "instance_type" => one_or_more(own("InstanceType")),
        "items" => one_or_more(schema()),
        "format" | "reference" | "id" | "title" | "description" | "pattern" | "meta_schema" => {
            text()
        }
        "enum_values" => list(json()),
        "const_value" | "default" => json(),
        "all_of" | "any_of" | "one_of" => list(schema()),
        "not"
        | "if_schema"
        | "then_schema"
        | "else_schema"
        | "additional_items"
        | "contains"
        | "additional_properties"
        | "property_names" => boxed(schema()),
        "multiple_of" | "maximum" | "exclusive_maximum" | "minimum" | "exclusive_minimum" => {
            plain("f64")
        }
        "max_length" | "min_length" | "max_items" | "min_items" | "max_properties"
        | "min_properties" => plain("u32"),
        "unique_items" => plain("bool"),
        "rule" => return Some(text()),
        "message" => plain("kube::core::Message"),
        "reason" => plain("kube::core::Reason"),
        "field_path" => text(),
        "optional_old_self" => plain("bool"),
        "deprecated"
        | "read_only"
        | "write_only"
        | "option_nullable"
        | "option_add_null_type"
        | "inline_subschemas"
        | "untagged_enum_variant_titles" => return Some(plain("bool")),
        "definitions_path" => return Some(text()),
        "examples" => return Some(list(json())),
        "extensions" => return Some(map(json())),
        "properties" | "pattern_properties" | "definitions" => return Some(map(schema())),
        "required" => return Some(of("std::collections::BTreeSet", vec![text()])),
        "schema" => return Some(own("SchemaObject")),
        _ => return None,
    };
    Some(of("std::option::Option", vec![inner]))
}

/// Returns a constant of schemars 0.8: `InstanceType::String`.
pub(in crate::eval) fn instance_type(path: &str) -> Option<Value> {
    let (owner, name) = path.rsplit_once("::")?;
    let (before, of) = owner.rsplit_once("::")?;
    if of != "InstanceType" || !before.starts_with("schemars") {
        return None;
    }
    let found = INSTANCE_TYPES.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, json)| Value::Named("schemars::schema::InstanceType".into(), json.into()))
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
