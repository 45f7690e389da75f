//! The costs of a CRD's expressions on an API server, each and in total.

use super::finding::Finding;
use crd_channels_cel::Checked;
use crd_channels_cel::types::{Declarations, NodeId};
use crd_channels_validation::path::FieldPath;

/// The costs of the expressions in a version's schema.
#[derive(Clone, Debug)]
pub struct SchemaCosts {
    /// The version.
    pub version: String,
    /// Its expressions that compile, in the order in which a server compiles them.
    pub expressions: Vec<ExpressionCost>,
    /// The expressions that do not compile, but have typed parts.
    pub refused: Vec<RefusedExpression>,
    /// The total cost.
    pub total: u64,
    /// The declarations that the expressions read.
    pub declarations: Declarations,
    /// The reasons for which a server would reject the schema.
    pub findings: Vec<Finding>,
}

/// The cost of a rule or a message expression.
#[derive(Clone, Debug)]
pub struct ExpressionCost {
    /// The place in objects that it is evaluated on, as in `spec.rules[]`; empty for the root.
    pub field: String,
    /// The index of its rule at that place.
    pub number: usize,
    /// Whether it is the rule's `messageExpression`.
    pub is_message: bool,
    /// The expression.
    pub text: String,
    /// Its typed parts.
    pub checked: Checked,
    /// The node of `self`.
    pub itself: NodeId,
    /// The cost of one evaluation.
    pub once: u64,
    /// The maximum number of values that it is evaluated on; servers count message expressions once.
    pub times: u64,
    /// The cost per object.
    pub cost: u64,
}

/// A rule or a message expression that does not compile.
#[derive(Clone, Debug)]
pub struct RefusedExpression {
    /// Its path in the CRD, as servers write it.
    pub at: FieldPath,
    /// The parts that have types.
    pub checked: Checked,
}

impl SchemaCosts {
    /// The expressions, the most expensive first.
    #[must_use]
    pub fn dearest_first(&self) -> Vec<&ExpressionCost> {
        let mut sorted: Vec<&ExpressionCost> = self.expressions.iter().collect();
        sorted.sort_by_key(|expression| std::cmp::Reverse(expression.cost));
        sorted
    }
}
