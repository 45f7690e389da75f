//! The costs of the parts of an expression, and their causes.

use super::calls::is_member;
use super::{Estimator, Range, is_binding};
use crate::check::Checked;
use crate::core::{Fold, Id, Kind};
use crate::minors::NEWEST;
use crate::types::{Declarations, NodeId, Type};
use std::ops;

/// A part of an expression in the source.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its span, in bytes.
    pub range: ops::Range<usize>,
    /// The type of its value.
    pub ty: Type,
    /// The maximum cost per evaluation, including the parts below.
    pub cost: u64,
    /// The number of evaluations per evaluation of the expression.
    pub times: u64,
    /// The size of its value, if costs depend on it.
    pub size: Option<Size>,
    /// Its subexpressions.
    pub below: Vec<Part>,
}

/// The maximum size of the value of a part.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Size {
    /// The number of elements, characters or bytes; `None` if servers assume any number.
    pub most: Option<u64>,
    /// The node of the schema that declares it.
    pub declared: Option<NodeId>,
}

/// The facts that the estimate records about a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeFacts {
    pub(super) cost: u64,
    pub(super) size: Option<Size>,
    /// The number of iterations of a loop.
    pub(super) rounds: u64,
}

impl NodeFacts {
    pub(super) fn measure(&mut self, size: Option<Range>) {
        let most = size.map(|size| size.max).filter(|most| *most < u64::MAX);
        let declared = self.size.and_then(|size| size.declared);
        self.size = Some(Size { most, declared });
    }

    pub(super) fn declare(&mut self, node: NodeId) {
        self.size = Some(Size {
            most: None,
            declared: Some(node),
        });
    }
}

/// The parts of an expression, with the contribution of each to [`estimate`](super::estimate) for the newest servers.
#[must_use]
pub fn parts(checked: &Checked, declarations: &Declarations, itself: NodeId) -> Part {
    let mut estimator = Estimator::new(checked, declarations, itself, NEWEST);
    estimator.noted = vec![NodeFacts::default(); checked.tree().len()];
    estimator.cost(checked.tree().root);
    let parts = Parts {
        checked,
        noted: estimator.noted,
    };
    parts.part(checked.tree().root, 1)
}

/// The parts of an expression that does not compile: they have types, but no costs.
#[must_use]
pub fn typed_parts(checked: &Checked) -> Part {
    let parts = Parts {
        checked,
        noted: Vec::new(),
    };
    parts.part(checked.tree().root, 1)
}

struct Parts<'c> {
    checked: &'c Checked,
    noted: Vec<NodeFacts>,
}

impl Parts<'_> {
    fn part(&self, id: Id, times: u64) -> Part {
        let range = self.range(id);
        let mut below = Vec::new();
        self.collect(id, &range, times, &mut below);
        let noted = self.noted(id);
        Part {
            range,
            ty: self.checked.ty(id).clone(),
            cost: noted.cost,
            times,
            size: noted.size,
            below,
        }
    }

    /// Adds the parts below a node. The expansion of a macro has the span of the macro, so it is not a part itself.
    fn collect(&self, id: Id, range: &ops::Range<usize>, times: u64, below: &mut Vec<Part>) {
        for (child, rounds) in self.children(id) {
            let times = times.saturating_mul(rounds);
            if self.range(child) == *range {
                self.collect(child, range, times, below);
            } else {
                below.push(self.part(child, times));
            }
        }
    }

    /// The priced subnodes, with the number of evaluations of each.
    fn children(&self, id: Id) -> Vec<(Id, u64)> {
        let node = self.checked.tree().node(id);
        match node.map(|node| &node.kind) {
            None => Vec::new(),
            Some(_) if self.checked.is_name(id) => Vec::new(),
            Some(Kind::Fold(fold)) => self.of_fold(id, fold),
            // The target is a namespace, not a value.
            Some(Kind::Call { arguments, .. })
                if !self.checked.overloads(id).is_empty()
                    && !is_member(self.checked.overloads(id), arguments) =>
            {
                arguments.iter().map(|id| (*id, 1)).collect()
            }
            Some(kind) => kind.children().into_iter().map(|id| (id, 1)).collect(),
        }
    }

    fn of_fold(&self, id: Id, fold: &Fold) -> Vec<(Id, u64)> {
        if is_binding(self.checked, fold) {
            return vec![(fold.start, 1), (fold.result, 1)];
        }
        let rounds = self.noted(id).rounds;
        vec![
            (fold.range, 1),
            (fold.start, 1),
            (fold.condition, rounds),
            (fold.step, rounds),
            (fold.result, 1),
        ]
    }

    fn noted(&self, id: Id) -> NodeFacts {
        self.noted.get(id.0).copied().unwrap_or_default()
    }

    fn range(&self, id: Id) -> ops::Range<usize> {
        let node = self.checked.tree().node(id);
        node.map_or(0..0, |node| node.range.clone())
    }
}
