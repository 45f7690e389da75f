//! The typed CRD and its schema, and the drafts from which they are projected. Independent of source and channels.
#![doc = include_str!("../README.md")]

mod below;
mod crd;
pub mod draft;
mod expressions;
pub mod formats;
mod json;
mod keywords;
mod kind_facets;
pub mod known_lists;
pub mod marks;
pub mod path;

pub use crd::{
    Column, Conversion, Crd, Names, Scale, Scope, ServiceReference, Subresources, Version,
    WebhookClient, WebhookConversion,
};
pub use expressions::{expressions_below, step};
pub use json::Misread;
pub use keywords::KEYWORDS;

use crd_channels_diagnostics::{Span, Text, Written};
use serde_json::{Number, Value};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The size in bytes of the stack that every command runs on. Types, values and schemas each nest up to a bound of their own,
/// together possibly deeper than a thread's default stack allows. Only the part that is used costs memory.
pub const STACK: usize = 64 << 20;

/// The source span of a node. It locates findings and is not part of a schema's meaning: all `Origin`s are equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin(pub Option<Span>);

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The lint levels that the source of a node sets, later ones over earlier ones. They decide which findings are reported and
/// are not part of a schema's meaning: all `Levels` are equal.
#[derive(Clone, Debug, Default)]
pub struct Levels(pub Vec<marks::LintLevel>);

impl PartialEq for Levels {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The beginning of the line of a description that says what to use instead of a deprecated field.
pub const DEPRECATED: &str = "Deprecated: ";

/// What a description says to use instead of a deprecated field.
#[must_use]
pub fn deprecation(description: &str) -> Option<&str> {
    let mut lines = description.lines();
    lines.find_map(|line| line.strip_prefix(DEPRECATED))
}

/// The finished schema of a map's keys, if a gate affects them. It decides which names expressions and paths may use and is not
/// part of a schema's meaning: all `Keys` are equal.
#[derive(Clone, Debug, Default)]
pub struct Keys(pub Option<Arc<Schema>>);

impl PartialEq for Keys {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The value of the `type` keyword.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum JsonType {
    /// `array`
    Array,
    /// `boolean`
    Boolean,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `object`
    Object,
    /// `string`
    String,
}

/// The value of the `additionalProperties` keyword.
#[derive(Clone, Debug, PartialEq)]
pub enum Additional {
    /// `true` or `false`.
    Allowed(bool),
    /// The schema of every value.
    Schema(Arc<Schema>),
}

/// The value of the `x-kubernetes-list-type` keyword.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum ListType {
    /// Replaced as a whole.
    Atomic,
    /// Scalars, each at most once.
    Set,
    /// Objects, identified by their list-map keys.
    Map,
}

/// The value of the `x-kubernetes-map-type` keyword.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MapType {
    /// Replaced as a whole.
    Atomic,
    /// Merged key by key.
    Granular,
}

/// The keywords that bound a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// `minimum`
    pub minimum: Option<Number>,
    /// `exclusiveMinimum`
    pub exclusive_minimum: bool,
    /// `maximum`
    pub maximum: Option<Number>,
    /// `exclusiveMaximum`
    pub exclusive_maximum: bool,
    /// `multipleOf`
    pub multiple_of: Option<Number>,
    /// `minLength`, in characters
    pub min_length: Option<u64>,
    /// `maxLength`, in characters
    pub max_length: Option<u64>,
    /// `pattern`
    pub pattern: Option<Text>,
    /// `minItems`
    pub min_items: Option<u64>,
    /// `maxItems`
    pub max_items: Option<u64>,
    /// `minProperties`
    pub min_properties: Option<u64>,
    /// `maxProperties`
    pub max_properties: Option<u64>,
}

/// The keywords that join schemas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Junctors {
    /// `allOf`
    pub all_of: Vec<Schema>,
    /// `anyOf`
    pub any_of: Vec<Schema>,
    /// `oneOf`
    pub one_of: Vec<Schema>,
    /// `not`
    pub not: Option<Box<Schema>>,
}

/// Merge semantics of lists and maps for server-side apply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merge {
    /// `x-kubernetes-list-type`
    pub list_type: Option<ListType>,
    /// `x-kubernetes-list-map-keys`
    pub list_map_keys: Vec<Text>,
    /// `x-kubernetes-map-type`
    pub map_type: Option<MapType>,
}

/// Annotations that do not affect validation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// `example`
    pub example: Option<Value>,
    /// `externalDocs.url`
    pub docs_url: Option<Text>,
    /// `externalDocs.description`
    pub docs_description: Option<Text>,
}

