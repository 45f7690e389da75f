//! A description of what values a place of an object may have: as much of an OpenAPI schema as expressions see.

/// A node of a schema.
#[derive(Clone, Debug, Default)]
pub struct Schema<'a> {
    /// What its values are.
    pub shape: Shape<'a>,
    /// `x-kubernetes-int-or-string`, which outweighs the shape.
    pub int_or_string: bool,
    /// Whether it is a whole resource, so that it has `apiVersion`, `kind` and `metadata`.
    pub resource: bool,
    /// `maxLength`
    pub max_length: Option<i64>,
    /// Whether it has a default, so that objects that lack it are no larger for it.
    pub has_default: bool,
}

/// What the values of a node are.
#[derive(Clone, Debug, Default)]
pub enum Shape<'a> {
    /// Nothing that expressions can read: a node without a type.
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
        /// The length of the longest value of `enum` in bytes, where it has values.
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
