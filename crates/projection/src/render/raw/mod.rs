//! Schemas as schemars writes them, before the passes that make them structural.

mod edits;
mod set;
mod passes;
mod finish;
mod structural;
mod repair;
mod merge;

pub(super) use finish::report_refused;
pub(super) use set::{plain_json, report_unread};

use crd_channels_diagnostics::Span;
use crd_channels_schema::draft::Type;
use crd_channels_schema::{Additional, JsonType, Origin, Schema};
use serde_json::Value;
use std::sync::Arc;

/// One node before the passes. Its properties are finished: nothing above changes them, except for two cases in `finish`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Raw {
    /// The whole schema is `true` or `false`; everything else is empty then.
    pub boolean: Option<bool>,
    /// `type`
    pub types: Types,
    /// `nullable`, if set
    pub nullable: Option<bool>,
    /// `enum`, if set
    pub values: Option<Vec<Value>>,
    /// `const`
    pub constant: Option<Value>,
    /// `items`
    pub items: Option<Items>,
    /// `unevaluatedProperties`
    pub unevaluated: Option<Additional>,
    /// `allOf`
    pub all_of: Option<Vec<Raw>>,
    /// `anyOf`
    pub any_of: Option<Vec<Raw>>,
    /// `oneOf`
    pub one_of: Option<Vec<Raw>>,
    /// `not`
    pub not: Option<Box<Raw>>,
    /// The first of `examples`, which becomes the `example`, replacing any other.
    pub first_example: Option<Value>,
    /// Keywords that API servers refuse.
    pub refused: Vec<&'static str>,
    /// Whether the description comes from inside an `Option`, which later ones do not replace.
    pub sticky: bool,
    /// Everything that the passes do not change, and `properties`, `required`, `additionalProperties`.
    pub node: Schema,
}

impl Raw {
    /// `true` or `false`.
    pub fn boolean(value: bool) -> Self {
        Self {
            boolean: Some(value),
            ..Self::default()
        }
    }

    /// A node with only a type.
    pub fn of_types(types: Types) -> Self {
        Self {
            types,
            ..Self::default()
        }
    }

    /// Converts a schema that needs no pass.
    pub fn from_schema(mut node: Schema) -> Self {
        let ty = node.ty.take();
        let values = std::mem::take(&mut node.enum_values);
        let not = node
            .junctors
            .take()
            .and_then(|junctors| junctors.not)
            .map(|not| Box::new(Self::from_schema(*not)));
        Self {
            types: ty.map_or(Types::default(), Types::one),
            values: (!values.is_empty()).then_some(values),
            not,
            node,
            ..Self::default()
        }
    }

    /// Returns the node as an object, so that keywords can be set on it.
    pub fn object(&mut self) -> &mut Self {
        if self.boolean.take() == Some(false) {
            self.not = Some(Box::default());
        }
        self
    }

    /// Sets the span that it comes from.
    pub fn from(mut self, span: Option<Span>) -> Self {
        self.node.origin = Origin(span);
        self
    }

    /// Returns true if it joins schemas.
    pub fn has_branches(&self) -> bool {
        self.all_of.is_some() || self.any_of.is_some() || self.one_of.is_some()
    }

    /// Returns the branches that apply to the same value.
    pub fn branches_mut(&mut self) -> impl Iterator<Item = &mut Raw> {
        [&mut self.all_of, &mut self.any_of, &mut self.one_of]
            .into_iter()
            .flatten()
            .flatten()
    }
}

/// The items of an array.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Items {
    /// A type whose schema is not rendered yet.
    Type(Arc<Type>),
    /// A schema that was changed.
    Raw(Box<Raw>),
}

/// A set of JSON types, including `null`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Types(u8);

const ALL: [JsonType; 6] = [
    JsonType::Array,
    JsonType::Boolean,
    JsonType::Integer,
    JsonType::Number,
    JsonType::Object,
    JsonType::String,
];

impl Types {
    /// Only `null`.
    pub const NULL: Self = Self(1 << 6);

    /// One type.
    pub const fn one(ty: JsonType) -> Self {
        Self(1 << ty as u8)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn without_null(self) -> Self {
        Self(self.0 & !Self::NULL.0)
    }

    /// Returns the only type, if there is exactly one and it is not `null`.
    pub fn only(self) -> Option<JsonType> {
        ALL.into_iter().find(|ty| self == Self::one(*ty))
    }
}
