//! The conditions that statuses carry: which types there are, with their reasons, and the condition with a severity.
//!
//! Controllers set them with `crd_channels_runtime::conditions`, `gen-crds` describes the lists by them: one declaration
//! for both. The words are those of Gateway API; GEP-1364 says what they mean. A controller's own types carry a domain,
//! `example.com/Throttled`, and are declared by the controller.

use crd_channels_derive::ApiType;
use crd_channels_runtime::conditions::{Conditions, Reasons};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The conditions of a class.
#[derive(Clone, Debug, Conditions)]
pub enum ClassCondition {
    /// A controller serves gateways of the class.
    #[condition(positive)]
    Accepted(ClassAccepted),
}

/// Why a class is accepted or not.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum ClassAccepted {
    /// The controller serves gateways of the class.
    #[reason(True)]
    Accepted,
    /// The object that `parametersRef` names does not exist, or the controller cannot use it.
    #[reason(False)]
    InvalidParameters,
    /// No controller has looked at the class.
    #[reason(Unknown)]
    Pending,
}

/// The conditions of a gateway.
#[derive(Clone, Debug, Conditions)]
pub enum GatewayCondition {
    /// The gateway is valid enough to produce some configuration of the data plane, and there is room for it.
    #[condition(positive)]
    Accepted(GatewayAccepted),
    /// The configuration was sent to the data plane and takes effect soon.
    #[condition(positive)]
    Programmed(Programmed),
    /// Traffic flows when the status is read.
    #[condition(positive, optional)]
    Ready(Ready),
}

/// Why a gateway is accepted or not.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum GatewayAccepted {
    /// Some configuration can be made of the gateway.
    #[reason(True)]
    Accepted,
    /// No listener is left of which configuration could be made.
    #[reason(False)]
    Invalid,
    /// The infrastructure has no room for the gateway.
    #[reason(False)]
    NoResources,
    /// The controller has not looked at the gateway.
    #[reason(Unknown)]
    Pending,
}

/// Whether configuration was sent.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum Programmed {
    /// The data plane has the configuration.
    #[reason(True)]
    Programmed,
    /// There is no configuration to send.
    #[reason(False)]
    Invalid,
    /// The controller does not know enough to tell.
    #[reason(Unknown)]
    Pending,
}

/// Whether traffic flows.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum Ready {
    /// Traffic flows.
    #[reason(True)]
    Ready,
    /// Some of the data plane does not have the configuration yet.
    #[reason(False)]
    NotReady,
    /// The data plane does not answer.
    #[reason(Unknown)]
    Pending,
}

/// The conditions of a listener.
#[derive(Clone, Debug, Conditions)]
pub enum ListenerCondition {
    /// The listener is valid enough to produce some configuration of the data plane.
    #[condition(positive)]
    Accepted(ListenerAccepted),
    /// Every object that the listener refers to exists and may be used.
    #[condition(positive)]
    ResolvedRefs(ListenerRefs),
    /// The configuration was sent to the data plane and takes effect soon.
    #[condition(positive)]
    Programmed(Programmed),
    /// Another listener takes the same traffic.
    #[condition(negative)]
    Conflicted(Conflicted),
}

/// Why a listener is accepted or not.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum ListenerAccepted {
    /// Some configuration can be made of the listener.
    #[reason(True)]
    Accepted,
    /// The infrastructure does not give the port to the gateway.
    #[reason(False)]
    PortUnavailable,
    /// The controller does not support the protocol.
    #[reason(False)]
    UnsupportedProtocol,
    /// The controller has not looked at the listener.
    #[reason(Unknown)]
    Pending,
}

/// Why the references of a listener are resolved or not.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum ListenerRefs {
    /// All of them are.
    #[reason(True)]
    ResolvedRefs,
    /// A certificate does not exist, or is none.
    #[reason(False)]
    InvalidCertificateRef,
    /// A certificate is in another namespace, and nothing there grants the reference.
    #[reason(False)]
    RefNotPermitted,
    /// The controller has not looked at the references.
    #[reason(Unknown)]
    Pending,
}

/// How listeners conflict.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum Conflicted {
    /// They answer for the same host name on one port.
    #[reason(True)]
    HostnameConflict,
    /// They have different protocols on one port.
    #[reason(True)]
    ProtocolConflict,
    /// No other listener takes the same traffic.
    #[reason(False)]
    NoConflicts,
}

