//! A controller's visit to an object, which adds and removes conditions by their polarity.

use super::{Observation, PENDING, Reason, Status, Transition, set};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use k8s_openapi::jiff::Timestamp;

/// The status that a healthy object has.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Polarity {
    /// `True`, as for `Accepted`. If the condition is absent, the object must not be considered healthy.
    Positive,
    /// `False`, as for `Conflicted`. The condition is only there while it is true.
    Negative,
}

/// A type of condition that a controller sets.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct ConditionType {
    /// Its name. If no API defines it, a domain precedes it, as in `example.com/Throttled`: names without one are reserved for
    /// the API (GEP-1364, summary).
    pub name: &'static str,
    /// The status that a healthy object has.
    pub polarity: Polarity,
}

impl ConditionType {
    /// A type whose condition is always there: `Accepted`, `Programmed`.
    #[must_use]
    pub const fn positive(name: &'static str) -> Self {
        Self {
            name,
            polarity: Polarity::Positive,
        }
    }

    /// A type whose condition is only there while it is true: `Conflicted`.
    #[must_use]
    pub const fn negative(name: &'static str) -> Self {
        Self {
            name,
            polarity: Polarity::Negative,
        }
    }
}

/// A visit to an object. It begins by adding each missing positive condition as `Unknown`; conditions of other controllers stay
/// as they are.
///
/// ```
/// use crd_channels_runtime::conditions::{ConditionType, Reason, Status, Visit};
/// use k8s_openapi::jiff::Timestamp;
///
/// const ACCEPTED: ConditionType = ConditionType::positive("Accepted");
/// const CONFLICTED: ConditionType = ConditionType::negative("Conflicted");
///
/// let mut conditions = Vec::new();
/// let mut visit = Visit::new(&mut conditions, &[ACCEPTED, CONFLICTED], 1, Timestamp::UNIX_EPOCH);
/// visit.set(CONFLICTED, Status::True, &Reason::of_code("HostnameConflict"), "Another listener has this host.");
/// visit.set(CONFLICTED, Status::False, &Reason::of_code("NoConflicts"), "");
/// assert!(visit.has_changed());
/// let shown: Vec<_> = conditions.iter().map(|condition| (&*condition.type_, Status::of(condition))).collect();
/// assert_eq!(shown, [("Accepted", Status::Unknown)]);
/// ```
#[derive(Debug)]
pub struct Visit<'c> {
    conditions: &'c mut Vec<Condition>,
    generation: i64,
    now: Timestamp,
    transition: Transition,
    changed: bool,
}

impl<'c> Visit<'c> {
    /// Begins a visit to an object of a generation (`metadata.generation`) by a controller that sets these types.
    pub fn new(
        conditions: &'c mut Vec<Condition>,
        types: &[ConditionType],
        generation: i64,
        now: Timestamp,
    ) -> Self {
        let mut visit = Self::begin(conditions, generation, now);
        let always = types.iter().filter(|of| of.polarity == Polarity::Positive);
        always.for_each(|of| visit.expect(*of, &PENDING));
        visit
    }

    /// A visit that has not added any condition.
    pub(super) fn begin(
        conditions: &'c mut Vec<Condition>,
        generation: i64,
        now: Timestamp,
    ) -> Self {
        Self {
            conditions,
            generation,
            now,
            transition: Transition::default(),
            changed: false,
        }
    }

    /// Adds a missing condition as unknown.
    pub(super) fn expect(&mut self, of: ConditionType, pending: &Reason) {
        if !self.shows(of) {
            self.set(of, Status::Unknown, pending, "");
        }
    }

    /// Whether the object has a condition of the type.
    pub(super) fn shows(&self, of: ConditionType) -> bool {
        let mut there = self.conditions.iter();
        there.any(|condition| condition.type_ == of.name)
    }

    /// The same visit with another rule for `lastTransitionTime`.
    #[must_use]
    pub fn with_transition(mut self, transition: Transition) -> Self {
        self.transition = transition;
        self
    }

    /// Sets a condition, as [`set`] does. A negative one that is false is removed, unless it was set for a newer generation; an
    /// existing one may become unknown, but a missing one is not added as unknown.
    ///
    /// Decide first, and set each type once in a visit: a status that is set and replaced counts as a transition.
    pub fn set(&mut self, of: ConditionType, status: Status, reason: &Reason, message: &str) {
        if (of.polarity, status) == (Polarity::Negative, Status::False) {
            let before = self.conditions.len();
            let generation = self.generation;
            self.conditions.retain(|condition| {
                condition.type_ != of.name
                    || condition.observed_generation.unwrap_or_default() > generation
            });
            self.changed |= self.conditions.len() != before;
            return;
        }
        let begins = of.polarity == Polarity::Positive || status == Status::True;
        if !begins && !self.shows(of) {
            return;
        }
        let seen = Observation {
            type_: of.name,
            status: status.as_str(),
            reason: reason.as_str(),
            message,
            observed_generation: self.generation,
        };
        self.changed |= set(self.conditions, &seen, self.now, self.transition);
    }

    /// Whether the object's status must be written.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.changed
    }
}
