//! The cost of an evaluation, and its limits.

use super::work::Work;
use super::{Answer, Stop, Val};
use crate::cost::{CALL_LIMIT, Range};
use std::cell::Cell;

/// The result of an expression, and the cost that servers count.
#[derive(Clone, Debug, PartialEq)]
pub struct CostedValue {
    /// The value.
    pub answer: Answer,
    /// The cost; a range if it depends on something unknown.
    pub cost: Range,
}

/// Counts the work of evaluation here, and its cost on servers.
#[derive(Debug)]
pub(super) struct Meter {
    /// The work here.
    pub(super) work: Work,
    spent: Cell<Range>,
    /// Whether something was evaluated that crashes servers.
    has_crashed: Cell<bool>,
    /// Whether types determine the overload of each call. Servers price some calls by their overloads.
    pub(super) is_resolved: bool,
}

impl Meter {
    pub(super) fn new(is_resolved: bool) -> Self {
        Self {
            work: Work::new(),
            spent: Cell::new(Range::exactly(0)),
            has_crashed: Cell::new(false),
            is_resolved,
        }
    }

    /// Counts a step.
    ///
    /// # Errors
    /// If there were too many steps, or they cost more than servers allow for an expression.
    pub(super) fn step(&self) -> Result<(), Stop> {
        self.work.spend(1)?;
        match self.spent.get().min <= CALL_LIMIT {
            true => Ok(()),
            false => Err(Stop::Unknown),
        }
    }

    pub(super) fn spent(&self) -> Range {
        self.spent.get()
    }

    pub(super) fn charge(&self, cost: u64) {
        self.add(Range::exactly(cost));
    }

    pub(super) fn add(&self, cost: Range) {
        self.spent.set(self.spent.get().plus(cost));
    }

    /// The cost since `before`.
    pub(super) fn since(&self, before: Range) -> Range {
        let Range { min, max } = self.spent.get();
        let max = match max {
            u64::MAX => max,
            max => max.saturating_sub(before.max),
        };
        Range {
            min: min.saturating_sub(before.min),
            max,
        }
    }

    /// Refunds a cost that servers do not charge.
    pub(super) fn discount(&self, cost: u64) {
        let Range { min, max } = self.spent.get();
        match min.checked_sub(cost) {
            Some(min) if max == u64::MAX => self.spent.set(Range { min, max }),
            Some(min) => self.spent.set(Range {
                min,
                max: max.saturating_sub(cost),
            }),
            // Servers underflow to a huge number.
            None => self.lose(),
        }
    }

    /// Resets the cost after an evaluation that servers do not charge.
    pub(super) fn reset(&self, spent: Range) {
        self.spent.set(spent);
    }

    /// Records that an error is passed to a function that servers then cannot price: they abort the whole evaluation.
    pub(super) fn crash(&self) {
        self.has_crashed.set(true);
        self.spent.set(Range::UNKNOWN);
    }

    /// The reason for stopping if something crashed.
    pub(super) fn crashed(&self) -> Option<Stop> {
        let stop = match self.is_resolved {
            true => Stop::Error,
            // Servers may have no price for such a function.
            false => Stop::Unknown,
        };
        self.has_crashed.get().then_some(stop)
    }

    /// Lowers the minimum cost.
    pub(super) fn lower(&self, least: u64) {
        let Range { min, max } = self.spent.get();
        self.spent.set(Range {
            min: min.min(least),
            max,
        });
    }

    /// Marks the cost as unknown: after an error, or for an unknown value, servers may have done anything.
    pub(super) fn lose(&self) {
        let Range { min, .. } = self.spent.get();
        self.spent.set(Range { min, max: u64::MAX });
    }
}

/// The size of a value, as servers count it.
fn size(value: Option<&Val>) -> Range {
    let count = |count: usize| Range::exactly(u64::try_from(count).unwrap_or(u64::MAX));
    match value {
        Some(Val::String(text)) => count(text.chars().count()),
        Some(Val::Bytes(bytes)) => count(bytes.len()),
        Some(Val::List(items) | Val::Unordered(items) | Val::Shuffled(items)) => count(items.len()),
        Some(Val::Map(entries)) => count(entries.len()),
        Some(Val::Ip(address)) => count(if address.is_ipv4() { 4 } else { 16 }),
        Some(Val::Cidr(_, bits)) => count(usize::from(bits.div_ceil(8))),
        Some(Val::Optional(Some(inner))) => Range::exactly(1).or(size(Some(inner))),
        Some(Val::Object(object)) => count(object.seen.len() + object.hidden.len()),
        Some(Val::Opaque) => Range {
            min: 0,
            max: u64::MAX,
        },
        _ => Range::exactly(1),
    }
}

/// The sizes of the arguments of a call.
pub(super) struct Sizes<'g> {
    pub(super) given: &'g [Val],
    pub(super) answer: &'g Answer,
}

impl Sizes<'_> {
    /// The size of an argument.
    pub(super) fn size_of_argument(&self, nth: usize) -> Range {
        size(self.given.get(nth))
    }

    /// The size of the result.
    pub(super) fn of_answer(&self) -> Range {
        match self.answer {
            Err(Stop::Unknown) => Range::UNKNOWN,
            answer => size(answer.as_ref().ok()),
        }
    }
}
