//! Why an object is invalid.

use crate::path::{FieldPath, Path};
use std::fmt;

/// The reason for which a server rejects a field, as in `metav1.StatusCause`.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Reason {
    /// Present twice.
    Duplicate,
    /// Not allowed there.
    Forbidden,
    /// Malformed.
    Invalid,
    /// Not one of the known values.
    NotSupported,
    /// Missing.
    Required,
    /// More characters or bytes than allowed.
    TooLong,
    /// More items than allowed.
    TooMany,
    /// Of the wrong JSON type.
    TypeInvalid,
    /// The server's own failure.
    InternalError,
}

impl Reason {
    /// The reason as the server writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Duplicate => "FieldValueDuplicate",
            Self::Forbidden => "FieldValueForbidden",
            Self::Invalid => "FieldValueInvalid",
            Self::NotSupported => "FieldValueNotSupported",
            Self::Required => "FieldValueRequired",
            Self::TooLong => "FieldValueTooLong",
            Self::TooMany => "FieldValueTooMany",
            Self::TypeInvalid => "FieldValueTypeInvalid",
            Self::InternalError => "InternalError",
        }
    }
}

/// A violation of an object.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Violation {
    /// The reason.
    pub reason: Reason,
    /// The field; empty for the whole object.
    pub field: FieldPath,
    /// The value, if servers do not name it as a path.
    pub unnamed: Option<FieldPath>,
    /// The message: lowercase, no full stop, literals in backticks. If a rule has a message, that message.
    pub message: String,
}

impl Violation {
    /// A violation of a field; an empty one is the whole object.
    #[must_use]
    pub fn new(reason: Reason, field: FieldPath, message: impl Into<String>) -> Self {
        Self {
            reason,
            field,
            unnamed: None,
            message: message.into(),
        }
    }

    /// The value that it is about.
    #[must_use]
    pub fn value(&self) -> &FieldPath {
        self.unnamed.as_ref().unwrap_or(&self.field)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

/// Collects violations in the order in which they are found.
#[derive(Clone, Debug, Default)]
pub struct Violations(pub Vec<Violation>);

impl Violations {
    /// Adds one.
    pub fn refuse(&mut self, reason: Reason, at: Path<'_>, message: impl Into<String>) {
        self.0.push(Violation::new(reason, at.into(), message));
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