/// An entry of `x-kubernetes-validations`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rule {
    /// `rule`: a CEL expression over `self` and `oldSelf`.
    pub rule: Text,
    /// `message`
    pub message: Option<Text>,
    /// `messageExpression`
    pub message_expression: Option<Text>,
    /// `reason`: `FieldValueInvalid`, `FieldValueForbidden`, `FieldValueRequired` or `FieldValueDuplicate`.
    pub reason: Option<Text>,
    /// `fieldPath`
    pub field_path: Option<Text>,
    /// `optionalOldSelf`
    pub optional_old_self: Option<bool>,
    /// The span of the rule.
    pub origin: Origin,
    /// The spans of `rule`.
    pub rule_written: Written,
    /// The spans of `messageExpression`.
    pub message_written: Written,
}

/// A CEL expression of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Expression<'r> {
    /// `rule` or `messageExpression`
    pub key: &'r str,
    /// The expression.
    pub text: &'r str,
    /// The spans of its text, if that is a text of its own in the source.
    pub written: Option<&'r Written>,
    /// The span of the rule.
    pub origin: Origin,
}

impl Rule {
    /// The CEL expressions of the rule.
    pub fn expressions(&self) -> impl Iterator<Item = Expression<'_>> {
        let of = |key, text, written| Expression {
            key,
            text,
            written: Some(written),
            origin: self.origin,
        };
        let message = self.message_expression.as_deref();
        let message = message.map(|text| of("messageExpression", text, &self.message_written));
        std::iter::once(of("rule", &self.rule, &self.rule_written)).chain(message)
    }
}

impl Expression<'_> {
    /// The expression's name in messages.
    #[must_use]
    pub fn in_words(&self) -> &str {
        match self.key {
            "rule" => "rule",
            _ => "`messageExpression`",
        }
    }

    /// The span of the rule, if `place` is outside of it because the expression is a constant defined elsewhere.
    #[must_use]
    pub fn origin_apart_from(&self, place: Option<Span>) -> Option<Span> {
        let (rule, place) = (self.origin.0?, place?);
        let is_inside =
            rule.file == place.file && rule.start <= place.start && place.end <= rule.end;
        (!is_inside).then_some(rule)
    }

    /// The range of the expression without surrounding whitespace.
    #[must_use]
    pub fn trimmed_range(&self) -> Range<usize> {
        let start = self.text.len() - self.text.trim_start().len();
        start..start + self.text.trim().len()
    }

    /// The span of a part of the expression; that of the whole rule if it is unknown.
    #[must_use]
    pub fn place(&self, part: Range<usize>) -> Option<Span> {
        let part = self.written.and_then(|written| written.part(part));
        part.or(self.origin.0)
    }
}

/// A node of a CRD's schema: every keyword that `JSONSchemaProps` keeps and an API server can accept.
///
/// Empty collections and `None` mean that the keyword is absent. Children are shared, so that the common parts of two channels
/// exist once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// `type`
    pub ty: Option<JsonType>,
    /// `format`
    pub format: Option<Text>,
    /// `title`
    pub title: Option<Text>,
    /// `description`
    pub description: Option<Text>,
    /// `nullable`
    pub nullable: bool,
    /// `default`
    pub default: Option<Box<Value>>,
    /// `enum`
    pub enum_values: Vec<Value>,
    /// `properties`
    pub properties: BTreeMap<Text, Arc<Schema>>,
    /// `required`, sorted
    pub required: Vec<Text>,
    /// `additionalProperties`
    pub additional_properties: Option<Additional>,
    /// `items`
    pub items: Option<Arc<Schema>>,
    /// The bounds.
    pub bounds: Option<Box<Bounds>>,
    /// The junctors.
    pub junctors: Option<Box<Junctors>>,
    /// Merge semantics.
    pub merge: Option<Box<Merge>>,
    /// Examples and links.
    pub notes: Option<Box<Notes>>,
    /// `x-kubernetes-validations`
    pub rules: Vec<Rule>,
    /// `x-kubernetes-embedded-resource`
    pub embedded_resource: bool,
    /// `x-kubernetes-int-or-string`
    pub int_or_string: bool,
    /// `x-kubernetes-preserve-unknown-fields`
    pub preserve_unknown_fields: bool,
    /// The source of the node.
    pub origin: Origin,
    /// The lint levels that its source sets.
    pub levels: Levels,
    /// The schema of its keys.
    pub keys: Keys,
}
