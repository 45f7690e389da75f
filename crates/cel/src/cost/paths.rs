//! The way from a variable to a part of its value, by which the server finds how large the part may be.
//!
//! The server keeps these ways in slices that grow in place while there is room. Two ways that start from one variable may
//! therefore share their last step, and the one that was added last decides about both. Estimates depend on it, so the
//! slices are modelled as they are.

use crate::Text;
use crate::types::{Declarations, NodeId};

/// A step of a way.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// The variable that it starts from. Whichever it is, the server takes it for `self`.
    Variable,
    Field(Text),
    /// The items of a list or the values of a map.
    Element,
    Key,
    /// The index of an item, which has no declared size.
    Index,
}

/// A way: how many steps it has, in which slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    slice: usize,
    length: usize,
}

/// A slice and the steps that fit in it.
#[derive(Debug)]
struct Slice {
    steps: Vec<Step>,
    room: usize,
}

/// All slices of an estimate.
#[derive(Debug, Default)]
pub(super) struct Paths {
    slices: Vec<Slice>,
}

impl Paths {
    pub(super) fn of_variable(&mut self) -> Path {
        self.slice(vec![Step::Variable], 1)
    }

    fn slice(&mut self, steps: Vec<Step>, room: usize) -> Path {
        let length = steps.len();
        self.slices.push(Slice { steps, room });
        Path {
            slice: self.slices.len() - 1,
            length,
        }
    }

    /// A way with one step more. What has no way yet starts with the step.
    pub(super) fn append(&mut self, path: Option<Path>, step: Step) -> Path {
        let Some(path) = path else {
            return self.slice(vec![step], 1);
        };
        let Some(slice) = self.slices.get_mut(path.slice) else {
            return path;
        };
        if path.length < slice.room {
            slice.steps.truncate(path.length);
            slice.steps.push(step);
            return Path {
                length: path.length + 1,
                ..path
            };
        }
        let room = slice.room * 2;
        let mut steps = slice.steps.clone();
        steps.truncate(path.length);
        steps.push(step);
        self.slice(steps, room)
    }

    /// A copy with one step more.
    pub(super) fn copy(&mut self, path: Path, step: Step) -> Path {
        let slice = self.slices.get(path.slice);
        let mut steps = slice.map_or_else(Vec::new, |slice| slice.steps.clone());
        steps.truncate(path.length);
        steps.push(step);
        let room = steps.len();
        self.slice(steps, room)
    }

    /// The node of the declarations that a way leads to.
    pub(super) fn node(
        &self,
        path: Path,
        declarations: &Declarations,
        itself: NodeId,
    ) -> Option<NodeId> {
        let steps = self.slices.get(path.slice)?.steps.get(1..path.length)?;
        steps.iter().try_fold(itself, |node, step| match step {
            Step::Field(name) => Some(declarations.escaped_field(node, name)?.node),
            Step::Element => declarations.node(node)?.element,
            Step::Key => declarations.node(node)?.key,
            Step::Variable | Step::Index => None,
        })
    }
}
