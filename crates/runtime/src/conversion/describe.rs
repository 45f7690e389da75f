//! What serde's attributes say about the JSON of a type.

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Error as _, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};
use serde_json::Value;

/// The JSON of a type, as serde's attributes on it say. `#[derive(Convert)]` implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not derive `Convert`",
    note = "derive `Convert` on the hub's type too: it says how serde names its fields"
)]
pub trait Description: 'static {
    /// The names in Rust of its fields or variants.
    const NAMES: &'static [&'static str];

    /// The names in Rust of the fields of its variants.
    const FIELDS_OF_VARIANTS: &'static [(&'static str, &'static [&'static str])] = &[];

    /// How serde tells variants apart.
    const TAGGING: Tagging = Tagging::External;

    /// The variants.
    fn variants() -> &'static [DescribedVariant] {
        &[]
    }

    /// The fields of a struct, or those of a variant by its name in Rust. Without those that serde skips.
    fn fields(variant: Option<&str>) -> &'static [DescribedField];

    /// The index of the variant of a value whose JSON has no tag.
    fn untagged(_: &Value) -> Option<usize> {
        None
    }
}

#[doc(hidden)]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Tagging {
    External,
    Internal(&'static str),
    Adjacent(&'static str, &'static str),
    Untagged,
}

#[doc(hidden)]
#[derive(Debug)]
pub struct DescribedVariant {
    pub rust: &'static str,
    pub json: &'static str,
    pub style: Style,
}

/// What a variant contains.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Style {
    Unit,
    Newtype,
    Struct,
}

#[doc(hidden)]
#[derive(Debug)]
pub struct DescribedField {
    pub rust: &'static str,
    pub json: &'static str,
    pub flatten: bool,
    /// Whether the type cannot be read without it.
    pub is_required: fn() -> bool,
    /// The value that its absence means, if serde's attributes give it one.
    pub absent: fn() -> Option<Value>,
}

/// Whether a field of this type has to be there. serde treats `Option` and its own wrappers as optional.
#[doc(hidden)]
#[must_use]
pub fn is_required<T: DeserializeOwned>() -> bool {
    T::deserialize(Missing).is_err()
}

/// A field that is missing, as serde's derive reads it.
struct Missing;

impl<'de> Deserializer<'de> for Missing {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("missing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq
        tuple tuple_struct map struct enum identifier ignored_any
    }
}
