//! What the controllers say of the objects, the same in every version.

use crd_channels_derive::ApiType;
use crd_channels_runtime::conditions::{Condition, Conditions, Reasons};
use crd_channels_runtime::conversion::same;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

same!(RouteStatus, DomainStatus);

/// What is known of a route.
#[derive(ApiType, Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct RouteStatus {
    /// The state of the route.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    #[crd(list_type = "map", list_map_keys("type"), conditions = RouteCondition)]
    pub conditions: Vec<Condition>,
    /// The number of rules in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<i32>,
}

/// What is known of a domain.
#[derive(ApiType, Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct DomainStatus {
    /// The state of the domain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    #[crd(list_type = "map", list_map_keys("type"), conditions = DomainCondition)]
    pub conditions: Vec<Condition>,
}

/// The conditions of a route.
#[derive(Clone, Debug, Conditions)]
pub enum RouteCondition {
    /// The route is valid enough to produce some configuration of the data plane.
    #[condition(positive)]
    Accepted(Accepted),
    /// The configuration was sent to the data plane.
    #[condition(positive)]
    Programmed(Programmed),
}

/// Why a route is accepted or not.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum Accepted {
    /// Some configuration was made of the route.
    #[reason(True)]
    Accepted,
    /// The route has no rule.
    #[reason(False)]
    NoRules,
}

/// Whether configuration was sent.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum Programmed {
    /// The data plane has it.
    #[reason(True)]
    Programmed,
}

/// The conditions of a domain.
#[derive(Clone, Debug, Conditions)]
pub enum DomainCondition {
    /// The name can be resolved.
    #[condition(positive)]
    Published(Published),
}

/// Whether a name can be resolved.
#[derive(Clone, Copy, Debug, Reasons)]
pub enum Published {
    /// The servers have it.
    #[reason(True)]
    Published,
}
