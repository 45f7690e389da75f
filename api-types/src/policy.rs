//! `EdgeBackendPolicy`: how backends are to be treated. The whole kind is experimental.

use crate::conditions;
use crate::values::{Duration, LABEL};
use crd_channels_derive::ApiType;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// Which backends are treated how.
#[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[kube(
    group = "edge.crd-channels.dev",
    version = "v1alpha1",
    kind = "EdgeBackendPolicy",
    plural = "edgebackendpolicies",
    namespaced,
    shortname = "ebp",
    category = "edge",
    status = "EdgeBackendPolicyStatus",
    doc = "EdgeBackendPolicy says how gateways treat backends: how often they try again, when they leave one alone, how much they buffer. It applies to every route that sends requests to these backends.",
    derive = "PartialEq",
    printcolumn = r#"{"name": "Accepted", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Accepted\")].status"}"#,
    printcolumn = r#"{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}"#
)]
#[experimental(feature = "BackendPolicy")]
#[serde(rename_all = "camelCase")]
pub struct EdgeBackendPolicySpec {
    /// The Services that the policy applies to, in its own namespace. If two policies name one Service, the older one
    /// applies.
    #[schemars(length(min = 1, max = 16))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub targets: Vec<PolicyTarget>,
    /// When and how often to try again. Without it, nothing is tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// When to stop sending requests. Without it, never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub circuit_breaker: Option<CircuitBreaker>,
    /// How much of a request is kept in memory so that it can be sent again. Larger requests are never tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_buffer: Option<Quantity>,
}

/// A Service.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct PolicyTarget {
    /// The name of the Service.
    #[schemars(length(min = 1, max = 63), regex(pattern = LABEL))]
    pub name: String,
}

/// When and how often to try again.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
pub struct Retry {
    /// How often to try again after the first attempt failed.
    #[serde(default = "two")]
    #[schemars(range(min = 1, max = 10))]
    pub attempts: i32,
    /// How long to wait before trying again. The wait doubles from attempt to attempt.
    #[serde(default = "backoff")]
    pub backoff: Duration,
    /// The status codes that count as failed. Without any, only a lost connection does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16), inner(range(min = 400, max = 599)))]
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub status_codes: Vec<i32>,
}

const fn two() -> i32 {
    2
}

fn backoff() -> Duration {
    Duration("25ms".to_owned())
}

/// When to stop sending requests.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = Rule::new("has(self.maxConnections) || has(self.failuresBeforePause)")
    .message("maxConnections or failuresBeforePause must be set"))]
pub struct CircuitBreaker {
    /// How many connections to one backend may be open at once. Requests beyond that are answered with status 503.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub max_connections: Option<i32>,
    /// How many requests in a row must fail before an endpoint is left alone for a while.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub failures_before_pause: Option<i32>,
    /// How long an endpoint is left alone.
    #[serde(default = "half_a_minute")]
    pub pause: Duration,
    /// How many endpoints may be left alone at once: a number or a percentage of all, rounded down.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[x_kube(validation = Rule::new("type(self) == int ? self >= 0 : self.matches('^(100|[1-9]?[0-9])%$')")
        .message("must be a number that is not negative, or a percentage"))]
    pub max_paused: Option<IntOrString>,
}

fn half_a_minute() -> Duration {
    Duration("30s".to_owned())
}

/// What the controller says of the policy.
#[derive(Clone, Debug, Default, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct EdgeBackendPolicyStatus {
    /// The state of the policy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    #[crd(conditions = conditions::PolicyCondition)]
    pub conditions: Vec<Condition>,
}

crd_channels_runtime::has_conditions!(EdgeBackendPolicy);
