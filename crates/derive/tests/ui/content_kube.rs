use crd_channels_derive::ApiType;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(ApiType, CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.dev", version = "v1", kind = "Route")]
#[experimental(kube(storage = false))]
#[experimental(kube(plural = "routen"))]
#[experimental(kube(printcolum(name = "A")))]
#[experimental(kube(printcolumn(name = "A", type = "string", json_path = ".a")))]
#[experimental(kube(printcolumn(name = "A", type_ = "string")))]
#[experimental(kube(shortname("a")))]
#[experimental(kube(status))]
#[experimental(kube(status = "RouteStatus"))]
#[experimental(kube(scale(spec_replicas_path = ".spec.replicas")))]
struct RouteSpec {}

fn main() {}
