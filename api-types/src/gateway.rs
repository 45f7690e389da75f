//! `EdgeGateway`: the addresses and ports where traffic enters the cluster.

use crate::conditions;
use crate::listener::{Listener, ListenerStatus};
use crd_channels_derive::ApiType;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the gateway is to listen on.
#[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[kube(
    group = "edge.crd-channels.dev",
    version = "v1",
    kind = "EdgeGateway",
    namespaced,
    shortname = "eg",
    category = "edge",
    status = "EdgeGatewayStatus",
    doc = "EdgeGateway is a place where traffic enters the cluster. Routes attach to it.",
    derive = "PartialEq",
    scale(
        spec_replicas_path = ".spec.replicas",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    ),
    selectable = ".spec.gatewayClassName",
    printcolumn = r#"{"name": "Class", "type": "string", "jsonPath": ".spec.gatewayClassName"}"#,
    printcolumn = r#"{"name": "Address", "type": "string", "jsonPath": ".status.addresses[*].value"}"#,
    printcolumn = r#"{"name": "Programmed", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Programmed\")].status"}"#,
    printcolumn = r#"{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}"#
)]
#[crd(allow(partial-column, reason = "the first address is shown, as of a Gateway"))]
#[serde(rename_all = "camelCase")]
pub struct EdgeGatewaySpec {
    /// The name of the `EdgeGatewayClass` that this gateway is of.
    #[schemars(length(min = 1, max = 253))]
    pub gateway_class_name: String,
    /// How many instances of the data plane run. 0 stops the gateway without giving up its addresses.
    #[serde(default = "one_replica")]
    #[schemars(range(min = 0, max = 1000))]
    pub replicas: i32,
    /// What the gateway listens on. Each listener has a name of its own, and no two have the same port, protocol and
    /// host name.
    #[schemars(length(min = 1, max = 64))]
    #[x_kube(
        merge_strategy = ListMerge::Map(vec!["name".into()]),
        validation = Rule::new("self.all(a, self.exists_one(b, a.port == b.port && a.protocol == b.protocol && (has(a.hostname) ? has(b.hostname) && a.hostname == b.hostname : !has(b.hostname))))")
            .message("port, protocol and hostname together must be unique among the listeners")
            .reason(Reason::FieldValueDuplicate)
    )]
    pub listeners: Vec<Listener>,
    /// Addresses to listen on. Without any, the controller chooses one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub addresses: Vec<GatewayAddress>,
    /// What to set on the objects that are created for this gateway.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infrastructure: Option<GatewayInfrastructure>,
}

const fn one_replica() -> i32 {
    1
}

/// An address.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct GatewayAddress {
    /// What sort of address it is.
    #[serde(rename = "type", default)]
    pub type_: AddressType,
    /// The address, such as `192.0.2.7`, `2001:db8::7` or `edge.example.com`.
    #[schemars(length(min = 1, max = 253))]
    pub value: String,
}

/// A sort of address.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
pub enum AddressType {
    /// An IPv4 or IPv6 address.
    #[default]
    IPAddress,
    /// A name that DNS resolves.
    Hostname,
}

/// What to set on the objects that are created for a gateway: Deployments, Pods, Services.
#[derive(Clone, Debug, Default, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
#[tombstone(
    name = "annotations",
    removed = "v0.1.0",
    reason = "load balancers are configured by the class's parameters"
)]
pub struct GatewayInfrastructure {
    /// Labels. A label that the controller sets itself wins.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[x_kube(validation = ("size(self) <= 8", "at most 8 labels may be set"))]
    pub labels: BTreeMap<String, String>,
    /// What each instance requests, such as `cpu: 500m` and `memory: 256Mi`. The controller's defaults hold for what is
    /// left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub requests: BTreeMap<String, Quantity>,
    /// How many instances may be missing during an update: a number or a percentage of `replicas`, rounded down. If that
    /// leaves none, one more instance is started first.
    #[serde(default = "quarter")]
    pub max_unavailable: IntOrString,
}

fn quarter() -> IntOrString {
    IntOrString::String("25%".to_owned())
}

/// What the controller says of the gateway.
#[derive(Clone, Debug, Default, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct EdgeGatewayStatus {
    /// How many instances run.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub replicas: i32,
    /// The labels of the instances, in the form that `kubectl get pods --selector` takes. Autoscalers read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024))]
    pub selector: Option<String>,
    /// The addresses that the gateway really has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub addresses: Vec<GatewayAddress>,
    /// The state of the gateway.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    #[crd(conditions = conditions::GatewayCondition)]
    pub conditions: Vec<Condition>,
    /// The state of each listener.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub listeners: Vec<ListenerStatus>,
}

/// What the gateway is to listen on. The same as in `v1`, which stores it.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, PartialEq, Serialize, ApiType)]
#[kube(
    group = "edge.crd-channels.dev",
    version = "v1beta1",
    kind = "EdgeGateway",
    root = "EdgeGatewayV1Beta1",
    namespaced,
    shortname = "eg",
    category = "edge",
    status = "EdgeGatewayStatus",
    doc = "EdgeGateway is a place where traffic enters the cluster. Routes attach to it. Write new manifests against v1.",
    derive = "PartialEq",
    storage = false,
    served = false,
    deprecated,
    scale(
        spec_replicas_path = ".spec.replicas",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    ),
    printcolumn = r#"{"name": "Class", "type": "string", "jsonPath": ".spec.gatewayClassName"}"#,
    printcolumn = r#"{"name": "Address", "type": "string", "jsonPath": ".status.addresses[*].value"}"#,
    printcolumn = r#"{"name": "Programmed", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Programmed\")].status"}"#,
    printcolumn = r#"{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}"#
)]
#[crd(
    allow(partial-column, reason = "the first address is shown, as of a Gateway"),
    removed_in = "v0.4.0",
    replaced_by = "edge.crd-channels.dev/v1 EdgeGateway"
)]
pub struct EdgeGatewayV1Beta1Spec(pub EdgeGatewaySpec);

crd_channels_runtime::has_conditions!(EdgeGateway);
