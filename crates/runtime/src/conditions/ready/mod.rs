//! The single condition of a resource that represents something outside the cluster: `Ready`, with a severity.
//!
//! A severity tells whether a status `False` means that the work continues, that somebody has to help, or that the controller
//! has given up. The model is that of Azure Service Operator, "Proposal for reporting resource Status". It differs from
//! `metav1.Condition` in two points: there is a severity, and `lastTransitionTime` changes with anything in the condition
//! ([`Transition::OfAnything`]). `observedGeneration` is always set, as GEP-1364 requires.
//!
//! ```
//! use crd_channels_runtime::conditions::Transition;
//! use crd_channels_runtime::conditions::ready::{Finding, READY, Retry, Severity, set};
//! use k8s_openapi::jiff::Timestamp;
//!
//! let found = Finding::worst([
//!     Finding::reconciling("The order was sent."),
//!     Finding::failed("quota exceeded", "50 certificates a week.", Retry::Slowly),
//! ]);
//! let (mut conditions, now) = (Vec::new(), Timestamp::UNIX_EPOCH);
//! assert!(set(&mut conditions, READY, &found, 3, now, Transition::OfAnything));
//! assert_eq!(conditions[0].severity, Some(Severity::Warning));
//! assert_eq!(conditions[0].condition.reason, "QuotaExceeded");
//! assert_eq!(conditions[0].condition.message, "quota exceeded: 50 certificates a week.");
//! ```
//!
//! The [`Retry`] of a finding says when to reconcile again; the controller decides how long that is:
//!
//! ```
//! # use crd_channels_runtime::conditions::ready::{Finding, Retry};
//! # use std::time::Duration;
//! let requeue_after = match Finding::reconciling("").retry {
//!     Retry::WhenChanged => None,
//!     Retry::Slowly => Some(Duration::from_secs(600)),
//!     Retry::Soon => Some(Duration::from_secs(10)),
//! };
//! # assert_eq!(requeue_after, Some(Duration::from_secs(10)));
//! ```

mod condition;
mod finding;

pub use condition::{Severity, SeverityCondition};
pub use finding::{Finding, Retry};

use super::{ConditionType, Observation, Polarity, Status, Transition, added, update};
use k8s_openapi::jiff::Timestamp;

/// The condition that every resource of this model has, from the first visit on.
pub const READY: ConditionType = ConditionType::positive("Ready");

/// Sets a condition to a finding. Returns whether anything changed. The order of the conditions stays the same; a new one is
/// appended.
///
/// The severity is omitted if the condition is healthy by its polarity, or unknown. A finding about an older generation than
/// the condition's changes nothing.
///
/// Source: "Proposal for reporting resource Status", details; GEP-1364 for the generation.
pub fn set(
    conditions: &mut Vec<SeverityCondition>,
    of: ConditionType,
    found: &Finding<'_>,
    generation: i64,
    now: Timestamp,
    transition: Transition,
) -> bool {
    let is_healthy = matches!(
        (of.polarity, found.status),
        (Polarity::Positive, Status::True) | (Polarity::Negative, Status::False)
    );
    let severity = match is_healthy || found.status == Status::Unknown {
        true => &None,
        false => &found.severity,
    };
    let seen = Observation {
        type_: of.name,
        status: found.status.as_str(),
        reason: found.reason.as_str(),
        message: &found.message,
        observed_generation: generation,
    };
    let of_type = |one: &&mut SeverityCondition| one.condition.type_ == of.name;
    let Some(one) = conditions.iter_mut().find(of_type) else {
        conditions.push(SeverityCondition {
            condition: added(&seen, now),
            severity: severity.clone(),
        });
        return true;
    };
    let differs = one.severity != *severity;
    let changed = update(&mut one.condition, &seen, differs, now, transition);
    if changed && differs {
        one.severity.clone_from(severity);
    }
    changed
}
