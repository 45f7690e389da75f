//! The model of conditions of Azure Service Operator: one condition, `Ready`, with a severity, for resources that represent
//! something outside the cluster.
//!
//! A severity tells whether a status `False` means that the work continues, that somebody has to help, or that the controller
//! has given up. The source is the operator's "Proposal for reporting resource Status". It differs from `metav1.Condition` in
//! three points: there is a severity; `lastTransitionTime` changes with anything in the condition
//! ([`Transition::OfAnything`]); and within a generation, progress does not replace a result.
//! `observedGeneration` is always set, as GEP-1364 requires.
//!
//! ```
//! use crd_channels_runtime::conditions::severity::{Outcome, READY, Retry, Severity, SeverityWriter};
//! use crd_channels_runtime::conditions::AnyCondition;
//!
//! let found = Outcome::worst([
//!     Outcome::reconciling("The order was sent."),
//!     Outcome::failed("quota exceeded", "50 certificates a week.", Retry::Slowly),
//! ]);
//! let mut conditions = Vec::new();
//! assert!(SeverityWriter::for_list(&mut conditions, 3).set(READY, &found));
//! assert_eq!(conditions[0].severity(), Some(Severity::Warning));
//! assert_eq!(READY.reason(&conditions), Some("QuotaExceeded"));
//! assert_eq!(READY.message(&conditions), Some("quota exceeded: 50 certificates a week."));
//! ```
//!
//! The [`Retry`] of an outcome says when to reconcile again; the controller decides how long that is:
//!
//! ```
//! # use crd_channels_runtime::conditions::severity::{Outcome, Retry};
//! # use std::time::Duration;
//! let requeue_after = match Outcome::reconciling("").retry() {
//!     Retry::WhenChanged => None,
//!     Retry::Slowly => Some(Duration::from_secs(600)),
//!     Retry::Soon => Some(Duration::from_secs(10)),
//! };
//! # assert_eq!(requeue_after, Some(Duration::from_secs(10)));
//! ```

mod condition;
mod outcome;

pub use condition::{SeverityCondition, SeverityWord};
pub use outcome::{Outcome, Retry};

pub use super::Severity;

use super::rule::{Moment, Observation, added, update};
use super::{AnyCondition, ConditionType, HasConditionsMut, Status, Transition};
use k8s_openapi::jiff::Timestamp;
use outcome::{Health, RECONCILING, WAITING_FOR_OWNER};

/// The condition that every resource of this model has, from the first reconciliation on.
pub const READY: ConditionType = ConditionType::positive("Ready");

/// Sets conditions with a severity.
#[derive(Debug)]
pub struct SeverityWriter<'c> {
    conditions: &'c mut Vec<SeverityCondition>,
    moment: Moment,
}

impl<'c> SeverityWriter<'c> {
    /// The conditions of an object.
    pub fn new(object: &'c mut impl HasConditionsMut<Condition = SeverityCondition>) -> Self {
        let generation = object.generation();
        Self::for_list(object.conditions_mut(), generation)
    }

    /// The conditions in a list, of an object with this `metadata.generation`.
    pub fn for_list(
        conditions: &'c mut Vec<SeverityCondition>,
        generation: impl Into<Option<i64>>,
    ) -> Self {
        let mut moment = Moment::of(generation.into());
        moment.transition = Transition::OfAnything;
        Self { conditions, moment }
    }

    /// The generation that the controller has observed, if the object was read again since. Conditions that were observed at a
    /// later generation of the object stay as they are.
    #[must_use]
    pub fn observed_generation(mut self, generation: impl Into<Option<i64>>) -> Self {
        self.moment.observed = generation.into();
        self
    }

    /// The time of the update, for tests.
    #[must_use]
    pub fn at(mut self, now: Timestamp) -> Self {
        self.moment.now = now;
        self
    }

    /// Another rule for `lastTransitionTime`.
    #[must_use]
    pub fn transition(mut self, transition: Transition) -> Self {
        self.moment.transition = transition;
        self
    }

    /// Sets a condition to an outcome. Returns whether anything changed. The order of the conditions stays the same; a new one
    /// is appended.
    ///
    /// Within a generation, progress (`Info`) does not replace success, a warning or an error, and unknown replaces nothing, so
    /// that a controller that tries again does not change the condition twice each time. Two exceptions are those of the
    /// operator: progress replaces `WaitingForOwner`, and any reason but these two replaces `Reconciling`.
    ///
    /// Source: "Proposal for reporting resource Status", details; `SetConditionReasonAware` of Azure Service Operator; GEP-1364
    /// for the generation.
    pub fn set(&mut self, of: ConditionType, outcome: &Outcome<'_>) -> bool {
        let severity = outcome.severity().map(SeverityWord::from);
        let status = match outcome.health {
            Health::Healthy => of.status_if(true),
            Health::Unhealthy(_) => of.status_if(false),
            Health::Unknown => Status::Unknown,
        };
        let seen = Observation {
            of,
            status,
            reason: outcome.reason.as_str(),
            message: &outcome.message,
        };
        let of_type = |one: &&mut SeverityCondition| one.condition.type_ == of.name();
        let Some(one) = self.conditions.iter_mut().find(of_type) else {
            self.conditions.push(SeverityCondition {
                condition: added(&seen, &self.moment),
                severity,
            });
            return true;
        };
        let is_of_now = one.condition.observed_generation == self.moment.observed;
        if is_of_now && !replaces(of, outcome, one) {
            return false;
        }
        let differs = one.severity != severity;
        let changed = update(&mut one.condition, &seen, differs, &self.moment);
        if changed && differs {
            one.severity = severity;
        }
        changed
    }
}

/// Whether an outcome replaces a condition of the same generation.
fn replaces(of: ConditionType, outcome: &Outcome<'_>, there: &SeverityCondition) -> bool {
    let new = match outcome.health {
        Health::Unknown => 0,
        Health::Unhealthy(Severity::Info) => 1,
        Health::Healthy | Health::Unhealthy(_) => 2,
    };
    let status = there.status();
    let old = match there.severity() {
        _ if status == Status::Unknown => 0,
        Some(Severity::Info) if status == of.status_if(false) => 1,
        _ => 2,
    };
    new >= old || of_reason(outcome.reason.as_str()) > of_reason(there.reason())
}

/// The rank of a reason; most have the highest.
fn of_reason(reason: &str) -> u8 {
    match reason {
        _ if reason == WAITING_FOR_OWNER.as_str() => 0,
        _ if reason == RECONCILING.as_str() => 1,
        _ => 2,
    }
}
