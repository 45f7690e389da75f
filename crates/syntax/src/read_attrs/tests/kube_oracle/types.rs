//! Kinds that are both compiled, with the real derive, and read as text.
#![allow(dead_code, missing_docs, reason = "the types are here for their CRDs")]

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The CRD of every kind of this file, by the name of its spec.
pub(super) fn crds() -> Vec<(&'static str, CustomResourceDefinition)> {
    vec![
        ("Least", LeastKind::crd()),
        ("Most", Most2::crd()),
        ("Older", OlderKind::crd()),
        ("Words", WordsKind::crd()),
    ]
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "a.dev", version = "v1", kind = "LeastKind")]
struct Least {}

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "a.dev",
    version = "v1beta1",
    kind = "MostKind",
    root = "Most2"
)]
#[kube(singular = "most", plural = "mosten", namespaced, status = State)]
#[kube(shortname = "m", shortname = "mk", category = "all", category = "edge")]
#[kube(printcolumn(name = "A", type_ = "string", json_path = ".spec.a"))]
#[kube(printcolumn(
    name = "B",
    type_ = "integer",
    json_path = ".spec.b",
    priority = 1,
    format = "int32",
    description = "bee"
))]
#[kube(selectable = ".spec.a", selectable = ".spec.b")]
#[kube(scale(
    spec_replicas_path = ".spec.b",
    status_replicas_path = ".status.b",
    label_selector_path = ".status.s"
))]
#[kube(
    annotation("x.dev/a", "1"),
    annotation("x.dev/b", "2"),
    label("c", "d")
)]
#[kube(validation = "self.spec.a != ''", validation = ("self.spec.b > 0", "positive"))]
#[kube(validation = Rule::new("true").message("never"))]
#[kube(
    deprecated = "use v1",
    served = false,
    storage = "false",
    doc = "All of it"
)]
struct Most {
    a: String,
    b: i32,
}

#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug)]
struct State {
    b: i32,
    s: String,
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "a.dev", version = "v1", kind = "OlderKind", status = "State")]
#[kube(printcolumn = r#"{"name": "A", "type": "date", "jsonPath": ".spec.a", "priority": 2}"#)]
#[kube(scale = r#"{"specReplicasPath": ".spec.b", "statusReplicasPath": ".status.b"}"#)]
struct Older {
    a: String,
    b: i32,
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "a.dev", version = "v1", kind = "WordsKind")]
#[kube(
    namespaced = true,
    storage,
    served = "true",
    deprecated,
    schema = "disabled"
)]
struct Words {
    a: String,
}