/// The conditions of a route at one gateway.
#[derive(Clone, Debug, Conditions)]
pub enum RouteCondition {
    /// The route is valid enough to produce some configuration of the data plane.
    #[condition(positive)]
    Accepted(RouteAccepted),
    /// Every object that the route refers to exists and may be used.
    #[condition(positive)]
    ResolvedRefs(RouteRefs),
    /// The route is accepted, and some of its rules are left out.
    #[condition(negative)]
    PartiallyInvalid(PartiallyInvalid),
}

/// Why a route is accepted or not.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum RouteAccepted {
    /// Some traffic is routed, or refused, as one of the rules says.
    #[reason(True)]
    Accepted,
    /// No listener of the gateway allows routes of this namespace.
    #[reason(False)]
    NotAllowedByListeners,
    /// No listener answers for a host name of the route.
    #[reason(False)]
    NoMatchingListenerHostname,
    /// No rule is valid.
    #[reason(False)]
    UnsupportedValue,
    /// The controller has not looked at the route.
    #[reason(Unknown)]
    Pending,
}

/// Why the references of a route are resolved or not.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum RouteRefs {
    /// All of them are.
    #[reason(True)]
    ResolvedRefs,
    /// A backend does not exist. Requests that would go there are answered with status 500.
    #[reason(False)]
    BackendNotFound,
    /// A backend is in another namespace, and nothing there grants the reference.
    #[reason(False)]
    RefNotPermitted,
    /// The controller does not support the kind of a backend.
    #[reason(False)]
    InvalidKind,
    /// The controller has not looked at the references.
    #[reason(Unknown)]
    Pending,
}

/// Why rules are left out.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum PartiallyInvalid {
    /// What a rule says cannot be done, as where two of its filters exclude each other.
    #[reason(True)]
    UnsupportedValue,
    /// Every rule is valid, or valid again.
    #[reason(False)]
    Valid,
}

/// The conditions of a policy.
#[derive(Clone, Debug, Conditions)]
pub enum PolicyCondition {
    /// The policy is valid and says which backend it is for.
    #[condition(positive)]
    Accepted(PolicyAccepted),
    /// The backend exists.
    #[condition(positive)]
    ResolvedRefs(PolicyRefs),
}

/// Why a policy is accepted or not.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum PolicyAccepted {
    /// Gateways treat the backend as the policy says.
    #[reason(True)]
    Accepted,
    /// The policy contradicts itself.
    #[reason(False)]
    Invalid,
    /// The controller has not looked at the policy.
    #[reason(Unknown)]
    Pending,
}

/// Why the backend of a policy is resolved or not.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum PolicyRefs {
    /// It is.
    #[reason(True)]
    ResolvedRefs,
    /// It does not exist.
    #[reason(False)]
    BackendNotFound,
    /// The controller has not looked for it.
    #[reason(Unknown)]
    Pending,
}

/// The conditions of a certificate.
#[derive(Clone, Debug, Conditions)]
pub enum CertificateCondition {
    /// The Secret holds a valid certificate.
    #[condition(positive)]
    Ready(CertificateReady),
}

/// Why a certificate is ready or not.
#[derive(Clone, Debug, Reasons)]
pub enum CertificateReady {
    /// The certificate was issued and stored.
    #[reason(True)]
    Succeeded,
    /// The certificate is ordered or renewed. The severity is `Info`.
    #[reason(False)]
    Reconciling,
    /// The account of the issuer does not exist yet. The severity is `Warning`.
    #[reason(False)]
    WaitingForOwner,
    /// The certificate is revoked and deleted. The severity is `Info`.
    #[reason(False)]
    Deleting,
    /// The error code that the authority answered with.
    #[reason(False, code)]
    Code(String),
    /// The controller has not asked the authority.
    #[reason(Unknown)]
    Pending,
}

/// One aspect of a resource's state, with how serious a failure of it is.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = Rule::new("!has(self.severity) || (self.type == 'Ready' ? self.status == 'False' : self.status != 'Unknown')")
    .message("severity may only be set on a failure: never while status is Unknown, and on Ready only while it is False"))]
pub struct SeverityCondition {
    /// What is described, in CamelCase. The only type that is always present is `Ready`.
    #[serde(rename = "type")]
    #[schemars(length(min = 1, max = 316))]
    pub type_: String,
    /// Whether it holds. `Unknown` means that the controller cannot tell at the moment.
    pub status: ConditionStatus,
    /// How serious the failure is. Set only on a failure: while `Ready` is `False`, or while a condition that describes an
    /// error is `True`.
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
