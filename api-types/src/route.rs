//! `EdgeRoute`: which requests go to which backends.

use crate::conditions;
use crate::rule::RouteRule;
use crate::values::{Duration, LABEL, WILDCARD_HOSTNAME};
use crd_channels_derive::ApiType;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which requests the route takes, and where they go.
#[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[kube(
    group = "edge.crd-channels.dev",
    version = "v1",
    kind = "EdgeRoute",
    namespaced,
    shortname = "er",
    category = "edge",
    status = "EdgeRouteStatus",
    doc = "EdgeRoute says which of the HTTP requests that reach a gateway go to which backends.",
    derive = "PartialEq",
    printcolumn = r#"{"name": "Hostnames", "type": "string", "jsonPath": ".spec.hostnames"}"#,
    printcolumn = r#"{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}"#
)]
#[experimental(
    feature = "SessionAffinity",
    kube(printcolumn(
        name = "Affinity",
        type_ = "string",
        json_path = ".spec.sessionAffinity.type",
        priority = 1
    ))
)]
#[serde(rename_all = "camelCase")]
pub struct EdgeRouteSpec {
    /// The gateways to attach to. A gateway must allow it, see `allowedRoutes` of its listeners.
    #[schemars(length(min = 1, max = 16))]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub parent_refs: Vec<ParentRef>,
    /// The host names to take requests for, such as `www.example.com` or `*.example.com`. Names that a listener does not
    /// answer for have no effect there. Without any, the host names of the listeners hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8), inner(length(min = 1, max = 253), regex(pattern = WILDCARD_HOSTNAME)))]
    #[experimental(schemars(length(max = 16)))]
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub hostnames: Vec<String>,
    /// The rules. A request is handled by the rule with the most specific match: `Exact` paths first, then the longest
    /// prefix, then the most headers. Among equals, the first one in the oldest route.
    #[schemars(length(min = 1, max = 16))]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub rules: Vec<RouteRule>,
    /// Keeps the requests of one client at one backend. Without it, every request is balanced on its own.
    #[experimental(feature = "SessionAffinity")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_affinity: Option<SessionAffinity>,
}

/// A gateway to attach to.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
pub struct ParentRef {
    /// The name of the `EdgeGateway`.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// The namespace of the gateway. Without it, the namespace of the route.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 63), regex(pattern = LABEL))]
    pub namespace: Option<String>,
    /// The name of one listener. Without it, the route attaches to every listener that allows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 63), regex(pattern = LABEL))]
    pub section_name: Option<String>,
}

/// How the requests of one client are kept together.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[experimental(feature = "SessionAffinity")]
#[serde(rename_all = "camelCase")]
pub struct SessionAffinity {
    /// What tells one client from another.
    #[serde(rename = "type", default)]
    pub type_: AffinityType,
    /// The name of the cookie or the header.
    #[schemars(length(min = 1, max = 128), regex(pattern = r"^[A-Za-z0-9_-]+$"))]
    pub name: String,
    /// How long a client stays with its backend without sending anything.
    #[serde(default = "one_hour")]
    pub idle_timeout: Duration,
}

fn one_hour() -> Duration {
    Duration("1h".to_owned())
}

/// What tells one client from another.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
pub enum AffinityType {
    /// A cookie that the gateway sets.
    #[default]
    Cookie,
    /// A header that the client sends.
    Header,
}

/// What controllers say of the route.
#[derive(Clone, Debug, Default, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct EdgeRouteStatus {
    /// The state of the route at each gateway it attaches to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 32))]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub parents: Vec<RouteParentStatus>,
}

/// The state of a route at one gateway.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
pub struct RouteParentStatus {
    /// The gateway, as the route names it.
    pub parent_ref: ParentRef,
    /// The controller that wrote this.
    #[schemars(length(min = 3, max = 253))]
    pub controller_name: String,
    /// The state of the route.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    #[crd(conditions = conditions::RouteCondition)]
    pub conditions: Vec<Condition>,
}
