//! The results of reading macro calls.

use crate::answers::Answers;
use crate::ids::ModuleId;
use crd_channels_diagnostics::{Span, Text};
use crd_channels_syntax::tree::{Expr, JsonNode, Ty};
use std::sync::Arc;

/// The macro that a call refers to.
#[derive(Clone, Debug)]
pub enum CalledMacro {
    /// A readable `macro_rules!`, with the expression that the call expands to; `None` if it is none, or takes more than
    /// substitution.
    Rules(Option<Arc<Expr>>),
    /// A macro identified by its full name such as `std::vec`, if it is known at all.
    Named(Text),
    /// The path cannot be resolved.
    Unknown,
}

/// The results of reading calls, by module and span, which determine the meaning of a call.
#[derive(Default)]
pub(crate) struct CallsRead {
    pub(crate) values: Answers<(ModuleId, Span), CalledMacro>,
    pub(crate) types: Answers<(ModuleId, Span), Option<Arc<Ty>>>,
    pub(crate) lists: Answers<Span, Option<Arc<Vec<Expr>>>>,
    pub(crate) json: Answers<Span, Option<Arc<JsonNode>>>,
}
