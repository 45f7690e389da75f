//! The version before the hub, in which routes are still stored.

use super::v1;
use crate::status::{DomainStatus, RouteStatus};
use crd_channels_derive::ApiType;
use crd_channels_runtime::conversion::Convert;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where requests go.
#[derive(ApiType, Clone, Convert, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[convert(hub = v1::RouteSpec)]
#[kube(
    group = "edge.example.com",
    version = "v1beta1",
    kind = "Route",
    namespaced,
    status = "RouteStatus"
)]
#[crd(conversion = "webhook")]
pub struct RouteSpec {
    /// The names that clients call.
    #[convert(rename = hosts)]
    #[schemars(length(max = 16), inner(length(max = 253)))]
    pub hostnames: Vec<String>,
    /// The first rule that matches is used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    #[crd(list_type = "map", list_map_keys("name"))]
    pub rules: Vec<Rule>,
    /// How long a backend may take, such as `30s`.
    #[convert(rename = timeout_seconds, with = crate::seconds)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 6), regex(pattern = crate::seconds::PATTERN))]
    pub timeout: Option<String>,
    /// How often a request is tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 10))]
    pub retries: Option<i32>,
    /// What is done with a request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
}

/// Where some requests go.
#[derive(ApiType, Clone, Convert, Debug, Deserialize, JsonSchema, Serialize)]
#[convert(hub = v1::Rule, hub_only(weight))]
pub struct Rule {
    /// The name of the rule, once in a route.
    #[schemars(length(max = 63))]
    pub name: String,
    /// The service that answers.
    #[convert(rename = backend)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 63))]
    pub service: Option<String>,
}

/// What is done with a request.
#[derive(Clone, Convert, Copy, Debug, Deserialize, JsonSchema, Serialize)]
#[convert(hub = v1::Mode, hub_only(Mirror => Forward))]
pub enum Mode {
    /// It is sent to the backend.
    Forward,
    /// The client is told where the backend is.
    #[convert(rename = Redirect)]
    Bounce,
}

/// A name in the DNS.
#[derive(ApiType, Clone, Convert, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[convert(hub = v1::DomainSpec, hub_only(purpose))]
#[kube(
    group = "edge.example.com",
    version = "v1beta1",
    kind = "Domain",
    namespaced,
    status = "DomainStatus",
    storage = false
)]
#[crd(conversion = "webhook")]
pub struct DomainSpec {
    /// The name.
    #[schemars(length(max = 253))]
    pub name: String,
    /// How long resolvers keep it, such as `30s`.
    #[convert(rename = ttl_seconds, with = crate::seconds)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 6), regex(pattern = crate::seconds::PATTERN))]
    pub ttl: Option<String>,
}
