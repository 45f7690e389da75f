//! The limits of evaluations.

use std::cell::Cell;

/// The budget that all evaluations of a task share. Nested evaluations use what is left.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    pub(super) entered: Cell<u32>,
    pub(super) fuel: Cell<u32>,
    pub(super) depth: Cell<u32>,
}
