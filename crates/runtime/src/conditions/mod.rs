//! Status conditions by the rules of Kubernetes' API conventions and of Gateway API's GEP-1364, as values of `k8s-openapi`'s
//! [`Condition`].
//!
//! - Types and their reasons are declared once, by enums that derive [`Conditions`] and [`Reasons`] (the feature `derive`).
//! - [`ConditionType`] reads them: `RouteCondition::ACCEPTED.is_true(&route)`, from any object that [`HasConditions`],
//!   Kubernetes' own kinds among them, and from lists.
//! - [`ConditionWriter`] sets them: positive ones are there from the first reconciliation on, negative ones while they are true;
//!   `observedGeneration` is always set; deprecated types are published beside those that replace them. [`OwnedEntries`] does
//!   the same in lists in which each entry has conditions of its own, as the parents of a route.
//! - `StatusWriter`, with the feature `status`, writes them to the server, and leaves the conditions of others alone.
//! - [`summary()`], [`summary_of_children`] and [`mirror()`] make one condition from others.
//!
//! Two modules have rules of others: [`gateway_api`] decides whether an object with invalid parts is accepted, and
//! [`severity`] has the conditions of Azure Service Operator, for resources that represent something outside the cluster.

#[cfg(feature = "status")]
mod apply;
mod children;
mod declared;
pub mod gateway_api;
mod list;
mod owned;
mod reason;
mod rule;
pub mod severity;
mod state;
mod status;
mod summary;
mod types;
mod writer;

#[cfg(feature = "status")]
pub use apply::StatusWriter;
pub use children::Readiness;
#[cfg(feature = "derive")]
pub use crd_channels_derive::{Conditions, Reasons};
pub use declared::{
    Conditions, Declared, DeclaredReason, NoConditions, Reasons, Replaced, StatusReason,
};
pub use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
pub use list::{AnyCondition, HasConditions, HasConditionsMut};
pub use owned::{OwnedEntries, StatusEntry};
pub use reason::{InvalidReason, Reason};
pub use rule::Transition;
pub use state::State;
pub use status::{Severity, Status};
pub use summary::{mirror, summary, summary_of_children};
pub use types::{ConditionType, Polarity};
pub use writer::ConditionWriter;
