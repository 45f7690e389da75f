//! What schemars says of scalars, in the words that an API server knows.

use crate::Text;
use crate::schema::{Bounds, JsonType, Schema};
use serde_json::{Number, Value};

/// The formats of strings that API servers honour, as they compare them: without hyphens.
const STRING_FORMATS: &[&str] = &[
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "datetime",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// Formats that are compared with their hyphens; since Kubernetes 1.34.
const LATER_FORMATS: &[&str] = &["k8s-long-name", "k8s-short-name"];

/// Cleans one node; what lies below it is clean already.
pub(in super::super) fn clean(schema: &mut Schema) {
    schema.nullable = false;
    schema.enum_values.retain(|value| *value != Value::Null);
    if schema.ty == Some(JsonType::Integer) {
        clean_integer(schema);
    }
    let ty = schema.ty;
    schema.format = schema
        .format
        .take()
        .filter(|format| ty.is_none_or(|ty| is_known(ty, format)));
    if let Some(bounds) = &mut schema.bounds {
        for bound in [
            &mut bounds.minimum,
            &mut bounds.maximum,
            &mut bounds.multiple_of,
        ] {
            whole(bound);
        }
    }
    if schema.int_or_string {
        super::well_known::allow_both(schema);
    }
}

/// Whether an API server knows the format for values of the type.
pub(super) fn is_known(ty: JsonType, format: &str) -> bool {
    match ty {
        JsonType::String => {
            let bare: String = format.chars().filter(|c| *c != '-').collect();
            STRING_FORMATS.contains(&bare.as_str()) || LATER_FORMATS.contains(&format)
        }
        JsonType::Integer => matches!(format, "int32" | "int64"),
        JsonType::Number => matches!(format, "float" | "double"),
        JsonType::Array | JsonType::Boolean | JsonType::Object => false,
    }
}

/// schemars names Rust's integers by formats; API servers know two sizes, and bounds.
fn clean_integer(schema: &mut Schema) {
    let Some(format) = schema.format.as_deref() else {
        return;
    };
    let (known, minimum, maximum) = match format {
        "int8" => (Some("int32"), Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some("int32"), Some(i16::MIN.into()), Some(i16::MAX.into())),
        "uint8" => (Some("int32"), Some(0), Some(u8::MAX.into())),
        "uint16" => (Some("int32"), Some(0), Some(u16::MAX.into())),
        "uint32" => (Some("int64"), Some(0), Some(u32::MAX.into())),
        "int" => (Some("int64"), None, None),
        "uint" | "uint64" => (Some("int64"), Some(0), None),
        "int128" => (None, None, None),
        "uint128" => (None, Some(0), None),
        _ => return,
    };
    schema.format = known.map(Text::from);
    fill(schema, minimum, maximum);
}

/// Sets the bounds that are not set yet.
fn fill(schema: &mut Schema, minimum: Option<i64>, maximum: Option<i64>) {
    if minimum.is_none() && maximum.is_none() {
        return;
    }
    let bounds: &mut Bounds = schema.bounds.get_or_insert_default();
    bounds.minimum = bounds.minimum.take().or(minimum.map(Number::from));
    bounds.maximum = bounds.maximum.take().or(maximum.map(Number::from));
}

/// Writes a whole number as one.
pub(super) fn whole(number: &mut Option<Number>) {
    /// Up to here floating point numbers tell neighbours apart.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let Some(float) = number.as_ref().filter(|number| number.is_f64()) else {
        return;
    };
    if let Some(float) = float.as_f64()
        && float.fract() == 0.0
        && float.abs() <= EXACT
    {
        #[allow(clippy::cast_possible_truncation, reason = "whole and in range")]
        let integer = float as i64;
        *number = Some(Number::from(integer));
    }
}
