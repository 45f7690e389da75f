//! The limits of a value, so that recursion and constants that double end.

use std::cell::Cell;

/// The maximum number of expressions that one value may consist of, including those of functions and constants.
const MAX_STEPS: u32 = 100_000;
/// The maximum depth of expressions and definitions together.
const MAX_DEPTH: u32 = 200;

/// The limits that all readings of a task share. Nested ones use what is left.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    steps: Cell<u32>,
    depth: Cell<u32>,
}

impl Budget {
    /// Starts a value, unless one that contains it has started.
    pub(crate) fn start(&self) {
        if self.depth.get() == 0 {
            self.steps.set(MAX_STEPS);
        }
    }

    /// Goes one level deeper; returns false beyond the limits.
    pub(crate) fn enter(&self) -> bool {
        let (depth, steps) = (self.depth.get(), self.steps.get());
        let within = depth < MAX_DEPTH && steps > 0;
        if within {
            self.steps.set(steps - 1);
            self.depth.set(depth + 1);
        }
        within
    }

    /// Leaves a level.
    pub(crate) fn leave(&self) {
        self.depth.set(self.depth.get().saturating_sub(1));
    }
}
