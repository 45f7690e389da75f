//! A schema as the server decodes it: every field of its types, including rejected ones, borrowed from the document. Empty and
//! absent lists are equal, but can be distinguished by rules about presence.

use super::pattern::Pattern;
use serde_json::Value;

/// A list or a map that may be absent. An empty one equals an absent one, as in the server's comparison of versions.
#[derive(Clone, Debug)]
pub struct Many<T>(pub Option<Vec<T>>);

impl<T> Default for Many<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: PartialEq> PartialEq for Many<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T> Many<T> {
    /// The elements.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        self.0.as_deref().unwrap_or_default()
    }

    /// The elements, one by one.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    /// Whether it has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// Whether it is present, even if empty.
    #[must_use]
    pub fn is_present(&self) -> bool {
        self.0.is_some()
    }
}

/// Named values, sorted by name.
pub type Named<'a, T> = Many<(&'a str, T)>;

impl<T> Named<'_, T> {
    /// The value of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&T> {
        let found = self
            .as_slice()
            .binary_search_by(|(known, _)| (*known).cmp(name));
        found
            .ok()
            .and_then(|at| self.as_slice().get(at))
            .map(|(_, value)| value)
    }
}

/// `JSONSchemaProps`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema<'a> {
    /// `id`
    pub id: &'a str,
    /// `$schema`
    pub dollar_schema: &'a str,
    /// `$ref`
    pub reference: Option<&'a str>,
    /// `description`
    pub description: &'a str,
    /// `type`
    pub ty: &'a str,
    /// `format`
    pub format: &'a str,
    /// `title`
    pub title: &'a str,
    /// `default`
    pub default: Option<&'a Value>,
    /// `maximum`
    pub maximum: Option<f64>,
    /// `exclusiveMaximum`
    pub exclusive_maximum: bool,
    /// `minimum`
    pub minimum: Option<f64>,
    /// `exclusiveMinimum`
    pub exclusive_minimum: bool,
    /// `maxLength`
    pub max_length: Option<i64>,
    /// `minLength`
    pub min_length: Option<i64>,
    /// `pattern`
    pub pattern: Pattern<'a>,
    /// `maxItems`
    pub max_items: Option<i64>,
    /// `minItems`
    pub min_items: Option<i64>,
    /// `uniqueItems`
    pub unique_items: bool,
    /// `multipleOf`
    pub multiple_of: Option<f64>,
    /// `enum`
    pub enum_values: Many<&'a Value>,
    /// `maxProperties`
    pub max_properties: Option<i64>,
    /// `minProperties`
    pub min_properties: Option<i64>,
    /// `required`
    pub required: Many<&'a str>,
    /// `items`
    pub items: Option<Items<'a>>,
    /// `allOf`
    pub all_of: Many<Schema<'a>>,
    /// `oneOf`
    pub one_of: Many<Schema<'a>>,
    /// `anyOf`
    pub any_of: Many<Schema<'a>>,
    /// `not`
    pub not: Option<Box<Schema<'a>>>,
    /// `properties`
    pub properties: Named<'a, Schema<'a>>,
    /// `additionalProperties`
    pub additional_properties: Option<Additional<'a>>,
    /// `patternProperties`
    pub pattern_properties: Named<'a, Schema<'a>>,
    /// `dependencies`
    pub dependencies: Named<'a, Option<Schema<'a>>>,
    /// `additionalItems`
    pub additional_items: Option<Additional<'a>>,
    /// `definitions`
    pub definitions: Named<'a, Schema<'a>>,
    /// `externalDocs`
    pub external_docs: Option<(&'a str, &'a str)>,
    /// `example`
    pub example: Option<&'a Value>,
    /// `nullable`
    pub nullable: bool,
    /// `x-kubernetes-preserve-unknown-fields`
    pub preserve_unknown_fields: Option<bool>,
    /// `x-kubernetes-embedded-resource`
    pub embedded_resource: bool,
    /// `x-kubernetes-int-or-string`
    pub int_or_string: bool,
    /// `x-kubernetes-list-map-keys`
    pub list_map_keys: Many<&'a str>,
    /// `x-kubernetes-list-type`
    pub list_type: Option<&'a str>,
    /// `x-kubernetes-map-type`
    pub map_type: Option<&'a str>,
    /// `x-kubernetes-validations`
    pub rules: Many<ValidationRule<'a>>,
}

impl<'a> Schema<'a> {
    /// The schema of the items, if there is exactly one.
    #[must_use]
    pub fn item(&self) -> Option<&Schema<'a>> {
        match self.items.as_ref()? {
            Items::One(schema) => Some(schema),
            Items::None | Items::Several(_) => None,
        }
    }

    /// The schema of the values of a map, if there is one.
    #[must_use]
    pub fn values(&self) -> Option<&Schema<'a>> {
        match self.additional_properties.as_ref()? {
            Additional::Schema(schema) => Some(schema),
            Additional::Allowed(_) => None,
        }
    }

    /// Whether unknown fields are preserved.
    #[must_use]
    pub fn preserves(&self) -> bool {
        self.preserve_unknown_fields == Some(true)
    }
}

/// `items`
#[derive(Clone, Debug, PartialEq)]
pub enum Items<'a> {
    /// Present, but neither an object nor a list: the server treats it as absent.
    None,
    /// One schema for all items.
    One(Box<Schema<'a>>),
    /// A schema for each item, which a server rejects.
    Several(Vec<Schema<'a>>),
}

/// `additionalProperties`
#[derive(Clone, Debug, PartialEq)]
pub enum Additional<'a> {
    /// Whether values without a schema are allowed.
    Allowed(bool),
    /// The schema of every value.
    Schema(Box<Schema<'a>>),
}

/// One of `x-kubernetes-validations`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidationRule<'a> {
    /// `rule`
    pub rule: &'a str,
    /// `message`
    pub message: &'a str,
    /// `messageExpression`
    pub message_expression: &'a str,
    /// `reason`
    pub reason: Option<&'a str>,
    /// `fieldPath`
    pub field_path: &'a str,
    /// `optionalOldSelf`
    pub optional_old_self: Option<bool>,
}
