//! The conditions that statuses carry: the common types, and the condition with a severity.
//!
//! Conditions of positive polarity ([`ACCEPTED`], [`RESOLVED_REFS`], [`PROGRAMMED`], [`READY`]) are set the first time
//! a controller sees a resource, as `Unknown` if need be, and always carry `observedGeneration`. Conditions of negative
//! polarity describe one error and are present only while it lasts. A controller's own types carry a domain,
//! `example.com/Throttled`.

use crd_channels_derive::ApiType;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The resource is valid enough to produce some configuration of the data plane.
pub const ACCEPTED: &str = "Accepted";

/// Every object that the resource refers to exists and may be used.
pub const RESOLVED_REFS: &str = "ResolvedRefs";

/// The configuration was sent to the data plane and takes effect soon.
pub const PROGRAMMED: &str = "Programmed";

/// The one condition of a resource that stands for something outside the cluster.
pub const READY: &str = "Ready";

/// One aspect of a resource's state, with how serious a failure of it is.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = Rule::new("self.status == 'False' || !has(self.severity)")
    .message("severity may only be set while status is False"))]
pub struct SeverityCondition {
    /// What is described, in CamelCase. The only type that is always present is `Ready`.
    #[serde(rename = "type")]
    #[schemars(length(min = 1, max = 316))]
    pub type_: String,
    /// Whether it holds. `Unknown` means that the controller cannot tell at the moment.
    pub status: ConditionStatus,
    /// How serious the failure is. Set only while `status` is `False`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// Why, as one CamelCase word for programs: `Reconciling`, `WaitingForOwner`, `Deleting`, `Succeeded`, or the error
    /// code that the authority answered with.
    #[schemars(
        length(min = 1, max = 1024),
        regex(pattern = r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
    )]
    pub reason: String,
    /// Why, as a sentence for people. May be empty.
    #[serde(default)]
    #[schemars(length(max = 32768))]
    pub message: String,
    /// When anything in this condition last changed.
    pub last_transition_time: Time,
    /// The `metadata.generation` that was looked at. If it is smaller than the current one, the condition is out of date.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub observed_generation: Option<i64>,
}

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
pub enum ConditionStatus {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// The controller cannot tell.
    Unknown,
}

/// How serious a failed condition is.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
pub enum Severity {
    /// The controller has given up. It tries again only after the resource was changed.
    Error,
    /// Something is wrong, but the controller keeps trying. Somebody may have to help.
    Warning,
    /// Nothing is wrong, the work is just not done yet.
    Info,
}
