//! Replaces what schemars writes for scalars with keywords that API servers know.

use crd_channels_diagnostics::Text;
use crd_channels_schema::{Bounds, JsonType, Schema, formats};
use serde_json::{Number, Value};

/// Cleans one node; nodes below it are clean already.
pub(in super::super) fn clean_node(schema: &mut Schema) {
    schema.nullable = false;
    schema.enum_values.retain(|value| *value != Value::Null);
    if schema.ty == Some(JsonType::Integer) {
        clean_integer(schema);
    }
    let ty = schema.ty;
    schema.format = schema
        .format
        .take()
        .filter(|format| ty.is_none_or(|ty| formats::is_known(ty, format)));
    if let Some(bounds) = &mut schema.bounds {
        for bound in [
            &mut bounds.minimum,
            &mut bounds.maximum,
            &mut bounds.multiple_of,
        ] {
            write_whole(bound);
        }
    }
    if schema.int_or_string {
        super::well_known::allow_both(schema);
    }
}

/// Replaces integer formats: schemars has one for each of Rust's integers, API servers know two sizes, and bounds.
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

/// Writes a whole number as an integer.
pub(super) fn write_whole(number: &mut Option<Number>) {
    /// Beyond this, floating point numbers skip integers.
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
