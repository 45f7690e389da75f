//! The limits of evaluations.

use std::cell::Cell;

/// The budget that all evaluations of a task share. Nested evaluations use what is left.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    pub(in crate::eval) entered: Cell<u32>,
    pub(in crate::eval) fuel: Cell<u32>,
    pub(in crate::eval) depth: Cell<u32>,
}
