//! Sets the conditions of an object, by their polarity.

use super::declared::pending;
use super::rule::{self, Moment, Observation};
use super::{
    Condition, ConditionType, Conditions, Declared, HasConditionsMut, Polarity, Reason, State,
    Status, Transition,
};
use k8s_openapi::jiff::Timestamp;
use std::borrow::Cow;

/// Sets the conditions of an object in one reconciliation. Conditions that are neither declared nor set stay as they are: they
/// belong to other controllers.
///
/// It begins by adding each missing positive condition as `Unknown`, and ends with [`ConditionWriter::finish`].
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use crd_channels_runtime::conditions::{ConditionWriter, Conditions, Reasons, Status};
///
/// /// The conditions of a listener.
/// #[derive(Clone, Debug, Conditions)]
/// enum ListenerCondition {
///     /// The listener is valid.
///     #[condition(positive)]
///     Accepted(AcceptedReason),
///     /// The configuration was sent.
///     #[condition(positive)]
///     Programmed(AcceptedReason),
///     /// Another listener has this host.
///     #[condition(negative)]
///     Conflicted(ConflictedReason),
/// }
///
/// /// Why it is.
/// #[derive(Clone, Debug, Reasons)]
/// enum AcceptedReason {
///     /// It is valid.
///     #[reason(True)]
///     Accepted,
/// }
///
/// /// Why it conflicts.
/// #[derive(Clone, Debug, Reasons)]
/// enum ConflictedReason {
///     /// The older one keeps the host.
///     #[reason(True)]
///     HostConflict,
/// }
///
/// // `ConditionWriter::new(&mut route)` takes the object, and its generation with it.
/// let mut conditions = Vec::new();
/// let mut writer = ConditionWriter::for_list::<ListenerCondition>(&mut conditions, 3);
/// writer.set(ListenerCondition::Accepted(AcceptedReason::Accepted), "All rules are valid.");
/// assert!(writer.finish());
///
/// assert!(ListenerCondition::ACCEPTED.is_true(&conditions));
/// assert_eq!(ListenerCondition::PROGRAMMED.find(&conditions).map(Status::of), Some(Status::Unknown));
/// assert_eq!(ListenerCondition::CONFLICTED.find(&conditions), None);
/// # }
/// ```
#[derive(Debug)]
pub struct ConditionWriter<'c> {
    conditions: &'c mut Vec<Condition>,
    declared: &'static [Declared],
    moment: Moment,
    /// The types that were set or kept.
    seen: Vec<ConditionType>,
    /// Whether missing positive conditions were added.
    has_begun: bool,
    changed: bool,
}

impl<'c> ConditionWriter<'c> {
    /// The conditions of an object, of which the controller sets the declared ones.
    pub fn new<S: Conditions>(
        object: &'c mut impl HasConditionsMut<Condition = Condition>,
    ) -> Self {
        let generation = object.generation();
        Self::for_list::<S>(object.conditions_mut(), generation)
    }

    /// The conditions in a list, of an object with this `metadata.generation`.
    pub fn for_list<S: Conditions>(
        conditions: &'c mut Vec<Condition>,
        generation: impl Into<Option<i64>>,
    ) -> Self {
        Self::begin::<S>(conditions, Moment::of(generation.into()))
    }

    /// The conditions in a list, at a moment.
    pub(super) fn begin<S: Conditions>(conditions: &'c mut Vec<Condition>, moment: Moment) -> Self {
        Self {
            conditions,
            declared: S::DECLARED,
            moment,
            seen: Vec::new(),
            has_begun: false,
            changed: false,
        }
    }

    /// The generation that the controller has observed, if the object was read again since. Conditions that were observed at a
    /// later generation of the object stay as they are.
    pub fn observed_generation(&mut self, generation: impl Into<Option<i64>>) -> &mut Self {
        self.moment.observed = generation.into();
        self
    }

    /// The time of the update, for tests.
    pub fn at(&mut self, now: Timestamp) -> &mut Self {
        self.moment.now = now;
        self
    }

    /// Another rule for `lastTransitionTime`.
    pub fn transition(&mut self, transition: Transition) -> &mut Self {
        self.moment.transition = transition;
        self
    }

    /// Says that the controller uses an optional condition, which is added if missing (GEP-1364, "Should conditions always be
    /// added?").
    pub fn uses(&mut self, optional: ConditionType) -> &mut Self {
        self.add_missing();
        let mut declared = self.declared.iter();
        if let Some(declared) = declared.find(|one| one.of == optional) {
            self.expect(declared);
        }
        self
    }

    /// Says that a condition still is what it was. [`ConditionWriter::finish`] leaves it as it is.
    pub fn keep(&mut self, of: ConditionType) -> &mut Self {
        self.see(of);
        self
    }

