//! Whether all values that an old node accepts satisfy the constraints of a new one. It is proven, or it is not known: only a
//! value can show the opposite.

mod known;
mod holds;
mod cases;

use crd_channels_schema::Schema;
use known::Known;
use std::cell::Cell;

/// The number of questions that one proof may ask.
const MOST_STEPS: u32 = 200_000;

/// What is left of the questions that a proof may ask.
struct Work(Cell<u32>);

impl Work {
    /// Whether another question may be asked.
    fn step(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }
}

/// Whether it is proven that every value of `old`, as a server reads it with `new`, satisfies a constraint. Ignores rules.
pub(crate) fn proven(old: &Schema, new: &Schema, constraint: &Schema) -> bool {
    let work = Work(Cell::new(MOST_STEPS));
    let known = Known::of_node(old, new);
    if constraint.junctors.is_some() {
        return known.holds(constraint, &work);
    }
    let names: Vec<&str> = constraint.required.iter().map(|name| &**name).collect();
    known.in_all_cases(&names, &[], &work, &|known| known.holds(constraint, &work))
}
