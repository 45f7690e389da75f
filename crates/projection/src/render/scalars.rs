//! Built-in scalars as schemars writes them.

use crd_channels_schema::draft::{IntKind, Scalar};
use crd_channels_schema::{Bounds, JsonType, Junctors, Schema};
use serde_json::{Number, Value};

/// The schema of a scalar.
pub(super) fn scalar(scalar: Scalar) -> Schema {
    let plain = |ty| Schema {
        ty: Some(ty),
        ..Schema::default()
    };
    match scalar {
        Scalar::Bool => plain(JsonType::Boolean),
        Scalar::Char => Schema {
            bounds: Some(Box::new(Bounds {
                min_length: Some(1),
                max_length: Some(1),
                ..Bounds::default()
            })),
            ..plain(JsonType::String)
        },
        Scalar::String => plain(JsonType::String),
        Scalar::Formatted(format) => Schema {
            format: Some(format.into()),
            ..plain(JsonType::String)
        },
        Scalar::Patterned(pattern) => Schema {
            bounds: Some(Box::new(Bounds {
                pattern: Some(pattern.into()),
                ..Bounds::default()
            })),
            ..plain(JsonType::String)
        },
        Scalar::Int(kind) => integer(kind),
        Scalar::Float => Schema {
            format: Some("float".into()),
            ..plain(JsonType::Number)
        },
        Scalar::Double => Schema {
            format: Some("double".into()),
            ..plain(JsonType::Number)
        },
    }
}

fn integer(kind: IntKind) -> Schema {
    let IntKind {
        bits,
        signed,
        non_zero,
    } = kind;
    let name = if signed { "int" } else { "uint" };
    let format = match bits {
        0 => name.to_owned(),
        bits => format!("{name}{bits}"),
    };
    let (mut minimum, maximum) = match (bits, signed) {
        (8, true) => (Some(i64::from(i8::MIN)), Some(i64::from(i8::MAX))),
        (16, true) => (Some(i64::from(i16::MIN)), Some(i64::from(i16::MAX))),
        (8, false) => (Some(0), Some(i64::from(u8::MAX))),
        (16, false) => (Some(0), Some(i64::from(u16::MAX))),
        (_, true) => (None, None),
        (_, false) => (Some(0), None),
    };
    if non_zero && !signed {
        minimum = Some(1);
    }
    let bounds = (minimum.is_some() || maximum.is_some()).then(|| {
        Box::new(Bounds {
            minimum: minimum.map(Number::from),
            maximum: maximum.map(Number::from),
            ..Bounds::default()
        })
    });
    let junctors = (non_zero && signed).then(|| {
        let zero = Schema {
            enum_values: vec![Value::from(0)],
            ..Schema::default()
        };
        Box::new(Junctors {
            not: Some(Box::new(zero)),
            ..Junctors::default()
        })
    });
    Schema {
        ty: Some(JsonType::Integer),
        format: Some(format.into()),
        bounds,
        junctors,
        ..Schema::default()
    }
}