    /// Sets a declared condition: the reason determines the status. The error code that a reason is made from becomes part of
    /// the message.
    ///
    /// Also sets the deprecated types that it replaces, so that their readers see the same. One of the opposite polarity has
    /// the opposite status, as `Detached` if `Accepted` replaces it; it is only there while it is true, and only becomes
    /// unknown if it is there.
    ///
    /// Decide first, and set each type once: a status that is set and replaced counts as a transition.
    pub fn set<S: Conditions>(&mut self, condition: S, message: &str) -> &mut Self {
        let of = condition.condition_type();
        let found = condition.status_reason();
        let code = found.code.unwrap_or_default();
        let message = found.reason.with_code(code, message.into());
        self.publish(S::DECLARED, of, found.status, &found.reason, &message);
        self
    }

    /// Sets a condition to a state that was decided elsewhere: by [`summary`](super::summary()) or
    /// [`mirror`](super::mirror()), or in [`gateway_api`](super::gateway_api). Otherwise the same as
    /// [`ConditionWriter::set`].
    pub fn set_state(&mut self, of: ConditionType, state: &State) -> &mut Self {
        let message = super::reason::truncate(Cow::Borrowed(&state.message));
        self.publish(self.declared, of, state.status, &state.reason, &message);
        self
    }

    /// Whether anything has changed so far.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.changed
    }

    /// Ends the reconciliation, in which the controller has said what it knows: each declared condition that was neither set
    /// nor kept is unknown if it is positive, with the first reason declared for that or else `Pending`, and removed if it is
    /// negative. Returns whether the object's status has to be written.
    ///
    /// Gateway API's conformance tests demand that all conditions are about the generation that was observed last, and GEP-1364
    /// that `Programmed` is unknown as long as the controller does not know.
    #[must_use = "the status has to be written if it has changed"]
    pub fn finish(mut self) -> bool {
        self.settle();
        self.changed
    }

    /// Ends the reconciliation, and leaves only the conditions that the controller sets in the list. Also returns their types.
    #[cfg(feature = "status")]
    pub(super) fn finish_own(mut self) -> (bool, Vec<ConditionType>) {
        self.settle();
        let mut own = self.seen;
        own.extend(self.declared.iter().map(|declared| declared.of));
        let is_own = |condition: &Condition| own.iter().any(|of| of.name() == condition.type_);
        self.conditions.retain(is_own);
        (self.changed, own)
    }

    fn settle(&mut self) {
        self.add_missing();
        for declared in self.declared {
            if self.seen.contains(&declared.of) {
                continue;
            }
            match declared.of.polarity() {
                Polarity::Positive if declared.optional && !self.shows(declared.of) => {}
                Polarity::Positive => {
                    self.write(declared.of, Status::Unknown, &pending(declared), "");
                }
                Polarity::Negative => self.remove(declared.of),
            }
        }
    }

    /// Adds each missing positive condition as unknown, once.
    fn add_missing(&mut self) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        for declared in self.declared {
            if declared.of.polarity() == Polarity::Positive && !declared.optional {
                self.expect(declared);
            }
        }
    }

    /// Adds a missing condition as unknown.
    fn expect(&mut self, declared: &Declared) {
        if !self.shows(declared.of) {
            self.write(declared.of, Status::Unknown, &pending(declared), "");
        }
    }

    /// Whether the object has a condition of the type.
    fn shows(&self, of: ConditionType) -> bool {
        of.find(&*self.conditions).is_some()
    }

    fn see(&mut self, of: ConditionType) {
        self.add_missing();
        if !self.seen.contains(&of) {
            self.seen.push(of);
        }
    }

    /// Sets a condition and the deprecated ones that it replaces.
    fn publish(
        &mut self,
        declared: &'static [Declared],
        of: ConditionType,
        status: Status,
        reason: &Reason,
        message: &str,
    ) {
        self.see(of);
        self.write(of, status, reason, message);
        for old in declared {
            if old.replaced.is_none_or(|replaced| replaced.by != of) {
                continue;
            }
            self.see(old.of);
            let status = match old.of.polarity() == of.polarity() {
                true => status,
                false => status.opposite(),
            };
            if !old.optional || self.shows(old.of) {
                self.write(old.of, status, reason, message);
            }
        }
    }

    /// Sets a condition. A negative one that is false is removed; an existing one may become unknown, but a missing one is not
    /// added as unknown.
    fn write(&mut self, of: ConditionType, status: Status, reason: &Reason, message: &str) {
        match (of.polarity(), status) {
            (Polarity::Negative, Status::False) => return self.remove(of),
            (Polarity::Negative, Status::Unknown) if !self.shows(of) => return,
            _ => {}
        }
        let seen = Observation {
            of,
            status,
            reason: reason.as_str(),
            message,
        };
        self.changed |= rule::set(self.conditions, &seen, &self.moment);
    }

    /// Removes a condition, unless it was observed at a later generation of the object.
    fn remove(&mut self, of: ConditionType) {
        let before = self.conditions.len();
        let moment = self.moment;
        self.conditions.retain(|condition| {
            condition.type_ != of.name() || moment.is_before(condition.observed_generation)
        });
        self.changed |= self.conditions.len() != before;
    }
}
