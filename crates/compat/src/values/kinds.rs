//! The kinds of JSON values that a schema's type allows.

use super::numbers::whole;
use crd_channels_schema::{Bounds, JsonType, Schema, formats};
use serde_json::{Number, Value};

/// A set of kinds of JSON values; whole and fractional numbers are separate kinds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOL: Self = Self(2);
    pub(crate) const WHOLE: Self = Self(4);
    pub(crate) const FRACTION: Self = Self(8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const ALL: Self = Self(127);
    pub(super) const EACH: [Self; 7] = [
        Self::NULL,
        Self::BOOL,
        Self::WHOLE,
        Self::FRACTION,
        Self::STRING,
        Self::ARRAY,
        Self::OBJECT,
    ];

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The kind of one value.
    pub(crate) fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOL,
            Value::Number(number) if whole(number).is_some() => Self::WHOLE,
            Value::Number(_) => Self::FRACTION,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }
}

/// The kinds that a schema's type allows. If there is an enum, servers reject null, even if the enum lists it.
pub(crate) fn kinds(schema: &Schema) -> Kinds {
    let typed = match schema.ty {
        _ if schema.int_or_string => Kinds::WHOLE.or(Kinds::STRING),
        None => Kinds::ALL,
        Some(JsonType::Array) => Kinds::ARRAY,
        Some(JsonType::Boolean) => Kinds::BOOL,
        Some(JsonType::Integer) => Kinds::WHOLE,
        Some(JsonType::Number) => Kinds::WHOLE.or(Kinds::FRACTION),
        Some(JsonType::Object) => Kinds::OBJECT,
        Some(JsonType::String) => Kinds::STRING,
    };
    match (schema.enum_values.is_empty(), schema.nullable) {
        (true, true) => typed.or(Kinds::NULL),
        (true, false) => typed,
        (false, _) => typed.minus(Kinds::NULL),
    }
}

/// The format, if API servers enforce it; they ignore others.
pub(crate) fn enforced(schema: &Schema) -> Option<&str> {
    let format = schema.format.as_deref()?;
    let ty = schema.ty.unwrap_or(JsonType::String);
    formats::is_known(ty, format).then_some(format)
}

/// The numbers that an enforced format allows, if it excludes any.
pub(crate) fn bounds_of_format(format: &str) -> Option<Bounds> {
    let (low, high) = match format {
        "int32" => (Number::from(i32::MIN), Number::from(i32::MAX)),
        "float" => (
            Number::from_f64(f32::MIN.into())?,
            Number::from_f64(f32::MAX.into())?,
        ),
        _ => return None,
    };
    Some(Bounds {
        minimum: Some(low),
        maximum: Some(high),
        ..Bounds::default()
    })
}

/// Whether a format excludes texts.
pub(crate) fn bounds_texts(format: &str) -> bool {
    !matches!(format, "password" | "int32" | "int64" | "float" | "double")
}
