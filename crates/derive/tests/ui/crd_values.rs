use crd_channels_derive::ApiType;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(ApiType, CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.dev", version = "v1", kind = "Route")]
#[crd(conversion = "webhok")]
#[crd(deprecated_in = "v0.3.1", removed_in = "1.0.0", replaced_by = "")]
#[crd(replacedby = "v2")]
struct RouteSpec {
    #[crd(nullable = true)]
    name: Option<String>,
}

fn main() {}
