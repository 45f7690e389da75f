//! The results of reading macro calls.

use crate::answers::Answers;
use crate::ids::ModuleId;
use crd_channels_diagnostics::{Span, Text};
use crd_channels_syntax::tree::{Expr, JsonNode, Ty};
use std::sync::Arc;

/// The macro that a call refers to.
#[derive(Clone, Debug)]
pub enum CalledMacro {
    /// A readable `macro_rules!`, with the expansion of the call; `None` if that takes more than substitution.
    Rules(Option<Expanded>),
    /// A macro identified by its full name such as `std::vec`, if it is known at all.
    Named(Text),
    /// The path cannot be resolved.
    Unknown,
}

/// The expansion of a call of a `macro_rules!`.
#[derive(Clone, Debug)]
pub enum Expanded {
    /// An expression.
    Value(Arc<Expr>),
    /// Statements, as a block of them.
    Statements(Arc<Expr>),
}

/// The results of reading calls, by module and span, which determine the meaning of a call.
#[derive(Default)]
pub(crate) struct CallsRead {
    pub(crate) values: Answers<(ModuleId, Span), CalledMacro>,
    pub(crate) types: Answers<(ModuleId, Span), Option<Arc<Ty>>>,
    pub(crate) lists: Answers<Span, Option<Arc<Vec<Expr>>>>,
    pub(crate) json: Answers<Span, Option<Arc<JsonNode>>>,
}
