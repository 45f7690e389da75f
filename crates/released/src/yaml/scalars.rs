//! The values of scalars.

use super::numbers;
use base64::Engine;
use base64::alphabet;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use serde_json::Value;
use std::borrow::Cow;

/// A scalar, as Go's YAML library resolves it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar<'t> {
    Null,
    Bool(bool),
    Integer(i64),
    /// An integer of more than 63 bits.
    Large(u64),
    Float(f64),
    Text(Cow<'t, str>),
}

impl Scalar<'_> {
    /// Converts a value to JSON.
    pub(super) fn into_value(self) -> Result<Value, String> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(bool) => Value::Bool(bool),
            Self::Integer(number) => Value::from(number),
            Self::Large(number) => Value::from(number),
            Self::Float(number) if !number.is_finite() => {
                return Err("infinity and NaN are not values of JSON".to_owned());
            }
            Self::Float(number) => numbers::json(number),
            Self::Text(text) => Value::String(text.into_owned()),
        })
    }

    /// Converts a key to text.
    pub(super) fn into_key(self) -> Result<String, String> {
        Ok(match self {
            Self::Null => return Err("a key must not be null; write it in quotes".to_owned()),
            Self::Bool(bool) => bool.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Large(number) => {
                return Err(format!(
                    "kubectl rejects the key {number}; write it in quotes"
                ));
            }
            Self::Float(number) => numbers::key(number),
            Self::Text(text) => text.into_owned(),
        })
    }
}

/// Resolves a plain scalar without a tag.
pub(super) fn resolve_plain(text: &str) -> Scalar<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Scalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Scalar::Bool(false)
        }
        ".nan" | ".NaN" | ".NAN" => Scalar::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Scalar::Float(f64::NEG_INFINITY),
        _ => numbers::parse_number(text).unwrap_or(Scalar::Text(Cow::Borrowed(text))),
    }
}

/// Resolves a scalar with a tag, quoted or not.
pub(super) fn tagged<'t>(tag: &str, text: &'t str) -> Result<Scalar<'t>, String> {
    let Some(core) = tag.strip_prefix("tag:yaml.org,2002:") else {
        return Ok(Scalar::Text(Cow::Borrowed(text)));
    };
    let found = resolve_plain(text);
    Ok(match (core, &found) {
        ("int", Scalar::Integer(_) | Scalar::Large(_))
        | ("float", Scalar::Float(_))
        | ("bool", Scalar::Bool(_))
        | ("null", Scalar::Null) => found,
        #[allow(clippy::cast_precision_loss, reason = "as Go does it")]
        ("float", Scalar::Integer(number)) => Scalar::Float(*number as f64),
        ("int" | "float" | "bool" | "null", _) => {
            return Err(format!(
                "`{text}` does not have the type of its tag `!!{core}`"
            ));
        }
        ("timestamp", _) => {
            return Err(
                "kubectl converts timestamps to strings; remove the tag `!!timestamp`".to_owned(),
            );
        }
        ("binary", _) => Scalar::Text(Cow::Owned(binary(text)?)),
        _ => Scalar::Text(Cow::Borrowed(text)),
    })
}

fn binary(text: &str) -> Result<String, String> {
    const CONFIG: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true);
    const BASE64: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, CONFIG);
    let joined: String = text.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
    let bytes = BASE64.decode(joined);
    let bytes = bytes.map_err(|_| "the text of `!!binary` is not base64".to_owned())?;
    // As in Go's JSON library, each byte that is not UTF-8 becomes a replacement character.
    let chunks = bytes.utf8_chunks();
    Ok(chunks.fold(String::new(), |text, chunk| {
        text + chunk.valid() + &"\u{fffd}".repeat(chunk.invalid().len())
    }))
}
