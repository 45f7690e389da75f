//! The errors of an expression.

use std::ops::Range;

/// The kinds of errors.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Code {
    /// A macro is misused.
    Macro,
    /// A name is not declared.
    Undeclared,
    /// An object has no such field.
    NoField,
    /// A value has no fields.
    NoFields,
    /// No overload accepts the arguments.
    NoOverload,
    /// Two types do not match.
    Mismatch,
    /// A macro loops over a value without elements.
    NoElements,
    /// A constant is not valid for its function: a pattern, a time, a format.
    Constant,
    /// The server types the expression, but cannot run it.
    Unrunnable,
    /// The value is not of the required type.
    Result,
}

/// An error and its place.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Diagnostic {
    /// The kind.
    pub code: Code,
    /// The span of the wrong part, in bytes.
    pub range: Range<usize>,
    /// The offset to point at, in bytes.
    pub at: usize,
    /// The message: lowercase, no full stop.
    pub message: String,
    /// Valid names, from which the nearest can be suggested.
    pub alternatives: Vec<String>,
    /// The first Kubernetes minor whose servers report it; 0 if every server does.
    pub since: u32,
}

impl Diagnostic {
    pub(crate) fn new(
        code: Code,
        range: Range<usize>,
        at: usize,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            range,
            at,
            message: message.into(),
            alternatives: Vec::new(),
            since: 0,
        }
    }

    /// The same for servers from a minor on.
    pub(crate) fn since(self, since: u32) -> Self {
        Self { since, ..self }
    }
}
