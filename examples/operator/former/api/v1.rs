//! The hub: every other version is converted to it and back.

use crate::status::{DomainStatus, RouteStatus};
use crd_channels_derive::ApiType;
use crd_channels_runtime::conversion::Convert;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where requests go.
#[derive(ApiType, Clone, Convert, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "edge.example.com",
    version = "v1",
    kind = "Route",
    namespaced,
    status = "RouteStatus",
    storage = false,
    served = false
)]
#[crd(conversion = "webhook")]
#[serde(rename_all = "camelCase")]
pub struct RouteSpec {
    /// The names that clients call.
    #[schemars(length(max = 16), inner(length(max = 253)))]
    pub hosts: Vec<String>,
    /// The first rule that matches is used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    #[crd(list_type = "map", list_map_keys("name"))]
    pub rules: Vec<Rule>,
    /// How long a backend may take, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 99999))]
    pub timeout_seconds: Option<i32>,
    /// What is done with a request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
}

/// Where some requests go.
#[derive(ApiType, Clone, Convert, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Rule {
    /// The name of the rule, once in a route.
    #[schemars(length(max = 63))]
    pub name: String,
    /// The service that answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 63))]
    pub backend: Option<String>,
    /// The share of the requests that it gets.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    pub weight: Option<i32>,
}

/// What is done with a request.
#[derive(Clone, Convert, Copy, Debug, Deserialize, JsonSchema, Serialize)]
pub enum Mode {
    /// It is sent to the backend.
    Forward,
    /// The client is told where the backend is.
    Redirect,
    /// It is sent to the backend, and a copy to another one.
    Mirror,
}

/// A name in the DNS.
#[derive(ApiType, Clone, Convert, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "edge.example.com",
    version = "v1",
    kind = "Domain",
    namespaced,
    status = "DomainStatus"
)]
#[crd(conversion = "webhook")]
#[serde(rename_all = "camelCase")]
pub struct DomainSpec {
    /// The name.
    #[schemars(length(max = 253))]
    pub name: String,
    /// How long resolvers keep it, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 99999))]
    pub ttl_seconds: Option<i32>,
    /// What the domain is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 253))]
    pub purpose: Option<String>,
}
