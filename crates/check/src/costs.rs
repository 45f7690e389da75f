//! What the expressions of a CRD cost an API server, each and together.

use super::finding::Finding;
use crd_channels_cel::Checked;
use crd_channels_cel::types::{Declarations, NodeId};

/// What the expressions of a version's schema cost.
#[derive(Clone, Debug)]
pub struct SchemaCosts {
    /// The version.
    pub version: String,
    /// Its expressions that compile, in the order in which a server meets them.
    pub expressions: Vec<ExpressionCost>,
    /// Those that do not compile, though they have parts.
    pub refused: Vec<RefusedExpression>,
    /// What all of them cost together.
    pub total: u64,
    /// What the expressions read.
    pub declarations: Declarations,
    /// Why a server would refuse the schema.
    pub findings: Vec<Finding>,
}

/// What a rule or a message expression costs.
#[derive(Clone, Debug)]
pub struct ExpressionCost {
    /// The place in objects that it is evaluated for, as `spec.rules[]`; empty for the root.
    pub field: String,
    /// Which of the rules of that place it belongs to.
    pub number: usize,
    /// Whether it is the rule's `messageExpression`.
    pub is_message: bool,
    /// Its text.
    pub text: String,
    /// The types of its parts.
    pub checked: Checked,
    /// What `self` is.
    pub itself: NodeId,
    /// What it costs each time.
    pub once: u64,
    /// How many values there may be that it is evaluated for; servers count message expressions once.
    pub times: u64,
    /// What it costs an object.
    pub cost: u64,
}

/// A rule or a message expression that does not compile.
#[derive(Clone, Debug)]
pub struct RefusedExpression {
    /// Its place in the CRD, as servers write it.
    pub at: String,
    /// The types of the parts that have one.
    pub checked: Checked,
}

impl SchemaCosts {
    /// The expressions, the dearest first.
    #[must_use]
    pub fn dearest_first(&self) -> Vec<&ExpressionCost> {
        let mut sorted: Vec<&ExpressionCost> = self.expressions.iter().collect();
        sorted.sort_by_key(|expression| std::cmp::Reverse(expression.cost));
        sorted
    }
}
