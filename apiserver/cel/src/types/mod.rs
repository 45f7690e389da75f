//! The types of values.

mod declared;
mod schema;

pub use declared::{Declarations, DeclaredNode, Field, LaterBound, MAX_REQUEST, NodeId};
pub use schema::{Schema, Shape};

use std::fmt;
use std::sync::Arc;

/// The type of a value.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Type {
    /// `null`
    Null,
    /// `true`, `false`
    Bool,
    /// A whole number.
    Int,
    /// A whole number that is not negative.
    Uint,
    /// A number.
    Double,
    /// Text.
    String,
    /// Bytes.
    Bytes,
    /// A span of time.
    Duration,
    /// A point in time.
    Timestamp,
    /// Any type, only known during evaluation.
    Dyn,
    /// `list(T)`
    List(Arc<Type>),
    /// `map(K, V)`
    Map(Arc<(Type, Type)>),
    /// `optional_type(T)`
    Optional(Arc<Type>),
    /// The type of a type, with that type if it is known.
    Type(Option<Arc<Type>>),
    /// An object with declared fields. Types are nominal: two objects with the same fields have different types.
    Object(NodeId),
    /// A type of a library.
    Library(Library),
    /// A nullable scalar, as in the wrapper messages of protocol buffers.
    Nullable(Arc<Type>),
    /// The type of an expression with an error, which matches every type.
    Error,
    /// A type variable.
    Variable(usize),
}

/// The types of libraries.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Library {
    /// `quantity('1Gi')`
    Quantity,
    /// `url('https://example.com')`
    Url,
    /// `semver('1.2.3')`
    Semver,
    /// `format.dns1123Label()`
    Format,
    /// `ip('10.0.0.1')`
    Ip,
    /// `cidr('10.0.0.0/8')`
    Cidr,
    /// An authorizer. Rules of CRDs have none, but the functions exist.
    Authorizer,
    /// A check of a path.
    PathCheck,
    /// A check of an API group.
    GroupCheck,
    /// A check of a resource.
    ResourceCheck,
    /// The answer to a check.
    Decision,
    /// A message without fields.
    Empty,
}

impl Library {
    fn name(self) -> &'static str {
        match self {
            Self::Quantity => "kubernetes.Quantity",
            Self::Url => "kubernetes.URL",
            Self::Semver => "kubernetes.Semver",
            Self::Format => "kubernetes.NamedFormat",
            Self::Ip => "net.IP",
            Self::Cidr => "net.CIDR",
            Self::Authorizer => "kubernetes.authorization.Authorizer",
            Self::PathCheck => "kubernetes.authorization.PathCheck",
            Self::GroupCheck => "kubernetes.authorization.GroupCheck",
            Self::ResourceCheck => "kubernetes.authorization.ResourceCheck",
            Self::Decision => "kubernetes.authorization.Decision",
            Self::Empty => "google.protobuf.Empty",
        }
    }
}

impl Type {
    /// `list(item)`
    #[must_use]
    pub fn list(item: Self) -> Self {
        Self::List(Arc::new(item))
    }

    /// `map(key, value)`
    #[must_use]
    pub fn map(key: Self, value: Self) -> Self {
        Self::Map(Arc::new((key, value)))
    }

    /// `optional_type(inner)`
    #[must_use]
    pub fn optional(inner: Self) -> Self {
        Self::Optional(Arc::new(inner))
    }

    /// `type(inner)`
    #[must_use]
    pub fn of_type(inner: Self) -> Self {
        Self::Type(Some(Arc::new(inner)))
    }

    /// The type in an optional; any other type is itself.
    #[must_use]
    pub fn unwrapped(&self) -> &Self {
        match self {
            Self::Optional(inner) => inner,
            other => other,
        }
    }

    /// Whether it matches every type.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Dyn | Self::Error)
    }

    /// Whether two types are the same, ignoring nullability.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nullable(one), other) => one.is_same(other),
            (one, Self::Nullable(other)) => one.is_same(other),
            (Self::List(one), Self::List(other))
            | (Self::Optional(one), Self::Optional(other))
            | (Self::Type(Some(one)), Self::Type(Some(other))) => one.is_same(other),
            (Self::Map(one), Self::Map(other)) => {
                one.0.is_same(&other.0) && one.1.is_same(&other.1)
            }
            (one, other) => one == other,
        }
    }

    /// Whether all its values have the same small size.
    pub(crate) fn is_scalar(&self) -> bool {
        match self {
            Self::Bool
            | Self::Int
            | Self::Uint
            | Self::Double
            | Self::Duration
            | Self::Timestamp => true,
            Self::Nullable(inner) => inner.is_scalar(),
            Self::Optional(inner) => inner.is_scalar(),
            _ => false,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Uint => f.write_str("uint"),
            Self::Double => f.write_str("double"),
            Self::String => f.write_str("string"),
            Self::Bytes => f.write_str("bytes"),
            Self::Duration => f.write_str("duration"),
            Self::Timestamp => f.write_str("timestamp"),
            Self::Dyn | Self::Variable(_) => f.write_str("dyn"),
            Self::List(item) => write!(f, "list({item})"),
            Self::Map(entry) => write!(f, "map({}, {})", entry.0, entry.1),
            Self::Optional(inner) => write!(f, "optional_type({inner})"),
            Self::Type(Some(inner)) => write!(f, "type({inner})"),
            Self::Type(None) => f.write_str("type"),
            Self::Object(_) => f.write_str("object"),
            Self::Library(library) => f.write_str(library.name()),
            Self::Nullable(inner) => write!(f, "nullable {inner}"),
            Self::Error => f.write_str("unknown"),
        }
    }
}
