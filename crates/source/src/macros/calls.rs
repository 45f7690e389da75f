//! The results of reading macro calls.

use crate::answers::Answers;
use crate::ids::ModuleId;
use crd_channels_diagnostics::{Span, Text};
use crd_channels_syntax::tree::{Expr, JsonNode};
use std::sync::Arc;

/// The results, by module and span, which determine the meaning of a call.
#[derive(Default)]
pub(crate) struct CallsRead {
    pub(crate) names: Answers<(ModuleId, Span), Option<Text>>,
    pub(crate) lists: Answers<Span, Option<Arc<Vec<Expr>>>>,
    pub(crate) json: Answers<Span, Option<Arc<JsonNode>>>,
}
