//! The rule by which one condition is set: `SetStatusCondition` of Kubernetes' own code.

use super::{Condition, ConditionType, Status};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::jiff::Timestamp;
use std::time::{SystemTime, UNIX_EPOCH};

/// When `lastTransitionTime` changes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Transition {
    /// When the status changes: the rule of `metav1.Condition`.
    #[default]
    OfStatus,
    /// When the status, the reason, the message or the severity changes: the rule of Azure Service Operator.
    OfAnything,
}

/// An observation of one condition.
#[derive(Clone, Copy)]
pub(super) struct Observation<'a> {
    pub of: ConditionType,
    pub status: Status,
    pub reason: &'a str,
    pub message: &'a str,
}

/// The generations and the time of an update.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// The generation that was observed.
    pub observed: Option<i64>,
    /// The generation that the object had when its conditions were read.
    pub current: Option<i64>,
    pub now: Timestamp,
    pub transition: Transition,
}

impl Moment {
    /// The update of an object of a generation, now.
    pub(super) fn of(generation: Option<i64>) -> Self {
        Self {
            observed: generation,
            current: generation,
            now: now(),
            transition: Transition::default(),
        }
    }

    /// Whether a condition with this generation was observed later. One from above the generation of the object, as in a status
    /// that was restored from a backup, was not.
    pub(super) fn is_before(&self, observed: Option<i64>) -> bool {
        matches!(
            (observed, self.observed, self.current),
            (Some(theirs), Some(ours), Some(current)) if theirs > ours && theirs <= current
        )
    }
}

/// The time, in whole seconds as Kubernetes writes it.
fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.ok().and_then(|since| since.as_secs().try_into().ok());
    let now = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
    now.unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Sets a condition. Returns whether anything changed. The order stays the same; a new condition is appended.
pub(super) fn set(
    conditions: &mut Vec<Condition>,
    seen: &Observation<'_>,
    moment: &Moment,
) -> bool {
    let of_type = |condition: &&mut Condition| condition.type_ == seen.of.name();
    match conditions.iter_mut().find(of_type) {
        Some(condition) => update(condition, seen, false, moment),
        None => {
            conditions.push(added(seen, moment));
            true
        }
    }
}

/// A new condition.
pub(super) fn added(seen: &Observation<'_>, moment: &Moment) -> Condition {
    Condition {
        last_transition_time: Time(moment.now),
        message: seen.message.to_owned(),
        observed_generation: moment.observed,
        reason: seen.reason.to_owned(),
        status: seen.status.as_str().to_owned(),
        type_: seen.of.name().to_owned(),
    }
}

/// Updates an existing condition. `differs` says whether something else changes too. Returns whether anything changes.
pub(super) fn update(
    condition: &mut Condition,
    seen: &Observation<'_>,
    differs: bool,
    moment: &Moment,
) -> bool {
    if moment.is_before(condition.observed_generation) {
        return false;
    }
    let status = replace(&mut condition.status, seen.status.as_str());
    let reason = replace(&mut condition.reason, seen.reason);
    let message = replace(&mut condition.message, seen.message);
    let changed = status || reason || message || differs;
    let has_passed = match moment.transition {
        Transition::OfStatus => status,
        Transition::OfAnything => changed,
    };
    if has_passed {
        condition.last_transition_time = Time(moment.now);
    }
    let is_of_another =
        moment.observed.is_some() && condition.observed_generation != moment.observed;
    if is_of_another {
        condition.observed_generation = moment.observed;
    }
    changed || is_of_another
}

/// Replaces a text in place if it differs.
fn replace(text: &mut String, new: &str) -> bool {
    let differs = text != new;
    if differs {
        new.clone_into(text);
    }
    differs
}
