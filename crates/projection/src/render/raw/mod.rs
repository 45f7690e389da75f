//! A schema as schemars writes it: before the passes that make it structural.

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

/// One node before the passes. Its properties are finished already: nothing above them changes them, except for the
/// two things that `finish` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Raw {
    /// The whole schema is `true` or `false`; everything else is empty then.
    pub boolean: Option<bool>,
    /// `type`
    pub types: Types,
    /// `nullable`, where it is said
    pub nullable: Option<bool>,
    /// `enum`, where it is said
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
    /// The first of `examples`, which becomes the `example`, whatever else that is.
    pub first_example: Option<Value>,
    /// Keywords that are there and that an API server refuses.
    pub refused: Vec<&'static str>,
    /// The description comes from below an `Option`, which later ones do not replace.
    pub sticky: bool,
    /// All that the passes leave alone, and `properties`, `required`, `additionalProperties`.
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

    /// Just a type.
    pub fn of(types: Types) -> Self {
        Self {
            types,
            ..Self::default()
        }
    }

    /// From what is known not to need a pass.
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

    /// The node as an object, so that keywords can be set on it.
    pub fn object(&mut self) -> &mut Self {
        if self.boolean.take() == Some(false) {
            self.not = Some(Box::default());
        }
        self
    }

    /// Says where it comes from.
    pub fn from(mut self, span: Option<Span>) -> Self {
        self.node.origin = Origin(span);
        self
    }

    /// Whether schemas are joined in it.
    pub fn has_branches(&self) -> bool {
        self.all_of.is_some() || self.any_of.is_some() || self.one_of.is_some()
    }

    /// The branches that apply to the same value.
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
    /// A type's schema, not yet looked at.
    Type(Arc<Type>),
    /// One that was changed.
    Raw(Box<Raw>),
}

/// A set of JSON types, `null` among them.
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

    /// The only type, if there is just one and it is not `null`.
    pub fn only(self) -> Option<JsonType> {
        ALL.into_iter().find(|ty| self == Self::one(*ty))
    }
}
