//! Listeners: the ports of an [`EdgeGateway`](super::EdgeGateway), and who may use them.

use crate::conditions;
use crate::values::{LABEL, WILDCARD_HOSTNAME};
use crd_channels_derive::ApiType;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector};
use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One port that the gateway listens on.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = Rule::new("(self.protocol in ['HTTPS', 'TLS']) == has(self.tls)")
    .message("tls must be set for protocols HTTPS and TLS, and for these only"))]
#[x_kube(validation = Rule::new("self.protocol != 'HTTPS' || !has(self.tls) || self.tls.mode == 'Terminate'")
    .message("protocol HTTPS needs tls.mode Terminate")
    .field_path(".tls.mode"))]
pub struct Listener {
    /// The name that routes refer to in `sectionName`.
    #[schemars(length(min = 1, max = 63), regex(pattern = LABEL))]
    pub name: String,
    /// The port.
    #[schemars(range(min = 1, max = 65535))]
    pub port: i32,
    /// The protocol that clients speak.
    pub protocol: ListenerProtocol,
    /// The host name to answer for, such as `www.example.com` or `*.example.com`. Without it the listener answers for
    /// all names. The `*` stands for one or more labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 253), regex(pattern = WILDCARD_HOSTNAME))]
    pub hostname: Option<String>,
    /// How encrypted connections are handled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls: Option<ListenerTls>,
    /// Which namespaces may attach routes. Without it, only the namespace of the gateway.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_routes: Option<RouteNamespaces>,
}

/// A protocol that clients speak.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ListenerProtocol {
    /// HTTP/1.1 and HTTP/2 in clear text.
    Http,
    /// HTTP/1.1 and HTTP/2 over TLS.
    Https,
    /// Any protocol over TLS.
    Tls,
}

/// How encrypted connections are handled.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = Rule::new("self.mode != 'Terminate' || (has(self.certificateRefs) && size(self.certificateRefs) > 0)")
    .message("mode Terminate needs at least one certificate"))]
pub struct ListenerTls {
    /// Whether the gateway decrypts.
    #[serde(default)]
    pub mode: TlsMode,
    /// The certificates to present. The one whose names fit the client's request best is chosen; the first, if none does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub certificate_refs: Vec<CertificateRef>,
}

/// Where encrypted connections end.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
pub enum TlsMode {
    /// At the gateway, which needs a certificate.
    #[default]
    Terminate,
    /// At the backend. The gateway reads the host name of the handshake and nothing else.
    Passthrough,
}

/// A `Secret` of type `kubernetes.io/tls`.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct CertificateRef {
    /// The name of the Secret.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// The namespace of the Secret. Without it, the namespace of the gateway.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 63), regex(pattern = LABEL))]
    pub namespace: Option<String>,
}

/// The namespaces that may attach routes to a listener.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[x_kube(validation = Rule::new("(self.from == 'Selector') == has(self.selector)")
    .message("selector must be set if from is Selector, and only then"))]
pub struct RouteNamespaces {
    /// Where routes may come from.
    #[serde(default)]
    pub from: RouteSource,
    /// The labels of the namespaces that routes may come from. An empty selector selects all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<LabelSelector>,
}

/// Where routes may come from.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
pub enum RouteSource {
    /// The namespace of the gateway.
    #[default]
    Same,
    /// Every namespace.
    All,
    /// The namespaces that `selector` selects.
    Selector,
}

/// What the controller says of one listener.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
pub struct ListenerStatus {
    /// The name of the listener.
    #[schemars(length(min = 1, max = 63), regex(pattern = LABEL))]
    pub name: String,
    /// How many routes are attached.
    #[schemars(range(min = 0))]
    pub attached_routes: i32,
    /// The state of the listener.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    #[crd(conditions = conditions::ListenerCondition)]
    pub conditions: Vec<Condition>,
}
