//! `ExternalCertificate`: stands for a certificate that an authority outside the cluster issues.

use crate::conditions::{self, SeverityCondition};
use crate::values::{Duration, LABEL, WILDCARD_HOSTNAME};
use crd_channels_derive::ApiType;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The certificate that is wanted.
#[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[kube(
    group = "edge.crd-channels.dev",
    version = "v1",
    kind = "ExternalCertificate",
    namespaced,
    shortname = "ecert",
    category = "edge",
    status = "ExternalCertificateStatus",
    doc = "ExternalCertificate is a certificate that an authority outside the cluster issues. The controller orders it, stores it in a Secret that gateways can use, and renews it in time.",
    derive = "PartialEq",
    selectable = ".spec.secretName",
    printcolumn = r#"{"name": "Ready", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Ready\")].status"}"#,
    printcolumn = r#"{"name": "Severity", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Ready\")].severity"}"#,
    printcolumn = r#"{"name": "Reason", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Ready\")].reason"}"#,
    printcolumn = r#"{"name": "Expires", "type": "date", "jsonPath": ".status.notAfter"}"#,
    printcolumn = r#"{"name": "Message", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Ready\")].message", "priority": 1}"#
)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = Rule::new("!has(self.duration) || duration(self.renewBefore) < duration(self.duration)")
    .message("renewBefore must be shorter than duration")
    .field_path(".renewBefore"))]
pub struct ExternalCertificateSpec {
    /// The authority that issues the certificate. It cannot be changed: the order belongs to an account there. Create a
    /// new object instead.
    #[x_kube(validation = Rule::new("self == oldSelf").message("issuer is immutable").reason(Reason::FieldValueForbidden))]
    pub issuer: CertificateIssuer,
    /// The names that the certificate is for, such as `www.example.com` or `*.example.com`.
    #[schemars(length(min = 1, max = 64), inner(length(min = 1, max = 253), regex(pattern = WILDCARD_HOSTNAME)))]
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub dns_names: Vec<String>,
    /// The name of the Secret that the certificate and its key are written to. A Secret of that name that belongs to
    /// something else is left alone.
    #[schemars(length(min = 1, max = 253))]
    pub secret_name: String,
    /// How long the certificate is to be valid. The authority may choose a shorter time. Without it, the authority decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<Duration>,
    /// How long before its end the certificate is renewed.
    #[serde(default = "thirty_days")]
    pub renew_before: Duration,
    /// What happens to the certificate when this object is deleted.
    #[serde(default)]
    pub deletion_policy: DeletionPolicy,
}

fn thirty_days() -> Duration {
    Duration("720h".to_owned())
}

/// An authority that issues certificates, and the account there.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
pub struct CertificateIssuer {
    /// The address of the authority's ACME directory.
    #[schemars(length(min = 1, max = 512), regex(pattern = r"^https://[^\s]+$"))]
    pub directory_url: String,
    /// Where warnings about the account are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 3, max = 254), email)]
    pub email: Option<String>,
    /// The key of the account. Without it, the controller makes one and keeps it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_key_ref: Option<AccountKeyRef>,
}

/// A Secret in the same namespace.
#[derive(Clone, Debug, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
pub struct AccountKeyRef {
    /// The name of the Secret.
    #[schemars(length(min = 1, max = 253), regex(pattern = LABEL))]
    pub name: String,
    /// The entry of the Secret that holds the key.
    #[serde(default = "key_entry")]
    #[schemars(length(min = 1, max = 253))]
    pub key: String,
}

fn key_entry() -> String {
    "tls.key".to_owned()
}

/// What happens to the certificate when its object is deleted.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
pub enum DeletionPolicy {
    /// Nothing: it stays valid until its end, and the Secret stays.
    #[default]
    Retain,
    /// It is revoked at the authority and the Secret is deleted.
    Revoke,
}

/// What is known of the certificate at the authority.
#[derive(Clone, Debug, Default, Deserialize, KubeSchema, PartialEq, Serialize, ApiType)]
#[serde(rename_all = "camelCase")]
pub struct ExternalCertificateStatus {
    /// The state of the certificate. While `Ready` is `False`, its severity says whether to wait (`Info`), to look
    /// (`Warning`) or to change something (`Error`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    #[crd(conditions = conditions::CertificateCondition)]
    pub conditions: Vec<SeverityCondition>,
    /// The address of the last order at the authority.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 512))]
    pub order_url: Option<String>,
    /// The serial number of the certificate, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 64), regex(pattern = r"^[0-9a-f]+$"))]
    pub serial_number: Option<String>,
    /// When the certificate begins to be valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_before: Option<Time>,
    /// When the certificate ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_after: Option<Time>,
    /// When the certificate will be renewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renewal_time: Option<Time>,
}
