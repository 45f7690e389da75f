//! Every form of every attribute, together with the derives that types of an API have. The test is that this compiles.
#![deny(warnings)]
#![allow(dead_code, reason = "the types only have to compile")]

use crd_channels_derive::ApiType;
use declared::GatewayCondition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(ApiType, CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "example.dev",
    version = "v1alpha1",
    kind = "Gateway",
    namespaced,
    status = "GatewayStatus"
)]
#[kube(deprecated = "use v1")]
#[x_kube(validation = "self.name != 'x'")]
#[serde(rename_all = "camelCase")]
#[experimental]
#[crd(conversion = "none", removed_in = "v1.0.0")]
#[crd(replaced_by = "example.dev/v1")]
#[crd(
    annotation("example.dev/docs", "yes"),
    annotation("example.dev/more", ""),
    label("team", "edge")
)]
#[crd(no_status_subresource, root = serde_json::json!({"required": []}))]
#[experimental(schemars(description = "A whole description."))]
#[crd(list_kind = "GatewayCollection", default(spec = serde_json::json!({"name": "a"}), status = GatewayStatus::default()))]
#[crd(
    exactly_one_of("timeout", "legacy"),
    at_most_one_of("timeout", "mode"),
    at_most_one_of("legacy", "mode")
)]
#[crd(
    at_least_one_of("timeout", "mode"),
    struct_type = "granular",
    title = "A gateway"
)]
#[tombstone(name = "oldField", removed = "v0.4.0", reason = "nobody used it")]
#[tombstone(
    name = "olderField",
    removed = "v0.3.0-rc.1",
    reason = "nobody used it"
)]
#[experimental(x_kube(validation = Rule::new("self.name != 'y'").message("not y")))]
#[experimental(kube(printcolumn(
    name = "Name",
    type_ = "string",
    json_path = ".spec.name",
    priority = 1
)))]
#[experimental(kube(printcolumn = r#"{"name": "N", "type": "string", "jsonPath": ".spec.name"}"#))]
#[experimental(kube(selectable = ".spec.name", shortname = "gw", category = "edge"))]
#[experimental(kube(validation = ("self.spec.name != ''", "a name is needed"), doc = "A gateway"))]
#[experimental(kube(
    status,
    scale(
        spec_replicas_path = ".spec.timeout",
        status_replicas_path = ".status.ready"
    )
))]
#[experimental(kube(
    scale = r#"{"specReplicasPath": ".spec.timeout", "statusReplicasPath": ".status.ready"}"#
))]
#[not_experimental(kube(deprecated = "use the experimental channel"))]
#[not_experimental(kube(deprecated))]
#[experimental(feature = "Names", schemars(extend("minProperties" = 1, "maxProperties" = 4)))]
struct GatewaySpec {
    /// A name
    #[experimental(schemars(length(min = 1, max = 8), regex(pattern = "^a")))]
    #[experimental(x_kube(validation = "self != ''"), feature = "Names")]
    #[not_experimental(schemars(length(max = 4)))]
    #[experimental(doc = "only lowercase", doc = "letters")]
    #[x_kube(validation = Rule::new("self != 'z'"))]
    name: String,
    #[experimental(feature = "RouteTimeouts")]
    #[crd(
        nullable,
        immutable,
        example = 8,
        external_docs(url = "https://example.dev", description = "more")
    )]
    timeout: Option<u32>,
    #[not_experimental]
    legacy: Option<u32>,
    #[experimental(
        validate(length(max = 3, message = "too long")),
        garde(length(max = 3))
    )]
    #[experimental(schemars(range(min = 1), inner(length(max = 3), inner(contains("a"))), email))]
    #[experimental(schemars(contains(pattern = "b")), garde(inner(pattern("^a")), ipv4))]
    #[experimental(validate(email(message = "no"), regex(path = *PATTERN), contains(pattern = "a")))]
    #[experimental(schemars(pattern(concat!("a", "b")), extend("x-kubernetes-validations" = [{"rule": "true"}])))]
    #[crd(
        list_type = "map",
        list_map_keys("a", "b"),
        inner(map_type = "atomic", inner(title = "x"))
    )]
    tags: Option<Vec<String>>,
    #[crd(embedded_resource, map_type = "atomic")]
    object: Option<String>,
    #[crd(embedded_metadata, deprecated = "use `name` instead")]
    template: Option<String>,
    mode: Option<Mode>,
}

#[derive(ApiType, Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
#[not_experimental(feature = "Phases")]
struct GatewayStatus {
    phase: Option<Wrapped>,
    #[crd(conditions = GatewayCondition)]
    conditions: Vec<Condition>,
}

mod declared {
    pub enum GatewayCondition {}
}

#[derive(ApiType, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[tombstone(name = "Slow", removed = "v0.2.0", reason = "it was slow")]
#[experimental(doc = "How fast it goes")]
enum Mode {
    Fast,
    #[experimental(feature = "Modes")]
    #[experimental(doc = "faster still")]
    Faster,
}

#[derive(ApiType, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
enum Speed {
    Limited {
        #[experimental]
        #[crd(nullable)]
        limit: Option<u8>,
    },
    Named(#[experimental(doc = "as on the sign")] String),
}

#[derive(ApiType, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[crd(list_type = "set", external_docs(url = "http://example.dev"))]
struct Wrapped(#[experimental(schemars(length(max = 9)))] String);

#[test]
fn the_schema_is_kube_s_own() {
    let crd = Gateway::crd();
    assert_eq!(crd.spec.versions[0].name, "v1alpha1");
}
