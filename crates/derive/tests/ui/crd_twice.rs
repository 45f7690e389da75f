use crd_channels_derive::ApiType;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(ApiType, CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.dev", version = "v1", kind = "Route")]
#[crd(conversion = "none")]
#[crd(conversion = "webhook")]
struct RouteSpec {}

fn main() {}
