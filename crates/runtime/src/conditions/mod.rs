//! Status conditions by the rules of Kubernetes' API conventions and of Gateway API's GEP-1364, as values of `k8s-openapi`'s
//! [`Condition`].
//!
//! [`set`] sets one condition, as Kubernetes' own code does. A [`Visit`] follows the rules for all of them:
//!
//! - a positive condition exists from the first visit on, `Unknown` until it is known;
//! - a negative one is added when it is true, and removed when it is false;
//! - `observedGeneration` is always set, and observations of an older generation overwrite nothing;
//! - a [`Reason`] is never empty, and has the form that an API server requires.
//!
//! Types and their reasons are declared once, by enums that derive [`Conditions`] and [`Reasons`] (the feature `derive`).
//! [`Visit::set_as`] sets them: the status follows from the reason, and a deprecated type is published beside the one that
//! replaces it. [`Entries`] visits lists in which each entry has conditions of its own, as the parents of a route.
//!
//! [`ready`] has the condition with a severity, for resources that represent something outside the cluster.
//!
//! ```
//! use crd_channels_runtime::conditions::{Observation, Transition, set};
//! use k8s_openapi::jiff::Timestamp;
//!
//! let mut conditions = Vec::new();
//! let accepted = Observation {
//!     type_: "Accepted",
//!     status: "True",
//!     reason: "Accepted",
//!     message: "The route is valid.",
//!     observed_generation: 3,
//! };
//! let now = Timestamp::constant(1_795_370_460, 0);
//! assert!(set(&mut conditions, &accepted, now, Transition::OfStatus));
//! assert!(!set(&mut conditions, &accepted, now, Transition::OfStatus), "nothing changed");
//!
//! let older = Observation { status: "False", observed_generation: 2, ..accepted };
//! assert!(!set(&mut conditions, &older, now, Transition::OfStatus), "it is out of date");
//! ```

pub mod acceptance;
pub mod ready;
mod reason;
mod status;
mod visit;
mod declared;
mod entries;

#[cfg(feature = "derive")]
pub use crd_channels_derive::{Conditions, Reasons};
pub use declared::{Conditions, Declared, DeclaredReason, Reasons, Replaced, Why};
pub use entries::{Entries, Entry};
pub use reason::Reason;
pub use status::Status;
pub use visit::{ConditionType, Polarity, Visit};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;

/// A controller's observation of one condition.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Observation<'a> {
    /// The condition's type, which no other condition of the object has.
    pub type_: &'a str,
    /// `True`, `False` or `Unknown`.
    pub status: &'a str,
    /// The reason, in one word: `BackendNotFound`.
    pub reason: &'a str,
    /// The reason for people.
    pub message: &'a str,
    /// `metadata.generation` of the observed object.
    pub observed_generation: i64,
}

/// When `lastTransitionTime` changes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Transition {
    /// When the status changes: the rule of `metav1.Condition`.
    #[default]
    OfStatus,
    /// When the status, the reason, the message or the severity changes: the rule of Azure Service Operator.
    OfAnything,
}

/// Sets a condition to an observation. Returns whether anything changed. The order of the conditions stays the same; a new one
/// is appended.
///
/// An observation of an older generation than the condition's is out of date and changes nothing. Otherwise this is
/// `SetStatusCondition` of `k8s.io/apimachinery`, with `now` as the time of a transition.
pub fn set(
    conditions: &mut Vec<Condition>,
    seen: &Observation<'_>,
    now: Timestamp,
    transition: Transition,
) -> bool {
    let of_type = |condition: &&mut Condition| condition.type_ == seen.type_;
    match conditions.iter_mut().find(of_type) {
        Some(condition) => update(condition, seen, false, now, transition),
        None => {
            conditions.push(added(seen, now));
            true
        }
    }
}

/// A new condition.
fn added(seen: &Observation<'_>, now: Timestamp) -> Condition {
    Condition {
        last_transition_time: Time(now),
        message: seen.message.to_owned(),
        observed_generation: Some(seen.observed_generation),
        reason: seen.reason.to_owned(),
        status: seen.status.to_owned(),
        type_: seen.type_.to_owned(),
    }
}

/// Updates an existing condition. `differs` says whether something else changes too. Returns whether anything changes.
fn update(
    condition: &mut Condition,
    seen: &Observation<'_>,
    differs: bool,
    now: Timestamp,
    transition: Transition,
) -> bool {
    let generation = condition.observed_generation.unwrap_or_default();
    if generation > seen.observed_generation {
        return false;
    }
    let status = replace(&mut condition.status, seen.status);
    let reason = replace(&mut condition.reason, seen.reason);
    let message = replace(&mut condition.message, seen.message);
    let changed = status || reason || message || differs;
    let has_passed = match transition {
        Transition::OfStatus => status,
        Transition::OfAnything => changed,
    };
    if has_passed {
        condition.last_transition_time = Time(now);
    }
    let is_newer = generation < seen.observed_generation;
    if is_newer {
        condition.observed_generation = Some(seen.observed_generation);
    }
    changed || is_newer
}

/// Replaces a text in place if it differs.
fn replace(text: &mut String, new: &str) -> bool {
    let differs = text != new;
    if differs {
        new.clone_into(text);
    }
    differs
}

/// The reason of a condition that was not set yet, as Gateway API names it.
const PENDING: Reason = Reason::from_static("Pending");
