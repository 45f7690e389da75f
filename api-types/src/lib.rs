//! The edge gateway API, version by version: what a cluster offers to those who bring traffic into it.
//!
//! Three people meet here. Whoever runs the infrastructure installs a controller and offers it as an
//! [`EdgeGatewayClass`]. Whoever runs a cluster asks for an [`EdgeGateway`] of a class: addresses, ports and certificates,
//! the last of which may be ordered from an authority outside the cluster with an [`ExternalCertificate`]. Whoever runs an
//! application attaches an [`EdgeRoute`] to a gateway and, in the experimental channel, says with an [`EdgeBackendPolicy`]
//! how its backends are to be treated.
//!
//! ```text
//! EdgeGatewayClass <- EdgeGateway <- EdgeRoute -> Service <- EdgeBackendPolicy
//!                          |
//!                          +-> Secret <- ExternalCertificate
//! ```
//!
//! The types are the source of the CRDs: `cargo xtask gen-crds` reads this crate and writes both channels. What carries
//! `#[experimental]` is in the experimental channel only; the features are declared in `channels/features.toml`.
//! Doc comments are what `kubectl explain` shows, so they speak to people who write manifests. A list has a greatest
//! length and a string a greatest size, so that the API server can bound the cost of every rule.
//!
//! The crate's version is the version of the bundle.

mod class;
mod gateway;
mod listener;
mod route;
mod rule;
mod policy;
mod certificate;
pub mod conditions;
mod values;

pub use certificate::{
    AccountKeyRef, CertificateIssuer, DeletionPolicy, ExternalCertificate, ExternalCertificateSpec,
    ExternalCertificateStatus,
};
pub use class::{EdgeGatewayClass, EdgeGatewayClassSpec, EdgeGatewayClassStatus, ParametersRef};
pub use gateway::{
    AddressType, EdgeGateway, EdgeGatewaySpec, EdgeGatewayStatus, EdgeGatewayV1Beta1,
    EdgeGatewayV1Beta1Spec, GatewayAddress, GatewayInfrastructure,
};
pub use listener::{
    CertificateRef, Listener, ListenerProtocol, ListenerStatus, ListenerTls, RouteNamespaces,
    RouteSource, TlsMode,
};
pub use policy::{
    CircuitBreaker, EdgeBackendPolicy, EdgeBackendPolicySpec, EdgeBackendPolicyStatus,
    PolicyTarget, Retry,
};
pub use route::{
    AffinityType, EdgeRoute, EdgeRouteSpec, EdgeRouteStatus, ParentRef, RouteParentStatus,
    SessionAffinity,
};
pub use rule::{
    BackendRef, HeaderMatch, HeaderModifier, HeaderValue, HttpMethod, PathMatch, PathMatchType,
    Redirect, RouteFilter, RouteMatch, RouteRule, RouteTimeouts,
};
pub use values::Duration;

/// The API group of every kind.
pub const GROUP: &str = "edge.crd-channels.dev";
