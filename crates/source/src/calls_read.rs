//! What was read of calls of macros.

use super::answers::Answers;
use super::ids::ModuleId;
use super::tree::{Arm, Expr, JsonNode, Ty};
use crd_channels_diagnostics::{Span, Text};
use std::sync::Arc;

/// What a macro that is called means.
#[derive(Clone, Debug)]
pub enum CalledMacro {
    /// A `macro_rules!` that can be read, and what the call stands for; none where that takes more than substitution.
    Rules(Option<Expanded>),
    /// A macro that is known by its full name, `std::vec`, if it is known at all.
    Named(Text),
    /// It leads nowhere.
    Unknown,
}

/// What a call of a `macro_rules!` stands for.
#[derive(Clone, Debug)]
pub enum Expanded {
    /// An expression.
    Value(Arc<Expr>),
    /// Statements, as a block of them.
    Statements(Arc<Expr>),
}

/// What was read of calls, by the module and the place of each: there a call means the same whenever it is asked for.
#[derive(Default)]
pub(super) struct CallsRead {
    pub(super) values: Answers<(ModuleId, Span), CalledMacro>,
    pub(super) types: Answers<(ModuleId, Span), Option<Arc<Ty>>>,
    pub(super) lists: Answers<Span, Option<Arc<Vec<Expr>>>>,
    pub(super) repeats: Answers<Span, Option<Arc<(Expr, Expr)>>>,
    pub(super) json: Answers<Span, Option<Arc<JsonNode>>>,
    pub(super) matches: Answers<Span, Option<Arc<(Expr, Arm)>>>,
}
