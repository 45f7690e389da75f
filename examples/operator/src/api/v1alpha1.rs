//! The first version, which has only hosts.

use super::v1;
use crate::status::RouteStatus;
use crd_channels_derive::ApiType;
use crd_channels_runtime::conversion::Convert;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where requests go.
#[derive(ApiType, Clone, Convert, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[convert(hub = v1::RouteSpec, hub_only(rules, timeout_seconds, retries, mode))]
#[kube(
    group = "edge.example.com",
    version = "v1alpha1",
    kind = "Route",
    namespaced,
    status = "RouteStatus",
    storage = false,
    deprecated = "edge.example.com/v1alpha1 Route is deprecated; use edge.example.com/v1beta1 Route"
)]
#[crd(conversion = "webhook")]
pub struct RouteSpec {
    /// The names that clients call.
    #[schemars(length(max = 16), inner(length(max = 253)))]
    pub hosts: Vec<String>,
}
