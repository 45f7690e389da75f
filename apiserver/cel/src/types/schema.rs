//! The part of an OpenAPI schema that expressions see.

/// A node of a schema.
#[derive(Clone, Debug, Default)]
pub struct Schema<'a> {
    /// The shape of its values.
    pub shape: Shape<'a>,
    /// `x-kubernetes-int-or-string`, which takes precedence over the shape.
    pub int_or_string: bool,
    /// Whether it is a whole resource, with `apiVersion`, `kind` and `metadata`.
    pub resource: bool,
    /// `maxLength`
    pub max_length: Option<i64>,
    /// Whether it has a default, so that it does not count for the minimum size of objects.
    pub has_default: bool,
}

impl<'a> Schema<'a> {
    /// The properties of an object.
    #[must_use]
    pub fn properties(&self) -> Option<&[(&'a str, Schema<'a>)]> {
        match &self.shape {
            Shape::Object { properties, .. } => Some(properties),
            _ => None,
        }
    }
}

/// The shape of a node's values.
#[derive(Clone, Debug, Default)]
pub enum Shape<'a> {
    /// A node without a type, which expressions cannot read.
    #[default]
    Unknown,
    /// `boolean`
    Boolean,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `string`
    String {
        /// `format`
        format: &'a str,
        /// The length of the longest value of `enum` in bytes, if it has values.
        longest_value: Option<i64>,
    },
    /// `array`
    Array {
        /// `items`
        items: Box<Schema<'a>>,
        /// `maxItems`
        max_items: Option<i64>,
    },
    /// `object` with `additionalProperties`
    Map {
        /// `additionalProperties`
        values: Box<Schema<'a>>,
        /// `maxProperties`
        max_properties: Option<i64>,
    },
    /// `object` with `properties`, or with none
    Object {
        /// `properties`
        properties: Vec<(&'a str, Schema<'a>)>,
        /// `required`
        required: Vec<&'a str>,
    },
}
