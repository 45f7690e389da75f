//! Values as rules see them: without fields that are null or have no schema.

use crate::path::Path;
use crate::schema::{Schema, has_type, is_meta};
use crate::value::uniqueness;
use crate::violation::Violations;
use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use crd_channels_cel::escaped;
use crd_channels_cel::evaluate::{Hidden, Object, Val};
use crd_channels_cel::formats::fits;
use crd_channels_cel::time::duration;
use serde_json::{Map, Value};

/// The value as rules see it. `is_resource` marks a whole resource.
#[must_use]
pub fn cel_value(value: &Value, schema: &Schema<'_>, is_resource: bool) -> Val {
    match (value, schema.ty) {
        (Value::Null, _) if schema.nullable => Val::Null,
        (Value::Null, _) => Val::Broken,
        (Value::Number(number), _) if schema.int_or_string => {
            number.as_i64().map_or(Val::Broken, Val::Int)
        }
        (Value::String(text), _) if schema.int_or_string => Val::text(text.as_str()),
        _ if schema.int_or_string => Val::Broken,
        (Value::Bool(value), "boolean") => Val::Bool(*value),
        // In JSON, `1.0` is not an integer for rules, although it is valid.
        (Value::Number(number), "integer") => number.as_i64().map_or(Val::Broken, Val::Int),
        (Value::Number(number), "number") => number.as_f64().map_or(Val::Opaque, Val::Double),
        (Value::String(text), "string") => of_text(text, schema.format),
        (Value::Array(items), "array") => list_value(items, schema),
        (Value::Object(fields), "object") => object(fields, schema, is_resource),
        (_, "boolean" | "integer" | "number" | "string" | "array" | "object") => Val::Broken,
        _ => Val::Opaque,
    }
}

/// Texts of four formats are values of another type, or opaque.
fn of_text(text: &str, format: &str) -> Val {
    match format {
        // Validation rejects it, but the server reads it.
        "date-time" if text.is_empty() => Val::Opaque,
        "byte" if text.is_empty() => Val::Bytes([].into()),
        "date" | "date-time" | "duration" if fits(format, text) == Some(false) => Val::Broken,
        "date-time" => Val::of_date_time(text),
        "date" => Val::of_date_time(&format!("{text}T00:00:00Z")),
        // Servers read more forms than expressions can write.
        "duration" => duration(text).map_or(Val::Opaque, Val::Duration),
        "byte" => bytes(text),
        _ => Val::text(text),
    }
}

/// Servers validate one alphabet of base64 and decode another, so rules fail on some valid texts, and read invalid ones that
/// did not change.
fn bytes(text: &str) -> Val {
    let lenient = GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true);
    let text = text.replace(['\r', '\n'], "");
    let decoded = GeneralPurpose::new(&URL_SAFE, lenient).decode(text);
    decoded.map_or(Val::Broken, |bytes| Val::Bytes(bytes.into()))
}

fn list_value(items: &[Value], schema: &Schema<'_>) -> Val {
    let item = schema.item();
    let seen = items.iter().map(|value| match item {
        Some(item) => cel_value(value, item, item.embedded_resource),
        None => Val::Opaque,
    });
    match schema.list_type {
        // The comparison of duplicate items depends on their positions.
        Some("set" | "map") if repeats(items, schema) => Val::Shuffled(seen.collect()),
        Some("set" | "map") => Val::Unordered(seen.collect()),
        _ => Val::List(seen.collect()),
    }
}

fn repeats(items: &[Value], schema: &Schema<'_>) -> bool {
    let path = Path::root("self");
    let mut found = Violations::default();
    let items = Value::Array(items.to_vec());
    uniqueness(&items, schema, Some(path), &mut found);
    !found.is_empty()
}

fn object(fields: &Map<String, Value>, schema: &Schema<'_>, is_resource: bool) -> Val {
    let (mut visible, mut hidden) = (Vec::new(), Vec::new());
    for (name, value) in fields {
        let field = match (schema.properties.get(name), schema.values()) {
            (None, Some(values)) => cel_value(value, values, values.embedded_resource),
            _ if is_resource && is_meta(name) => of_resource(name, value, schema),
            (Some(property), _) if has_type(property) && !value.is_null() => {
                cel_value(value, property, property.embedded_resource)
            }
            (property, _) => {
                let written = value.to_string().into();
                let is = match property {
                    Some(_) if value.is_null() => Hidden::Null,
                    Some(property) => Hidden::Untyped(is_raw(value, property).then_some(written)),
                    None => Hidden::Unknown(written),
                };
                hidden.push((name.as_str().into(), is));
                continue;
            }
        };
        visible.push((Val::text(name.as_str()), field));
    }
    if hidden.is_empty() && schema.properties.is_empty() && !is_resource {
        return Val::map(visible);
    }
    Val::Object(Object {
        seen: visible.into(),
        hidden: hidden.into(),
    })
}

/// Whether servers compare a value without a type in its raw form.
fn is_raw(value: &Value, schema: &Schema<'_>) -> bool {
    let is_raw = |value: &Value, schema| !value.is_null() && is_raw(value, schema);
    match (schema.ty, value) {
        ("", _) => true,
        ("array", Value::Array(items)) if !matches!(schema.list_type, Some("set" | "map")) => {
            let item = schema.item();
            item.is_some_and(|item| items.iter().all(|value| is_raw(value, item)))
        }
        ("object", Value::Object(entries)) => {
            let values = schema.values();
            values.is_some_and(|values| entries.values().all(|value| is_raw(value, values)))
        }
        _ => false,
    }
}

/// The fields of every resource. Rules see only the names in its metadata. Servers set the metadata of a whole object, so its
/// equality to another is unknown.
fn of_resource(name: &str, value: &Value, schema: &Schema<'_>) -> Val {
    let text = |value: &Value| match value {
        Value::String(text) => Val::text(text.as_str()),
        _ => Val::Broken,
    };
    if name != "metadata" {
        return text(value);
    }
    let names = ["name", "generateName"].into_iter();
    let names = names.filter_map(|name| {
        let value = value.get(name)?;
        Some((Val::text(name), text(value)))
    });
    let others = match schema.embedded_resource {
        true => Hidden::Metadata(value.to_string().into()),
        false => Hidden::Untyped(None),
    };
    Val::Object(Object {
        seen: names.collect(),
        hidden: [("".into(), others)].into(),
    })
}

/// The content of an optional `oldSelf`. Servers lose the schemas of nested values there, so sets become lists, and times
/// become texts.
#[must_use]
pub(super) fn without_schema(value: &Value, seen: &Val) -> Val {
    match seen {
        Val::List(_) | Val::Unordered(_) | Val::Shuffled(_) | Val::Map(_) | Val::Object(_) => {
            raw(value)
        }
        _ => seen.clone(),
    }
}

fn raw(value: &Value) -> Val {
    match value {
        Value::Null => Val::Null,
        Value::Bool(value) => Val::Bool(*value),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Val::Int(number),
            None => number.as_f64().map_or(Val::Opaque, Val::Double),
        },
        Value::String(text) => Val::text(text.as_str()),
        Value::Array(items) => Val::list(items.iter().map(raw)),
        Value::Object(fields) => Val::map(fields.iter().map(|(name, value)| {
            // Names are not escaped any more, so a field with an escaped name is unknown.
            let value = match escaped(name).as_deref() == Some(name) {
                true => raw(value),
                false => Val::Opaque,
            };
            (Val::text(name.as_str()), value)
        })),
    }
}
