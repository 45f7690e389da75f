//! What is wrong with an expression.

use std::ops::Range;

/// The kinds of faults.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Code {
    /// A macro is not used as it has to be.
    Macro,
    /// Nothing has that name.
    Undeclared,
    /// An object has no such field.
    NoField,
    /// A value has no fields at all.
    NoFields,
    /// No function takes such arguments.
    NoOverload,
    /// Two types should be one and are not.
    Mismatch,
    /// A macro loops over something that has no elements.
    NoElements,
    /// A constant is not what its function takes: a pattern, a time, a format.
    Constant,
    /// The server types the expression, but cannot run it.
    Unrunnable,
    /// The value is not of the type that is asked for.
    Result,
}

/// A fault and its place.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Diagnostic {
    /// What kind of fault.
    pub code: Code,
    /// The text that has it, in bytes.
    pub range: Range<usize>,
    /// Where to point, in bytes.
    pub at: usize,
    /// What is wrong: lowercase, no full stop.
    pub message: String,
    /// Names that would do, for whoever wants to suggest the nearest one.
    pub alternatives: Vec<String>,
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
        }
    }
}
