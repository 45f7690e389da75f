//! What evaluations may take.

use std::cell::Cell;

/// What all evaluations of one task share: each that starts inside another takes from what is left to it.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    pub(super) entered: Cell<u32>,
    pub(super) fuel: Cell<u32>,
    pub(super) depth: Cell<u32>,
}
